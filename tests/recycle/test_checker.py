"""The checker: shapes, kinds, scopes, the counting base, overrides, and one message for one mistake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import pytest

from upcard.recycle import program as p
from upcard.recycle.front import Checked, check
from upcard.recycle.kinds import Kind
from upcard.recycle.source import Source
from upcard.recycle.walk import below

DECK = "(create deck (game iloc STOCK) (deck (RANK (A, K, Q, J)) (SUIT (H, S))))"
SCORING = "(scoring max ((current player) sto SCORE))"


def game(
    body: str, setup: str = f"(create players 4) {DECK}", declares: str = "", scoring: str = SCORING
) -> str:
    return f"(game {declares}\n(setup {setup})\n{body}\n{scoring})"


def do(*items: str) -> str:
    return f"(do ({' '.join(items)}))"


def checked(
    text: str, overrides: Mapping[str, str] | None = None, base: Literal[0, 1] | None = None
) -> Checked:
    return check(Source("x", text), overrides, base)


def errors(
    text: str, overrides: Mapping[str, str] | None = None, base: Literal[0, 1] | None = None
) -> list[str]:
    return [d.code for d in checked(text, overrides, base).errors]


def sound(text: str, overrides: Mapping[str, str] | None = None) -> p.Program:
    return checked(text, overrides).sound()[0]


def counted_from(
    body: str = "", teams: str = "", players: int = 4, base: Literal[0, 1] | None = None
) -> tuple[int, list[str]]:
    """The base that was settled on, and what was said about it."""
    made = f"(create teams {teams})" if teams else ""
    body = body or do("(turn pass)")
    result = checked(game(body, f"(create players {players}) {made} {DECK}"), base=base)
    said = [d.code for d in result.diagnostics if d.code in ("E402", "W512", "W513")]
    return result.sound()[0].base if result.program else -1, said


# --- dialects and the counting base (recycle.md section 1) ---------------------------------------


@pytest.mark.parametrize(
    "form",
    [
        "(inc (game sto X))",
        "(dec (game sto X))",
        "(inc (game sto X) (pid (current player)))",
        "(inc (game sto X) (size (indexed game vloc PILE)))",
        "(shuffle (game vloc PILE 3))",
        "(inc (game sto X) (scoremax (game vloc PILE) using (game points V)))",
        "(inc (game sto X) (scoremin (game vloc PILE) using (game points V)))",
        "(swap (game vloc PILE) (game vloc ROW))",
        "(inc (game sto X) (+ 1 2 3))",
        "(cycle next (current player))",
        "(cycle current (2 player))",
    ],
)
def test_newer_forms_are_read_and_settle_the_base(form: str) -> None:
    assert counted_from(do(form)) == (1, [])


@pytest.mark.parametrize(
    "form",
    [
        "(inc (game sto X) 1)",
        "(cycle next previous)",
        "(cycle next (owner (top ((next player) iloc HAND))))",
        "(move (actual (top (game iloc STOCK))) (top (game vloc PILE)))",
        "(inc (game sto X) (score (max (game vloc PILE) using (game points V)) using (game points V)))",
    ],
)
def test_classic_forms_leave_the_base_at_0(form: str) -> None:
    assert counted_from(do(form)) == (0, [])


NEWER = "(inc (game sto X))"


@pytest.mark.parametrize(
    "rule, body, teams, base, expected",
    [
        (
            "1 an option wins",
            do("(inc (0 player) 1)".replace("(0 player)", "((0 player) sto X)")),
            "",
            1,
            (1, []),
        ),
        ("1 against a newer form", do(NEWER), "", 0, (0, [])),
        ("2 a list with 0", do(NEWER), "(0, 2) (1, 3)", None, (0, [])),
        ("2 with N as well", do(NEWER), "(0, 2) (1, 4)", None, (-1, ["E402"])),
        ("3 a list with N", do("(inc ((0 player) sto X) 1)"), "(1, 3) (2, 4)", None, (1, [])),
        ("4 a literal player 0", do(NEWER, "(inc ((0 player) sto X) 1)"), "", None, (0, [])),
        ("4 a literal team 0", do(NEWER, "(inc ((0 team) sto X) 1)"), "", None, (0, [])),
        ("4 a literal player N", do("(inc ((4 player) sto X) 1)"), "", None, (1, [])),
        ("4 comes before 6", do("(inc ((0 player) sto X) 1)"), "(1, 2)", None, (0, [])),
        ("5 a newer form", do(NEWER), "", None, (1, [])),
        ("5 comes before 6", do(NEWER), "(1, 2)", None, (1, [])),
        ("6 a list that decides nothing", do("(turn pass)"), "(1, 2)", None, (1, ["W513"])),
        ("7 nothing at all", do("(turn pass)"), "", None, (0, [])),
        ("7 a literal in between", do("(inc ((2 player) sto X) 1)"), "", None, (0, [])),
    ],
)
def test_the_counting_base(
    rule: str, body: str, teams: str, base: Literal[0, 1] | None, expected: tuple[int, list[str]]
) -> None:
    assert counted_from(body, teams, base=base) == expected, rule


def test_an_option_against_the_team_list_is_told() -> None:
    assert counted_from(teams="(0, 2) (1, 3)", base=1) == (-1, ["W512", "E402"])


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


# --- one message for one mistake -----------------------------------------------------------------

FIVE = {
    "words and values": (
        ["E107", "E301", "E302", "E201", "E303"],
        game(
            """(do (
              (shufle (game iloc STOCK))
              (inc ('NOBODY sto X) 1)
              (inc (game sto X) HEARTS)
              (move (top (game iloc STOCK)))
              ((== (current player) 3) (turn pass))))"""
        ),
    ),
    "characters": (
        ["E102", "E105", "E104", "E106", "E103"],
        game(
            """(do (
              (set (game str X) "HEARTS")
              (shuffle (game vloc PILE2))
              (all player 'p (turn pass))
              (inc (game sto X) 99999999999999999999)
              (turn pass) ; done
              ))"""
        ),
    ),
    "shapes": (
        ["E205", "E207", "E208", "E203", "E209"],
        game(
            """(do ((choice ((turn pass)))))
               (do (turn pass))
               (do ((repeat all (turn pass))))
               (shuffle (game iloc STOCK))
               (choice ((create teams (0, 1))))"""
        ),
    ),
    "setup": (
        ["E213", "E114", "E402", "E210", "E201"],
        game(
            "(stage player (choice ((turn pass))))",
            """(create players 4)
               (create teams (0, 2) 1)
               (create deck (game mem STOCK) (deck (RANK (A, K))))
               (create deck (game iloc STOCK) (deck (RANK (A K))))
               (shuffle (game iloc STOCK))""",
        ),
    ),
    "collections": (
        ["E304", "E211", "E302", "E202", "E201"],
        game(
            """(all ((current team) iloc HAND) 'C (turn pass))
               (do ((shuffle (game vloc new))))
               (all 7 'N (inc (game sto X) 'N))
               (all () 'N (turn pass))
               (all (game iloc STOCK) N (move 'N (top (game vloc PILE))))"""
        ),
    ),
    "point maps": (
        ["E212", "E212", "E302", "E201", "E204"],
        game(
            """(do (
              (set (game points V) ((RANK : A) 3))
              (set (game points V) (((RANK : A) (SUIT : H))))
              (inc (game sto X) (sum (game iloc STOCK) using (game sto V)))
              (inc (game sto X) (sum (game iloc STOCK) (game points V)))
              (inc (game sto X) (shuffle (game iloc STOCK)))))"""
        ),
    ),
    "wrong variables": (
        ["E305", "E302", "E301", "E302", "E201"],
        game(
            """(all 'N 'K (inc (game sto X) 'K))
               (all player 'P (do ((inc ('Q sto X) 1) (inc ('P sto X) 1))))
               (all (RED, BLUE) 'C (do ((inc ('C sto X) 1) (inc ('C sto Y) 1) (cycle next 'C))))
               (let 3 M (inc (game sto X) 'M))""",
            declares="(declare (current player) 'WHO) (declare 3 'N)",
        ),
    ),
    "control": (
        ["E201", "E201", "E201", "E201", "E210"],
        game(
            """(stage (end (== 1 1)) (do ((turn pass))))
               (stage player (end (== 1 1) (== 2 2)) (do ((turn pass))))
               (do (((== 1 1))))
               (choice ((turn)))
               (end (== 1 1))"""
        ),
    ),
}


@pytest.mark.parametrize("name", FIVE)
def test_five_mistakes_give_five_messages(name: str) -> None:
    expected, text = FIVE[name]
    result = checked(text)
    found = [d.code for d in result.diagnostics]
    assert sorted(found) == sorted(expected), [(d.code, d.message) for d in result.diagnostics]
    assert [d.span.start for d in result.diagnostics] == sorted(d.span.start for d in result.diagnostics)


# --- order facts (27.1) --------------------------------------------------------------------------

DEAL = (
    "(shuffle (game iloc STOCK))"
    "(all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))"
)
PLAY = "(any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc TRICK))))"

ORDER = {
    "a lone hand is poured away": (
        do(
            DEAL,
            "(move (top (game iloc STOCK)) (top (game vloc TURNED)))",
            "(set (game str TRUMP) (cardatt SUIT (top (game vloc TURNED))))",
        )
        + "(all player 'P ((== ('P str BID) DUMMY)"
        " (repeat all (move (top ('P iloc HAND)) (top ('P iloc ALONE))))))"
        + f"(choice ({PLAY}))"
        + "(all player 'P ((> (size ('P vloc TRICK)) 0)"
        " (move (top ('P vloc TRICK)) (top (game vloc DISCARD)))))",
        {"table iloc STOCK", "table vloc TURNED", "player vloc TRICK"},
        {"player iloc HAND", "player iloc ALONE", "table vloc DISCARD"},
    ),
    "the last card of a hand names the trump": (
        do(DEAL, "(set (game str TRUMP) (cardatt SUIT (top ((previous player) iloc HAND))))")
        + f"(choice ({PLAY}))"
        + "(all player 'P (move (top ('P vloc TRICK)) (top (game vloc DISCARD))))",
        {"table iloc STOCK", "player vloc TRICK", "player iloc HAND"},
        {"table vloc DISCARD"},
    ),
    "shedding": (
        do(DEAL, "(move (top (game iloc STOCK)) (top (game vloc PILE)))")
        + "(choice ((any (filter ((current player) iloc HAND) 'C"
        " (== (cardatt SUIT 'C) (cardatt SUIT (top (game vloc PILE))))) 'C"
        " (move 'C (top (game vloc PILE))))))"
        + do(
            "(move (top (game vloc PILE)) (top (game vloc SPARE)))",
            "(repeat all (move (top (game vloc PILE)) (top (game iloc STOCK))))",
            "(shuffle (game iloc STOCK))",
            "(move (top (game vloc SPARE)) (top (game vloc PILE)))",
        ),
        {"table iloc STOCK", "table vloc PILE", "table vloc SPARE"},
        {"player iloc HAND"},
    ),
    "fishing": (
        do(DEAL, "(repeat 4 (move (top (game iloc STOCK)) (top (game vloc POOL))))")
        + "(choice ((any ((current player) iloc HAND) 'C (move 'C (top (game vloc PLAYED))))))"
        + "(choice ((any (filter (subsets (game vloc POOL)) 'S (== (sum 'S using (game points V))"
        " (score (top (game vloc PLAYED)) using (game points V)))) 'S"
        " (all 'S 'K (move 'K (top ((current player) iloc WON)))))))"
        + do(
            "(repeat all (move (top (game vloc POOL)) (top ((current player) iloc WON))))",
            "(all (partition SUIT ((current player) iloc WON)) 'G (inc (game sto X) (size 'G)))",
        ),
        {"table iloc STOCK", "table vloc PLAYED"},
        {"player iloc HAND", "table vloc POOL", "player iloc WON"},
    ),
    "exchange": (
        do(DEAL, "(repeat 3 (move (top (game iloc STOCK)) (bottom (game vloc ROW))))")
        + "(choice ((swap ((current player) iloc HAND) (game vloc ROW))"
        " (any ((current player) iloc HAND) 'C (move 'C (top (game vloc DISCARD))))))"
        + "(all player 'P (all (partition SUIT ('P iloc HAND)) 'G"
        " ((> (size 'G) ('P sto BEST)) (set ('P sto BEST) (size 'G)))))",
        {"table iloc STOCK", "player iloc HAND", "table vloc ROW"},
        {"table vloc DISCARD"},
    ),
}


@pytest.mark.parametrize("name", ORDER)
def test_order_facts(name: str) -> None:
    body, ordered, unordered = ORDER[name]
    _, facts = checked(game(body)).sound()
    found = {
        f"{f.family.owner} {f.family.cls} {f.family.name}": f.ordered is not None for f in facts.families
    }
    assert found == dict.fromkeys(ordered, True) | dict.fromkeys(unordered, False)


def test_setup_has_its_order() -> None:
    """Players, then teams, then decks."""
    deck = "(create deck (game iloc STOCK) (deck (RANK (A, K))))"
    for wrong in (f"{deck} (create players 2)", f"(create players 2) {deck} (create teams (0) (1))"):
        text = f"(game (setup {wrong}) (choice ((turn pass))) (scoring max 1))"
        assert [d.code for d in check(Source("x", text)).errors] == ["E210"]


def test_declared_members_decide_the_base_like_written_ones() -> None:
    def base(declared: str, teams: str) -> tuple[int, list[str]]:
        deck = "(create deck (game iloc STOCK) (deck (RANK (A, K))))"
        setup = f"(setup (create players 4) (create teams {teams}) {deck})"
        text = f"(game {declared} {setup} (choice ((turn pass))) (scoring max 1))"
        checked = check(Source("x", text))
        assert checked.program is not None
        return checked.program.base, [d.code for d in checked.warnings]

    assert base("(declare 0 'A)", "('A, 2) (1, 3)") == (0, [])
    assert base("(declare 4 'A)", "('A, 2) (1, 3)") == (1, [])
    assert base("(declare 1 'A) (declare 2 'B)", "('A) ('B)")[0] == 1
    assert "W513" in base("(declare 1 'A) (declare 2 'B)", "('A) ('B)")[1]
