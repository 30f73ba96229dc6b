"""Exports the games of a contest as parquet, one row per game."""

from __future__ import annotations

from pathlib import Path

from upcard.arena.results import Results
from upcard.storage.atomic_write import atomic_writer


def write_parquet(results: Results, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    contest, games = results.contest, results.games
    names = contest.names
    columns = {
        "game": pa.array([game.index for game in games], pa.int64()),
        "deal": pa.array([game.deal for game in games], pa.int64()),
        "group": pa.array([game.group for game in games], pa.int32()),
        "ending": pa.array([game.ending for game in games], pa.string()),
        "dealt": pa.array([game.dealt for game in games], pa.int32()),
        "scores": pa.array([list(game.scores) for game in games], pa.list_(pa.int64())),
    }
    for place, called in enumerate(contest.places):
        columns[f"player {called}"] = pa.array([names[game.players[place]] for game in games], pa.string())
        points = [results.points(game)[place] for game in games]
        columns[f"points {called}"] = pa.array(points, pa.float64())
        columns[f"share {called}"] = pa.array([game.shares[place] for game in games], pa.float64())
        columns[f"decisions {called}"] = pa.array([game.decisions[place] for game in games], pa.int64())
        columns[f"guessed {called}"] = pa.array([game.guessed[place] for game in games], pa.int64())
        columns[f"seconds {called}"] = pa.array([game.seconds[place] for game in games], pa.float64())
    why = [None if game.forfeit is None else game.forfeit.why for game in games]
    who = [None if game.forfeit is None else names[game.forfeit.player] for game in games]
    columns["forfeited by"] = pa.array(who, pa.string())
    columns["why"] = pa.array(why, pa.string())
    about = {"game": contest.table.game.name, "seed": str(contest.seed), "players": ",".join(names)}
    with atomic_writer(path) as file:
        pq.write_table(pa.table(columns).replace_schema_metadata(about), file)
