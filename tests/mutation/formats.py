"""Every format of files that Upcard reads, with what commands do with one."""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from tests.mutation.mutate import json_bytes, mutated_bytes, mutated_data, toml_bytes
from tests.mutation.samples import SHEET, Samples
from tests.mutation.trial import Format

from upcard.arena.contest_run import Run
from upcard.course.pack import pack_text, read_pack
from upcard.engine import transcript
from upcard.engine.loader import load, make_game
from upcard.engine.native import cache
from upcard.engine.shared.game import LoadedGame
from upcard.euchre.call_weights import read_calls
from upcard.euchre.contracts import WEIGHTS_FILE, Contracts
from upcard.euchre.euchre_cards import STANDARD
from upcard.files.bounded import read_stream
from upcard.library import check_game, read_sheet
from upcard.library.catalogue import players_offered
from upcard.library.match_text import describe_match
from upcard.library.rule_combinations import pairwise_combinations
from upcard.match import match_record as record
from upcard.match.match_play import Participant, Table
from upcard.narration.narrator import Narrator
from upcard.players.levels import LEVELS
from upcard.players.registry import player_factory
from upcard.players.solved_player import OffTheStrategy, SolvedFactory
from upcard.recycle.diagnostic_text import render
from upcard.simulate import row_part
from upcard.simulate.row_folder import part_name, summarize
from upcard.site.page_data import PageOptions
from upcard.site.site_build import Note, Site
from upcard.solve.equilibrium import Equilibrium
from upcard.solve.solution import resume
from upcard.solve.solve_run import SolveRun
from upcard.spec_grammar import Budget
from upcard.storage.jsonl import with_checksum, without_checksum
from upcard.study import study_record
from upcard.study.study_run import Study
from upcard.study.study_summary import Summed
from upcard.terminal import table_setup as setting
from upcard.terminal.saves import open_saved
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_setup import replay_saved, saved_table
from upcard.verify import positions

OTHER = r"is not the record of a |belongs to another contest|contains another study"
"""What a first line may be refused with: which one it is need not be said."""


NAMES = (
    *("sheet", "positions", "program", "transcript", "match", "save", "arena", "arena-matches"),
    *("study", "sums", "rows", "pack", "note", "calls", "object", "strategy"),
)


def formats(folder: Path) -> dict[str, Format]:
    samples = Samples(folder)
    _load_once()
    made = [
        *(_sheet(samples), _positions(samples), _program(samples)),
        *(_transcript(samples), _match(samples), _save(samples)),
        *(_arena(samples, False), _arena(samples, True), _study(samples), _sums(samples)),
        *(_rows(samples), _pack(samples), _note(samples), _calls(samples), _object(samples)),
        _strategy(samples),
    ]
    return {format.name: format for format in made}


def _load_once() -> None:
    """Loading a game takes longer than all else, and no mutant here changes what a game depends on."""
    for module, name in ((transcript, "_game"), (positions, "load"), (setting, "load")):
        load = getattr(module, name)
        if not isinstance(load, _Once):
            setattr(module, name, _Once(load))


class _Once:
    """Loads every game once."""

    def __init__(self, load: Callable[..., LoadedGame]) -> None:
        self._load = load
        self._kept: dict[str, LoadedGame] = {}

    def __call__(self, *given: Any, **options: Any) -> LoadedGame:
        key = f"{given} {options}"
        if key not in self._kept:
            self._kept[key] = self._load(*given, **options)
        return self._kept[key]


# --- ways to change a file -----------------------------------------------------------------------


def _changed_toml(random: Random, data: bytes) -> bytes:
    if random.random() < 0.5:
        return mutated_bytes(random, data)
    return toml_bytes(mutated_data(random, tomllib.loads(data.decode())))


def _changed_json(random: Random, data: bytes) -> bytes:
    if random.random() < 0.4:
        return mutated_bytes(random, data)
    return json_bytes(mutated_data(random, json.loads(data)))


def _changed_lines(random: Random, data: bytes) -> bytes:
    """Some are changed as bytes; the others get new checksums, or are as they were before there were any."""
    how = random.random()
    if how < 0.15:
        return mutated_bytes(random, data)
    plain = [without_checksum(Path(), 0, line)[0] for line in data.splitlines()]
    if how < 0.3:
        return mutated_bytes(random, b"\n".join(plain) + b"\n")
    lines = [json.loads(line) for line in plain]
    at = 0 if random.random() < 0.3 else random.randrange(len(lines))
    lines[at] = mutated_data(random, lines[at])
    seal = random.random() < 0.5
    return (
        b"\n".join(
            with_checksum(one) if seal and isinstance(one, dict) and one else json_bytes(one) for one in lines
        )
        + b"\n"
    )


