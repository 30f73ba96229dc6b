"""Summary of a study as data; printing, JSON and comparisons all use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from upcard.lazy import lazy_property
from upcard.stats.histogram import Histogram
from upcard.stats.intervals import Interval
from upcard.study.dealer_edge import DealerEdge, dealer_edge
from upcard.study.game_log import Watched
from upcard.study.heuristics import mean
from upcard.study.plan import Part, Plan
from upcard.study.skill import FEWEST_DEALS, Skill, results_of, skill
from upcard.study.statistics import Counted, Rounds, Seen, rounds_of
from upcard.study.study_run import Study

MEANINGS = {
    "fairness": "1: the first side wins its fair share",
    "convergence": "above one half, choices narrow",
    "order": "what searching gains over random",
    "spread": "best choice minus worst choice",
    "drama": "how far behind winners have been",
    "security": "share of time winners were ahead",
    "decisiveness": "how late the winner became certain",
    "forced": "decisions with a single choice",
    "ties": "games won by more than one side",
    "skill": "variance explained by the players",
    "luck": "variance explained by the deal",
}
"""The profile of a game in display order; every figure is from 0 to 1."""


@dataclass(frozen=True)
class Summed:
    """All figures of a study, computed on first use."""

    study: Study

    @property
    def plan(self) -> Plan:
        return self.study.plan

    @lazy_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return self.plan.sides

    def seen(self, part: Part) -> Seen | None:
        """The recorded games of a part that did not fail, or None."""
        found = Seen.of(self.study.games.get(part, []), self.sides, self.plan.highest)
        return found if found.sums.scored else None

    @lazy_property
    def random(self) -> Counted | None:
        sums = self.study.counted("random")
        return Counted(sums) if sums.scored else None

    @property
    def sample(self) -> list[Watched]:
        """The recorded random games that did not fail."""
        return [game for game in self.study.games["random"] if game.scores is not None]

    @lazy_property
    def searching(self) -> Seen | None:
        return self.seen("searching")

    @lazy_property
    def ordered(self) -> Seen | None:
        return self.seen("order")

    @lazy_property
    def rounds(self) -> Rounds | None:
        return rounds_of(self.study.games["random"]) if self.random else None

    @lazy_property
    def skill(self) -> Skill | None:
        run = self.study.skill
        return None if run is None else skill(results_of(run.results), self.plan.seed)

    @lazy_property
    def dealer_edge(self) -> DealerEdge | None:
        return None if self.random is None else dealer_edge(self.plan.game, self.random)

    @lazy_property
    def profile(self) -> dict[str, Interval]:
        """The figures from 0 to 1 that have data."""
        found: dict[str, Interval] = {}
        if self.random is not None:
            found |= {name: getattr(self.random, name) for name in ("fairness", "convergence")}
        if self.ordered is not None:
            found["order"] = self.ordered.order
        if self.searching is not None:
            for name in ("spread", "drama", "security", "decisiveness"):
                found[name] = getattr(self.searching, name)
        if self.random is not None:
            found |= {name: getattr(self.random, name) for name in ("forced", "ties")}
        if self.skill is not None:
            found |= {"skill": self.skill.line_up, "luck": self.skill.deal}
        return {name: found[name] for name in MEANINGS if name in found and found[name].mean is not None}

    @lazy_property
    def notes(self) -> list[str]:
        """Notes for the reader about missing or misleading figures."""
        found = []
        if not self.plan.players:
            found.append("order, spread, drama, security, decisiveness and skill need --players")
        elif self.searching is not None and self.searching.spread.mean is None:
            name = self.plan.players[0].name
            found.append(
                f"{name} gives no estimates, so there are no figures for spread, drama, security and leads"
            )
        elif self.searching is not None and not self.searching.histories:
            found.append("every decision was forced, so there are no figures for leads")
        if self.searching is not None and self.searching.made_up:
            found.append(
                f"{self.plan.players[0].name} gives only its own chance of winning, so drama, security "
                "and leads treat all other players alike"
            )
        if self.random is not None:
            if self.rounds is None:
                found.append(
                    "the game has no rounds: no stage with decisions is repeated inside another stage"
                )
            elif not self.rounds.differ:
                found.append(
                    "in every round all players have as many choices as the player who decides first"
                )
        if self.skill is not None and not self.skill.enough:
            found.append(
                f"skill and luck are measured on {self.skill.deals} deals, too few to say anything: "
                f"at least {FEWEST_DEALS} are needed"
            )
        if self.dealer_edge is not None:
            found.append(self.dealer_edge.sentence)
        for part in self.plan.parts:
            ends, games = self.study.counted(part).ends, self.study.played(part)
            cut = ends["stuck"] + ends["cut_off"]
            if ends["failed"]:
                found.append(f"{ends['failed']} of {games} {part} games failed and are left out")
            if cut:
                found.append(f"{cut} of {games} {part} games were cut off and scored as they stood")
        return found

    def to_json(self) -> dict[str, Any]:
        plan, study = self.plan, self.study
        data: dict[str, Any] = {
            **plan.game.identity,
            "title": plan.title,
            "seed": plan.seed,
            **plan.trust,
            "players": [player.name for player in plan.players],
            "complete": study.over,
            "profile": {name: found.to_json() for name, found in self.profile.items()},
        }
        names = [plan.game.narrator.seat(seat) for seat in range(plan.game.seats)]
        if self.random is not None:
            data["random"] = _games(self.random, names)
            if self.rounds is not None:
                told = {"leader": self.rounds.leader, "followers": self.rounds.followers}
                data["random"]["rounds"] = {"games": self.rounds.games, **told}
        if self.searching is not None:
            data["searching"] = _games(self.searching, names)
            if self.searching.histories:
                data["searching"]["relative spread"] = self.searching.relative_spreads()
                data["searching"]["trend"] = [
                    [mean(column) for column in zip(*paths, strict=True)] for paths in self.searching.paths()
                ]
        if self.ordered is not None:
            data["order"] = _games(self.ordered, names)
        if study.skill is not None and study.skill.results.deals:
            (pair,) = study.skill.results.pairs()
            data["skill"] = {
                "players": study.skill.contest.names,
                "variance": None if self.skill is None else self.skill.to_json(),
                "ahead": pair.ahead.to_json(),
                "share": pair.share.to_json(),
            }
        data["notes"] = self.notes
        return data


def _games(seen: Counted, names: Sequence[str]) -> dict[str, Any]:
    lengths = Histogram.of(seen.lengths)
    least, *quartiles, most = lengths.at(*((lengths.count - 1) * quarter // 4 for quarter in range(5)))
    side_of = {seat: number for number, side in enumerate(seen.sides) for seat in side}
    return {
        "games": seen.played,
        "endings": seen.endings,
        "length": {
            **seen.length.to_json(),
            "least": least,
            "quartiles": quartiles,
            "most": most,
        },
        "choices": seen.choices.to_json(),
        "forced": seen.forced.to_json(),
        "convergence": seen.convergence.to_json(),
        "ties": seen.ties.to_json(),
        "seats": [
            {
                "name": name,
                "side": side_of[seat],
                "score": seen.score(seat).to_json(),
                "side wins": seen.first_place(side_of[seat]).to_json(),
            }
            for seat, name in enumerate(names)
        ],
    }
