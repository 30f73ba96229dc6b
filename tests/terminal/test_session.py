"""A person at the table: hints, reviews, laying down, the last card, saving and going on."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from tests import records
from tests.terminal.sessions import RANDOM, loaded, sitting, table_of

from upcard.advice.estimate import Estimate
from upcard.advice.hint import Hint
from upcard.advice.move_value import Difference, MoveValue, Result
from upcard.advice.reasons import verdict
from upcard.advice.words import gerund
from upcard.engine.transcript import TranscriptError
from upcard.library.sheet import MatchRules
from upcard.match.match_play import Match, Table
from upcard.recycle.diagnostics import Refused
from upcard.terminal.advice import Advice
from upcard.terminal.answers import Command
from upcard.terminal.plain_ui import PlainUi
from upcard.terminal.review import LEGEND, judge, summary
from upcard.terminal.saves import MatchLog, folder, latest, new_file, open_saved
from upcard.terminal.seat_view import Option, Trick, View, look
from upcard.terminal.session import LeftTable
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_setup import replay_saved, saved_table
from upcard.terminal.table_view import make_view


def first_view(name: str = "euchre") -> View:
    game = loaded(name)
    observation = game.deal(3, 0).observe(0, {"names": ["South", "West", "North", "East"], "scores": [0] * 4})
    return make_view(observation, TableNarrator.at(game.narrator, observation))


def played(table: Table, answers: str, path: Path, autolast: bool = False) -> str:
    output = io.StringIO()
    ui = PlainUi(False, io.StringIO(answers), output)
    with sitting(table, ui, path, RANDOM, autolast) as at_table:
        at_table.begin(3)
        try:
            ui.closing(at_table.play(["Welcome."]))
        except LeftTable:
            ui.closing(["Left."])
    return output.getvalue()


# --- hints and reviews -----------------------------------------------------------------------------


def hint_of(view: View, steps: Sequence[tuple[float, float]], half: float = 0.1, match: bool = True) -> Hint:
    """A hint whose moves are behind the best by these points and chances, with one error for all."""
    values = []
    for option, (points, win) in zip(view.options, steps, strict=True):
        behind = Difference(
            Estimate(points, points - half, points + half), Estimate(win, win - half / 10, win + half / 10)
        )
        values.append(
            MoveValue(
                option.move,
                option.text,
                gerund(option.text),
                Estimate(1 - points, 1 - points - half, 1 - points + half),
                Estimate(0.6 - win, 0.6 - win - half / 10, 0.6 - win + half / 10),
                (Result("made", 1.0, 1.0),),
                100,
                behind=None if option == view.options[0] else behind,
            )
        )
    reasons = (verdict(values, match),)
    return Hint(tuple(values), values[0].move, "expert", "quick:64", match, reasons, 100)


STEPS = ((0.0, 0.0), (0.4, 0.04), (0.9, 0.08))


def test_a_hint_says_how_much_better_the_best_move_is_and_than_which() -> None:
    view = first_view()
    advice = Advice(hint_of(view, STEPS), view)
    assert advice.best == "pass"
    assert advice.reason == "Passing wins 60.0 % of matches, 4.0 points more than ordering it up."
    in_points = hint_of(view, STEPS, match=False).reasons[0]
    assert in_points == "Passing is worth +1.00 points, 0.40 more than ordering it up."
    vague = hint_of(view, STEPS, half=1.0).reasons[0]
    assert vague == "Passing is about as good as ordering it up."


def test_a_legend_says_what_points_are() -> None:
    """In Blackjack a median of -5 points misled: stakes are ten chips, but the others' mean is taken off."""
    view = first_view()
    assert "Points are those by which you beat the other side" in Advice(hint_of(view, STEPS), view).legend()
    state = loaded("blackjack").deal(1)
    seen = state.observe(0)
    alone = look(seen, TableNarrator.at(loaded("blackjack").narrator, seen, False))
    found = hint_of(view, STEPS)
    assert "by which you beat the others' average" in Advice(found, alone).legend()


