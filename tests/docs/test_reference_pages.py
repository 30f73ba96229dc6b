"""docs/reference: every key of the files is described, nothing else is, and the examples are read and run."""

from __future__ import annotations

import json
import re
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import pytest
from tests.cli.runner import upcard
from tests.docs.steps import Fence, carry_out, commands, fences, fits

from upcard.engine import transcript
from upcard.engine.api import Observation, walk_records
from upcard.engine.loader import load
from upcard.files.decode import Key, Rest
from upcard.library.new_game import create_game
from upcard.library.sheet import Action, Frame, SheetError
from upcard.library.sheet_format import SheetFile, read_sheet
from upcard.match.match_record_format import MatchHeader
from upcard.recycle.error_pages import codes, explain
from upcard.terminal.saves import MatchLog, open_saved
from upcard.verify.positions import PositionError, PositionsFile, positions_of

PAGES = Path(__file__).resolve().parents[2] / "docs" / "reference"
GAME, POSITIONS = PAGES / "game-toml.md", PAGES / "positions-toml.md"
NAME_OF_REST = "KEY"
NAME_IN_TABLE = "NAME"


# --- the keys that the readers accept -------------------------------------------------------------


@dataclass(frozen=True)
class Accepted:
    """A key of a file as its definition says."""

    section: str
    key: str
    default: str
    kinds: frozenset[str]
    words: tuple[str, ...]
    """The only words that are allowed, if any."""


