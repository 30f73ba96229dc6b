"""Where no history explains what a seat saw, it still searches: in what it sees and remembers."""

from __future__ import annotations

import ctypes
import itertools
import statistics
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.players.losing_players import lose_histories
from tests.players.small_games import lie
from tests.players.test_determinization import again, game, random_decisions

from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.resample_plan import sampling
from upcard.engine.native.state_memory import Memory, read_table
from upcard.engine.rng import Stream
from upcard.engine.shared.table import Table
from upcard.players.belief.determinization import Determinizer
from upcard.players.belief.history import History
from upcard.players.protocol import Budget
from upcard.players.random_player import RandomPlayer
from upcard.players.search.memoryless import MemorylessPlayer
from upcard.players.search.pimc import Pimc
from upcard.players.search.search_players import KINDS

FEW = Budget(playouts=60)


def guesses(played: NativeGame, plan: Any, count: int) -> Iterator[Memory]:
    """States that are imagined by a plan."""
    state = Memory(played.playing.layout.size)
    stream = (ctypes.c_int64 * 4)(*(signed(word) for word in Stream((3,)).state))
    for _ in range(count):
        sampling().resample(state.address, plan.base.address, plan.address, ctypes.addressof(stream))
        yield state


@pytest.mark.parametrize(
    "name", ["go-fish", "euchre", "rummy", "skitgubbe", "scopa", "golf-six", "cribbage", "cuckoo"]
)
def test_a_guess_is_as_seen_and_remembered(name: str) -> None:
    played = game(name)
    minds = [Determinizer(played) for _ in range(played.seats)]
    remembered = 0
    for state in itertools.islice(random_decisions(played, 3), 40):
        seat = state.to_move
        observation = state.observe(seat)
        recalled = minds[seat].relaxed(observation)
        for memory in guesses(played, recalled.remembered(observation), 3):
            table = read_table(played.words, memory)
            assert stored(table) == stored(state.table)
            assert table.seat_cycles == state.table.seat_cycles
            lying = {place.text: cards for place, cards in table.places.items()}
            for text, cards in observation.places.items():
                there = tuple(table.cards[card].id for card in lying.get(text, ()))
                assert len(there) == len(cards), text
                if None not in cards and ".mem." not in text:
                    assert there == cards, text
            where = {card.id: place.text for card, place in zip(table.cards, table.where, strict=True)}
            for card, known in observation.memory.items():
                if len(known["where"]) == 1:
                    remembered += 1
                    assert where[card] == known["where"][0]
    if name in ("go-fish", "rummy"):
        assert remembered > 0, "cards that were shown and then taken up"


def stored(table: Table) -> Any:
    return [{key: value for key, value in kept.items() if value} for kept in (table.ints, table.strs)]


def test_after_hands_were_exchanged_a_seat_holds_the_card_that_it_sees() -> None:
    """The record names no card when two whole hands change places; only the observation shows them."""
    played = game("cuckoo")
    exchanged = 0
    for deal in range(6):
        for state in itertools.islice(random_decisions(played, deal), 5):
            seat = state.to_move
            observation = state.observe(seat)
            relaxed = Determinizer(played).relaxed(observation)
            table = read_table(played.words, relaxed.replay.state)
            hand = f"seat{seat}.iloc.HAND"
            there = next(cards for place, cards in table.places.items() if place.text == hand)
            assert tuple(table.cards[card].id for card in there) == observation.places[hand]
            lying = [card for _, cards in lie(table) for card in cards]
            assert sorted(lying) == [*range(len(table.cards))]
            exchanged += any(line["do"] == "swap" and "card" not in line for line in observation.records)
    assert exchanged > 5


@pytest.mark.parametrize("name", ["go-fish", "euchre", "rummy"])
def test_who_was_there_recalls_what_one_who_comes_in_does(name: str) -> None:
    played = game(name)
    minds = [Determinizer(played) for _ in range(played.seats)]
    for state in itertools.islice(random_decisions(played, 4), 25):
        observation = state.observe(state.to_move)
        there = minds[state.to_move].relaxed(observation)
        come = Determinizer(played).relaxed(observation)
        assert list(there.replay.state.words) == list(come.replay.state.words)


