"""Your saved matches: one summary for each, and the statistics over them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from upcard.match.seats import side_of
from upcard.recycle.diagnostics import Refused
from upcard.terminal.saves import Saved, matches_folder, open_saved
from upcard.terminal.table_setup import saved_table


@dataclass(frozen=True)
class PlayedMatch:
    """One match that a person played at the table."""

    game: str
    level: str
    file: str
    when: str
    deals: int
    """Finished deals."""
    yours: int
    others: tuple[int, ...]
    """The totals of your side and of the other sides."""
    over: bool
    undone: bool
    """Whether a decision was taken back; such a match is not counted."""
    share: float
    """Your side's share of the win: 1 alone, a part if it is shared, 0 if it is lost or not over."""

    @property
    def result(self) -> str:
        if not self.over:
            return "unfinished"
        return "won" if self.share == 1 else "shared" if self.share else "lost"

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "others": list(self.others), "result": self.result}


@dataclass(frozen=True)
class GameStatistics:
    """Finished matches of one game against one level."""

    game: str
    level: str
    matches: int
    won: int
    shared: int
    deals: int
    points: float
    """Of your side in a deal."""

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))


def played_matches(game: str | None = None) -> tuple[list[PlayedMatch], list[str]]:
    """The matches in the folder of saved matches, the newest first, and the files that cannot be read."""
    matches, unreadable = [], []
    place = matches_folder()
    files = sorted(place.glob("*.jsonl"), key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)
    for path in files:
        try:
            match = _summary(open_saved(path))
        except (Refused, OSError):
            unreadable.append(str(path))
            continue
        if game is None or match.game == game:
            matches.append(match)
    return matches, unreadable


def _summary(saved: Saved) -> PlayedMatch:
    note = saved.table
    sides = saved_table(saved, "reference", playing=False).sides
    mine = side_of(int(note["person"]), sides)
    results = [line for line in saved.lines if line["do"] == "result"]
    totals: Sequence[int] = results[-1]["totals"] if results else [0] * len(sides)
    winners = saved.lines[-1]["winners"] if saved.over else []
    changed = time.localtime(saved.path.stat().st_mtime)
    return PlayedMatch(
        str(saved.header["game"]),
        str(note.get("level", "")),
        str(saved.path),
        time.strftime("%Y-%m-%d %H:%M", changed),
        len(results),
        totals[mine],
        tuple(total for side, total in enumerate(totals) if side != mine),
        saved.over,
        saved.undone,
        1 / len(winners) if mine in winners else 0.0,
    )


def statistics(matches: Iterable[PlayedMatch]) -> list[GameStatistics]:
    """Statistics of finished matches, by game and level, without those where a decision was taken back."""
    groups: dict[tuple[str, str], list[PlayedMatch]] = {}
    for match in matches:
        if match.over and not match.undone:
            groups.setdefault((match.game, match.level), []).append(match)
    return [
        GameStatistics(
            game,
            level,
            len(group),
            sum(match.share == 1 for match in group),
            sum(0 < match.share < 1 for match in group),
            sum(match.deals for match in group),
            sum(match.yours for match in group) / max(1, sum(match.deals for match in group)),
        )
        for (game, level), group in sorted(groups.items())
    ]
