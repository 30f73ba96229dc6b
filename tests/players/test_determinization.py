"""Imagined worlds, held to lists of all that can be: small games, Euchre's last tricks, dealing itself."""

from __future__ import annotations

import ctypes
import itertools
import json
import math
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations
from typing import Any

import pytest
from tests.players.small_games import GAMES, deviation, histories, lie, lie_of_words, sampled, small

import upcard
from upcard.engine.api import Given, Limits, Observation, Place
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels import language as subset
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.state_memory import read_table
from upcard.engine.rng import Stream
from upcard.library import names
from upcard.players.belief import constrained_deal as dealing_kernels
from upcard.players.belief.determinization import Determinizer, lay_plan
from upcard.players.belief.history import Inconsistent
from upcard.players.protocol import Budget
from upcard.players.search.pimc import Pimc
from upcard.players.search.search_code import code

SAMPLES = 2000
FAR = 5.0
"""Standard errors. Samples come from fixed seeds, so a sampler that is right passes for sure."""


@cache
def game(name: str) -> NativeGame:
    found = upcard.load(name)
    assert isinstance(found, NativeGame)
    return found


def random_decisions(played: NativeGame, deal: int, seed: int = 5, least: int = 2) -> Any:
    """A random game, stopped at every decision among so many alternatives."""
    state: Any = played.native_deal(seed, deal, limits=Limits())
    rng = random.Random(f"{played.name} {deal} {seed}")
    stopped = 0
    while state.to_move is not None:
        if state.choices >= least:
            stopped += 1
            yield state
        state.play(rng.randrange(state.choices))
    assert stopped, "a game without a decision proves nothing"


# --- every way there is ------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_worlds_are_as_likely_as_all_histories_say(name: str) -> None:
    played = small(name)
    several = 0
    for deal in range(4):
        minds = [Determinizer(played) for _ in range(played.seats)]
        for state in random_decisions(played, deal, least=1):
            if state.decisions == 0:
                continue
            observation = state.observe(state.to_move)
            expected = histories(played, observation)
            assert lie(state.table) in expected
            found, samples = sampled(played, minds[state.to_move].worlds(observation), SAMPLES, deal)
            assert samples > SAMPLES / 2
            assert deviation(expected, found, samples) < FAR
            several += len(expected) > 1
    assert several >= 3, "a test of what is certain tells nothing"


def test_a_sampler_without_inference_is_found_out() -> None:
    played = small("draw")
    worst = 0.0
    for deal in range(4):
        for state in random_decisions(played, deal, least=1):
            if state.decisions:
                expected = histories(played, state.observe(state.to_move))
                drawn = Counter(lie(state.sample(state.to_move, k).table) for k in range(300))
                worst = max(worst, deviation(expected, {key: n / 300 for key, n in drawn.items()}, 300.0))
    assert worst > FAR


def test_a_sampler_that_never_buries_the_turned_card_is_found_out() -> None:
    played = small("bury")
    worst = 0.0
    for deal in range(2):
        for state in random_decisions(played, deal):
            if state.to_move == 0:
                observation = state.observe(0)
                worlds = Determinizer(played).worlds(observation)
                worlds.history.replay.eligible = lambda number: []  # type: ignore[method-assign]
                worlds.history.replay.pack(0, drawing=True)
                found, samples = sampled(played, worlds, SAMPLES, 1)
                worst = max(worst, deviation(histories(played, observation), found, samples))
    assert worst > FAR


# --- Euchre's last two tricks ------------------------------------------------------------------

TWIN = {"SPADES": "CLUBS", "CLUBS": "SPADES", "HEARTS": "DIAMONDS", "DIAMONDS": "HEARTS"}
HIDDEN = ("HAND", "ASIDE", "BURIED", "PACK")


def suit(face: Any, trump: str) -> str:
    return trump if face["RANK"] == "JACK" and TWIN[face["SUIT"]] == trump else str(face["SUIT"])


def voids(observation: Observation, trump: str) -> set[tuple[int, str]]:
    """Who failed to follow which suit, from the cards that were played."""
    found = set()
    trick: list[tuple[int, str]] = []
    for record in observation.records:
        for line in record.get("actions", ()):
            if line["do"] == "move" and line["to"].endswith("vloc.TRICK"):
                trick.append((record["seat"], suit(observation.cards[line["card"]], trump)))
                if trick[-1][1] != trick[0][1]:
                    found.add((record["seat"], trick[0][1]))
        if record["do"] == "move" and record["to"].endswith("hloc.TAKEN"):
            trick = []
    return found


