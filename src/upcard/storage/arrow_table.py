"""Arrow tables: columns with declared types, metadata that says what they hold, and parquet files of them.

pyarrow is imported on use: it is an extra.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import upcard
from upcard.storage.atomic_write import atomic_writer

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = 1
"""The version of the columns and the metadata of all tables but the rows of simulations."""
KEY = b"upcard"

Columns: TypeAlias = Mapping[str, str]
"""The type of each column, by its name: an alias of pyarrow, or `list<string>`."""
About: TypeAlias = Mapping[str, object]
"""Where a table comes from, as data."""


def schema_of(columns: Columns, about: About) -> pa.Schema:
    """The columns with their types. The metadata has one key, `upcard`, with JSON."""
    import pyarrow as pa

    kinds = [(name, _kind(kind)) for name, kind in columns.items()]
    text = json.dumps({"format": FORMAT, "upcard": upcard.__version__, **about})
    return pa.schema(kinds, metadata={KEY: text.encode()})


def table_of(columns: Columns, rows: Iterable[Sequence[Any]], about: About) -> pa.Table:
    import pyarrow as pa

    schema = schema_of(columns, about)
    lists = list(zip(*rows, strict=True)) or [()] * len(schema)
    return pa.table([pa.array(one, kind) for one, kind in zip(lists, schema.types, strict=True)], schema)


def write_parquet(table: pa.Table, path: Path) -> None:
    """Writes a whole file or nothing."""
    import pyarrow.parquet as pq

    with atomic_writer(path) as file:
        pq.write_table(table, file)


def _kind(name: str) -> Any:
    import pyarrow as pa

    return pa.list_(pa.string()) if name == "list<string>" else pa.type_for_alias(name)
