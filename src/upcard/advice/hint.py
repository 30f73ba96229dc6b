"""Hints: what every move of a decision is worth, how sure that is, and why the best one is best."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from upcard.advice import estimate, reasons
from upcard.advice.decisive_cards import decisive_cards
from upcard.advice.estimate import Estimate
from upcard.advice.game_advice import GameAdvice, Proof, advice_for
from upcard.advice.match_chance import MatchChance
from upcard.advice.model_play import model_of
from upcard.advice.move_value import NO_VALUE, Difference, MoveValue, Result, points_text
from upcard.advice.playouts import THOROUGH, Effort, NoWorlds, Playouts, Search, spread
from upcard.advice.words import NarratorWords, Words, gerund
from upcard.arguments import BadArgument, check_instance
from upcard.engine.api import Move, Observation
from upcard.engine.game import Game
from upcard.engine.loader import as_game
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.native.game import NativeGame
from upcard.engine.shared.game import LoadedGame
from upcard.players.protocol import Budget, Indifferent, Player
from upcard.players.search.utility import relative_points
from upcard.players.spec import resolve_player


@dataclass(frozen=True)
class Hint:
    """The values of all moves of one decision.

    >>> state = upcard.load("kuhn-poker").deal(seed=1)
    >>> found = upcard.hint("kuhn-poker", state.observe(state.to_move), player="random")
    >>> found.best in state.moves
    True
    """

    moves: tuple[MoveValue, ...]
    """Best first."""
    best: Move
    player: str
    """Who chose among moves that are about as good."""
    model: str
    """Who plays on in the values, as a player is named."""
    match: bool
    """Whether `win` is the chance of winning a match; otherwise that of the deal."""
    reasons: tuple[str, ...]
    """Sentences, the most important first."""
    worlds: int
    """Deals of the hidden cards that were played out."""
    guessed: bool = False
    """Whether these are guesses, as no deal explains all that was seen."""

    def value(self, move: Move) -> MoveValue | None:
        """The value of a move; None for a move that the hint does not know.

        >>> state = upcard.load("kuhn-poker").deal(seed=1)
        >>> found = upcard.hint("kuhn-poker", state.observe(state.to_move), player="random")
        >>> found.value(state.moves[0]).text
        'check'
        """
        return next((value for value in self.moves if value.move.key == move.key), None)

    @property
    def valued(self) -> bool:
        """Whether moves have values: a decision with a single move needs none.

        >>> state = upcard.load("kuhn-poker").deal(seed=1)
        >>> upcard.hint("kuhn-poker", state.observe(state.to_move), player="random").valued
        True
        """
        return len(self.moves) > 1

    def to_json(self, played: Move | None = None) -> dict[str, Any]:
        """As `upcard hint --json` prints it; `played` marks the move that was played.

        >>> state = upcard.load("kuhn-poker").deal(seed=1)
        >>> found = upcard.hint("kuhn-poker", state.observe(state.to_move), player="random")
        >>> found.to_json()["goal"]
        'deal'
        """
        return {
            "by": self.player,
            "model": self.model,
            "goal": "match" if self.match else "deal",
            "best": next((v.text for v in self.moves if v.move.key == self.best.key), self.best.text),
            "reason": " ".join(self.reasons),
            "reasons": list(self.reasons),
            "guessed": self.guessed,
            "worlds": self.worlds,
            "moves": [_value_json(value, played) for value in self.moves if self.valued],
        }


def _value_json(value: MoveValue, played: Move | None) -> dict[str, Any]:
    return {
        "move": value.text,
        "key": value.move.key,
        "played": played is not None and value.move.key == played.key,
        "win": value.win.value,
        "win_interval": [value.win.low, value.win.high],
        "points": value.points.value,
        "points_interval": [value.points.low, value.points.high],
        "certain": value.proof.why if value.proof is not None else None,
        "results": [{"result": r.words, "points": r.points, "share": r.share} for r in value.results],
        "playouts": value.playouts,
    }


def hint(
    game: Game | str | os.PathLike[str],
    observation: Observation,
    *,
    player: str | Player | Indifferent = "expert",
    name: str = "",
    seed: int = 0,
    budget: Budget | None = None,
    effort: Effort = THOROUGH,
    words: Words | None = None,
    played: Move | None = None,
) -> Hint:
    """What every move of a decision is worth, and why.

    Each move is played out in many deals of the hidden cards that fit what the seat sees; everybody then
    plays like the model that the hint names, a quick player. The values are the means of these deals with
    95 % intervals. Among moves that are about as good, `player` chooses: a name, or a player that is called
    `name`.

    Moves that are clearly worse are dropped early and keep wide intervals, but not the one that was `played`.

    `observation` is of the seat to move. Raises `BadArgument` for any other.

    >>> state = upcard.load("kuhn-poker").deal(seed=1)
    >>> found = upcard.hint("kuhn-poker", state.observe(state.to_move), player="random")
    >>> len(found.moves) == len(state.moves)
    True
    """
    game = as_game(game)
    check_instance("observation", observation, Observation)
    if not observation.moves:
        raise BadArgument("this observation has no moves; observe the state from the seat to move")
    words = words or NarratorWords(game, observation)
    adviser = player if not isinstance(player, str) else _made(game, player, observation, seed)
    name = player if isinstance(player, str) else name or type(player).__name__.lower()
    if len(observation.moves) == 1:
        return _only_move(observation, name, words)
    if any(None in pick.values() for move in observation.moves for pick in move.picks):
        return _chosen(observation, name, adviser, budget, words, "Cards chosen face down have no values.")
    if isinstance(game, NativeGame):
        with suppress(NoMachineCode):
            return Adviser(game, observation, words).advise(name, adviser, seed, budget, effort, played)
    return _chosen(observation, name, adviser, budget, words, "Values need machine code.")


def _made(game: LoadedGame, player: str, observation: Observation, seed: int) -> Player | Indifferent:
    return resolve_player(player, game).make(seed, 0, observation.seat)


def _only_move(observation: Observation, name: str, words: Words) -> Hint:
    move = observation.moves[0]
    text = words.move(move)
    reason = f"{text[:1].upper()}{text[1:]}: there is no other move."
    return Hint((), move, name, "", observation.match is not None, (reason,), 0)


def _chosen(
    observation: Observation,
    name: str,
    adviser: Player | Indifferent,
    budget: Budget | None,
    words: Words,
    why: str,
) -> Hint:
    """A hint without values, which says why there are none."""
    match = observation.match is not None
    if isinstance(adviser, Indifferent):
        reasons = (f"The {name} player has no opinion: any move is as good to it.", why)
        return Hint((), observation.moves[0], name, "", match, reasons, 0)
    decision = adviser.choose(observation, budget or Budget())
    reasons = (f"The {name} player would {words.move(decision.move)}.", why)
    return Hint((), decision.move, name, "", match, reasons, 0, decision.guessed)


def compare(
    game: LoadedGame,
    observation: Observation,
    better: Move,
    other: Move,
    *,
    seed: int = 0,
    effort: Effort = THOROUGH,
) -> Difference | None:
    """By how much one move is better than another, both played out in the same deals; None without any."""
    if isinstance(game, NativeGame):
        with suppress(NoMachineCode):
            adviser = Adviser(game, observation, NarratorWords(game, observation))
            return adviser.compare(better, other, seed, effort)
    return None


class Adviser:
    """One hint in the making."""

    def __init__(self, game: NativeGame, observation: Observation, words: Words) -> None:
        self.game, self.observation, self.words = game, observation, words
        self.chances = MatchChance(game, observation)
        self.advice: GameAdvice = advice_for(observation)
        self.highest = game.program.scoring.highest

    def advise(
        self,
        name: str,
        adviser: Player | Indifferent,
        seed: int,
        budget: Budget | None,
        effort: Effort,
        asked: Move | None = None,
    ) -> Hint:
        keep = [at for at, move in enumerate(self.observation.moves) if asked and move.key == asked.key]
        model = model_of(self.game)
        try:
            search = Search(self.game, self.observation, model, seed)
            played = search.run(effort, keep=keep)
        except NoWorlds:
            why = "No deal of the hidden cards fits what was seen, so there are no values."
            return _chosen(self.observation, name, adviser, budget, self.words, why)
        values = self._values(played)
        favourite = None
        if not isinstance(adviser, Indifferent):
            favourite = adviser.choose(self.observation, budget or Budget()).move
        ordered = self._ordered(values, played, favourite)
        match = self.chances.is_match
        said = self._reasons(search, played, ordered)
        if favourite is not None and favourite.key != ordered[0].move.key:
            said.append(f"The {name} player would {self.words.move(favourite)}.")
        return Hint(
            tuple(ordered),
            ordered[0].move,
            name,
            model.name,
            match,
            tuple(said),
            len(played.weights),
            played.guessed,
        )

    def compare(self, better: Move, other: Move, seed: int, effort: Effort) -> Difference | None:
        keys = [move.key for move in self.observation.moves]
        one, two = keys.index(better.key), keys.index(other.key)
        try:
            played = Search(self.game, self.observation, model_of(self.game), seed).run(effort, (one, two))
        except NoWorlds:
            return None
        return self._difference(self._values(played), played, one, two)

    # --- values ---------------------------------------------------------------------------------

    def points(self, scores: tuple[int, ...]) -> float:
        return relative_points(self.observation, scores, self.highest)

    def _values(self, played: Playouts) -> list[MoveValue]:
        rows = []
        for at in range(played.moves):
            scores, weights = played.results(at)
            rows.append(
                ([self.points(s) for s in scores], [self.chances.of_scores(s) for s in scores], weights)
            )
        points_spread = spread([points for points, _, _ in rows])
        win_spread = spread([wins for _, wins, _ in rows])
        values = []
        for at, (points, wins, weights) in enumerate(rows):
            move = self.observation.moves[at]
            text = self.words.move(move)
            doing = self.advice.doing(self.observation, move) or gerund(text)
            proof = self.advice.prove(self.observation, move)
            if not weights:  # the game failed in every world
                values.append(MoveValue(move, text, doing, NO_VALUE, NO_VALUE, (), 0, proof))
                continue
            points_value = estimate.mean(points, weights, points_spread)
            of_match = self._error_of_chances(*played.results(at))
            win_value = estimate.mean(wins, weights, win_spread).widened(of_match).within(0.0, 1.0)
            if played.settled[at] and len(set(points)) == 1:
                points_value = Estimate.of_certain(points[0])
                win_value = Estimate.of_certain(wins[0]).widened(of_match).within(0.0, 1.0)
                proof = proof or Proof(round(points[0]), True, "Nothing is left to decide.")
            if proof is not None:
                points_value, win_value = self._proved(proof, points_value, win_value)
            results = self._results(move, played, at)
            values.append(
                MoveValue(
                    move,
                    text,
                    doing,
                    points_value,
                    win_value,
                    results,
                    len(weights),
                    proof,
                    played.second.get(at),
                )
            )
        return values

    def _error_of_chances(self, scores: Sequence[tuple[int, ...]], weights: Sequence[float]) -> float:
        """The error that chances of the match have themselves: the same matches are played after every deal,
        so that it does not become smaller with more deals."""
        errors = zip(map(self.chances.error_of, scores), weights, strict=True)
        return sum(error * weight for error, weight in errors) / sum(weights)

    def _proved(self, proof: Proof, points: Estimate, win: Estimate) -> tuple[Estimate, Estimate]:
        least = self._win_with(proof.least)
        if proof.exact:
            error = self.chances.error_of(self._scores_with(proof.least))
            return Estimate.of_certain(proof.least), Estimate.of_certain(least).widened(error)
        if least == 1.0:
            win = Estimate.of_certain(1.0)
        low = max(points.low, proof.least)
        return Estimate(max(low, points.value), low, max(low, points.high)), win

    def _win_with(self, points: int) -> float:
        """The chance after a deal that brings one's own side so much more than nothing."""
        return self.chances.of_scores(self._scores_with(points))

    def _scores_with(self, points: int) -> tuple[int, ...]:
        seats = range(self.observation.seats)
        mine = next((side for side in self.observation.teams if self.observation.seat in side), ())
        side = mine or (self.observation.seat,)
        return tuple(max(0, points) if seat in side else max(0, -points) for seat in seats)

    def _results(self, move: Move, played: Playouts, at: int) -> tuple[Result, ...]:
        scores, weights = played.results(at)
        shares: dict[tuple[str, float], float] = {}
        for row, weight in zip(scores, weights, strict=True):
            points = self.points(row)
            words = self.advice.result(self.observation, move, row) or points_text(points)
            shares[words, points] = shares.get((words, points), 0.0) + weight
        total = sum(weights)
        by_words: dict[str, list[tuple[float, float]]] = {}
        for (words, points), weight in shares.items():
            by_words.setdefault(words, []).append((points, weight / total))
        found = [
            Result(words, sum(p * s for p, s in parts) / sum(s for _, s in parts), sum(s for _, s in parts))
            for words, parts in by_words.items()
        ]
        return tuple(sorted(found, key=lambda result: -result.points))

    def _reasons(self, search: Search, played: Playouts, ordered: list[MoveValue]) -> list[str]:
        """The verdict; what is proved; the results of the two best moves; the cards that decide."""
        best, other = ordered[0], ordered[1]
        match = self.chances.is_match
        found = [reasons.verdict(ordered, match)]
        if best.proof is not None:
            found.append(best.proof.why)
        if best.results and not best.points.certain:
            found.append(reasons.results_sentence(best))
        if other.results and best.results != other.results:
            found.append(reasons.results_sentence(other))
        if not best.points.certain:
            found += self._facts(search, played, best)
        return found

    def _facts(self, search: Search, played: Playouts, best: MoveValue) -> list[str]:
        at = next(n for n, move in enumerate(self.observation.moves) if move.key == best.move.key)
        match = self.chances.is_match
        rows = [
            (where, row[at], weight)
            for where, row, weight in zip(played.where, played.scores, played.weights, strict=True)
            if row[at] is not None and weight > 0
        ]
        values = [
            self.chances.of_scores(scores) if match else self.points(scores)
            for _, scores, _ in rows
            if scores is not None
        ]
        machine = search.machine
        facts = decisive_cards(
            [(place.owner, place.cls) for place in machine.layout.places],
            machine.ids,
            [where for where, _, _ in rows],
            values,
            [weight for _, _, weight in rows],
            len(machine.ids),
        )
        named = [f for f in facts if self.advice.may_decide(self.observation, best.move, f.card)][:2]
        return reasons.fact_sentences(self.observation, self.advice, self.words, best, named, match)

    # --- order ----------------------------------------------------------------------------------

    def worth(self, value: MoveValue) -> tuple[float, float]:
        """What moves are ordered by: the chance of a match, then points; without a match, points."""
        if self.chances.is_match:
            return value.win.value, value.points.value
        return value.points.value, value.win.value

    def _ordered(self, values: list[MoveValue], played: Playouts, favourite: Move | None) -> list[MoveValue]:
        """Best first; among moves that are about as good as the best, the adviser's."""
        match = self.chances.is_match
        top = max(range(len(values)), key=lambda at: (self.worth(values[at]), -at))
        for at, value in enumerate(values):
            wanted = favourite is not None and value.move.key == favourite.key and at != top
            if wanted and not self._difference(values, played, top, at).clear_in(match, len(values)):
                top = at
                break
        order = [
            top,
            *sorted((at for at in range(len(values)) if at != top), key=lambda at: self._rank(values, at)),
        ]
        with_distance = []
        for at in order:
            behind = None if at == top else self._difference(values, played, top, at)
            with_distance.append(replace(values[at], behind=behind))
        return with_distance

    def _rank(self, values: list[MoveValue], at: int) -> tuple[float, float, int]:
        first, second = self.worth(values[at])
        return -first, -second, at

    def _difference(self, values: list[MoveValue], played: Playouts, one: int, other: int) -> Difference:
        """By how much one move is better, in the worlds in which both were played out."""
        a, b = values[one], values[other]
        if a.points.certain or b.points.certain or not a.playouts or not b.playouts:
            return Difference(estimate.apart(a.points, b.points), estimate.apart(a.win, b.win))
        pairs = [
            (row[one], row[other], weight)
            for row, weight in zip(played.scores, played.weights, strict=True)
            if weight > 0
        ]
        points, wins, weights = [], [], []
        for mine, theirs, weight in pairs:
            if mine is not None and theirs is not None:
                points.append(self.points(mine) - self.points(theirs))
                wins.append(self.chances.of_scores(mine) - self.chances.of_scores(theirs))
                weights.append(weight)
        found = Difference(
            estimate.mean(points, weights, spread([points])), estimate.mean(wins, weights, spread([wins]))
        )
        if a.win.certain or b.win.certain:
            return Difference(found.points, estimate.apart(a.win, b.win))
        return found
