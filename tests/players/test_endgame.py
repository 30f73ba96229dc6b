"""Endings solved in machine code, held to plain minimax and max-n over the stepping engine."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import upcard
from upcard.engine.api import Limits
from upcard.engine.loader import make_game
from upcard.engine.native.backends.select import NoMachineCode, choose_backend
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels import language as subset
from upcard.engine.native.liveness import Liveness
from upcard.engine.native.state_memory import Memory
from upcard.engine.native.unlogged_state import UnloggedState
from upcard.library import names
from upcard.players.solver import alpha_beta as solving_kernels
from upcard.players.solver.endgame import Solver, Worth
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

try:
    choose_backend()
except NoMachineCode as error:
    pytest.skip(f"there is no machine code here: {error}", allow_module_level=True)

SEED = 11
LIMITS = Limits(decisions=10_000)


@cache
def game(name: str) -> NativeGame:
    found = upcard.load(name)
    assert isinstance(found, NativeGame)
    return found


@cache
def solver(name: str) -> Solver:
    return Solver(game(name))


def from_text(text: str) -> NativeGame:
    made = make_game("x", *check(Source("x.rcy", text)).sound())
    assert isinstance(made, NativeGame)
    return made


def cards_in_hands(state: Any) -> int:
    places = state.table.places
    return sum(len(cards) for place, cards in places.items() if place.cls == "iloc" and place.owner >= 0)


def ending(played: NativeGame, deal: int, left: int, rng: random.Random) -> tuple[Any, UnloggedState] | None:
    """A deal played at random until so many cards are in hands and there is a choice; in both engines."""
    state = played.native_deal(SEED, deal, limits=LIMITS, recording=False)
    plain = UnloggedState(played.playing, played.words, SEED, deal, LIMITS, given=state.given)
    while state.to_move is not None:
        if cards_in_hands(state) <= left and state.choices > 1:
            return state, plain
        index = rng.randrange(state.choices)
        state.play(index)
        plain.play(index)
    return None


def endings(name: str, left: int, count: int) -> list[tuple[Any, UnloggedState]]:
    rng = random.Random(f"{name} {left}")
    found = [ending(game(name), deal, left, rng) for deal in range(count)]
    reached = [pair for pair in found if pair is not None]
    assert reached, f"no deal of {name} has an ending with {left} cards"
    return reached


def sides_of(played: NativeGame, state: Any) -> list[int]:
    teams = state.table.teams
    return [next(t for t, team in enumerate(teams) if seat in team) for seat in range(played.seats)]


def minimax(state: Any, sides: list[int], worth: Callable[[int, int], int]) -> int:
    """To side 0."""
    if state.to_move is None:
        scores = state.outcome.scores
        return worth(scores[sides.index(0)], scores[sides.index(1)])
    best = max if sides[state.to_move] == 0 else min
    return best(minimax(after(state, i), sides, worth) for i in range(state.choices))


def max_n(state: Any, sign: int) -> tuple[int, ...]:
    if state.to_move is None:
        return tuple(state.outcome.scores)
    seat = state.to_move
    return max((max_n(after(state, i), sign) for i in range(state.choices)), key=lambda s: sign * s[seat])


def after(state: Any, index: int) -> Any:
    state = state.copy()
    state.play(index)
    return state


def difference(a: int, b: int) -> int:
    return a - b


@pytest.mark.parametrize(
    ("name", "left", "count"),
    [
        ("euchre", 8, 40),
        ("euchre", 12, 6),
        ("whist", 12, 5),
        ("spades", 8, 4),
        ("klaverjassen", 8, 4),
        ("sueca", 10, 5),
        ("german-whist", 8, 5),
        ("goofspiel", 6, 5),
    ],
)
def test_two_sides_play_for_the_difference(name: str, left: int, count: int) -> None:
    found = endings(name, left, count)
    assert found
    for state, plain in found:
        sides = sides_of(game(name), state)
        sign = 1 if sides[state.to_move] == 0 else -1
        solved = solver(name).solve(plain.memory)
        assert solved.complete, solved.why
        expected = [sign * minimax(after(state, i), sides, difference) for i in range(state.choices)]
        assert list(solved.values) == expected
        assert solved.scores == ()


def test_whist_with_four_cards_a_hand() -> None:
    """More than plain minimax can do, so the values are compared with those of deeper endings: what the best
    alternative leads to is worth the same one decision later."""
    for _, plain in endings("whist", 16, 8):
        memory, sides = plain.memory.copy(), plain.memory.words
        first = solver("whist").solve(memory)
        teams, at = plain.compiled.layout.words["team_of"], plain.compiled.layout.words
        for index, value in enumerate(first.values):
            state = Stepped(plain, memory)
            mover = sides[teams + state.seat]
            state.play(index)
            while state.choices == 1:
                state.play(0)
            later = solver("whist").solve(state.memory)
            same = state.memory.words[teams + state.seat] == mover
            assert max(later.values) == (value if same else -value)
        assert memory.words[: at["scores"]] == plain.memory.words[: at["scores"]]


class Stepped:
    """A state moved on by the code of whole games."""

    def __init__(self, plain: UnloggedState, memory: Memory) -> None:
        self.compiled, self.memory = plain.compiled, memory.copy()
        self.work = self.compiled.workspace
        self.compiled.relist(self.memory.address, self.work.address)

    def play(self, index: int) -> None:
        self.compiled.apply(self.memory.address, self.work.address, index)
        self.compiled.advance(self.memory.address, self.work.address)

    @property
    def choices(self) -> int:
        return self.memory.words[self.compiled.layout.words["choices"]]

    @property
    def seat(self) -> int:
        named = self.compiled.layout.words
        depth = self.compiled.lowered.depths[self.memory.words[named["pc"]]].seat
        return self.memory.words[named["seat_index"] + depth]


@pytest.mark.parametrize(
    ("name", "left", "count", "sign"),
    [
        ("hearts", 8, 12, -1),
        ("hearts", 10, 3, -1),
        ("slobberhannes", 9, 6, -1),
        ("oh-hell", 8, 8, 1),
        ("agram", 9, 8, 1),
        ("president", 7, 3, 1),
    ],
)
def test_everybody_plays_for_the_own_score(name: str, left: int, count: int, sign: int) -> None:
    found = endings(name, left, count)
    assert found
    for state, plain in found:
        solved = solver(name).solve(plain.memory)
        assert solved.complete, solved.why
        expected = [max_n(after(state, i), sign) for i in range(state.choices)]
        assert list(solved.scores) == expected
        assert list(solved.values) == [sign * scores[state.to_move] for scores in expected]


def test_sides_can_be_told_to_play_alone() -> None:
    for state, plain in endings("euchre", 9, 6):
        solved = solver("euchre").solve(plain.memory, each=True)
        assert list(solved.scores) == [max_n(after(state, i), 1) for i in range(state.choices)]


def test_kuhn_poker_from_the_deal() -> None:
    """With the cards on the table: the better one bets or checks and is never called, the worse one folds."""
    for deal in range(6):
        state = game("kuhn-poker").native_deal(SEED, deal, limits=LIMITS, recording=False)
        plain = UnloggedState(game("kuhn-poker").playing, game("kuhn-poker").words, SEED, deal, LIMITS)
        solved = solver("kuhn-poker").solve(plain.memory)
        values = [minimax(after(state, i), [0, 1], difference) for i in range(2)]
        assert list(solved.values) == values
        assert max(values) in (2, -2)  # a chip each way


# --- what an end is worth ------------------------------------------------------------------------


def test_an_end_is_worth_what_a_table_says() -> None:
    """Winning the deal is all that counts, and two points or more a little more than one."""
    rows = [[(a > b) * (9 + (a > 1)) - (b > a) * (9 + (b > 1)) for b in range(5)] for a in range(5)]
    differs = 0
    for state, plain in endings("euchre", 9, 30):
        sides = sides_of(game("euchre"), state)
        sign = 1 if sides[state.to_move] == 0 else -1
        solved = solver("euchre").solve(plain.memory, worth=Worth(0, rows))
        expected = [
            sign * minimax(after(state, i), sides, lambda a, b: rows[a][b]) for i in range(state.choices)
        ]
        assert list(solved.values) == expected
        plainly = solver("euchre").solve(plain.memory)
        differs += plainly.values != solved.values
        assert plainly.complete
    assert differs


def test_a_table_of_worth_has_to_hold_every_score() -> None:
    _, plain = endings("euchre", 9, 5)[0]
    small = solver("euchre").solve(plain.memory, worth=Worth(0, [[0]]))
    assert not small.complete
    assert "missing from the table" in small.why
    assert small.values == ()
    with pytest.raises(ValueError, match="must be square"):
        solver("euchre").solve(plain.memory, worth=Worth(0, [[0, 1]]))
    assert solver("euchre").solve(plain.memory).complete


# --- what is not solved --------------------------------------------------------------------------

START = """(game
 (setup (create players 2) {teams}
  (create deck (game vloc PACK) (deck (N (A, B, C, D)))))
 (stage player
  (end (== (game sto TURNS) {turns}))
  (choice {choice})
  {after})
 (scoring max {scoring}))
