"""A sheet is compared with its program: every slip has a code, a line and a column, all at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.runner import upcard

from upcard.engine.api import walk_records
from upcard.engine.loader import load
from upcard.library import SheetError, check_game, find, names, read_sheet
from upcard.library.possible_actions import PossibleActions
from upcard.library.rule_combinations import pairwise_combinations
from upcard.library.sheet import Phrase
from upcard.library.sheet_check import SheetCheck, check_sheet, check_sheet_text
from upcard.library.sheet_phrases import Fit, fit
from upcard.narration.narrator import Record
from upcard.players import RandomPlayer
from upcard.recycle.diagnostic_text import render
from upcard.recycle.frontend import Checked

NAMES = names()


def changed(game: str, *changes: tuple[str, str]) -> tuple[Checked, SheetCheck]:
    """The sheet of a library game with some texts replaced, checked."""
    path = find(game).sheet
    assert path is not None
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    return check_sheet_text(text, "game.toml", check_game(game), path)


def lines(checked: SheetCheck) -> list[tuple[str, str]]:
    """The codes with the first line that each is about."""
    found = [
        (d.code, checked.source.line_text(checked.source.line(d.span.start))) for d in checked.diagnostics
    ]
    assert all(checked.source.column(d.span.start) >= 1 for d in checked.diagnostics)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_sheets_of_the_library_have_no_findings(name: str) -> None:
    program, sheet = check_sheet(find(name), check_game(name))
    assert sheet is not None
    found = [render(d, one.source) for one in (program, sheet) for d in one.diagnostics]
    assert not found, "\n\n".join(found)


@pytest.mark.parametrize(
    ("old", "new", "code", "hint"),
    [
        ('title = "Euchre"', 'titel = "Euchre"', "E602", "did you mean title?"),
        ("to = 10\n", 'to = "ten"\n', "E604", ""),
        ("to = 10\n", 'to = 10\nover = "cap"\n', "E604", ""),
        ('default = "yes"', 'default = "maybe"', "E604", ""),
        ('who = "dealer"', 'who = "deeler"', "E604", "did you mean dealer?"),
        ('do = "shuffle"\n', "", "E603", ""),
        ('set = "STICK"', 'set = "STIKC"', "E605", "did you mean STICK?"),
        ('yes = "TRUE", no', 'yes = "true", no', "E605", "give a name in capitals, such as STICK=TRUE"),
        ("CALLED = 0", "CALED = 0", "E606", "did you mean CALLED?"),
        ("targets = ", 'given = { WHERE = "score" }\ntargets = ', "E606", ""),
        ('from = "PACK"', 'from = "PAKC"', "W701", "did you mean PACK?"),
        ('value = "PASS"', 'value = "PSAS"', "W701", "did you mean PASS?"),
        (
            'do = "shuffle"',
            'do = "remember"',
            "W701",
            "compare it with the actions of rules.rcy, or remove it",
        ),
        ("{cards}", "{crads}", "W703", "did you mean {cards}?"),
        ("{value} are trump", "{card} are trump", "W703", "it replaces {name}, {owner}, {seat}, {value}"),
        ('HAND = "hand"', 'HADN = "hand"', "W705", "did you mean HAND?"),
        ('SPADES = "spades"', 'SPEDES = "spades"', "W705", "did you mean SPADES?"),
        ('NINE = "9"', 'NEIN = "9"', "W705", "did you mean NINE?"),
        ('face = "{RANK}', 'face = "{RNAK}', "W705", "did you mean RANK?"),
        ('ascii.SUIT = { SPADES = "s"', 'ascii.SUIT = { SPADE = "s"', "W705", "did you mean SPADES?"),
        ('HEARTS = "hearts"\n', "", "W706", 'add it to [words], as in HEARTS = "hearts"'),
        ('default = "dealer"', 'default = "maker"', "W707", ""),
        (', "North", "East"]', "]", "W708", "name the others too, or remove the key"),
    ],
)
def test_a_slip_in_the_sheet_of_euchre(old: str, new: str, code: str, hint: str) -> None:
    _, sheet = changed("euchre", (old, new))
    found = [d for d in sheet.diagnostics if d.code == code]
    assert found, lines(sheet)
    assert hint in [d.hint for d in found] or not hint


def test_slips_in_totals() -> None:
    _, sheet = changed(
        "blackjack",
        ('of = "HAND"', 'of = "HADN"'),
        ('points = "PIPS"', 'points = "PISP"'),
        ('value = "ACE"', 'value = "AEC"'),
        ('"soft {total}"', '"soft {sum}"'),
        ('of = "DEALER"', 'of = "DEALER"\nby = "SUTI"'),
    )
    assert [(d.code, d.hint) for d in sheet.diagnostics] == [
        ("W705", "did you mean HAND?"),
        ("W705", "did you mean PIPS?"),
        ("W705", "did you mean ACE?"),
        ("W703", "it replaces {total}"),
        ("W705", "did you mean SUIT?"),
    ]


def test_all_slips_are_reported_at_once() -> None:
    _, sheet = changed(
        "euchre",
        ('title = "Euchre"', 'titel = "Euchre"'),
        ("targets = [5, 7, 11, 15]", "targets = [5, 0, -1]"),
        ('do = "shuffle"', 'do = "shufle"'),
        ('default = "yes"', 'default = "maybe"'),
    )
    assert lines(sheet) == [
        ("E602", 'titel = "Euchre"'),
        ("E604", "targets = [5, 0, -1]"),
        ("E604", "targets = [5, 0, -1]"),
        ("E604", 'default = "maybe"'),
        ("E604", 'do = "shufle"'),
    ]
    columns = [sheet.source.column(d.span.start) for d in sheet.diagnostics if d.code == "E604"][:2]
    assert columns == [15, 18], "each element has its own place"


def test_names_and_phrases_are_reported_together_in_the_order_of_the_text() -> None:
    program, sheet = changed(
        "euchre",
        ('TRICK = "trick"', 'TRIK = "trick"'),
        ('set = "LONE"', 'set = "LOAN"'),
        ('to = "UPCARD"', 'to = "UPCRAD"'),
        ('pick = "defend alone"\n', ""),
    )
    assert [code for code, _ in lines(sheet)] == ["W705", "E605", "W701"]
    assert [
        (d.code, program.source.line_text(program.source.line(d.span.start))) for d in program.diagnostics
    ] == [("W704", "   (do (")]
    assert "DEFENDALONE" in program.diagnostics[0].message
    assert 'do = "set", name = "CALL", value = "DEFENDALONE"' in program.diagnostics[0].hint


def test_a_phrase_below_a_more_general_one_is_never_used() -> None:
    _, sheet = changed(
        "whist",
        (
            '[[say]]\ndo = "move"\nfrom = "PACK"',
            '[[say]]\ndo = "move"\n\n[[say]]\ndo = "move"\nfrom = "PACK"',
        ),
    )
    codes = [d.code for d in sheet.diagnostics]
    assert codes == ["W702"] * 4
    assert "the phrase in line" in sheet.diagnostics[0].message


def test_one_name_of_several_that_an_any_picks_has_no_words() -> None:
    """The alternatives of (any (NAME, NAMEALONE) 'CALL ...) are looked at one by one."""
    program, _ = changed(
        "euchre", ('value = "ORDER"\ntell = "{seat} orders it up."\npick = "order it up"', 'value = "ORDER"')
    )
    assert not program.diagnostics, "the dealer's phrase may still apply"
    program, _ = changed(
        "euchre",
        ('value = "ORDER"\ntell = "{seat} orders it up."\npick = "order it up"', 'value = "ORDER"'),
        ('tell = "{seat} picks it up."\npick = "pick it up"\n', ""),
    )
    assert ["ORDER)" in d.message for d in program.diagnostics] == [True]


def test_a_program_with_errors_still_has_its_sheet_read(tmp_path: Path) -> None:
    (tmp_path / "rules.rcy").write_text("(game", encoding="utf-8")
    (tmp_path / "game.toml").write_text('titel = "X"\n', encoding="utf-8")
    done = upcard("check", "--json", str(tmp_path))
    assert done.returncode == 1
    (entry,) = json.loads(done.stdout)
    assert entry["sheet"] == str(tmp_path / "game.toml")
    assert [(d["code"], Path(d["file"]).name, d["line"], d["column"]) for d in entry["diagnostics"]] == [
        ("E110", "rules.rcy", 1, 5),
        ("E602", "game.toml", 1, 1),
    ]


def test_the_command_prints_findings_of_sheets_and_counts_them(tmp_path: Path) -> None:
    assert upcard("new", "duel", "-o", str(tmp_path)).returncode == 0
    assert upcard("check", str(tmp_path / "duel"), "--strict").stdout == "no problems in 2 files\n"
    sheet = tmp_path / "duel" / "game.toml"
    text = sheet.read_text(encoding="utf-8")
    sheet.write_text(text.replace("{card}.", "{crad}."), encoding="utf-8")
    for game in (tmp_path / "duel", tmp_path / "duel" / "rules.rcy"):
        done = upcard("check", str(game))
        assert done.returncode == 0, "a warning alone is fine"
        assert "warning[W703]: {crad} means nothing" in done.stdout
        assert "1 warning in 2 files" in done.stdout
        assert upcard("check", "--strict", str(game)).returncode == 1
    sheet.write_text(text.replace("to = 5", "to = five"), encoding="utf-8")
    done = upcard("check", str(tmp_path / "duel"))
    assert done.returncode == 1
    assert "error[E601]: this is not TOML" in done.stdout


def test_what_the_check_refuses_loading_refuses_in_the_same_words(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text('title = "X"\n[match]\nto = 0\nover = "cap"\n', encoding="utf-8")
    with pytest.raises(SheetError) as refused:
        read_sheet(path)
    _, sheet = check_sheet_text(path.read_text("utf-8"), "game.toml", check_game("whist"), path)
    first = sheet.diagnostics[0]
    assert str(refused.value) == f"{path}, line {sheet.source.line(first.span.start)}: {first.message}"
    assert len(sheet.diagnostics) == 2


# --- the actions that a program can do ----------------------------------------------------------


def concrete(record: Record, by: str) -> Phrase:
    """A phrase that asks for everything that a record has."""

    def name(key: str) -> str | None:
        place = record.get(key)
        return str(place).split(".")[2] if place and str(place).count(".") >= 2 else None

    owner = str(record["owner"]).rstrip("0123456789") if "owner" in record else None
    return Phrase(
        do=record["do"],
        source=name("from") or name("place"),
        target=name("to"),
        name=record.get("name"),
        value=str(record["value"]) if "value" in record else None,
        owner=owner,  # type: ignore[arg-type]
        by=by,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("name", NAMES)
def test_everything_that_games_record_is_possible(name: str) -> None:
    """No warning is about something that happens: random deals under many house rules record nothing else."""
    path = find(name).sheet
    assert path is not None
    rules = read_sheet(path).house_rules
    usual = load(name, engine="reference")
    actions = PossibleActions(usual.program, usual.facts, rules)
    assert actions.is_complete
    known: set[Phrase] = set()
    for combination in pairwise_combinations(rules)[:6]:
        game = load(name, rules=combination, engine="reference")
        state = game.deal(5)
        players = [RandomPlayer(5, 0, seat) for seat in range(game.seats)]
        while (seat := state.to_move) is not None:
            state.play(players[seat].pick(state.choices))
        decided = {
            id(action)
            for record in state.records
            if record["do"] == "decision"
            for action in record["actions"]
        }
        for record in walk_records(state.records):
            if record["do"] in ("decision", "game"):
                continue
            wanted = concrete(record, "player" if id(record) in decided else "game")
            if wanted not in known:
                known.add(wanted)
                assert any(fit(wanted, action) is not Fit.NO for action in actions.all), wanted
