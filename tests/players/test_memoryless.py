"""Players that guess, held to what the language's text says of them, done slowly."""

from __future__ import annotations

import ctypes
import random
from functools import cache
from typing import Any

import pytest
from tests.players.in_python import game_words, pointer

import upcard
from upcard.engine.api import Limits
from upcard.engine.native.game import NativeGame
from upcard.engine.native.resample_plan import make_plan, sampling
from upcard.engine.native.state import NativeState
from upcard.engine.native.state_memory import Memory, read_table
from upcard.players.belief.determinization import Determinizer
from upcard.players.protocol import Budget
from upcard.players.search import mcts as mcts_kernels
from upcard.players.search import memoryless_rollouts as guessing_kernels
from upcard.players.search.memoryless import (
    Blind,
    Guesses,
    Mcts,
    MemorylessPlayer,
    Published,
    PublishedNewer,
)
from upcard.players.search.search_code import machine_of
from upcard.players.search.tree_buffer import TreeBuffer
from upcard.players.search.utility import utility_of
from upcard.players.search.visibility import visibility_of


@cache
def native(name: str) -> NativeGame:
    game = upcard.load(name)
    assert isinstance(game, NativeGame)
    return game


def choosing(name: str, deal: int, decisions: int) -> NativeState:
    """A deal after so many decisions at least, where there is a choice."""
    state = native(name).native_deal(6, deal, limits=Limits())
    rng = random.Random(deal)
    while state.decisions < decisions or state.choices == 1:
        state.play(rng.randrange(state.choices))
        assert state.to_move is not None
    return state


# --- published ------------------------------------------------------------------------------------


def expected(state: Any) -> list[float]:
    """Every seat's mean rank when all play on at random, exactly; then every seat's mean score."""
    if state.outcome is not None:
        return [float(one) for one in (*state.outcome.ranks, *state.outcome.scores)]
    rows = []
    for index in range(state.choices):
        later = state.copy()
        later.play(index)
        rows.append(expected(later))
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("kind", [Published, PublishedNewer])
@pytest.mark.parametrize("decisions", [0, 1])
@pytest.mark.parametrize("deal", [0, 1, 2, 3])
def test_leads_are_what_random_play_in_guesses_comes_to(
    deal: int, decisions: int, kind: type[MemorylessPlayer]
) -> None:
    state = choosing("kuhn-poker", deal, decisions)
    seat = state.to_move
    assert seat is not None
    observation = state.observe(seat)
    # the two cards that the seat does not see lie in either way, equally often
    guesses: dict[Any, NativeState] = {}
    for number in range(60):
        guess = state.sample(seat, number, memory=False)
        guesses.setdefault(repr(guess.table.places), guess)
    assert len(guesses) == 2
    tests = 4000
    decision = kind(native("kuhn-poker"), 1, 0, seat).choose(
        observation, Budget(tests * len(observation.moves))
    )
    # two playouts of the newer player in one guess may go alike
    independent = tests if kind is Published else tests / 2
    ranks, scores = [], []
    for a, move in enumerate(observation.moves):
        rows = []
        for guess in guesses.values():
            tried = guess.copy()
            tried.play(next(m for m in tried.moves if m == move))
            rows.append(expected(tried))
        means = [sum(column) / 2 for column in zip(*rows, strict=True)]
        for other in range(2):
            # a rank is 0 or 1, so a lead is 1 - rank: at most 0.5 from its mean, five errors allowed
            assert decision.leads[a][other] == pytest.approx(1 - means[other], abs=5 * 0.5 / independent**0.5)
        ranks.append(means[seat])
        scores.append(means[2 + seat])
    chosen = observation.moves.index(decision.move)
    if kind is Published:
        assert ranks[chosen] == pytest.approx(min(ranks), abs=0.05)
    else:
        # scores lie between -2 and 2: four errors of a difference in the same guesses
        assert scores[chosen] == pytest.approx(max(scores), abs=4 * 2 / independent**0.5)


