"""A person at the table: hints, reviews, laying down, the last card, saving and going on."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from tests import records
from tests.terminal.sessions import Opinionated, loaded, sitting, table_of

from upcard.engine.api import Observation
from upcard.engine.transcript import TranscriptError
from upcard.library.sheet import MatchRules
from upcard.match.match_play import Match, Table
from upcard.players.protocol import Budget
from upcard.recycle.diagnostics import Refused
from upcard.terminal.advice import advise, reason
from upcard.terminal.answers import Command
from upcard.terminal.plain_ui import PlainUi
from upcard.terminal.review import judge
from upcard.terminal.saves import MatchLog, folder, latest, new_file, open_saved
from upcard.terminal.seat_view import Option, Trick, View
from upcard.terminal.session import LeftTable
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_setup import replay_saved, saved_table
from upcard.terminal.table_view import make_view


def worth(observation: Observation, at: int) -> tuple[float, float, float, float]:
    """The first move is best, each next one costs four in a hundred and a fifth of a point."""
    return 0.6 - 0.04 * at, 0.005, 1.0 - 0.2 * at, 0.02


CLEAR_ERRORS = Opinionated(worth)
VAGUE = Opinionated(lambda observation, at: (*worth(observation, at)[:1], 0.5, 1.0 - 0.2 * at, 2.0))
ONLY_POINTS = Opinionated(lambda observation, at: (0.5, 0.0, 1.0 - 0.2 * at, 0.02))


def first_view(name: str = "euchre") -> View:
    game = loaded(name)
    observation = game.deal(3, 0).observe(0, {"names": ["South", "West", "North", "East"], "scores": [0] * 4})
    return make_view(observation, TableNarrator.at(game.narrator, observation))


def played(
    table: Table, answers: str, path: Path, adviser: Opinionated = CLEAR_ERRORS, autolast: bool = False
) -> str:
    output = io.StringIO()
    ui = PlainUi(False, io.StringIO(answers), output)
    with sitting(table, ui, path, adviser.seated(), autolast) as at_table:
        at_table.begin(3)
        try:
            ui.closing(at_table.play(["Welcome."]))
        except LeftTable:
            ui.closing(["Left."])
    return output.getvalue()


# --- hints and reviews -----------------------------------------------------------------------------


def test_a_hint_gives_values_and_a_reason() -> None:
    view = first_view()
    advice = advise(view, CLEAR_ERRORS, "opinionated")
    assert advice.best.text == "pass"
    assert advice.reason == (
        "Pass wins the match 60.0% of the time, 4.0 more in a hundred than the next best, order it up."
    )
    table = advice.table(80)
    assert table[1].startswith("* pass")
    assert "60.0% ±0.5" in table[1]
    assert "+1.00 ±0.02" in table[1]
    assert max(map(len, advice.table(34))) <= 34
    assert len(advice.table(34)) == len(view.options)
    assert len(table) == 1 + len(view.options)
    by_points = advise(view, ONLY_POINTS, "opinionated").reason
    assert by_points.startswith("Pass is worth +1.00 points, 0.20 more than the next best, order it up")
    close = advise(view, VAGUE, "opinionated").reason
    assert close.startswith("Pass and order it up are about as good: 60.0% and 56.0% to win the match")
    best, other = advice.valued[:2]
    assert "the deal" in reason(best, other, match=False)


def test_marks_and_blame_only_beyond_twice_the_error() -> None:
    view = first_view()
    moves = [option.move for option in view.options]

    def marks(adviser: Opinionated) -> list[str]:
        decision = adviser.choose(view.observation, Budget())
        return [judge(view, move, decision).mark for move in moves]

    assert marks(CLEAR_ERRORS) == ["!", "?", "??"]
    assert marks(VAGUE) == ["", "", ""]
    assert marks(ONLY_POINTS) == ["", "?!", "?"]
    assert marks(Opinionated(lambda o, at: (0.9 if at == 0 else 0.5, 0.01, 0.0, 1.0))) == ["!!", "??", "??"]
    decision = CLEAR_ERRORS.choose(view.observation, Budget())
    assert judge(view, moves[0], decision, usual=moves[0]).mark == "", (
        "what anybody would do is nothing to praise"
    )
    assert judge(view, moves[0], decision, usual=moves[1]).mark == "!"
    assert judge(view, moves[1], decision, usual=moves[1]).mark == "?", "but it may be wrong"
    # the cost is three in a hundred: blamed with an error just below the half of it, not with one above
    just = 0.03 / 2 / 2**0.5
    assert marks(Opinionated(lambda o, at: (0.6 - 0.03 * min(at, 1), just * 0.99, 0, 0)))[1] == "?"
    assert marks(Opinionated(lambda o, at: (0.6 - 0.03 * min(at, 1), just * 1.01, 0, 0)))[1] == ""


def test_a_review_of_the_finished_hand(tmp_path: Path) -> None:
    table = table_of("euchre", rules=MatchRules(to=3))
    sentences = played(table, "1\n2\nv\n" * 60, tmp_path / "m.jsonl")
    assert "Your decisions in hand" in sentences
    assert "the expert would" in sentences
    assert "as the expert would." in sentences
    early = played(table, "v\nq\n", tmp_path / "n.jsonl")
    assert "No hand is finished yet, so you cannot review one." in early


def test_a_hint_at_the_table(tmp_path: Path) -> None:
    sentences = played(table_of("euchre"), "h\nq\n", tmp_path / "m.jsonl")
    assert "* pass" in sentences
    assert "4.0 more in a hundred than the next best" in sentences


# --- laying down, the last card --------------------------------------------------------------------


class Claimer(PlainUi):
    """Asks to lay down before every card, keeps its best cards, and calls whenever it can."""

    def __init__(self) -> None:
        self.output = io.StringIO()
        super().__init__(False, io.StringIO(), self.output)
        self._asked = -1
        self.taken: list[int | None] = []
        self.seat = 0

    def show(self, view: View, sentences: Sequence[str], taken: Trick | None) -> None:
        self.seat = view.you.seat
        if taken is not None:
            self.taken.append(taken.taker)
        super().show(view, sentences, taken)

    def ask(self, view: View) -> Option | Command:
        if self._asked != view.observation.decision:
            self._asked = view.observation.decision
            return Command("c")
        call = next((option for option in view.options if option.text.startswith(("order", "make"))), None)
        return call or view.options[-1]


@pytest.mark.parametrize(("seed", "left"), [(30, 1), (150, 2), (155, 1), (None, 5)])
def test_a_hand_laid_down_takes_every_trick(seed: int | None, left: int, tmp_path: Path) -> None:
    """Where it is granted, nobody is asked and nobody else takes a trick any more."""
    ui = Claimer()
    table = table_of("euchre", rules=MatchRules(deals=1))
    with sitting(table, ui, tmp_path / "m.jsonl") as at_table:
        if seed is not None:
            at_table.begin(seed)
        else:
            at_table.match = Match(
                table, 3, stacked=lambda _: [five_top_trumps()], on_record=at_table._on_record
            )
        at_table.play([])
    before, found, after = ui.output.getvalue().partition(
        "Granted: nobody can stop you, wherever the unseen cards are."
    )
    assert found
    assert "South plays" not in before if left == 5 else "South plays" in before
    assert after.count("South plays") == left
    assert ui.taken[5 - left :] == [ui.seat] * left
    assert len(ui.taken) == 5


def five_top_trumps() -> list[str]:
    """A deck, bottom to top: the first hand has the five highest hearts, and the nine is turned up."""
    cards = loaded("euchre").deal(0, 0).faces
    ids = {(ui["RANK"], ui["SUIT"]): card for card, ui in cards.items()}
    top = [ids["JACK", "HEARTS"], ids["JACK", "DIAMONDS"]]
    top += [ids[rank, "HEARTS"] for rank in ("ACE", "KING", "QUEEN")]
    nine = ids["NINE", "HEARTS"]
    rest = [card for card in cards if card not in (*top, nine)]
    return [*rest[15:], nine, *rest[:15], *top]


def test_an_unproved_lay_down_is_refused(tmp_path: Path) -> None:
    sentences = played(table_of("whist"), "c\nq\n", tmp_path / "m.jsonl")
    assert "Laying your hand down is not supported in whist; play on." in sentences


def test_autolast_plays_the_last_card(tmp_path: Path) -> None:
    rules = MatchRules(deals=1)
    asked = played(table_of("euchre", rules=rules), "1\n" * 40, tmp_path / "a.jsonl").count("Your turn")
    alone = played(table_of("euchre", rules=rules), "1\n" * 40, tmp_path / "b.jsonl", autolast=True)
    assert alone.count("Your turn") == asked - 1
    one, other = (open_saved(tmp_path / f"{name}.jsonl").lines for name in "ab")
    assert one == other


# --- saving and going on ---------------------------------------------------------------------------


def test_leaving_anywhere_loses_nothing(tmp_path: Path) -> None:
    """However often a match is left, and even with half a line at its end, it comes to the same."""
    rules = MatchRules(to=2)
    played(table_of("euchre", rules=rules), "1\n" * 300, tmp_path / "whole.jsonl")
    whole = open_saved(tmp_path / "whole.jsonl").lines
    path = tmp_path / "parts.jsonl"
    played(table_of("euchre", rules=rules), "1\nq\n", path)
    chance = random.Random(5)
    times = 0
    while not open_saved(path).over:
        times += 1
        cut = chance.choice(["", '{"do":"decisi', '{"do":"decision","seat":0}'[: chance.randint(1, 20)]])
        with path.open("a", encoding="utf-8") as file:
            file.write(cut)
        if not cut and chance.random() < 0.5:  # the last line lacks its end
            path.write_bytes(path.read_bytes().rstrip(b"\n"))
        saved = open_saved(path)
        output = io.StringIO()
        ui = PlainUi(False, io.StringIO("1\n" * chance.randint(1, 4)), output)
        with sitting(table_of("euchre", rules=rules), ui, path, lines=saved.lines) as at_table:
            at_table.resume_match()
            with suppress(LeftTable):
                at_table.play(["Again."])
        assert "Your hand" in output.getvalue()
    assert times > 3
    assert open_saved(path).lines == whole


def test_a_saved_table_is_the_same_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from upcard.terminal.table_setup import new_table

    monkeypatch.setenv("UPCARD_DATA", str(tmp_path))
    game = loaded("euchre")
    table, _ = new_table(game, 2, "simple", 5, 3, "salt", "euchre")
    assert [p.kind for p in table.participants][1:4:2] == ["simple", "simple"]
    assert table.participants[2].kind == "person"
    path = new_file("euchre")
    assert path.parent == folder() / "matches"
    output = io.StringIO()
    with sitting(table, PlainUi(False, io.StringIO("1\nq\n"), output), path) as at_table:
        at_table.begin(3)
        with pytest.raises(LeftTable):
            at_table.play([])
    saved = latest()
    assert saved.path == path
    again = saved_table(saved, "reference")
    assert again.note == table.note
    assert again.rules == table.rules
    assert [p.kind for p in again.participants] == [p.kind for p in table.participants]
    assert not replay_saved(saved, "reference").over


def test_a_match_is_played_in_one_window(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    first = MatchLog(path)
    try:
        with pytest.raises(
            Refused, match=r"m\.jsonl is being written by another process; wait for it to finish"
        ):
            MatchLog(path)
    finally:
        first.close()
    MatchLog(path).close()


def test_a_changed_record_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    played(table_of("euchre", rules=MatchRules(deals=1)), "1\n" * 40, path)
    records.strip_checksums(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    saved = open_saved(path)
    other = {**saved.header, "digest": "0" * 64}
    saved.lines[0] = other
    with pytest.raises(TranscriptError, match="begun with different rules"):
        saved_table(saved, "reference")
    lines[-2] = lines[-2].replace('"points":[', '"points":[9,')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(TranscriptError, match=f"line {len(lines) - 1}: result: points"):
        replay_saved(open_saved(path), "reference")