@pytest.mark.parametrize("name", ["euchre", "whist", "goofspiel"])
def test_hidden_cards_do_not_matter(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another deal that shows the seat the same leads to the same choice."""
    played = game(name)
    pairs = []
    for state in random_decisions(played, 2):
        seat = state.to_move
        worlds = Determinizer(played).worlds(state.observe(seat))
        sampled = worlds.sample(Stream((7,)))
        pair = [again(played, *worlds.last_world()) for _ in itertools.islice(sampled, 2)]
        if lie(pair[0].table) != lie(pair[1].table):
            pairs.append([other.observe(seat) for other in pair])
        if len(pairs) == 6:
            break
    assert len(pairs) == 6
    lose_histories(monkeypatch)
    for one, two in pairs:
        assert one == two
        first, second = (Pimc(played, 4, 2, o.seat) for o in (one, two))
        assert first.choose(one, FEW) == second.choose(two, FEW)
        assert first.counts.guessed == second.counts.guessed == 1


@pytest.mark.parametrize(
    "kind", ["pimc", "ismcts", "reader", "exact", "blend", "blind", "published", "published-newer"]
)
def test_a_player_without_a_history_searches_and_counts_it(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_histories(monkeypatch)
    played = game("euchre")
    state = next(s for s in random_decisions(played, 5) if s.decisions > 8)
    observation = state.observe(state.to_move)
    player = KINDS[kind](played, 1, 2, observation.seat)
    decision = player.choose(observation, FEW)
    assert decision.move in observation.moves
    assert (player.counts.lost, player.counts.guessed) == (1, 1)
    forgetful = issubclass(KINDS[kind], MemorylessPlayer)  # they go by guesses always
    assert decision.guessed != forgetful
    assert player.counts.worlds > 0 or kind.startswith("published")


def test_where_nothing_can_be_recalled_chance_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    lose_histories(monkeypatch)
    played = game("euchre")
    state = next(s for s in random_decisions(played, 5) if s.decisions > 8)
    observation = state.observe(state.to_move)
    # a record in which nothing follows from anything
    decision = next(n for n, line in enumerate(observation.records) if line["do"] == "decision")
    torn = (*observation.records[:decision], *observation.records[decision + 1 :])
    picked = set()
    for seed in range(20):
        player = Pimc(played, seed, 2, observation.seat)
        picked.add(player.choose(replace(observation, records=torn), FEW).move.key)
        assert (player.counts.lost, player.counts.guessed) == (1, 0)
    assert len(picked) > 1


def test_a_lost_history_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    played = game("go-fish")
    mine = Pimc(played, 1, 2, 0)
    told = []
    follow = History.follow

    def watched(self: History, seen: Observation) -> None:
        told.append(seen.decision)
        follow(self, seen)

    monkeypatch.setattr(History, "follow", watched)
    last = 0
    for state in random_decisions(played, 3):
        if state.to_move == 0:
            mine.choose(state.observe(0), FEW)
            if mine.counts.lost == 1:
                last = last or state.decisions
            if mine.counts.lost == 4:
                break
    assert mine.counts.lost == mine.counts.guessed == 4
    assert max(told) == last


def test_go_fish_without_histories_is_far_better_than_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every deal twice, so that both pairs of seats play both ways."""
    lose_histories(monkeypatch)
    played = game("go-fish")
    ahead = []
    for deal in range(12):
        books = 0
        for seats in ((0, 2), (1, 3)):
            state = played.deal(11, deal)
            players = {seat: Pimc(played, 1, deal, seat) for seat in seats}
            others = {seat: RandomPlayer(1, deal, seat) for seat in range(4) if seat not in seats}
            while (seat := state.to_move) is not None:
                if seat in others:
                    state.play(others[seat].pick(state.choices))
                else:
                    state.play(players[seat].choose(state.observe(seat), Budget(playouts=25)).move)
            scores = state.outcome.scores if state.outcome else None
            assert scores is not None
            books += sum(points if n in seats else -points for n, points in enumerate(scores))
            assert all(p.counts.guessed == p.counts.lost > 0 for p in players.values())
        ahead.append(books)
    error = statistics.stdev(ahead) / len(ahead) ** 0.5
    assert statistics.mean(ahead) > 2 * error