"""


def at_start(
    choice: str = "((inc (game sto TURNS)) (do ((inc (game sto TURNS)) (inc ((current player) sto X)))))",
    after: str = "",
    scoring: str = "((current player) sto X)",
    turns: int = 4,
    teams: str = "",
) -> tuple[Solver, UnloggedState]:
    made = from_text(START.format(choice=choice, after=after, scoring=scoring, turns=turns, teams=teams))
    _kept.append(made)
    return Solver(made), UnloggedState(made.playing, made.words, 1, 2, LIMITS)


_kept: list[NativeGame] = []
"""A solver does not keep its game, but these tests make other solvers of it."""


def why_not(solver: Solver, plain: UnloggedState, **how: Any) -> str:
    solved = solver.solve(plain.memory, **how)
    assert not solved.complete
    assert (solved.values, solved.scores) == ((), ())
    return solved.why


def test_a_small_game() -> None:
    solver, plain = at_start()
    solved = solver.solve(plain.memory)
    assert solved.values == (-1, 0)
    assert solved.complete


def test_chance_is_refused() -> None:
    assert "chance" in why_not(*at_start(after="(do ((shuffle (game vloc PACK))))"))
    assert "chance" in why_not(*at_start(scoring="(+ (random 9) ((current player) sto X))"))
    drawn = (
        "((do ((inc (game sto TURNS)) (set ((current player) sto X) (random 1..6)))) (inc (game sto TURNS)))"
    )
    assert "chance" in why_not(*at_start(choice=drawn))


def test_chance_in_the_listing_is_refused() -> None:
    """An alternative that is there or not by a draw: the one that is carried out draws nothing."""
    listed = "((inc (game sto TURNS)) ((== (random 1..2) 3) (inc (game sto X))))"
    assert "chance" in why_not(*at_start(choice=listed))


def test_a_shuffle_of_one_card_is_no_chance() -> None:
    moved = (
        "(do ((repeat 3 (move (top (game vloc PACK)) (top (game hloc AWAY)))) (shuffle (game vloc PACK))))"
    )
    first = f"((== (game sto TURNS) 1) {moved})"
    solver, plain = at_start(after=f"(do ({first}))")
    assert solver.solve(plain.memory).values == (-1, 0)


def test_bounds_are_kept() -> None:
    solver, plain = at_start()
    needed = solver.solve(plain.memory).nodes
    assert solver.solve(plain.memory, needed).complete
    assert "more decisions" in why_not(solver, plain, nodes=needed - 1)
    shallow = Solver(solver.game, depth=3)
    assert "too long" in why_not(shallow, plain)
    assert Solver(solver.game, depth=4).solve(plain.memory).values == (-1, 0)


def test_an_endless_game_is_given_up() -> None:
    turns = "((set (game sto X) 1) (set (game sto X) 2))"
    assert "too long" in why_not(*at_start(choice=turns))
    assert "more decisions" in why_not(*at_start(choice="((set (game sto X) 1))"), nodes=10_000)


def test_a_game_that_can_fail_is_given_up() -> None:
    fails = "((== (game sto TURNS) 2) (set (game sto Y) (// 1 (game sto Z))))"
    assert "fail" in why_not(*at_start(after=f"(do ({fails}))"))
    assert "fail" in why_not(*at_start(choice=f"((inc (game sto TURNS)) (set (game sto Y) 1) {fails})"))


def test_partners_who_score_apart_are_no_side() -> None:
    text = START.replace("(create players 2)", "(create players 4)")
    choice = "((inc (game sto TURNS)) (do ((inc (game sto TURNS)) (inc ((current player) sto X)))))"
    scoring = "((current player) sto X)"
    teams = "(create teams (1, 3) (2, 4))"
    made = from_text(text.format(choice=choice, after="", scoring=scoring, turns=4, teams=teams))
    plain = UnloggedState(made.playing, made.words, 1, 2, LIMITS)
    assert "partners" in why_not(Solver(made), plain)
    assert Solver(made).solve(plain.memory, each=True).scores == ((0, 1, 1, 1), (1, 1, 1, 1))


def test_teams_that_change_are_no_sides() -> None:
    again = "(do (((== (game sto TURNS) 2) (create teams (2) (1)))))"
    assert "teams change" in why_not(*at_start(after=again))


def test_a_game_that_is_over_is_not_solved() -> None:
    solver, plain = at_start(turns=1)
    plain.play(0)
    with pytest.raises(ValueError, match="over"):
        solver.solve(plain.memory)


# --- the table -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_the_table_changes_nothing(name: str) -> None:
    """Late decisions of random games: with the table and as good as without one the values are the same."""
    rng, played = random.Random(name), game(name)
    without = Solver(played, table_bytes=0)
    solved = 0
    for deal in range(4):
        plain = UnloggedState(played.playing, played.words, SEED, deal, LIMITS)
        states: list[Memory] = []
        while plain.choices and len(states) < 400:
            if plain.choices > 1:
                states.append(plain.memory.copy())
            plain.play(rng.randrange(plain.choices))
        for memory in states[-6:]:
            mine = solver(name).solve(memory, 30_000)
            other = without.solve(memory, 30_000)
            if mine.complete and other.complete:
                solved += 1
                assert (mine.values, mine.scores) == (other.values, other.scores)
    assert (solved == 0) == (name in ENDLESS)


ENDLESS = {"go-fish"}
"""Games that can go round in circles to the end: whoever has nothing may be asked again and again."""


def test_solving_again_is_the_same() -> None:
    """Nothing is left over from one solution to the next; inside one the table spares nodes."""
    without = Solver(game("whist"), table_bytes=0)
    for _, plain in endings("whist", 16, 3):
        first = solver("whist").solve(plain.memory)
        assert solver("whist").solve(plain.memory) == first
        assert first.nodes < without.solve(plain.memory).nodes


# --- the kernels under CPython -------------------------------------------------------------------


def test_kernels_run_alike() -> None:
    """The kernels as Python, calling the game's machine code: the same values after the same nodes."""
    for name, left, each in (("euchre", 8, False), ("hearts", 8, False), ("goofspiel", 4, True)):
        _, plain = endings(name, left, 8)[0]
        mine = Solver(game(name))
        expected = mine.solve(plain.memory, each=each)
        assert expected.complete
        by_python(mine)
        start = subset.Memory(bytearray(plain.memory.bytes))
        assert solving_kernels.solve(mine._head, mine._work.head, start) == 0
        assert mine._told(0, plain.memory) == expected


