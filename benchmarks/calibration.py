"""Calibration of hints: values shown against what deals bring when the same players play them out.

    python benchmarks/calibration.py --write    # benchmarks/results/calibration.md, about an hour

*Positions*: decisions from deals between quick players. A hint gives values and 95 % intervals. Then its two
best moves are played out in other deals of the hidden cards, by players who are seated through the public API
and get observations only, and the mean is compared with the interval. For calls of Euchre the cards are
dealt from the pack, and a deal counts only if quick players, asked one after the other, pass as was seen. For
other decisions many deals are sampled, and those to be played out are drawn from them by how likely quick
players make the moves that were seen; unlike a hint, nothing is evened out.

*Deciles*: one decision from each of many deals; the result of that very deal, with its true hidden cards,
against the value shown. This is where a wrong picture of the hidden cards would show.
"""

from __future__ import annotations

import argparse
import math
import random
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import upcard
from upcard.advice.estimate import NORMAL, effective_size, student
from upcard.advice.hint import hint
from upcard.advice.model_play import model_of
from upcard.advice.move_value import MoveValue
from upcard.advice.playouts import QUICK, Effort, Search
from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.shared.state import BaseState
from upcard.euchre.euchre_cards import STANDARD
from upcard.euchre.hand_position import position
from upcard.euchre.stacked_deals import card_code, deal, moves_by_word, parse_card, parse_cards
from upcard.players.protocol import Budget
from upcard.players.registry import player_factory
from upcard.players.search.utility import relative_points

RESULTS = Path(__file__).parent / "results" / "calibration.md"
OTHERS = ("hearts", "cribbage", "spades", "whist", "pitch")
SEED = 20_000
DRAWS = 10
"""Deals sampled for each that is played out."""
WATCHED = 32
"""How much more exactly moves that were seen are weighed than a player weighs them; a hint takes 4 to 16."""

ROUNDING = 1e-9
"""A mean of equal results need not equal them to the last bit."""


@dataclass
class Row:
    """One value and what it came to."""

    game: str
    where: str
    move: str
    shown: float
    low: float
    high: float
    realised: float
    error: float
    deals: int

    @property
    def holds(self) -> bool:
        """Whether both agree: the realised mean has an error of its own, which widens the interval."""
        half = self.high - self.shown if self.realised > self.shown else self.shown - self.low
        return abs(self.realised - self.shown) <= math.hypot(half, 1.96 * self.error) + ROUNDING

    @property
    def holds_strictly(self) -> bool:
        return self.low - ROUNDING <= self.realised <= self.high + ROUNDING


def native(name: str) -> NativeGame:
    game = upcard.load(name)
    assert isinstance(game, NativeGame)
    return game


def around(game: NativeGame, scores: list[int] | None = None) -> dict[str, Any]:
    """A match at its beginning."""
    sheet = game.narrator.sheet
    assert sheet is not None
    rules = sheet.match
    return {
        "deal": 0,
        "scores": scores or [0] * game.seats,
        "to": rules.to,
        "deals": rules.deals,
        "ties": rules.ties,
        "down": rules.down,
        "highest": game.program.scoring.highest,
        "names": [game.narrator.seat(seat) for seat in range(game.seats)],
    }


def played(game: NativeGame, number: int, playouts: int) -> Iterator[tuple[BaseState, int, int]]:
    """A deal between quick players: the state at each choice, its seat, and the index that is played next."""
    make = player_factory("quick", game)
    state = game.deal(SEED, number)
    seats = [make(SEED, number, seat) for seat in range(game.seats)]
    while state.to_move is not None:
        seat = state.to_move
        if state.choices == 1:
            state.play(0)
            continue
        seen = state.observe(seat)
        decision = seats[seat].choose(seen, Budget(playouts))  # type: ignore[union-attr]
        index = next(at for shown, at in state.shown if shown == decision.move)
        yield state, seat, index
        state.play(index)


def players_of(game: NativeGame, number: int, playouts: int) -> list[Any]:
    make = player_factory("quick", game)
    return [make(SEED, number, seat) for seat in range(game.seats)]


def play_out(state: BaseState, players: list[Any], match: Any, playouts: int) -> None:
    """To the end, by players who get observations only."""
    while state.to_move is not None:
        seat = state.to_move
        if state.choices == 1:
            state.play(0)
        else:
            seen = state.observe(seat, match)
            state.play(players[seat].choose(seen, Budget(playouts)).move)


def force(state: BaseState, seen: Observation, value: MoveValue) -> None:
    """The move that is valued, and the second one that continues it."""
    state.play(value.move)
    if value.second is not None and state.to_move == seen.seat and state.choices > value.second:
        state.play(value.second)


@dataclass(frozen=True)
class World:
    """A deal of the hidden cards, up to the decision."""

    deal: int
    outcomes: list[list[str]]
    indices: list[int]

    def state(self, game: NativeGame) -> BaseState:
        state = game.deal(0, self.deal, stacked=self.outcomes)
        for index in self.indices:
            state.play(index)
        return state