def test_the_table_of_a_hint_cuts_no_name() -> None:
    view = first_view()
    advice = Advice(hint_of(view, STEPS), view)
    wide = advice.table(80)
    assert wide[1].startswith("* pass")
    assert "60.0 % ±1.0" in wide[1]
    assert "+1.00 ±0.10" in wide[1]
    for room in (80, 60, 34):
        lines = advice.table(room)
        assert max(map(len, lines)) <= room
        text = " ".join(" ".join(lines).split())
        for word in "order it up and go alone".split():
            assert word in text
    assert [line for line in advice.table(80, view.options[1].move) if line.endswith("played")]


def test_what_a_played_move_gave_up() -> None:
    view = first_view()
    advice = Advice(hint_of(view, STEPS), view)
    assert advice.review_played(view.options[0].move) == "Played: pass, the best move."
    assert advice.review_played(view.options[1].move) == (
        "Played: order it up, which gives up 4.0 ±1.0 % of matches and 0.40 ±0.10 points against pass."
    )
    vague = Advice(hint_of(view, STEPS, half=1.0), view)
    assert vague.review_played(view.options[1].move) == "Played: order it up, about as good as pass."


def test_marks_need_a_difference_beyond_the_error() -> None:
    game, view = loaded("euchre"), first_view()
    moves = [option.move for option in view.options]

    def marks(hint: Hint) -> list[str]:
        return [judge(game, view, move, Advice(hint, view), 0).mark for move in moves]

    assert marks(hint_of(view, STEPS)) == ["!", "?", "??"]
    assert marks(hint_of(view, STEPS, half=1.0)) == ["", "~", "~"], "no verdict, and it says so"
    assert marks(hint_of(view, ((0, 0), (0.1, 0.01), (0.1, 0.001)), half=0.05)) == ["", "?!", "="]
    assert marks(hint_of(view, STEPS, match=False)) == ["!", "?", "??"]
    assert marks(hint_of(view, ((0, 0), (1.0, 0.3), (1.0, 0.3)))) == ["!!", "??", "??"]


def test_a_review_explains_its_marks_and_says_where_it_has_no_verdict() -> None:
    game, view = loaded("euchre"), first_view()
    clear, vague = (Advice(hint_of(view, STEPS, half), view) for half in (0.1, 1.0))
    moves = [option.move for option in view.options]
    judged = [judge(game, view, moves[2], advice, 0) for advice in (clear, vague)]
    assert judged[0].line == (
        "??  order it up and go alone: pass was better (cost 8.0 ±1.0 % of matches, 0.90 ±0.10 points)."
    )
    assert "no verdict against pass" in judged[1].line
    assert summary(judged) == [
        "1 of your 2 decisions cost something: 8.0 % of matches and 0.90 points in all.",
        "For one decision there is no verdict.",
    ]
    best = judge(game, view, moves[0], Advice(hint_of(view, STEPS), view), 0)
    assert summary([best]) == ["Your only decision is not shown to have cost anything."]
    for mark in ("??", "?!", "!!", "~", "="):
        assert mark in " ".join(LEGEND)


def test_without_machine_code_a_hint_says_so(tmp_path: Path) -> None:
    sentences = played(table_of("euchre"), "h\nq\n", tmp_path / "m.jsonl")
    assert "Values need machine code." in sentences


def test_a_review_steps_through_the_deal(tmp_path: Path) -> None:
    """All hands are open, decision by decision, there and back."""
    table = table_of("euchre", rules=MatchRules(to=3))
    sentences = played(table, "1\n2\n" * 6 + "v\nn\nn\np\n1\nq\n" + "1\nv\nn\nq\n" * 30, tmp_path / "m.jsonl")
    assert "Your decisions in hand 1" in sentences
    assert "Decision 1 of " in sentences
    assert sentences.count("Decision 2 of ") >= 1
    first = sentences.partition("Decision 1 of ")[2].splitlines()
    hands = [line for line in first[1:5] if ":" in line]
    assert [len(line.partition(":")[2].split()) for line in hands] == [5, 5, 5, 5]
    assert "Playing a move on needs machine code." in sentences
    early = played(table, "v\nq\n", tmp_path / "n.jsonl")
    assert "No hand is finished yet, so you cannot review one." in early


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