def slow_published(state: NativeState, seat: int, tests: int, rng: random.Random) -> list[list[float]]:
    """Section 20.5, word by word, over the stepping engine."""
    found = []
    for move in state.observe(seat).moves:
        sums, played = [0] * state.game.seats, 0
        for _ in range(tests):
            guess: Any = state.sample(seat, rng.randrange(1 << 40), memory=False)
            same = [m for m in guess.moves if m == move]
            if not same:
                continue
            guess.play(same[0])
            while guess.outcome is None:
                guess.play(rng.randrange(guess.choices))
            sums = [a + b for a, b in zip(sums, guess.outcome.ranks, strict=True)]
            played += 1
        found.append([total / played for total in sums])
    return found


def test_ranks_agree_with_a_slow_player_at_hearts() -> None:
    state = choosing("hearts", 1, 46)
    seat = state.to_move
    assert seat is not None
    slow = slow_published(state, seat, 150, random.Random(4))
    observation = state.observe(seat)
    fast = Published(native("hearts"), 1, 0, seat).choose(observation, Budget(150 * len(slow))).leads
    for means, leads in zip(slow, fast, strict=True):
        for mean, lead in zip(means, leads, strict=True):
            # ranks of four seats spread by at most 1.5; two means of 150 each, four errors allowed
            assert lead == pytest.approx((3 - mean) / 3, abs=4 * 0.5 * (2 / 150) ** 0.5)


def test_it_takes_the_best_mean_rank_and_the_first_of_equals() -> None:
    ties = 0
    for deal in range(12):
        state = choosing("euchre", deal, deal)
        seat = state.to_move
        assert seat is not None
        observation = state.observe(seat)
        decision = Published(native("euchre"), 1, deal, seat).choose(observation, Budget())
        own = [lead[seat] for lead in decision.leads]
        assert decision.move == observation.moves[own.index(max(own))]
        ties += own.count(max(own)) > 1
        # ten tests: every mean is a whole number of tenths of thirds
        assert all(abs(30 * x - round(30 * x)) < 1e-9 for lead in decision.leads for x in lead)
    assert ties > 0


def test_it_tells_what_it_expects_even_without_a_choice() -> None:
    state = native("hearts").native_deal(6, 0, limits=Limits())
    while state.choices > 1:
        state.play(0)
    seat = state.to_move
    assert seat is not None
    decision = Published(native("hearts"), 1, 0, seat).choose(state.observe(seat), Budget())
    (lead,) = decision.leads
    assert len(lead) == 4
    assert all(0 <= x <= 1 for x in lead)


def test_ranks_share_and_skip() -> None:
    machine = machine_of(native("hearts"))
    scores = machine.layout.words["scores"]
    state = Memory(machine.layout.size)
    state.words[scores : scores + 4] = [5, 0, 5, 16]
    for highest, ranks in ((0, [1, 0, 1, 3]), (1, [1, 3, 1, 0])):
        row = (ctypes.c_int64 * 5)()
        guessing_kernels.add_ranks(game_words(machine), pointer(state), pointer(row), highest)
        assert list(row) == [*ranks, 1]
    places = [
        [mcts_kernels.position(game_words(machine), pointer(state), seat, highest) for seat in range(4)]
        for highest in (0, 1)
    ]
    assert places == [[1, 0, 2, 3], [1, 3, 2, 0]], "equals by seat, not shared"


# --- guesses --------------------------------------------------------------------------------------


def test_a_guess_forgets_what_was_shown() -> None:
    """The dealer took the card that was turned up. Whoever remembers knows where it is; a guess does not."""
    game = native("euchre")
    state = game.native_deal(6, 1, limits=Limits())
    (shown,) = next(c for p, c in state.observe(0).places.items() if "vloc" in p and len(c) == 1)
    assert shown is not None
    state.play(next(m for m in state.moves if m.item == 1 or len(state.moves) == 1))
    while not (state.to_move == 0 and state.choices > 1 and state.decisions > 5):
        state.play(0)
    history = Determinizer(game).history(state.observe(0))
    m = history.evidence.machine
    card = m.numbers[shown]
    plan = make_plan(game.words, history.replay.state, read_table(game.words, history.replay.state), None, 0)
    guess = Memory(m.layout.size)
    m.stream[:] = [11, 12, 13, 14]
    lay = set()
    for _ in range(200):
        sampling().resample(guess.address, plan.base.address, plan.address, ctypes.addressof(m.stream))
        lay.add(m.layout.places[guess.where(m.layout)[card]].text)
    hidden = {place for place, where in state.observe(0).places.items() if None in where}
    if any(shown in cards for cards in state.observe(0).places.values()):
        pytest.fail("the deal was chosen so that the card is hidden again")
    assert lay == hidden
    assert len(lay) > 1