def _format(
    name: str,
    path: Path,
    samples: tuple[bytes, ...],
    mutated: Callable[[Random, bytes], bytes],
    use: Callable[[], object],
    lineless: str = "(?!)",
) -> Format:
    return Format(name, path, samples, mutated, use, lineless)


# --- games ---------------------------------------------------------------------------------------


def _sheet(samples: Samples) -> Format:
    path = samples.folder / "game.toml"
    game, played = samples.game, samples.played
    outcome, begun = played.outcome, game.deal(1, 0)
    observation = begun.observe(0)
    assert outcome is not None

    def use() -> None:
        sheet = read_sheet(path)
        describe_match(sheet, True, False)
        players_offered(sheet, game.seats)
        pairwise_combinations(sheet.house_rules[:3])
        narrator = Narrator(sheet, game.program.base)
        again = make_game("duel", game.program, game.facts, narrator)
        for one in (narrator, narrator.in_ascii(), TableNarrator.at(narrator, observation)):
            list(one.tell(played.records, played.faces))
            one.result(outcome, played.teams)
            for move in begun.moves:
                one.move(move.effects, begun)
        for level in LEVELS:
            player_factory(level, again)
        table = Table.of(make_game("duel", game.program, game.facts, narrator, "reference"), _nobody(again))
        table.counting  # noqa: B018

    return _format("sheet", path, (SHEET.encode(),), _changed_toml, use)


def _nobody(game: LoadedGame) -> list[Participant]:
    return [Participant(game.narrator.seat(seat), "") for seat in range(game.seats)]


def _positions(samples: Samples) -> Format:
    folder = samples.folder / "positions"
    folder.mkdir()
    for name in ("rules.rcy", "game.toml"):
        (folder / name).write_bytes((samples.home / name).read_bytes())
    path = folder / positions.FILE
    original = (samples.home / positions.FILE).read_bytes()

    def use() -> None:
        for finding in positions.examine(folder, positions.positions_of(folder)):
            str(finding)

    return _format("positions", path, (original,), _changed_toml, use, r"house rule|is .* or .*, not ")


def _program(samples: Samples) -> Format:
    path = samples.folder / "program.rcy"

    def use() -> None:
        checked = check_game(path)
        for diagnostic in checked.diagnostics:
            render(diagnostic, checked.source, False)

    return _format("program", path, ((samples.home / "rules.rcy").read_bytes(),), mutated_bytes, use)


# --- records of deals and matches ----------------------------------------------------------------


def _transcript(samples: Samples) -> Format:
    path = samples.folder / "transcript.jsonl"

    def use() -> None:
        transcript.first_line(path)
        transcript.replay(transcript.read(path))

    return _format("transcript", path, (samples.transcript,), _changed_lines, use)


def _match(samples: Samples) -> Format:
    path, table = samples.folder / "match.jsonl", samples.table("random", "random")
    whole = samples.match(table, "whole.jsonl", 1000)
    begun = samples.match(table, "begun.jsonl", 3)

    def use() -> None:
        if record.is_begun(path):
            record.resume(table, record.read(path)).play()

    return _format("match", path, (whole, begun), _changed_lines, use)


def _save(samples: Samples) -> Format:
    path = samples.folder / "save.jsonl"
    table = samples.table("person", "random", note=True)

    def use() -> None:
        saved = open_saved(path)
        replay_saved(saved, "reference")
        if not saved.over:
            record.resume(saved_table(saved, "reference"), saved.lines)

    return _format("save", path, (samples.match(table, "sat.jsonl", 4),), _changed_lines, use)


# --- records of contests and studies -------------------------------------------------------------


def _arena(samples: Samples, matches: bool) -> Format:
    path, contest = samples.folder / "contest.jsonl", samples.contest(matches)

    def use() -> None:
        json.dumps(Run(contest, path).results.to_json())

    name = "arena-matches" if matches else "arena"
    return _format(name, path, samples.arena(matches), _changed_lines, use, OTHER)


