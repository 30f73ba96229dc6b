"""The first line of a contest's record. A run resumes only from a record with an equal header."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from upcard.engine.api import Record
from upcard.files.decode import shown
from upcard.files.json_text import NotJson, parse_json, same_json
from upcard.players.seeds import is_secret
from upcard.storage import jsonl
from upcard.storage.jsonl import Log, to_line

WORDS = {
    "game": "the game",
    "digest": "the game's text",
    "overrides": "--set or --rule",
    "base": "--base",
    "players": "--players",
    "files": "a player's file",
    "format": "the version of such records",
    "secret": "the secret",
}
"""Names of a header's parts in messages; any other part is the option of its name."""
OPAQUE = ("digest", "files", "secret")
"""Parts whose old value means nothing to a person."""


def begin(path: Path, header: Record, done: int) -> Log:
    """Open a record for appending after its header and `done` lines; a new record gets the header."""
    log = Log(path, done + 1) if done else Log(path, 0, 1)
    if not log.lines:
        with log.closed_on_error():
            log.write([header])
    return log


def record_secret(path: Path | None, kind: str) -> str | None:
    """The secret in a record's header, if there is one."""
    there = jsonl.read_if_exists(path) if path is not None else None
    first = parsed(there.lines[0], kind) if there is not None and there.lines else None
    secret = None if first is None else first.get("secret")
    return secret if isinstance(secret, str) and is_secret(secret) else None


def parsed(text: str, kind: str) -> Record | None:
    """A header of this kind; None for any other text."""
    try:
        line = parse_json(text, half_characters=True)  # a path on the command line may have some
    except NotJson:
        return None
    return line if isinstance(line, dict) and line.get("do") == kind else None


def difference(
    found: Record,
    header: Record,
    words: Mapping[str, str],
    opaque: Collection[str],
) -> str | None:
    """The first difference between a record's header and the expected one: `--seed was different (3)`."""
    wanted = json.loads(to_line(header))
    if "trusted" in wanted and "secret" not in found:
        found = {"trusted": True, **found}  # records without secrets are of trusted players
    if "secret" in wanted and "secret" not in found:
        return "it has no secret, so only trusted players can continue it (--trusted)"
    for key in (*wanted, *found):
        if key not in found or key not in wanted or not same_json(found[key], wanted[key]):
            what = {**WORDS, **words}.get(key) or (f"--{key}" if key in wanted else shown(key))
            was = "" if key in (*OPAQUE, *opaque) else f" ({_text(found.get(key))})"
            return f"{what} was different{was}"
    return None


def _text(value: object) -> str:
    if isinstance(value, dict):
        return _short(", ".join(f"{_word(key)}={_word(one)}" for key, one in value.items())) or "none"
    if isinstance(value, list):
        return _short(",".join(map(_word, value)))
    return "none" if value is None else _word(value)


def _word(value: object) -> str:
    """A value without the quotation marks of a string."""
    text = shown(value)
    return text[1:-1] if isinstance(value, str) else text


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:197] + "..."