def euchre_lies(observation: Observation) -> dict[tuple[str, str], float]:
    """Per unseen card and place how often it lies there, over all lies that the rules of Euchre allow."""
    trump = observation.strings["table.TRUMP"]
    seen = {line.get("card") for r in observation.records for line in (r, *r.get("actions", ()))}
    up = next(r["card"] for r in observation.records if r.get("to") == "table.vloc.UPCARD")
    shown = {card for cards in observation.places.values() for card in cards if card}
    buried = any(place.endswith("BURIED") for place, cards in observation.places.items() if cards)
    taken_up = buried or "seat3.iloc.BURIED" in observation.places
    unseen = sorted(c for c in observation.cards if c not in (seen | shown))
    room = {
        place: len(cards)
        for place, cards in observation.places.items()
        if cards and None in cards and "TAKEN" not in place
    }
    if not taken_up:
        room["table.iloc.PACK"] -= 1  # the turned card lies there
    elif up not in shown and up not in played_cards(observation) and observation.seat != 3:
        unseen.append(up)
    assert sum(room.values()) == len(unseen)
    ban = voids(observation, trump)

    def allowed(card: str, place: str) -> bool:
        if card == up and place not in ("seat3.iloc.HAND", "seat3.iloc.ASIDE", "seat3.iloc.BURIED"):
            return False
        owner = int(place[4]) if place.startswith("seat") else -1
        return not (place.endswith("HAND") and (owner, suit(observation.cards[card], trump)) in ban)

    places = sorted(room, key=lambda place: place == "table.iloc.PACK")
    mine = [[n for n, card in enumerate(unseen) if allowed(card, place)] for place in places]

    def choices(at: int, left: int) -> Iterator[int]:
        """Sets of cards for a place, as bits, from the cards that are left."""
        for chosen in combinations([card for card in mine[at] if left >> card & 1], room[places[at]]):
            yield sum(1 << card for card in chosen)

    @cache
    def ways(at: int, left: int) -> int:
        """In how many ways the cards that are left fill the other places."""
        return 1 if at == len(places) else sum(ways(at + 1, left ^ chosen) for chosen in choices(at, left))

    everything = (1 << len(unseen)) - 1
    lying: Counter[tuple[int, int]] = Counter()
    before = {everything: 1}
    for at in range(len(places)):
        after: Counter[int] = Counter()
        for left, times in before.items():
            for chosen in choices(at, left):
                after[left ^ chosen] += times
                both = times * ways(at + 1, left ^ chosen)
                for card in mine[at]:
                    if chosen >> card & 1:
                        lying[card, at] += both
        before = after
    total = ways(0, everything)
    return {
        (card, place): lying[n, at] / total
        for n, card in enumerate(unseen)
        for at, place in enumerate(places)
    }


def played_cards(observation: Observation) -> set[str]:
    return {
        line["card"]
        for record in observation.records
        for line in record.get("actions", ())
        if line["do"] == "move" and line["to"].endswith("vloc.TRICK")
    }


def test_euchres_last_two_tricks() -> None:
    played = game("euchre")
    looked = turned = 0
    for deal in range(14):
        minds = [Determinizer(played) for _ in range(4)]
        for state in random_decisions(played, deal):
            seat = state.to_move
            hand = state.table.places.get(Place(seat, "iloc", "HAND"), [])
            if len(hand) > 2 or not state.table.strs:
                continue
            observation = state.observe(seat)
            expected = euchre_lies(observation)
            ids = [card.id for card in state.table.cards]
            found: dict[tuple[str, str], int] = defaultdict(int)
            count = 0
            for memory, _ in minds[seat].worlds(observation).sample(Stream((deal, seat))):
                for place, cards in lie_of_words(played.words, memory):
                    for card in cards:
                        found[ids[card], place] += 1
                count += 1
                if count == 1000:
                    break
            assert count == 1000
            for key, chance in expected.items():
                error = (max(chance * (1 - chance), 1e-9) / count) ** 0.5
                assert abs(found[key] / count - chance) < FAR * error + 1e-9, key
            looked += 1
            turned += any(0 < chance < 1 for (_, place), chance in expected.items() if "BURIED" in place)
    assert looked >= 15
    assert turned >= 5


