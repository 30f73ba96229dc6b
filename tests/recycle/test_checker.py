"""The checker: shapes, kinds, scopes, setups and overrides."""

from __future__ import annotations

import pytest
from tests.recycle.check_text import DECK, checked, do, errors, game, sound

from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below

# --- shapes (section 3) --------------------------------------------------------------------------


def test_a_choice_has_its_places() -> None:
    choice = "(choice ((turn pass)))"
    stage = f"(stage player (end (== 1 1)) {choice})"
    assert errors(game(choice)) == []
    assert errors(game(stage)) == []
    assert errors(game(f"(let 3 'N {choice})")) == []
    assert errors(game(f"(let 3 'N (let 4 'M {choice}))")) == []
    for inside in (
        do(choice),
        f"(all player 'P {choice})",
        f"(any player 'P {choice})",
        f"(choice ({choice}))",
    ):
        assert errors(game(inside)) == ["E205"], inside
    assert errors(game(f"(all player 'P (let 3 'N {choice}))")) == ["E205"]
    assert errors(game(do(stage))) == ["E206"]


def test_let_around_a_choice() -> None:
    (element,) = sound(game("(let (size (game iloc STOCK)) 'N (choice ((inc (game sto X) 'N))))")).body
    assert isinstance(element, p.LetChoice)
    assert isinstance(element.inner, p.Choice)


def test_repeat_all_of_a_move_or_a_forget() -> None:
    pour = "(repeat all (move (top (game iloc STOCK)) (top (game vloc PILE))))"
    assert errors(game(do(pour, "(repeat all (forget (top (game mem SEEN))))"))) == []
    assert errors(game(do("(repeat all (turn pass))"))) == ["E208"]
    assert errors(game(do("(repeat all (do ((turn pass))))"))) == ["E208"]
    assert errors(game(do("(repeat all (shuffle (game iloc STOCK)))"))) == ["E208"]


def test_nothing_is_created_in_a_choice() -> None:
    assert errors(game(do(DECK))) == []
    assert errors(game(do("(create teams (0, 1) (2, 3))"))) == []
    assert errors(game(f"(choice ({DECK}))")) == ["E209"]
    assert errors(game("(choice ((any player 'P (do ((create teams (0, 1))))))) ")) == ["E209"]


def test_any_is_a_loop_outside_a_choice() -> None:
    loop, choice = sound(game("(any player 'P (turn pass)) (choice ((any player 'P (turn pass))))")).body
    assert isinstance(loop, p.ForAll)
    assert loop.was_any
    assert isinstance(choice, p.Choice)
    assert isinstance(choice.items[0], p.ForAny)


@pytest.mark.parametrize(
    "form, made",
    [
        ("(inc (game sto X) (all player 'P ('P sto Y)))", p.SumOver),
        ("((all player 'P (== ('P sto Y) 1)) (turn pass))", p.Quantified),
        ("((any player 'P (== ('P sto Y) 1)) (turn pass))", p.Quantified),
        ("(shuffle (union (all player 'P ('P iloc HAND))))", p.Each),
        ("(shuffle (top (partition SUIT (game iloc STOCK))))", p.ListEnd),
        ("(shuffle (1 (partition SUIT (game iloc STOCK))))", p.ListAt),
        ("(shuffle (top 2 (game iloc STOCK)))", p.EndCards),
        ("(move (1 (game iloc STOCK)) (top (game vloc PILE)))", p.CardAt),
        ("(move (game iloc STOCK) (top (game vloc PILE)))", p.TopOf),
        ("(shuffle (top (partition (game iloc STOCK) SUIT)))", p.Partition),
        ("(all (current team) 'P (turn pass))", p.Members),
        ("(shuffle (filter (filter (game iloc STOCK) 'C (== 1 1)) 'C (== 1 1)))", p.Filter),
    ],
)
def test_what_depends_on_the_context(form: str, made: type[p.Node]) -> None:
    assert any(isinstance(node, made) for node in below(sound(game(do(form)))))


def test_legacy_awards() -> None:
    assert errors(game(do("(set (game points V) (((SUIT (H)) 1) ((RANK : Q) (SUIT : S) 13)))"))) == []
    assert errors(game(do("(set (game points V) (((put RANK Q) 1)))"))) != []


def test_reserved_but_unused() -> None:
    assert errors(game(do("(faro (game iloc STOCK))"))) == ["E211"]
    assert errors(game(do("(shuffle (game vloc new))"))) == ["E211"]


# --- variables and kinds (section 4) -------------------------------------------------------------


def test_inner_bindings_hide_outer_ones() -> None:
    text = game("(let 3 'X (do ((let HEARTS 'X (set (game str S) 'X)) (inc (game sto N) 'X))))")
    assert errors(text) == []
    assert errors(text.replace("(inc (game sto N) 'X)", "(set (game str S) 'X)")) == ["E302"]