def test_blind_tries_every_alternative_as_often() -> None:
    state = choosing("whist", 0, 3)
    seat = state.to_move
    assert seat is not None
    observation = state.observe(seat)
    decision = Blind(native("whist"), 1, 0, seat).choose(observation, Budget(50 * len(observation.moves)))
    assert [value.visits for value in decision.values] == [50] * len(observation.moves)
    best = max(decision.values, key=lambda v: v.points)
    assert decision.move == best.move


def test_the_kernels_in_python_guess_the_same() -> None:
    game = native("kuhn-poker")
    state = choosing("kuhn-poker", 2, 0)
    seat = state.to_move
    assert seat is not None
    observation = state.observe(seat)
    history = Determinizer(game).history(observation)
    m = history.evidence.machine
    plan = make_plan(
        game.words, history.replay.state, read_table(game.words, history.replay.state), None, seat
    )
    guesses = Guesses(m, plan, history.replay.pc, Limits())
    utility = utility_of(game, observation)
    made = []
    for by_machine in (True, False):
        tree = TreeBuffer(m, observation, history.replay.pc, 0)
        m.stream[:] = [11, 12, 13, 14]
        ranks, sums = (ctypes.c_int64 * 6)(), (ctypes.c_int64 * 10)()
        search = guesses.search(tree, 5, 2, utility, ctypes.addressof(ranks))
        search.highest = 1
        code: Any = m.code
        facts = m.facts if by_machine else game_words(m)
        if not by_machine:
            code, search.game = guessing_kernels, facts
        assert code.search_guesses(search, 0, 30) == 30
        search.name = 6
        assert code.rank_alternatives(search, 0, 20) == 0
        search.name, search.rows = 7, pointer(sums)
        assert code.score_alternatives(search, 0, 10, 2) == 0
        made.append((tree.sums(), list(ranks), list(sums), list(m.stream)))
    assert made[0] == made[1]
    assert [row[-1] for row in made[0][0]] == [30.0, 30.0]
    assert made[0][1][2] == made[0][1][5] == 20
    assert made[0][2][2] == made[0][2][7] == 20
    assert sum(made[0][2][3:5]) == sum(made[0][2][8:]) == 0, "what one wins the other pays"


# --- mcts -----------------------------------------------------------------------------------------


def test_mcts_calls_with_a_king() -> None:
    game = native("kuhn-poker")
    for deal in range(40):
        state = game.native_deal(6, deal, limits=Limits())
        state.play(next(m for m in state.moves if m.item == 1))
        seat = state.to_move
        assert seat == 1
        observation = state.observe(seat)
        rank = observation.cards[str(observation.places["seat1.iloc.HAND"][0])]["RANK"]
        chosen = Mcts(game, 1, 0, seat).choose(observation, Budget()).move.item
        assert rank == "QUEEN" or chosen == (3 if rank == "KING" else 2)


@pytest.mark.parametrize("name", ["kuhn-poker", "euchre"])
def test_the_kernels_in_python_search_the_same_states(name: str) -> None:
    game = native(name)
    state = choosing(name, 2, 0 if name == "kuhn-poker" else 18)
    seat = state.to_move
    assert seat is not None
    observation = state.observe(seat)
    history = Determinizer(game).history(observation)
    m = history.evidence.machine
    start, room = history.replay.state.copy(), Memory(m.layout.size)
    grown = []
    for by_machine in (True, False):
        tree = TreeBuffer(m, observation, history.replay.pc, 300)
        m.stream[:] = [11, 12, 13, 14]
        facts = m.facts if by_machine else game_words(m)
        search = mcts_kernels.StateSearch.pack(
            game=facts,
            visibility=visibility_of(m).table,
            start=start.address,
            state=room.address,
            work=m.work.address,
            stream=ctypes.addressof(m.stream),
            tree=tree.tree,
            name=5,
            highest=1,
        )
        if by_machine:
            m.code.search_states(search, 0, 40)
        else:
            mcts_kernels.search_states(search, 0, 40)
        grown.append((list(tree.words), list(m.stream)))
    assert grown[0] == grown[1]
    assert 10 < tree.filled <= 160