def _study(samples: Samples) -> Format:
    folder = samples.folder / "mutant-study"
    path = study_record.path_of(folder, "random")
    path.parent.mkdir(parents=True)
    lines = samples.study("random").splitlines(keepends=True)
    study_record.path_of(folder, "sums").write_bytes(samples.study("sums"))

    def use() -> None:
        json.dumps(Summed(Study(samples.plan, folder)).to_json())

    return _format("study", path, (b"".join(lines[:4]),), _changed_lines, use, OTHER)


def _sums(samples: Samples) -> Format:
    folder = samples.folder / "mutant-sums"
    path = study_record.path_of(folder, "sums")
    path.parent.mkdir(parents=True)

    def use() -> None:
        json.dumps(Summed(Study(samples.plan, folder)).to_json())

    return _format("sums", path, (samples.study("sums"),), _changed_lines, use, OTHER)


def _rows(samples: Samples) -> Format:
    """A part of the rows of a simulation. Half of the mutants have a right checksum, and another header."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = samples.folder / "mutant-rows"
    folder.mkdir()
    path = folder / part_name(0, row_part.PART)

    def changed(random: Random, data: bytes) -> bytes:
        if random.random() < 0.5:
            return mutated_bytes(random, data)
        file = pq.ParquetFile(pa.BufferReader(data))
        header = json.loads(file.metadata.metadata[row_part.KEY])
        del header["crc"]
        return row_part.part_bytes(file.read(), mutated_data(random, header))

    def use() -> None:
        json.dumps(summarize(folder)[1].to_json())

    return _format(
        "rows", path, (samples.rows,), changed, use, r"so the file is damaged|choose another folder"
    )


# --- others --------------------------------------------------------------------------------------


def _pack(samples: Samples) -> Format:
    path = samples.folder / "pack.in"

    def use() -> None:
        read_pack(read_stream(path).decode("utf-8", "replace"), str(path))

    return _format("pack", path, (pack_text(STANDARD).encode(),), mutated_bytes, use)


def _note(samples: Samples) -> Format:
    """What a site notes of a page. Whatever is wrong with it, the page is made anew."""
    site = Site.of(samples.folder / "site", PageOptions("x"), ["kuhn-poker"])
    site.open()
    page, path = site.page("kuhn-poker"), site.note("kuhn-poker")
    page.write_bytes(b"page")
    digest = hashlib.sha256(b"page").hexdigest()
    note: dict[str, Any] = vars(Note(site.key("kuhn-poker"), digest, {"decisions": 3.5, "order": None}))

    def use() -> None:
        found = site.valid_note("kuhn-poker")
        assert found is None or all(isinstance(x, float | None) for x in found.row.values())

    return _format("note", path, (json_bytes(note),), _changed_json, use)


def _calls(samples: Samples) -> Format:
    path = samples.folder / "calls.json"

    def use() -> None:
        Contracts(read_calls(path))

    return _format("calls", path, (WEIGHTS_FILE.read_bytes(),), _changed_json, use, "install Upcard again")


def _strategy(samples: Samples) -> Format:
    """What `upcard solve` writes: it is played, and solving goes on from it."""
    path = samples.folder / "strategy.json"
    game = load("kuhn-poker")
    run = SolveRun(game)
    run.list_tree()
    for _ in run.solve(5, None):
        pass
    run.measure()
    run.write(path)
    seen = [game.deal(number=number).observe(0) for number in range(10)]

    def use() -> None:
        strategy = run.read(path)
        for observation in seen:
            player = SolvedFactory.of(path, strategy)(0, 0, 0)
            with suppress(OffTheStrategy):
                assert player.choose(observation, Budget()).move in observation.moves
        again = Equilibrium(run.listing.tree)
        resume(again, strategy)
        for _ in again.run(1):
            pass

    lineless = "is not a strategy|is a strategy of|the strategy "
    return _format("strategy", path, (path.read_bytes(),), _changed_json, use, lineless)


def _object(samples: Samples) -> Format:
    """Compiled code in the cache. What is not exactly as it was written is not there."""
    folder = samples.folder / "cache"
    key, code = cache.key_of("mutant"), bytes(range(256))
    before = os.environ.get("UPCARD_CACHE")
    os.environ["UPCARD_CACHE"] = str(folder)
    try:
        cache.put(key, code)
    finally:
        os.environ.pop("UPCARD_CACHE")
        if before is not None:
            os.environ["UPCARD_CACHE"] = before
    path = folder / f"{key}.o"
    original = path.read_bytes()

    def use() -> None:
        found = cache._read(path, key)
        assert found in (None, code)

    return _format("object", path, (original,), mutated_bytes, use)