def test_a_variable_ends_with_its_form() -> None:
    assert errors(game(do("(any player 'P (inc ('P sto X) 1))", "(inc ('P sto X) 1)"))) == ["E301"]
    assert errors(game(do("(shuffle (filter (game iloc STOCK) 'C (== 1 1)))", "(forget 'C)"))) == ["E301"]
    assert errors(
        game(do("(inc (game sto X) 'LATER)"), declares="(declare 'LATER 'SOONER) (declare 1 'LATER)")
    ) == ["E301"]


def test_declares_see_earlier_ones_only() -> None:
    assert errors(game(do("(inc (game sto X) 'B)"), declares="(declare 6 'A) (declare (// 36 'A) 'B)")) == []
    assert errors(game(do("(turn pass)"), declares="(declare (current player) 'A)")) == ["E305"]
    assert errors(game(do("(turn pass)"), declares="(declare player 'A)")) == ["E305"]
    assert errors(game(do("(turn pass)"), declares="(declare (team (1 player)) 'A)")) == ["E305"]


VALUES = {
    Kind.INT: "3",
    Kind.BOOL: "(== 1 2)",
    Kind.STR: "HEARTS",
    Kind.CARD: "(top (game vloc PILE))",
    Kind.PLAYER: "(current player)",
    Kind.TEAM: "(current team)",
    Kind.MAP: "(game points V)",
    Kind.CARDS: "(game vloc PILE)",
    Kind.LISTS: "(partition SUIT (game vloc PILE))",
    Kind.STRS: "(RED, BLUE)",
    Kind.INTS: "(range 1..3)",
    Kind.PLAYERS: "player",
    Kind.TEAMS: "team",
}

WANTED = [
    ("(inc (game sto X) {})", {Kind.INT}),
    ("({} (turn pass))", {Kind.BOOL}),
    ("(set (game str X) {})", {Kind.STR}),
    ("(forget {})", {Kind.CARD, Kind.CARDS}),
    ("(cycle next {})", {Kind.PLAYER}),
    ("(shuffle {})", {Kind.CARDS}),
    ("(shuffle (union {}))", {Kind.CARDS, Kind.LISTS}),
    ("(inc (game sto X) (sum (game vloc PILE) using {}))", {Kind.MAP}),
    ("(inc (game sto X) (size {}))", {k for k in VALUES if k.element} | {Kind.TEAM}),
    ("(inc ({} sto X) 1)", {Kind.PLAYER, Kind.TEAM}),
    ("(shuffle ({} vloc X))", {Kind.PLAYER}),
    ("(inc ((team {}) sto X) 1)", {Kind.PLAYER}),
]


@pytest.mark.parametrize("form, fits", WANTED)
@pytest.mark.parametrize("kind", VALUES)
def test_kinds(form: str, fits: set[Kind], kind: Kind) -> None:
    result = checked(game(do(form.format(VALUES[kind]))))
    if kind in fits:
        assert not result.errors
        return
    (found,) = result.errors
    if found.code == "E302":
        assert kind.value in found.message, "the kind that was found is named"
        assert any(w.value in found.message for w in fits) or "a collection" in found.message
    else:
        # (3 (turn pass)) is no condition but no item at all; a team that would own cards has its own code
        assert found.code in ("E201", "E202", "E203", "E304")


@pytest.mark.parametrize("left", VALUES)
@pytest.mark.parametrize("right", VALUES)
def test_equality(left: Kind, right: Kind) -> None:
    comparable = {Kind.INT, Kind.STR, Kind.CARD, Kind.PLAYER, Kind.TEAM}
    good = (left is right and left in comparable) or {left, right} == {Kind.CARD, Kind.CARDS}
    result = checked(game(do(f"((== {VALUES[left]} {VALUES[right]}) (turn pass))")))
    assert [d.code for d in result.errors] == ([] if good else ["E303"])
    for found in result.errors:
        assert left.value in found.message
        assert left is right or right.value in found.message


def test_a_variable_of_the_wrong_kind_is_reported_once() -> None:
    text = game("(all (RED, BLUE) 'P\n(do ((inc ('P sto X) 1) (inc ('P sto Y) 1) (shuffle ('P iloc HAND)))))")
    (found,) = checked(text).errors
    assert "'P gets its value on line 3" in found.hint


def test_teams_own_no_cards() -> None:
    assert errors(game(do("(shuffle ((current team) vloc WON))"))) == ["E304"]
    assert errors(game("(all (indexed (current team) vloc WON) 'L (turn pass))")) == ["E304"]
    assert errors(game(do("(set ((current team) str X) HEARTS)"))) == []


