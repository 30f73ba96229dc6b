"""The Euchre expert has few of the habits that people complain of, and never throws a lay-down.

A position is right when most of five experts, who differ in what they draw alone, avoid the habit; a habit is
avoided when two of its three positions are right.
"""

from __future__ import annotations

from collections import Counter

import pytest
from tests.euchre.complaints import ALL_PASS, HABITS
from tests.euchre.positions import Position

from upcard.engine.shared.game import LoadedGame
from upcard.euchre.stacked_deals import moves_by_word
from upcard.players.protocol import Budget, Player
from upcard.players.spec import resolve_player

EXPERTS = 5
ORDERED = {"order alone": 1}
AVOIDED = 10
"""Of the twelve habits."""


def chosen(game: LoadedGame, position: Position, experts: int = 1) -> Counter[str]:
    """What so many experts do, each with a seed of its own."""
    observation = position.observation(game)
    words = {move.key: word for word, move in moves_by_word(observation).items()}
    found: Counter[str] = Counter()
    for seed in range(experts):
        player = resolve_player("expert", game).make(seed, 0, position.seat)
        assert isinstance(player, Player)
        found[words[player.choose(observation, Budget()).move.key]] += 1
    return found


def test_most_habits_are_avoided(game: LoadedGame) -> None:
    told, avoided = [], 0
    for habit, cases in HABITS.items():
        right = 0
        for case in cases:
            found = chosen(game, case.position, EXPERTS)
            good = sum(count for word, count in found.items() if word in case.accepted)
            right += 2 * good > EXPERTS
            told.append(f"{habit}: {case.position.hand}: {dict(found)}, wanted {case.good}")
        avoided += right >= 2
    assert len(HABITS) == 12
    assert avoided >= AVOIDED, "\n".join(told)


def test_every_position_has_a_wrong_move(game: LoadedGame) -> None:
    """So that somebody with the habit can be told from somebody without."""
    for habit, cases in HABITS.items():
        for case in cases:
            words = set(moves_by_word(case.position.observation(game)))
            assert case.accepted < words, (habit, case.good, words)


def test_an_observation_does_not_depend_on_hidden_cards(game: LoadedGame) -> None:
    """The hidden cards of a position are filled in anyhow, and the choice stays the same."""
    for cases in HABITS.values():
        position = cases[2].position
        one, other = position.observation(game, 1), position.observation(game, 2)
        assert one == other


@pytest.mark.parametrize("seat", range(4), ids="first second third dealer".split())
def test_the_five_top_trumps_are_played_alone(game: LoadedGame, seat: int) -> None:
    before = ",".join(["pass"] * seat)
    top = Position(seat, "Jd Jh Ad Kd Qd", "9d", before)
    if seat == 3:
        top = Position(seat, "Jd Jh Ad Kd 9s", "Qd", before)
        assert chosen(game, Position(seat, "Jd Jh Ad Kd Qd", "9d", before)) == ORDERED
    assert chosen(game, top) == ORDERED
    again = ",".join(filter(None, [ALL_PASS, before]))
    assert chosen(game, Position(seat, "Jd Jh Ad Kd Qd", "9s", again)) == {"diamonds alone": 1}
