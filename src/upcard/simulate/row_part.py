"""One part of the rows of a simulation: a parquet file of some deals, which says whose rows they are.

The file's metadata has one key, `upcard`: JSON with the game, the seed and all else that the rows depend on.
Its last member is the CRC-32 of the whole file, computed with zeros in its place. So damage is noticed before
anything else reads the file.

The bytes of a part depend on its rows and its header alone (and on the version of pyarrow).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import upcard
from upcard.arguments import check_whole
from upcard.engine.api import MAX_LIMIT, Limits, Record
from upcard.engine.shared.game import LoadedGame
from upcard.files.bounded import MAX_RECORD, read_file
from upcard.files.decode import Length, Range, decode
from upcard.files.json_text import json_errors_as, parse_json
from upcard.recycle.diagnostics import Refused
from upcard.simulate.row_table import schema_of, summary_of
from upcard.simulate.summary import Summary

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = 1
"""The version of the columns and of the header."""
PART = 1 << 18
"""Deals of a part: a tenth of a second of Euchre, ten seconds of a slow game."""

KEY = b"upcard"
_MEMBER = b',"crc":"'
_NO_CRC = b"00000000"
WORDS = {
    "format": "the version of the columns",
    "upcard": "the version of Upcard",
    "game": "the game",
    "title": "its title",
    "digest": "the game's text",
    "overrides": "--set or --rule",
    "base": "--base",
    "seed": "--seed",
    "max_decisions": "--max-decisions",
    "max_steps": "the limit on steps",
    "seats": "the names of the seats",
    "highest": "the game's text",
    "part": "the size of parts",
}
"""What the members of a header are called in messages."""
_OPAQUE = ("digest", "highest", "overrides", "seats", "title")
"""Members whose old value would not help."""


class BadPart(Refused):
    """A file that is not a part, or no longer the one that was written."""

    is_answer = True

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(
            f"{path}: {what}, so the file is damaged; delete it and run the simulation again with this folder"
        )


class OtherRows(Refused):
    """A file or a folder whose rows are of something else."""


@dataclass(frozen=True)
class Header:
    """What the rows of a folder depend on. It is the same in all of its parts."""

    format: int
    upcard: str
    """The version that wrote the rows."""
    game: str
    title: str
    digest: str
    """SHA-256 of the program's text."""
    overrides: Mapping[str, str]
    base: int
    seed: Annotated[int, Range(None, None)]
    max_decisions: Annotated[int, Range(0, MAX_LIMIT)]
    max_steps: Annotated[int, Range(1, MAX_LIMIT)]
    seats: Annotated[tuple[str, ...], Length(1)]
    """Their names."""
    highest: bool
    """Whether more points are better."""
    part: Annotated[int, Range(1)]
    """Deals of a part."""

    @classmethod
    def of(cls, game: LoadedGame, seed: int, limits: Limits) -> Header:
        for name, limit in limits.to_json().items():
            check_whole(f"the limit on {name}", limit, 0, MAX_LIMIT)
        return cls(
            FORMAT,
            upcard.__version__,
            game.name,
            game.title,
            overrides={name: str(value) for name, value in game.program.overrides},
            **{key: game.identity[key] for key in ("digest", "base")},
            seed=seed,
            max_decisions=limits.decisions,
            max_steps=limits.steps,
            seats=tuple(game.narrator.seat(seat) for seat in range(game.seats)),
            highest=game.program.scoring.highest,
            part=PART,
        )

    def to_json(self) -> Record:
        return asdict(self)

    def difference(self, other: Header) -> str | None:
        """What the other header has differently: `--seed was different (3)`."""
        for field in fields(self):
            was = getattr(other, field.name)
            if getattr(self, field.name) != was:
                value = "" if field.name in _OPAQUE else f" ({was})"
                return f"{WORDS[field.name]} was different{value}"
        return None


class Part(NamedTuple):
    """A part that was read."""

    header: Header
    summary: Summary
    games: int


def part_bytes(table: pa.Table, header: Mapping[str, object]) -> bytes:
    """The file. Numbers are packed as differences, which are short where scores are small."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = json.dumps(header, separators=(",", ":")).encode()
    whole = table.combine_chunks()
    numbers = [field.name for field in whole.schema if pa.types.is_integer(field.type)]
    out = pa.BufferOutputStream()
    with pq.ParquetWriter(
        out,
        whole.schema,
        compression="snappy",
        use_dictionary=[name for name in whole.column_names if name not in numbers],
        column_encoding=dict.fromkeys(numbers, "DELTA_BINARY_PACKED"),
        write_statistics=["deal"],
        store_schema=False,
    ) as writer:
        writer.write_table(whole, row_group_size=len(whole))
        writer.add_key_value_metadata({KEY: text[:-1] + _MEMBER + _NO_CRC + b'"}'})
    data = bytearray(out.getvalue())
    at = data.rindex(_MEMBER + _NO_CRC) + len(_MEMBER)
    data[at : at + len(_NO_CRC)] = b"%08x" % zlib.crc32(data)
    return bytes(data)


def read_part(path: Path, first: int) -> Part:
    """Reads a part that begins with the deal `first`. Raises `BadPart` for damage of any kind."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    data = read_file(path, MAX_RECORD)
    _check_crc(path, data)
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        text = (file.schema_arrow.metadata or {}).get(KEY, b"")
        header = _header(path, text)
        if file.schema_arrow.remove_metadata() != schema_of(len(header.seats)):
            raise BadPart(path, "its columns are not those of a simulation")
        table = file.read()
    except pa.ArrowException as error:
        raise BadPart(path, f"it cannot be read ({str(error).splitlines()[0][:100]})") from None
    if not table["deal"].equals(_deals(first, len(table))):
        raise BadPart(path, f"its rows are not those of the deals from {first:,} on")
    with json_errors_as(lambda sentence: BadPart(path, sentence)):
        return Part(header, summary_of(table, len(header.seats)), len(table))


def _check_crc(path: Path, data: bytes) -> None:
    at = data.rfind(_MEMBER) + len(_MEMBER)
    if at < len(_MEMBER):
        raise BadPart(path, "it has no checksum")
    end = at + len(_NO_CRC)
    if data[at:end] != b"%08x" % zlib.crc32(data[end:], zlib.crc32(_NO_CRC, zlib.crc32(data[:at]))):
        raise BadPart(path, "the checksum does not match")


def _deals(first: int, count: int) -> pa.ChunkedArray:
    """The numbers from `first` on."""
    import pyarrow as pa
    import pyarrow.compute as pc

    ones = pa.repeat(pa.scalar(1, pa.int64()), count)
    return pa.chunked_array([pc.cumulative_sum(ones, start=first - 1)])


def _header(path: Path, text: bytes) -> Header:
    with json_errors_as(lambda sentence: BadPart(path, f"in its header {sentence}"), "the line"):
        data = parse_json(text, half_characters=True)  # a game's path may have some
        if isinstance(data, dict):
            data.pop("crc", None)
            if isinstance(data.get("format"), int) and data["format"] != FORMAT:
                raise OtherRows(
                    f"{path} has rows of format {data['format']}, but this version of Upcard reads format "
                    f"{FORMAT}; use the version that wrote them, or choose another folder"
                )
        return decode(Header, data)