def by_python(mine: Solver) -> None:
    """Python functions in place of addresses: they call what the addresses led to."""
    compiled = mine.game.playing

    def in_python(called: Any) -> int:
        def call(state: subset.Memory, work: subset.Memory, *rest: int) -> int:
            return int(called(state.address, work.address, *rest))

        return subset.address_of(call)

    mine._head.advance = in_python(compiled.advance)
    mine._head.apply = in_python(compiled.apply)
    mine._head.relist = in_python(compiled.relist)


# --- what makes the future -----------------------------------------------------------------------


def test_what_makes_the_future_of_a_trick() -> None:
    """Hands, the trick, the suit led, tricks and whose turn it is; not the cards taken, nor the heights."""
    compiled = game("euchre").playing
    layout = compiled.layout
    futures = Liveness(compiled.lowered)
    step = max(compiled.lowered.simple_items)
    (relevant,) = futures.after(step).values()
    words = set(relevant.words)

    def lies(cls: str, name: str) -> bool:
        places = [layout.number_of(p) for p in layout.places if (p.cls, p.name) == (cls, name)]
        sets = {layout.sets_at // 8 + place * layout.set_words for place in places}
        lists = {layout.list_offsets[place] for place in places}
        return sets <= words or lists <= set(relevant.lists)

    assert lies("iloc", "HAND")
    assert lies("vloc", "TRICK")
    assert not lies("hloc", "TAKEN")
    assert not lies("iloc", "PACK")
    assert layout.strs["table", "LED"] in words
    assert layout.ints["player", "TRICKS"] in words
    assert layout.maps["table", "HEIGHT"] not in words
    assert layout.strs["table", "TRUMP"] not in words  # the same in all that can follow
    assert layout.words["pc"] in words
    assert not words & {layout.words[name] for name in ("steps", "decisions", "c0", "choices")}


@pytest.mark.parametrize(
    ("after", "kept"),
    [
        ("(set (game sto A) 1) (set (game sto B) (game sto A))", False),
        ("(set (game sto B) (game sto A)) (set (game sto A) 1)", True),
        ("((== (game sto B) 1) (set (game sto A) 1)) (set (game sto B) (game sto A))", True),
        ("(all player 'P (set (game sto A) 1)) (set (game sto B) (game sto A))", True),
        ("(set (game sto A) (+ (game sto A) 1)) (set (game sto B) (game sto A))", True),
        ("(inc (game sto A)) (set (game sto B) (game sto A))", True),
        ("(set (game sto A) 1)", False),
        ("((== (game sto B) 1) (set (game sto A) 1))", False),
    ],
)
def test_what_is_written_before_it_is_read_is_left_out(after: str, kept: bool) -> None:
    choice = "((inc (game sto TURNS)) (do ((inc (game sto TURNS)) (set (game sto A) 7))))"
    solver, _ = at_start(choice=choice, after=f"(do ({after}))", scoring="(game sto B)")
    compiled = solver.game.playing
    (relevant,) = Liveness(compiled.lowered).after(max(compiled.lowered.simple_items)).values()
    assert (compiled.layout.ints["table", "A"] in relevant.words) == kept
    assert compiled.layout.ints["table", "TURNS"] in relevant.words


def test_remembered_cards_are_met_again_wherever_they_lie() -> None:
    """Who owns a remembered card depends on where it lies, even in a place that nothing else reads."""
    choice = """(
      (do ((inc (game sto TURNS)) (move (top (game vloc PACK)) (top ((1 player) hloc AWAY)))))
      (do ((inc (game sto TURNS)) (move (top (game vloc PACK)) (top ((2 player) hloc AWAY))))))"""
    lying = "(set (game sto X) (pid (owner (top (game mem NOTED)))))"
    plainly, _ = at_start(choice=choice)
    solver, _ = at_start(
        choice=choice,
        after=f"(do (((== (game sto TURNS) 4) {lying})))",
        scoring="(game sto X)",
    )
    for each, kept in ((plainly, False), (solver, True)):
        compiled = each.game.playing
        (relevant,) = Liveness(compiled.lowered).after(max(compiled.lowered.simple_items)).values()
        place = next(i for i, p in enumerate(compiled.layout.places) if p.name == "AWAY")
        word = compiled.layout.sets_at // 8 + place * compiled.layout.set_words
        listed = compiled.layout.list_offsets[place]
        assert (word in relevant.words or listed in relevant.lists) == kept