def bare(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type and its annotations."""
    if get_origin(hint) is Annotated:
        inner, *notes = get_args(hint)
        below, more = bare(inner)
        return below, (*notes, *more)
    return hint, ()


def alternatives(hint: Any) -> Iterator[Any]:
    hint, _ = bare(hint)
    if get_origin(hint) in (types.UnionType, typing.Union):
        for part in get_args(hint):
            yield from alternatives(part)
    elif hint is not type(None):
        yield hint


KINDS: Mapping[Any, str] = {str: "text", int: "number", float: "number", tuple: "list", Mapping: "table"}


def kind_of(hint: Any) -> str:
    return '"' if get_origin(hint) is Literal else KINDS[_collection(get_origin(hint) or hint)]


def _collection(origin: Any) -> Any:
    return Mapping if isinstance(origin, type) and issubclass(origin, Mapping) else origin


def default_text(field: Any) -> str:
    if field.default is MISSING and field.default_factory is MISSING:
        return "required"
    value = field.default if field.default is not MISSING else field.default_factory()
    if value is None:
        return "none"
    if isinstance(value, str):
        return f'"{value}"'
    return {(): "[]"}.get(value, str(value)) if not isinstance(value, dict) else "{}"


def part_of(hint: Any) -> type | None:
    """The definition of a table, which may be left out, or of a list of tables."""
    hint = next(alternatives(hint))
    if get_origin(hint) is tuple:
        hint, _ = bare(get_args(hint)[0])
    return hint if is_dataclass(hint) else None  # type: ignore[return-value]


def accepted(kind: type, path: str = "") -> Iterator[Accepted]:
    hints = typing.get_type_hints(kind, include_extras=True)
    section = path
    for field in fields(kind):
        hint, notes = bare(hints[field.name])
        key = next((note.name for note in notes if isinstance(note, Key)), field.name)
        part = part_of(hint)
        if part is not None:
            many = get_origin(hint) is tuple
            full = f"{path.strip('[]')}.{key}" if path else key
            yield from accepted(part, f"[[{full}]]" if many else f"[{full}]")
            continue
        if get_origin(hint) and _collection(get_origin(hint)) is Mapping and not path:
            yield Accepted(f"[{key}]", NAME_IN_TABLE, "{}", frozenset({"text"}), ())
            continue
        if any(isinstance(note, Rest) for note in notes):
            key = NAME_OF_REST
        parts = list(alternatives(hint))
        literals = [word for part in parts if get_origin(part) is Literal for word in get_args(part)]
        kinds = frozenset(map(kind_of, parts))
        yield Accepted(section, key, default_text(field), kinds, tuple(literals))


# --- the keys that the pages describe ---------------------------------------------------------------


@dataclass(frozen=True)
class Described:
    kind: str
    default: str


def described(page: Path) -> dict[tuple[str, str], Described]:
    found: dict[tuple[str, str], Described] = {}
    section, in_table = "", False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            named = re.search(r"`(\[.*?\]+)`", line)
            section, in_table = named[1] if named else "", False
        elif line.startswith("| key | type | default | meaning |"):
            in_table = True
        elif in_table and line.startswith("| `"):
            key, kind, default, meaning = (cell.strip() for cell in line.strip("| ").split(" | "))
            assert meaning, line
            assert (section, key.strip("`")) not in found, line
            found[section, key.strip("`")] = Described(kind, default.strip("`"))
        elif not line.startswith("|"):
            in_table = False
    return found


@pytest.mark.parametrize(("page", "kind"), [(GAME, SheetFile), (POSITIONS, PositionsFile)])
def test_every_key_is_described_as_it_is_and_no_other(page: Path, kind: type) -> None:
    keys = {(entry.section, entry.key): entry for entry in accepted(kind)}
    told = described(page)
    assert set(told) == set(keys)
    for name, entry in keys.items():
        assert told[name].default == entry.default, name
        assert set(re.findall(r'`"(.*?)"`', told[name].kind)) == set(entry.words), name
        for kind_word in entry.kinds:
            assert kind_word in told[name].kind, (name, kind_word)


def test_a_key_that_is_left_out_is_noticed() -> None:
    assert len(list(accepted(SheetFile))) > 50
    assert ("[match]", "over") in described(GAME)


# --- the examples -----------------------------------------------------------------------------------


def steps(page: Path) -> list[Fence]:
    found = list(fences(page))
    known = {"toml", "toml wrong", "text error", "console", "console exit=1", "json", "jsonl"}
    assert {fence.about for fence in found} <= known
    return found


def with_title(text: str) -> str:
    return text if "title = " in text.split("[")[0] or "titel" in text else f'title = "X"\n{text}'


def test_examples_of_game_toml_are_read(tmp_path: Path) -> None:
    path, count = tmp_path / "game.toml", 0
    for number, fence in enumerate(steps(GAME)):
        if not fence.about.startswith("toml"):
            continue
        path.write_text(with_title(fence.text), encoding="utf-8")
        count += 1
        if fence.about == "toml":
            read_sheet(path)
        else:
            with pytest.raises(SheetError) as error:
                read_sheet(path)
            assert str(error.value).replace(str(path), "game.toml") == steps(GAME)[number + 1].text.strip()
    assert count > 12


def test_examples_of_positions_toml_are_read(tmp_path: Path) -> None:
    folder = create_game("high-card", tmp_path)
    path = folder / "positions.toml"
    valid, wrong = [
        [fence for fence in steps(POSITIONS) if fence.about == about] for about in ("toml", "toml wrong")
    ]
    for fence in valid:
        path.write_text(fence.text, encoding="utf-8")
        assert positions_of(folder)
        for command in (c for f in steps(POSITIONS) if f.about.startswith("console") for c in commands(f)):
            printed = carry_out(command, tmp_path)
            assert fits(command.expected, printed), printed
    for fence in wrong:
        path.write_text(fence.text, encoding="utf-8")
        said = next(f for f in steps(POSITIONS) if f.line > fence.line).text.strip()
        with pytest.raises(PositionError) as error:
            positions_of(folder)
        assert str(error.value).replace(str(path), "positions.toml") == said
    assert valid
    assert wrong


def test_commands_of_game_toml_print_what_the_page_says(tmp_path: Path) -> None:
    ran = 0
    for fence in steps(GAME):
        if fence.about.startswith("console"):
            for command in commands(fence):
                printed = carry_out(command, tmp_path)
                assert fits(command.expected, printed), f"{fence}: {command.words} printed\n{printed}"
                ran += 1
    assert ran >= 3


# --- records ------------------------------------------------------------------------------------------

FORMATS, GLOSSARY, DIAGNOSTICS = PAGES / "formats.md", PAGES / "glossary.md", PAGES / "diagnostics.md"

EVERYTHING = """
(game
  (declare 3 'CARDS)
  (setup (create players 2) (create teams (0) (1))
         (create deck (game iloc STOCK) (deck (RANK (A, K, Q, J, T)))))
  (do ((set (game points WORTH) (((RANK : A) 4)))
       (shuffle (game iloc STOCK))
       (let (top 2 (game iloc STOCK)) 'S (shuffle 'S))
       (move (top (game iloc STOCK)) (top ((0 player) iloc HAND)))
       (move (max (game iloc STOCK) using (game points WORTH)) (top (game vloc ROW)))
       (swap (top (game iloc STOCK)) (top (game vloc ROW)))
       (swap (game iloc STOCK) (game vloc ROW))
       (remember (top (game vloc ROW)) (top (game mem SEEN)))
       (forget (top (game mem SEEN)))
       (cycle next current)
       (set (game str LEAD) A)))
  (stage player (end (== (game sto N) 1))
    (choice ((turn pass)))
    (do ((inc (game sto N) 1))))
  (do ((move (top (game vloc FAULT)) (top (game vloc ROW)))))
  (scoring max 1))
"""


def recorded(folder: Path) -> list[dict[str, Any]]:
    """Transcripts in which every kind of record occurs with all its fields, actions after their decisions."""
    failing, sound = folder / "failing.rcy", folder / "sound.rcy"
    failing.write_text(EVERYTHING, encoding="utf-8")
    sound.write_text(EVERYTHING.replace("vloc FAULT", "vloc ROW"), encoding="utf-8")
    records: list[dict[str, Any]] = []
    for path, stacked in ((failing, ()), (sound, [[f"DEFAULT:{i}" for i in range(5)]])):
        state = load(path, engine="reference").deal(1, 0, stacked=stacked, given={"table.OTHER": 1})
        while state.to_move is not None:
            state.play(0)
        records += walk_records(transcript.with_program(state))
    return records


def field_rows(heading: str) -> dict[str, tuple[set[str], set[str]]]:
    """By kind of record: the fields that are always there, and those in brackets."""
    text = FORMATS.read_text(encoding="utf-8").split(f"## {heading}")[1].split("\n## ")[0]
    found = {}
    for kind, listed in re.findall(r"^\| `(\w+)` \| (.*?) ?\| .* \|$", text, re.MULTILINE):
        names = re.findall(r"`(\[?\w+\]?)`", listed)
        found[kind] = (
            {name for name in names if name[0] != "["},
            {name.strip("[]") for name in names if name[0] == "["},
        )
    return found


def compare(
    records: list[dict[str, Any]], told: dict[str, tuple[set[str], set[str]]]
) -> set[tuple[str, str]]:
    """Checks every record against the page; returns the optional fields that occurred."""
    assert {record["do"] for record in records} == set(told)
    seen: set[tuple[str, str]] = set()
    for record in records:
        always, sometimes = told[record["do"]]
        names = set(record) - {"do", "crc"}
        assert always <= names <= always | sometimes, record
        seen |= {(record["do"], name) for name in names & sometimes}
    return seen


def test_records_of_a_transcript_have_the_fields_of_the_page(tmp_path: Path) -> None:
    told = field_rows("Records of a transcript")
    seen = compare(recorded(tmp_path), told)
    assert seen == {(kind, name) for kind, (_, sometimes) in told.items() for name in sometimes}
    assert set(get_args(Action) + get_args(Frame)) - {"hidden"} <= set(told)


def test_records_of_a_match_have_the_fields_of_the_page(tmp_path: Path) -> None:
    path, told = tmp_path / "match.jsonl", field_rows("Records of a match")
    done = upcard("match", "kuhn-poker", "--engine", "reference", "--record", str(path), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    log = MatchLog(path, open_saved(path).lines)
    log.undo(2)
    log.close()
    assert len(open_saved(path).lines) == 2
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    compare(records, told)
    header = {field.name for field in fields(MatchHeader)} - {"do"}
    assert told["match"][0] | told["match"][1] == header


def test_the_fields_of_an_observation_are_those_of_the_page() -> None:
    text = FORMATS.read_text(encoding="utf-8").split("## Observations")[1]
    listed = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert listed == [field.name for field in fields(Observation)]


def test_commands_of_formats_run(tmp_path: Path) -> None:
    ran = [carry_out(c, tmp_path) for f in steps(FORMATS) if f.about == "console" for c in commands(f)]
    assert len(ran) == 2


# --- the glossary -------------------------------------------------------------------------------------


def test_the_glossary_is_in_alphabetical_order_and_says_each_word_once() -> None:
    words: list[str] = []
    for section in GLOSSARY.read_text(encoding="utf-8").split("\n## ")[1:]:
        listed = [word for word in re.findall(r"^\| ([^|]+?) \|", section, re.MULTILINE)[1:] if word != "---"]
        assert listed == sorted(listed, key=str.lower)
        words += listed
    assert len(words) > 100
    assert [word for word in words if words.count(word) > 1] == ["pass", "pass"]


# --- diagnostics --------------------------------------------------------------------------------------


def test_every_diagnostic_is_listed_with_the_title_of_its_page() -> None:
    listed = re.findall(
        r"^\| \[(\w+)\]\(../errors/\1\.md\) \| (.*) \|$", DIAGNOSTICS.read_text("utf-8"), re.MULTILINE
    )
    titles = [(code, (explain(code) or "").split("\n")[0].removeprefix(f"# {code}: ")) for code in codes()]
    assert listed == titles