# --- dealing -----------------------------------------------------------------------------------


def plan_of(cards: int, allowed: list[list[bool]], trials: int = 0) -> Any:
    columns = [sum(1 << n for n in range(cards) if allowed[n][i]) for i in range(cards)]
    words = lay_plan(range(cards), range(cards), columns)
    if trials:
        length = len(words) - (words[2] + 1) * words[3]
        words = words[:length]
        words[4] = trials
    return (ctypes.c_int64 * len(words))(*(signed(word) for word in words))


@pytest.mark.parametrize("trials", [0, 500])
def test_every_way_to_deal_is_as_likely(trials: int) -> None:
    rng = random.Random(8)
    for n in range(6):
        size = 4
        allowed = [[rng.random() < 0.7 or i == j for j in range(size)] for i in range(size)]
        ways = [p for p in permutations(range(size)) if all(allowed[card][p[card]] for card in range(size))]
        plan = plan_of(size, allowed, trials)
        memory = dealing_kernels.DealPlan.at(bytearray(plan))
        if not trials:
            alike = math.prod(math.factorial(memory.group[g].room) for g in range(memory.groups))
            assert dealing_kernels.count_ways(memory) * alike == len(ways)
        stream = subset.Memory(bytearray((ctypes.c_uint64 * 4)(*Stream((n,)).state)))
        swaps = subset.Memory(bytearray(16 * size))
        native = (ctypes.c_int64 * len(plan))(*plan)
        if not trials:
            code().count_ways(ctypes.addressof(native))
        state = (ctypes.c_uint64 * 4)(*Stream((n,)).state)
        given = (ctypes.c_int64 * (2 * size))()
        found: Counter[tuple[int, ...]] = Counter()
        for _ in range(600):
            assert dealing_kernels.deal_cards(memory, 1, swaps, stream) == 0
            taker = [subset.i64(swaps, 2 * part) for part in range(size)]
            found[tuple(taker.index(card) for card in range(size))] += 1
            at = [ctypes.addressof(block) for block in (native, given, state)]
            assert code().deal_cards(at[0], 1, at[1], at[2]) == 0
            assert list(given) == list((ctypes.c_int64 * (2 * size)).from_buffer(swaps.bytes))
        assert set(found) <= set(ways)
        chance = 1 / len(ways)
        for way in ways:
            assert abs(found[way] / 600 - chance) <= FAR * (chance * (1 - chance) / 600) ** 0.5


# --- the library -------------------------------------------------------------------------------

MAY_BE_LOST = {"go-fish"}
"""Where a record may make no history; the player then guesses and counts it (`test_recalling`)."""


@pytest.mark.parametrize("name", names())
def test_worlds_of_a_game_are_as_observed(name: str) -> None:
    played = game(name)
    minds = [Determinizer(played) for _ in range(played.seats)]
    for n, state in enumerate(random_decisions(played, 3)):
        if n == (12 if name in MAY_BE_LOST else 60):  # a history that is not found is looked for long
            break
        observation = state.observe(state.to_move)
        try:
            worlds = minds[state.to_move].worlds(observation)
        except Inconsistent:
            assert name in MAY_BE_LOST
            continue
        found = 0
        for memory, weight in worlds.sample(Stream((n,))):
            assert weight > 0
            check_world(played, observation, memory)
            if n % 4 == 0:
                given = observation.records[0].get("given", {})
                number, orders, indices = worlds.last_world()
                told = again(played, number, orders, indices, given).records_seen_by(observation.seat)
                assert without_given(told) == without_given(observation.records)
            found += 1
            if found == 3:
                break
        assert found == 3


def without_given(records: Any) -> Any:
    """A stacked shuffle is marked in the record."""
    return json.loads(json.dumps(records).replace('"given": true', '"given": false'))