# --- setup (section 5) ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "setup, expected",
    [
        (f"(create players 1) {DECK}", []),
        (f"(create players (+ 2 2)) {DECK}", []),
        (f"(create players 0) {DECK}", ["E401"]),
        (f"(create players (- 0 1)) {DECK}", ["E401"]),
        (f"(create players 257) {DECK}", ["E401"]),
        (f"(create players (random 4)) {DECK}", ["E401"]),
        (f"(create players (// 1 0)) {DECK}", ["E401"]),
        (f"(create players HEARTS) {DECK}", ["E302"]),
        (DECK, ["E210"]),
        ("(create players 4)", ["E210"]),
        (f"(create players 4) (create teams (0, 1) (1, 2)) {DECK}", ["E402"]),
        (f"(create players 4) (create teams (0, 1) (2, 5)) {DECK}", ["E402"]),
        (f"(create players 4) (create teams (0 1)) {DECK}", ["E114"]),
        (f"(create players 4) (repeat 2 {DECK})", []),
        (f"(create players 4) (repeat 2 (repeat 2 {DECK}))", []),
        (f"(create players 4) (repeat all {DECK})", ["E208"]),
        ("(create players 4) (repeat 2 (shuffle (game iloc STOCK)))", ["E210"]),
        (f"(create players 4) (repeat 10000 {DECK})", ["E405"]),
        ("(create players 4) (create deck RED (game iloc STOCK) (deck (RANK (A))))", []),
        ("(create players 4) (create deck (game mem STOCK) (deck (RANK (A))))", ["E213"]),
        ("(create players 4) (create deck (game iloc STOCK) (deck (C (R (S (X, Y))) (G (S (Z))))))", []),
        ("(create players 4) (create deck (game iloc STOCK) (deck (RANK (A K))))", ["E114"]),
    ],
)
def test_setups(setup: str, expected: list[str]) -> None:
    assert errors(game(do("(turn pass)"), setup)) == expected


def test_players_from_a_declare() -> None:
    text = game(
        do("(turn pass)"), f"(create players 'N) {DECK}", "(declare 2 'HALF) (declare (* 2 'HALF) 'N)"
    )
    assert sound(text).players == 4
    assert sound(text, {"HALF": "3"}).players == 6
    assert errors(text, {"N": "0"}) == ["E401"]


def test_how_many_cards() -> None:
    deck = "(create deck (game vloc D) (deck (N (A, B)) (C (R (S (X, Y))) (G (S (Z))))))"
    assert checked(game(do("(turn pass)"), f"(create players 2) {deck}")).sound()[1].cards == 6
    assert checked(game(do("(turn pass)"), f"(create players 2) (repeat 3 {deck})")).sound()[1].cards == 18
    assert (
        checked(game(do("(turn pass)"), f"(create players 2) (repeat (random 3) {deck})")).sound()[1].cards
        is None
    )


# --- overrides (27.3) ----------------------------------------------------------------------------

RULES = game(
    do(
        "(inc (game sto X) 'CARDS)",
        "(set (game str S) 'LEAD)",
        "('STICK (turn pass))",
        "(all 'SUITS 'S (turn pass))",
        "(all 'ROWS 'R (turn pass))",
        "(shuffle 'PLACE)",
    ),
    declares="(declare 5 'CARDS) (declare HEARTS 'LEAD) (declare (== 1 1) 'STICK) (declare (H, S) 'SUITS) "
    "(declare (range 1..3) 'ROWS) (declare (game vloc PILE) 'PLACE)",
)


@pytest.mark.parametrize(
    "given",
    [
        {"CARDS": "7"},
        {"CARDS": "-7"},
        {"LEAD": "SPADES"},
        {"STICK": "FALSE"},
        {"SUITS": "RED, BLUE"},
        {"ROWS": "4,5"},
        {"CARDS": "0", "LEAD": "A"},
        {},
    ],
)
def test_right_overrides(given: dict[str, str]) -> None:
    program = sound(RULES, given)
    assert dict(program.overrides) == given
    assert {d.binding.name for d in program.declares if d.overridden} == set(given)


@pytest.mark.parametrize(
    "name, given",
    [
        ("CARDS", "FIVE"),
        ("CARDS", ""),
        ("CARDS", "9223372036854775808"),
        ("LEAD", "hearts"),
        ("LEAD", "3"),
        ("STICK", "YES"),
        ("SUITS", "red"),
        ("ROWS", "A"),
        ("PLACE", "PILE"),
        ("CARD", "7"),
        ("NOTHING", "7"),
    ],
)
def test_wrong_overrides(name: str, given: str) -> None:
    assert errors(RULES, {name: given}) == ["E404"]


def test_an_unknown_override_gets_a_suggestion() -> None:
    (found,) = checked(RULES, {"CARD": "7"}).errors
    assert found.hint == "did you mean CARDS?"
