"""What matches count when their deals are over."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tests.games.tables import Table as Position

import upcard
from upcard.library import find, names, read_sheet
from upcard.library.sheet import Count, MatchRules, SheetError, StorageCondition
from upcard.match import Match, Participant, Table
from upcard.match.deal_counts import Counted, Counting
from upcard.match.match_series import Matches, play_many
from upcard.match.seats import Seating
from upcard.players.registry import player_factory


def table(name: str, **rules: str) -> Table:
    game = upcard.load(name, rules=rules)
    seated = [
        Participant(game.narrator.seat(i), "random", player_factory("random", game))
        for i in range(game.seats)
    ]
    return Table.of(game, seated)


def test_what_euchre_counts_is_what_its_players_did() -> None:
    """Against the moves themselves: calls as they were made, results from scores and tricks."""
    euchre = table("euchre", stick="no", defend="yes")
    match = Match(euchre, seed=5)
    found: Counter[str] = Counter()
    by_seat: Counter[tuple[str, int]] = Counter()
    calls: list[tuple[int, str]] = []
    while not match.over:
        state, deal = match.state, match.board.deals
        assert state is not None
        seat = state.to_move
        assert seat is not None
        player = match._players[seat]
        index = player.pick(state.choices)  # type: ignore[union-attr]
        calls.append((seat, state.moves[index].text))
        match.decide(index)
        if match.over or match.board.deals > deal:
            points = match.outcomes[-1]["points"]
            maker_of = [(s, text) for s, text in calls if "order" in text or "make" in text]
            for caller, text in maker_of:
                person = Seating(4, deal % 4).person(caller)
                scored = points[person % 2]
                alone = "alone" in text
                found["calls"] += 1
                by_seat["ordered up" if "order" in text else "named", caller] += 1
                found["ordered up" if "order" in text else "named"] += 1
                found["lone hands"] += alone
                found["made"] += scored > 0
                found["marches"] += scored > 1
                found["euchred"] += scored == 0
                found["lone sweeps"] += scored == 4
                found["that euchred"] += points[1 - person % 2] == 4
            found["misdeals"] += not maker_of
            found["lone defences"] += sum("defend" in text for _, text in calls)
            calls = []
    told = match.counted.to_json(euchre.rules.counts, match.board.deals)
    assert {name: entry["all"] for name, entry in told.items()} == {name: found[name] for name in told}
    for name in ("ordered up", "named"):
        assert told[name]["seats"] == [by_seat[name, seat] for seat in range(4)]


def test_a_misdeal_is_counted() -> None:
    position = Position(upcard.load("euchre", rules={"stick": "no"}), [])
    position.do(*["pass"] * 8)
    euchre = table("euchre", stick="no")
    meaning = euchre.counting.read(position.state)
    assert [euchre.rules.counts[number].name for number, _ in meaning.hits] == ["misdeals"]


def test_shares_are_of_the_count_above_or_of_all_deals() -> None:
    counts = (Count("a", "game", ()), Count("b", "team", (), of="a"))
    counted = Counted([8, 2], [[0, 0], [2, 0]], [[0], [0]])
    told = counted.to_json(counts, 10)
    assert told["a"]["share"] == 0.8
    assert told["b"] == {"all": 2, "of": "a", "share": 0.25, "sides": [2, 0]}


def test_parts_can_be_merged_in_any_order() -> None:
    euchre = table("euchre")
    parts = list(play_many(euchre, 130, seed=2))
    assert len(parts) > 1
    forth, back = Matches(2), Matches(2)
    for part in parts:
        forth.merge(part)
    for part in reversed(parts):
        back.merge(part)
    assert forth == back
    assert forth.counted.all[0] == forth.lengths.total  # the dealer is stuck, so every hand has a caller


def test_a_side_is_known_by_its_people_wherever_the_deal_is() -> None:
    euchre = table("euchre")
    counting = Counting(
        euchre.game,
        MatchRules(counts=(Count("x", "team", (StorageCondition("SIDE", ("MAKERS",)),)),)),
        euchre.sides,
    )
    meaning = counting.meaning(tuple("MAKERS" if slot.owner == 0 else "" for slot in counting.slots))
    counted = Counted.of(1, 2, 4)
    counted.add(counting, meaning, Seating(4, 0), euchre.sides)
    counted.add(counting, meaning, Seating(4, 1), euchre.sides, times=3)
    assert counted.sides == [[1, 3]]


@pytest.mark.parametrize("name", names())
def test_every_sheet_counts_what_its_program_keeps(name: str) -> None:
    """An unknown storage raises."""
    sheet = find(name).sheet
    counts = read_sheet(sheet).match.counts if sheet is not None else ()
    assert bool(table(name).counting.slots) == bool(counts)


def test_some_sheets_count() -> None:
    assert len([name for name in names() if table(name).counting.slots]) > 1


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (StorageCondition("SIDES", ("MAKERS",)), "no team has words stored in SIDES; did you mean SIDE?"),
        (StorageCondition("SIDE", compare="=", number=1), "no team has numbers stored in SIDE"),
        (StorageCondition("CALL", ("PASS",)), "no team has words stored in CALL"),
        (StorageCondition("S" * 5000, ("PASS",)), f'no team has words stored in "{"S" * 37}..."'),
    ],
)
def test_a_count_of_what_is_not_there_is_a_sentence(wish: StorageCondition, sentence: str) -> None:
    euchre = table("euchre")
    wrong = replace(euchre, rules=replace(euchre.rules, counts=(Count("x", "team", (wish,)),)))
    with pytest.raises(SheetError, match=sentence.replace("?", r"\?")):
        wrong.counting  # noqa: B018


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (
            'who = "seat"\nwhen = { A = 1 }',
            'line 4: match.count[0].who must be "game", "player" or "team", not "seat"',
        ),
        (
            'who = "team"\nwhen = { A = ">= x" }',
            'line 5: match.count[0].when.A must compare with a number, as in ">= 2", not ">= x"',
        ),
        (
            'who = "team"\nwhen = { A = true }',
            "line 5: match.count[0].when.A must be a whole number, text or a list where",
        ),
        (
            'who = "team"\nwhen = { A = 1 }\nof = "y"',
            'line 6: match.count[0].of must be the name of a count above it, not "y"',
        ),
        (
            'who = "team"\nwhen = { A = 1 }\nby = "seat"',
            'line 6: match.count[0].by works only with who = "player", not "team"; leave it out',
        ),
    ],
)
def test_a_sheet_that_counts_wrongly_is_a_sentence(tmp_path: Path, entry: str, sentence: str) -> None:
    path = tmp_path / "game.toml"
    path.write_text(f'title = "X"\n[[match.count]]\nname = "x"\n{entry}\n', encoding="utf-8")
    with pytest.raises(SheetError) as error:
        read_sheet(path)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("text", "holds"),
    [(">= 2", [2, 3]), ("< 2", [0, 1]), ("!= 2", [0, 1, 3]), ("= 2", [2]), ("> 2", [3]), ("<= 0", [0])],
)
def test_comparisons(tmp_path: Path, text: str, holds: list[int]) -> None:
    path = tmp_path / "game.toml"
    path.write_text(f'title = "X"\n[[match.count]]\nname = "x"\nwho = "game"\nwhen = {{ A = "{text}" }}\n')
    (wish,) = read_sheet(path).match.counts[0].when
    assert [number for number in range(4) if wish.holds(number)] == holds