def worlds_of(game: NativeGame, seen: Observation, seed: int, deals: int) -> Iterator[tuple[World, int]]:
    """Deals of the hidden cards, and how often each is played out: drawn by their weights from many more."""
    search = Search(game, seen, model_of(game), seed)
    assert search.worlds is not None
    search.table.watched = WATCHED
    worlds, weights = [], []
    for number, (_, weight) in enumerate(search.fitting()):
        worlds.append(World(*search.worlds.last_world()))
        weights.append(weight * search.likely(number))
        if len(worlds) == DRAWS * deals:
            break
    step = sum(weights) / deals
    passed = step * random.Random(seed).random()
    for world, weight in zip(worlds, weights, strict=True):
        passed += weight
        times = int(passed // step)
        passed -= times * step
        if times:
            yield world, times


def realised_in_worlds(
    game: NativeGame, seen: Observation, values: Sequence[MoveValue], seed: int, deals: int
) -> list[tuple[float, float, int]]:
    """For each move the mean result, its standard error, and the number of deals."""
    playouts = model_of(game).playouts
    means: list[list[float]] = [[] for _ in values]
    weights: list[float] = []
    for number, (world, times) in enumerate(worlds_of(game, seen, seed, deals)):
        weights.append(times)
        for value, points in zip(values, means, strict=True):
            results = []
            for again in range(times):
                state = world.state(game)
                force(state, seen, value)
                player_seed = seed + 1000 * number + again
                play_out(state, players_of(game, player_seed, playouts), seen.match, playouts)
                results.append(result(game, seen, state))
            points.append(sum(results) / times)
    return [weighted(points, weights) for points in means]


def result(game: NativeGame, seen: Observation, state: BaseState) -> float:
    assert state.outcome is not None
    assert state.outcome.scores is not None
    return relative_points(seen, state.outcome.scores, game.program.scoring.highest)


def weighted(points: list[float], weights: list[float]) -> tuple[float, float, int]:
    total = sum(weights)
    mean = sum(w * x for w, x in zip(weights, points, strict=True)) / total
    variance = sum(w * w * (x - mean) ** 2 for w, x in zip(weights, points, strict=True)) / total**2
    size = effective_size(weights)
    least = (max(points) - min(points)) / (size + 1)  # what never came may come
    error = math.sqrt(variance * size / max(1.0, size - 1) + least**2 / 2)
    return mean, error * student(size - 1) / NORMAL, len(points)


# --- calls of Euchre: deals from the pack ----------------------------------------------------------


def call_position(game: NativeGame, number: int) -> tuple[Observation, dict[str, Any]]:
    """A decision of the auction in a random deal, everybody before having passed."""
    draw = random.Random(number)
    cards = list(STANDARD)
    draw.shuffle(cards)
    given = {
        "hand": ",".join(map(card_code, cards[:5])),
        "up" if draw.random() < 0.6 else "down": card_code(cards[5]),
        "seat": str(draw.randint(1, 4)),
    }
    seen, _ = position(game, given)
    return seen, given


def realised_call(
    game: NativeGame, seen: Observation, given: dict[str, Any], value: MoveValue, seed: int, deals: int
) -> tuple[float, float, int]:
    """Cards are dealt at random; only deals count in which the quick players before pass."""
    playouts = model_of(game).playouts
    hand, place = parse_cards(given["hand"]), int(given["seat"]) - 1
    up = parse_card(given.get("up") or given["down"])
    points: list[float] = []
    match: Any = seen.match
    fill = seed * 100_000
    while len(points) < deals:
        fill += 1
        state = deal(game, {place: hand}, up, fill)
        players = players_of(game, fill, playouts)
        for _ in range(place if "up" in given else 4 + place):
            assert state.to_move is not None
            mover = state.to_move
            choice = moves_by_word(state.observe(mover))["pass"]
            if mover != place:
                seen_there = state.observe(mover, match)
                taken = players[mover].choose(seen_there, Budget(playouts)).move
                if taken.key != choice.key:
                    break
            state.play(choice)
        else:
            force(state, seen, value)
            play_out(state, players, seen.match, playouts)
            points.append(result(game, seen, state))
        if fill - seed * 100_000 > 40 * deals:
            break
    return weighted(points, [1.0] * len(points)) if len(points) > 5 else (math.nan, math.nan, len(points))


# --- the table -------------------------------------------------------------------------------------


def rows_of_calls(first: int, count: int, deals: int) -> Iterator[Row]:
    game, number, found = native("euchre"), first, 0
    while found < count:
        number += 1
        seen, given = call_position(game, number)
        told = hint(game, seen, player="quick:8", effort=QUICK)
        where = " ".join(f"{key} {text}" for key, text in given.items())
        rows = []
        for value in told.moves[:2]:
            mean, error, n = realised_call(game, seen, given, value, number, deals)
            if n >= deals:
                rows.append(row("euchre", where, value, mean, error, n))
        if rows:
            found += 1
            yield from rows


def rows_of_play(name: str, first: int, count: int, deals: int, euchre_cards: bool = False) -> Iterator[Row]:
    game = native(name)
    playouts = model_of(game).playouts
    for number in range(first, first + count):
        draw = random.Random(number)
        choices = [
            (state.copy(), seat)
            for state, seat, _ in played(game, number, playouts)
            if not euchre_cards or state.observe(seat).strings.get("table.TRUMP", "NONE") != "NONE"
        ]
        state, seat = draw.choice(choices)
        seen = state.observe(seat, around(game))
        told = hint(game, seen, player="quick:8", effort=QUICK)
        where = f"deal {number}, decision {seen.decision}"
        for value, (mean, error, n) in zip(
            told.moves[:2], realised_in_worlds(game, seen, told.moves[:2], SEED + number, deals), strict=True
        ):
            yield row(name, where, value, mean, error, n)


def row(name: str, where: str, value: MoveValue, mean: float, error: float, deals: int) -> Row:
    points = value.points
    return Row(name, where, value.text, points.value, points.low, points.high, mean, error, deals)


def table(rows: list[Row]) -> list[str]:
    lines = [
        "| game | position | move | value | 95 % interval | realised | error | deals | inside |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for r in rows:
        interval = "certain" if r.low == r.high else f"{r.low:+.2f} to {r.high:+.2f}"
        lines.append(
            f"| {r.game} | {r.where} | {r.move} | {r.shown:+.2f} | {interval} | {r.realised:+.2f} "
            f"| {r.error:.2f} | {r.deals} | {'yes' if r.holds else 'no'} |"
        )
    return lines


# --- deciles ---------------------------------------------------------------------------------------


def deciles(name: str, deals: int) -> list[str]:
    """One decision of each deal: the value shown for the move that is played, and the result of the deal."""
    game = native(name)
    playouts = model_of(game).playouts
    pairs = []
    for number in range(deals):
        draw = random.Random(number)
        places = [(state.decisions, seat, index) for state, seat, index in played(game, number, playouts)]
        at, seat, index = draw.choice(places)
        state = next(s for s, _, _ in played(game, number, playouts) if s.decisions == at).copy()
        seen = state.observe(seat, around(game))
        told = hint(game, seen, player="quick:8", effort=Effort(60, 1_500_000))
        move = next(shown for shown, n in state.shown if n == index)
        value = told.value(move)
        if value is None:
            continue
        force(state, seen, value)
        play_out(state, players_of(game, number, playouts), seen.match, playouts)
        pairs.append((value.points.value, result(game, seen, state)))
    pairs.sort()
    lines = ["| decile | predicted | realised | error |", "| --- | --- | --- | --- |"]
    for n in range(10):
        part = pairs[n * len(pairs) // 10 : (n + 1) * len(pairs) // 10]
        shown = sum(a for a, _ in part) / len(part)
        mean, error, _ = weighted([b for _, b in part], [1.0] * len(part))
        lines.append(f"| {n + 1} | {shown:+.2f} | {mean:+.2f} | {error:.2f} |")
    return lines


def report(rows: list[Row], by_decile: dict[str, list[str]]) -> str:
    inside = sum(r.holds for r in rows)
    strictly = sum(r.holds_strictly for r in rows)
    lines = [
        "# Calibration of hints",
        "",
        f"Written by `python benchmarks/calibration.py {shlex.join(sys.argv[1:])}`, whose docstring explains "
        "how it is measured.",
        "",
        f"{inside} of {len(rows)} values ({100 * inside / len(rows):.0f} %) lie in their 95 % interval, the "
        f"error of the realised mean allowed for; {strictly} if it is not.",
        "",
        *table(rows),
    ]
    for name, part in by_decile.items():
        lines += ["", f"## {name}: predicted and realised points by decile", "", *part]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Calibration of hints.")
    parser.add_argument("--first", type=int, default=0, help="the number of the first position")
    parser.add_argument("--calls", type=int, default=20, help="positions of Euchre's auction")
    parser.add_argument("--cards", type=int, default=20, help="positions of Euchre's play")
    parser.add_argument("--others", type=int, default=10, help="positions of each other game")
    parser.add_argument("--deals", type=int, default=150, help="deals of Euchre for each value")
    parser.add_argument("--other-deals", type=int, default=40, help="the same for other games")
    parser.add_argument("--deciles", type=int, default=300, help="deals of Euchre for the table by decile")
    parser.add_argument("--write", action="store_true", help="write benchmarks/results/calibration.md")
    given = parser.parse_args()
    rows: list[Row] = []
    by_decile: dict[str, list[str]] = {}

    def note(found: Iterator[Row]) -> None:
        for one in found:
            rows.append(one)
            print(table([one])[-1], flush=True)
            if given.write:
                RESULTS.write_text(report(rows, by_decile), encoding="utf-8")

    if given.calls:
        note(rows_of_calls(given.first, given.calls, given.deals))
    if given.cards:
        note(rows_of_play("euchre", given.first, given.cards, given.deals, euchre_cards=True))
    for name in OTHERS:
        note(rows_of_play(name, given.first, given.others, given.other_deals))
    if given.deciles:
        by_decile["euchre"] = deciles("euchre", given.deciles)
    text = report(rows, by_decile)
    print(text)
    if given.write:
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
