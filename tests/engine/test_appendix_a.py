"""Every row of the language reference's appendix A, on its state S."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.engine.play_through import lie, load, moved
from tests.engine.state_sizes import HEAD, TAIL, after, evaluated, value, with_elements

from upcard.recycle.diagnostics import RecycleError

VALUES = {
    "A.1 players and teams": """
        (current player)                          | seat 0
        (next player)                             | seat 2
        (previous player)                         | seat 2
        (1 player)                                | seat 1
        (owner (top ((1 player) iloc HAND)))      | seat 1
        (team (current player))                   | team 0
        (current team)                            | team 0
        (next team)                               | team 1
        (previous team)                           | team 1
        (1 team)                                  | team 1
        """,
    "A.2 cards": """
        (top (game vloc D))                                        | CX
        (bottom (game vloc D))                                     | AY
        (1 (game vloc D))                                          | BY
        (top (game vloc EMPTY))                                    | no card
        (max (game vloc D) using (game points V))                  | CX
        (min ((current player) iloc HAND) using (game points V))   | AX
        (top (top (partition SUIT (game vloc D))))                 | BY
        (actual (top (game vloc D)))                               | CX
        """,
    "A.3 card collections": """
        (game vloc D)                                              | [AY BY CX]
        ((2 player) iloc HAND)                                     | []
        (game vloc PILE 3)                                         | []
        (union (game vloc D) ((1 player) iloc HAND))               | [AY BY CX BX]
        (union (all player 'P ('P iloc HAND)))                     | [AX CY BX]
        (intersect (game vloc D) (filter (game vloc D) 'C (== (cardatt SUIT 'C) X)))  | [CX]
        (disjunction (game vloc D) (top 2 (game vloc D)))          | [AY]
        (filter (game vloc D) 'C (> (score 'C using (game points V)) 1))              | [BY CX]
        (sort (union (all player 'P ('P iloc HAND))) using (game points V))           | [AX BX CY]
        (top 2 (game vloc D))                                      | [BY CX]
        (bottom 2 (game vloc D))                                   | [AY BY]
        (run top 2 (game vloc D) using (game points V))            | [AY BY CX]
        (run top 4 (game vloc D) using (game points V))            | []
        (bottom (partition SUIT (game vloc D)))                    | [CX]
        """,
    "A.4 lists of collections": """
        (partition SUIT (game vloc D))                             | [AY BY]; [CX]
        (partition RANK (all player 'P ('P iloc HAND)))            | [AX]; [CY]; [BX]
        (tuples 2 (union (game vloc D) ((1 player) iloc HAND)) using (game points V)) | [BY BX]
        (subsets (game vloc D)) | [AY]; [BY]; [AY BY]; [CX]; [AY CX]; [BY CX]; [AY BY CX]
        (runs largest 2 (game vloc D) using (game points V))       | [AY BY CX]
        (runs all 2 (game vloc D) using (game points V))           | [AY BY]; [AY BY CX]; [BY CX]
        (all player 'P ('P iloc HAND))                             | [AX CY]; [BX]; []
        (indexed game vloc PILE)                                   | nothing
        """,
    "A.5 other collections": """
        player                                             | seat 0; seat 1; seat 2
        team                                               | team 0; team 1
        (other player)                                     | seat 1; seat 2
        (other team)                                       | team 1
        (filter (current team) 'P (== 1 1))                | seat 0; seat 2
        (range 2..4)                                       | 2; 3; 4
        (RED, BLUE)                                        | 'RED'; 'BLUE'
        (filter player 'P (> ('P sto GOLD) 1))             | seat 0; seat 1
        (filter (partition SUIT (game vloc D)) 'G (> (size 'G) 1)) | [AY BY]
        (filter (range 1..6) 'N (== (% 'N 3) 0))           | 3; 6
        """,
    "A.6 booleans": """
        (and (== 1 2) (== (score (top (game vloc EMPTY)) using (game points V)) 0)) | False
        (not (== 1 2))                                             | True
        (== (cardatt SUIT (top (game vloc D))) (game str LEAD))    | True
        (== (top (game vloc D)) (2 (game vloc D)))                 | True
        (!= (top (game vloc D)) (top (game vloc EMPTY)))           | True
        (== (next player) (2 player))                              | True
        (== (team (0 player)) (team (2 player)))                   | True
        (all player 'P (> ('P sto GOLD) 1))                        | False
        (any player 'P (> ('P sto GOLD) 1))                        | True
        (all (game vloc EMPTY) 'C (== 1 2))                        | True
        """,
    "A.7 integers and strings": """
        (size (game vloc D))                                       | 3
        (size (current team))                                      | 2
        (size (partition SUIT (game vloc D)))                      | 2
        (sum (game vloc D) using (game points V))                  | 6
        (score (top ((0 player) iloc HAND)) using (game points V)) | 13
        (scoremax (game vloc D) using (game points V))             | 3
        (scoremin (game vloc D) using (game points V))             | 1
        ((current player) sto GOLD)                                | 5
        (game sto NEVERSET)                                        | 0
        (all player 'P ('P sto GOLD))                              | 7
        (+ 1 23 (game sto POT))                                    | 31
        (- (- 0 7) 1 1)                                            | -9
        (// (- 0 7) 2)                                             | -3
        (% (- 0 7) 2)                                              | -1
        (^ 2 5)                                                    | 32
        (tri 4)                                                    | 10
        (fib 10)                                                   | 55
        (pid (next player))                                        | 2
        (cardatt SUIT (bottom (game vloc D)))                      | 'Y'
        (cardatt HUE (bottom (game vloc D)))                       | ''
        (game str NEVERSET)                                        | ''
        """,
}


def rows(tables: dict[str, str]) -> list[tuple[str, str]]:
    lines = [line.strip() for text in tables.values() for line in text.splitlines() if line.strip()]
    return [(form.strip(), outcome.strip()) for form, _, outcome in (line.partition("|") for line in lines)]


@pytest.mark.parametrize("form, outcome", rows(VALUES))
def test_value(form: str, outcome: str) -> None:
    assert value(evaluated(form)) == outcome


def test_team_of_a_variable() -> None:
    state = with_elements("(let (1 player) 'P (let (team 'P) 'X (choice ((turn pass)))))")
    inner = state.game.program.body[-1].inner  # type: ignore[union-attr]
    assert state.machine.table.env[inner.binding.slot] == 1  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "form",
    [
        "(3 player)",
        "((- 0 1) player)",
        "(2 team)",
        "(owner (top (game vloc D)))",
        "(owner (top (game vloc EMPTY)))",
        "(3 (game vloc D))",
        "((- 0 1) (game vloc D))",
        "(score (top (game vloc EMPTY)) using (game points V))",
        "(max (game vloc EMPTY) using (game points V))",
        "(min (game vloc EMPTY) using (game points V))",
        "(top 4 (game vloc D))",
        "(bottom 4 (game vloc D))",
        "(bottom (partition SUIT (game vloc EMPTY)))",
        "(top (partition SUIT (game vloc EMPTY)))",
        "(2 (partition SUIT (game vloc D)))",
        "(scoremax (game vloc EMPTY) using (game points V))",
        "(scoremin (game vloc EMPTY) using (game points V))",
        "(random (- 0 1))",
        "(random 5 .. 4)",
        "(tuples 0 (game vloc D) using (game points V))",
        "(// 1 0)",
        "(% 1 0)",
    ],
)
def test_value_that_is_an_error(form: str) -> None:
    outcome = evaluated(form).outcome
    assert outcome is not None
    assert outcome.ending == "failed"
    assert outcome.failure is not None
    assert outcome.failure.form == form
    assert outcome.failure.decision == 0


@pytest.mark.parametrize(
    "form, code",
    [
        ("(team (game sto POT))", "E302"),
        ("(team (current team))", "E302"),
        ("(== (game vloc D) (game vloc E))", "E303"),
        ("(== (current player) (current team))", "E303"),
        ("(== 1 RED)", "E303"),
        ("((current team) vloc D)", "E304"),
    ],
)
def test_value_of_the_wrong_kind_is_refused_when_loading(form: str, code: str) -> None:
    with pytest.raises(RecycleError) as caught:
        load(f"{HEAD} (let {form} 'X (choice ((turn pass)))) {TAIL}")
    assert [d.code for d in caught.value.diagnostics if d.severity == "error"] == [code]


def test_random_keeps_to_its_bounds_and_reaches_them() -> None:
    game = load(HEAD + "(do ((set (game sto A) (random 3)) (set (game sto B) (random 2 .. 5))))" + TAIL)
    ints = [game.deal(3, number).machine.table.ints for number in range(100)]
    assert {made[-1, "A"] for made in ints} == {0, 1, 2, 3}
    assert {made[-1, "B"] for made in ints} == {2, 3, 4, 5}


# --- A.8 -----------------------------------------------------------------------------------------

S = {
    "table.vloc.D": "AY BY CX",
    "table.vloc.E": "",
    "table.mem.SEEN": "",
    "seat0.iloc.HAND": "AX CY",
    "seat1.iloc.HAND": "BX",
    "seat2.iloc.HAND": "",
    "cycle": "0 2",
    "team": "0",
    "0 GOLD": "5",
    "1 GOLD": "2",
    "-1 POT": "7",
    "-1 LEAD": "X",
}

ACTIONS: list[tuple[str, dict[str, str]]] = [
    (
        "(move (top (game vloc D)) (bottom ((1 player) iloc HAND)))",
        {"table.vloc.D": "AY BY", "seat1.iloc.HAND": "CX BX"},
    ),
    (
        "(move (top (filter (game vloc D) 'C (== (cardatt SUIT 'C) Y))) (top (game vloc E)))",
        {"table.vloc.D": "AY CX", "table.vloc.E": "BY"},
    ),
    (
        "(move (max ((current player) iloc HAND) using (game points V)) (top (game vloc E)))",
        {"seat0.iloc.HAND": "AX", "table.vloc.E": "CY"},
    ),
    (
        "(move (top ((1 player) iloc HAND)) (1 (game vloc D)))",
        {"table.vloc.D": "AY BX BY CX", "seat1.iloc.HAND": ""},
    ),
    (
        "(repeat 2 (move (top (game vloc D)) (top (game vloc E))))",
        {"table.vloc.D": "AY", "table.vloc.E": "CX BY"},
    ),
    (
        "(repeat all (move (top (game vloc D)) (top (game vloc E))))",
        {"table.vloc.D": "", "table.vloc.E": "CX BY AY"},
    ),
    (
        "(all (game vloc D) 'C (move 'C (top (game vloc E))))",
        {"table.vloc.D": "", "table.vloc.E": "AY BY CX"},
    ),
    (
        "(let (filter (game vloc D) 'C (== (cardatt SUIT 'C) Y)) 'S"
        " (repeat all (move (top 'S) (top (game vloc E)))))",
        {"table.vloc.D": "CX", "table.vloc.E": "BY AY"},
    ),
    (
        "(do ((remember (top (game vloc D)) (top (game mem SEEN)))"
        " (remember (bottom (game vloc D)) (top (game mem SEEN)))))",
        {"table.mem.SEEN": "CX AY"},
    ),
    (
        "(do ((remember (top (game vloc D)) (top (game mem SEEN)))"
        " (move (top (game vloc D)) (top ((1 player) iloc HAND)))"
        " (set (game sto WHO) (pid (owner (top (game mem SEEN)))))"
        " (forget (top (game mem SEEN)))))",
        {"table.vloc.D": "AY BY", "seat1.iloc.HAND": "BX CX", "-1 WHO": "1"},
    ),
    (
        "(swap ((0 player) iloc HAND) (game vloc D))",
        {"seat0.iloc.HAND": "AY BY CX", "table.vloc.D": "AX CY"},
    ),
    (
        "(all (bottom 1 (game vloc D)) 'A (all ((1 player) iloc HAND) 'B (swap 'A 'B)))",
        {"table.vloc.D": "BX BY CX", "seat1.iloc.HAND": "AY"},
    ),
    ("(inc (game sto POT))", {"-1 POT": "8"}),
    ("(dec (game sto POT) 9)", {"-1 POT": "-2"}),
    ("(set (game str LEAD) (cardatt SUIT (bottom (game vloc D))))", {"-1 LEAD": "Y"}),
    (
        "(all player 'P ((== (size ('P iloc HAND)) 0) (set ('P str STATE) OUT)))",
        {"2 STATE": "OUT"},
    ),
    (
        "(do ((set (game points W) (((SUIT : (game str LEAD)) 100) ((RANK : A) 5)))"
        " (set (game sto R) (sum (union (all player 'P ('P iloc HAND))) using (game points W)))))",
        {"-1 R": "205"},
    ),
    ("(cycle next (owner (top ((1 player) iloc HAND))))", {"cycle": "0 1"}),
    ("(cycle next current)", {"cycle": "0 0"}),
    ("(cycle current previous)", {"cycle": "2 2"}),
    ("(turn pass)", {}),
]


@pytest.mark.parametrize("action, effect", ACTIONS)
def test_action(action: str, effect: dict[str, str]) -> None:
    state = after(action)
    table = state.machine.table
    found = {name: lie(state, name) for name in S if "." in name}
    found["cycle"] = " ".join(str(number) for number in table.seat_cycles[-1])
    found["team"] = str(table.team_cycles[-1])
    for (owner, name), stored in (*table.ints.items(), *table.strs.items()):
        found[f"{owner} {name}"] = str(stored)
    assert found == {**S, **effect}


@pytest.mark.parametrize(
    "action",
    [
        "(move (top (game vloc EMPTY)) (top (game vloc E)))",
        "(remember (top (game vloc EMPTY)) (top (game mem SEEN)))",
        "(forget (top (game mem SEEN)))",
        "(forget (top (game vloc D)))",
        "(remember (top (game vloc D)) (top (game vloc E)))",
        "(move (top (game vloc D)) (top (game mem SEEN)))",
        "(move (top (game vloc D)) (4 (game vloc D)))",
        "(swap (top (game vloc D)) (top (game vloc EMPTY)))",
        "(swap (game mem SEEN) (game vloc D))",
    ],
)
def test_action_that_is_an_error(action: str) -> None:
    outcome = after(action).outcome
    assert outcome is not None
    assert (outcome.ending, outcome.scores, outcome.winners) == ("failed", None, ())


def test_shuffle_gives_each_order_equally_often() -> None:
    game = load(HEAD + "(do ((shuffle (game vloc D)))) (choice ((turn pass)))" + TAIL)
    deals = 1200
    orders = Counter(lie(game.deal(5, number), "table.vloc.D") for number in range(deals))
    assert len(orders) == 6
    chi_square = sum((count - deals / 6) ** 2 / (deals / 6) for count in orders.values())
    assert chi_square < 25.7  # five degrees of freedom: p < 0.0001


# --- A.9 -----------------------------------------------------------------------------------------

CHOICES: list[tuple[str, list[str]]] = [
    (
        "(choice ((any (game vloc D) 'C (move 'C (top (game vloc E)))) (turn pass)))",
        ["AY", "BY", "CX", ""],
    ),
    (
        "(choice ((any (partition SUIT (game vloc D)) 'G (repeat all (move (top 'G) (top (game vloc E)))))))",
        ["BY AY", "CX"],
    ),
    (
        "(choice ((any (range 1..9) 'N ((<= 'N ((current player) sto GOLD)) (set (game sto BID) 'N)))))",
        ["BID=1", "BID=2", "BID=3", "BID=4", "BID=5"],
    ),
    (
        "(choice ((any (other player) 'P (any ('P iloc HAND) 'C (move 'C (top (game vloc E)))))))",
        ["BX"],
    ),
    (
        "(choice ((any (RED, BLUE) 'H (do ((set (game str HUE) 'H)"
        " (any (range 1..2) 'N (set (game sto N) 'N)))))))",
        ["HUE=RED N=1", "HUE=RED N=2", "HUE=BLUE N=1", "HUE=BLUE N=2"],
    ),
    (
        "(choice ((do ((any (game vloc D) 'C (move 'C (top (game vloc E))))"
        " (all (game vloc E) 'C (move 'C (top ((current player) iloc HAND))))))))",
        ["AY AY", "BY BY", "CX CX"],
    ),
    (
        "(choice (((> (size (game vloc EMPTY)) 0) (turn pass))"
        " (any (subsets (game vloc D)) 'S ((== (sum 'S using (game points V)) 3)"
        " (repeat all (move (top 'S) (top (game vloc E))))))))",
        ["BY AY", "CX"],
    ),
]


@pytest.mark.parametrize("choice, alternatives", CHOICES)
def test_choice(choice: str, alternatives: list[str]) -> None:
    state = with_elements(choice)
    found = []
    for index, move in enumerate(state.moves):
        sets = [f"{e['name']}={e['value']}" for e in move.effects if e["do"] == "set"]
        found.append(moved(state, index) or " ".join(sets))
    assert found == alternatives
    assert state.to_move == 0


def test_a_card_passes_through_a_location_into_the_hand() -> None:
    state = with_elements(CHOICES[5][0] + "(choice ((turn pass)))")
    state.play(1)
    assert (lie(state, "table.vloc.E"), lie(state, "seat0.iloc.HAND")) == ("", "AX CY BY")
