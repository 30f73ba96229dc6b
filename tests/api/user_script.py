"""A user's script that annotates everything it touches; `test_user_script` type-checks and runs it."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import upcard


class Careful:
    """Takes the first move that is not an order."""

    def __init__(self, seed: int, game: upcard.Game) -> None:
        self.seed: int = seed
        self.game: upcard.Game = game

    def choose(self, observation: upcard.Observation, budget: upcard.Budget) -> upcard.Decision:
        playouts: int | None = budget.playouts
        seconds: float | None = budget.seconds
        assert (playouts, seconds) == (None, None)
        moves: tuple[upcard.Move, ...] = observation.moves
        values: tuple[upcard.Value, ...] = tuple(
            upcard.Value(move, points=0.0, error=1.0, win=0.5, win_error=0.1, visits=1) for move in moves
        )
        return upcard.Decision(moves[0], values)


def play_a_deal(game: upcard.Game) -> upcard.Outcome:
    limits: upcard.Limits = upcard.Limits(decisions=400)
    state: upcard.State = game.deal(seed=7, number=3, limits=limits)
    player: upcard.Player = Careful(1, game)
    while (seat := state.to_move) is not None:
        seen: upcard.Observation = state.observe(seat)
        key: str = state.infoset_key(seat)
        assert key == seen.key
        move: upcard.Move = player.choose(seen, upcard.Budget()).move
        action: int = game.action_id(move)
        assert game.actions is not None
        assert game.actions[action] == move.action
        following: upcard.State = state.after(move)
        state.play(move)
        assert following == state
        data: dict[str, Any] = seen.to_json()
        assert upcard.Observation.from_json(data) == seen
    twin: upcard.State = pickle.loads(pickle.dumps(state))
    assert twin == state
    outcome: upcard.Outcome | None = state.outcome
    assert outcome is not None
    failure: upcard.Failure | None = outcome.failure
    assert failure is None
    scores: tuple[int, ...] | None = outcome.scores
    assert scores is not None
    return outcome


def simulate(game: upcard.Game) -> list[float]:
    summary: upcard.Summary = game.simulate(100, seed=1, workers=1)
    means: list[float] = [score.mean for score in summary.scores]
    return means


def play_a_match() -> tuple[int, ...]:
    match: upcard.Match = upcard.Match("euchre", [Careful, "random"], seed=1, to=2)
    deals: list[upcard.DealResult] = list(match)
    totals: tuple[int, ...] = deals[-1].totals
    winners: tuple[int, ...] = match.winners
    assert totals == match.scores
    return winners


def measure() -> float | None:
    contest: upcard.arena.ContestResult = upcard.arena.run(
        "kuhn-poker", ["random", Careful], deals=20, workers=1
    )
    standings: Mapping[str, upcard.arena.Standing] = contest.standings
    pair: upcard.arena.Pair = contest.pairs["random", "Careful"]
    study: upcard.study.StudyResult = upcard.study.run("kuhn-poker", 50, workers=1)
    engines: upcard.verify.EngineReport = upcard.verify.compare_engines("kuhn-poker", 5)
    graph: upcard.graph.MovementGraph = upcard.graph.draw("kuhn-poker")
    picture: str = graph.svg
    assert engines.agree
    assert picture
    assert study.profile["ties"].mean is not None
    points: float | None = standings["random"].points.mean
    assert points is not None
    return pair.ahead.mean


def misuse() -> list[str]:
    said: list[str] = []
    try:
        upcard.load("nonsense")
    except upcard.NoSuchGame as error:
        said.append(str(error))
    try:
        upcard.load("euchre").simulate(-1)
    except upcard.BadArgument as error:
        said.append(str(error))
    try:
        upcard.load("euchre").deal().play(99)
    except upcard.IllegalMove as error:
        said.append(str(error))
    try:
        upcard.check("(game").sound()
    except upcard.RecycleError as error:
        diagnostics: tuple[upcard.Diagnostic, ...] = error.diagnostics
        said.extend(diagnostic.message for diagnostic in diagnostics)
    return said


def main() -> None:
    names: list[str] = upcard.games()
    game: upcard.Game = upcard.load("euchre", rules={"stick": "no"})
    loaded: upcard.Game = upcard.load(Path(upcard.__file__).parent / "library" / "starter")
    found: upcard.CheckResult = upcard.check("euchre")
    card: upcard.Card = upcard.Card("DEFAULT", 0, 0, {"RANK": "A"})
    place: upcard.Place = upcard.Place(0, "iloc", "HAND")
    version: str = upcard.__version__
    assert "euchre" in names
    assert found.ok
    assert loaded.seats > 1
    assert (card.id, place.text) == ("DEFAULT:0", "seat0.iloc.HAND")
    assert version
    assert play_a_deal(game).winners
    assert len(simulate(game)) == game.seats
    assert play_a_match()
    assert measure() is not None
    assert len(misuse()) == 4


if __name__ == "__main__":
    main()