def check_world(played: NativeGame, observation: Observation, memory: Any) -> None:
    table = read_table(played.words, memory)
    lying = {place.text: [table.cards[card].id for card in cards] for place, cards in table.places.items()}
    for text, cards in observation.places.items():
        if ".mem." in text:
            continue
        there = lying.get(text, [])
        assert len(there) == len(cards), text
        for card, seen in zip(sorted(there), sorted(cards, key=str), strict=True):
            assert None in cards or card == seen, text
    at = played.playing.layout.words
    assert memory.words[at["choices"]] == len(observation.moves)


@pytest.mark.parametrize("name", ["euchre", "whist"])
def test_trick_games_never_starve(name: str) -> None:
    played = game(name)
    tried = asked = 0
    for deal in range(30):
        minds = [Determinizer(played) for _ in range(4)]
        for n, state in enumerate(random_decisions(played, deal, seed=9)):
            worlds = minds[state.to_move].worlds(state.observe(state.to_move))
            tally = worlds.machine.tally
            tally.tried = tally.walked = 0
            found = 0
            for _ in worlds.sample(Stream((deal, n))):
                found += 1
                if found == 20:
                    break
            assert found == 20
            assert tally.walked == 0, "dealing was enough"
            asked += 20
            tried += tally.tried
    assert tried < 2 * asked


@pytest.mark.parametrize("name", ["euchre", "whist", "hearts", "rummy"])
def test_an_extended_history_equals_its_replay_from_the_deal(name: str) -> None:
    played = game(name)
    minds = [Determinizer(played) for _ in range(played.seats)]
    for state in itertools.islice(random_decisions(played, 6), 25):
        history = minds[state.to_move].history(state.observe(state.to_move))
        reached = list(history.replay.state.words)
        history.replay.retrace()
        assert list(history.replay.state.words) == reached


# --- nothing but the observation ---------------------------------------------------------------

ELSEWHERE = """
import json, sys
import upcard
from upcard.engine.api import Observation
from upcard.players.search.pimc import Pimc
from upcard.players.protocol import Budget
game = upcard.load(sys.argv[1])
for line in sys.stdin:
    observation = Observation.from_json(json.loads(line))
    print(Pimc(game, 1, 2, observation.seat).choose(observation, Budget(playouts=60)).move.key)
"""


@pytest.mark.parametrize("name", ["euchre", "goofspiel"])
def test_the_same_choice_elsewhere(name: str) -> None:
    played = game(name)
    seen = [state.observe(state.to_move) for state in random_decisions(played, 1)][:10]
    here = [Pimc(played, 1, 2, o.seat).choose(o, Budget(playouts=60)).move.key for o in seen]
    lines = "\n".join(json.dumps(o.to_json()) for o in seen)
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, name], input=lines, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:-1] == here


@pytest.mark.parametrize("name", ["euchre", "whist", "goofspiel", "rummy"])
def test_a_player_who_was_there_chooses_as_one_who_comes_in(name: str) -> None:
    played = game(name)
    there = [Pimc(played, 1, 2, seat) for seat in range(played.seats)]
    for state in itertools.islice(random_decisions(played, 4), 30):
        seat = state.to_move
        observation = state.observe(seat)
        fresh = Pimc(played, 1, 2, seat).choose(observation, Budget(playouts=40))
        assert there[seat].choose(observation, Budget(playouts=40)) == fresh


def again(
    played: NativeGame, number: int, orders: list[list[str]], indices: list[int], given: Given | None = None
) -> Any:
    state: Any = played.native_deal(0, number, stacked=orders, limits=Limits(), given=given or {})
    for index in indices:
        state.play(index)
    return state


@pytest.mark.parametrize("name", ["euchre", "whist", "goofspiel"])
def test_hidden_cards_do_not_matter(name: str) -> None:
    """Another deal that shows the seat the same leads to the same choice."""
    played = game(name)
    compared = 0
    for state in random_decisions(played, 2):
        seat = state.to_move
        worlds = Determinizer(played).worlds(state.observe(seat))
        pair = []
        for _ in worlds.sample(Stream((7,))):
            pair.append(again(played, *worlds.last_world()))
            if len(pair) == 2:
                break
        seen = [other.observe(seat) for other in pair]
        assert seen[0] == seen[1]
        if lie(pair[0].table) != lie(pair[1].table):
            one, two = (Pimc(played, 4, 2, seat).choose(o, Budget(playouts=60)) for o in seen)
            assert one == two
            compared += 1
        if compared == 8:
            return
    raise AssertionError("too few worlds differ")
