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
"""What a person calls the parts of a first line; any other is the option of its name."""
UNTOLD = ("digest", "files", "secret")
"""Parts whose old value says nothing to a person."""


def begin(path: Path, header: Record, done: int) -> Log:
    """The record to write on behind its first line, which is written if there is none, and `done` more."""
    log = Log(path, done + 1) if done else Log(path, 0, 1)
    if not log.lines:
        with log.closed_on_error():
            log.write([header])
    return log


def record_secret(path: Path | None, kind: str) -> str | None:
    """The secret of the contest that a record is of, if there is one."""
    there = jsonl.read_if_exists(path) if path is not None else None
    first = parsed(there.lines[0], kind) if there is not None and there.lines else None
    secret = None if first is None else first.get("secret")
    return secret if isinstance(secret, str) and is_secret(secret) else None


def parsed(text: str, kind: str) -> Record | None:
    """A first line of this kind; None for whatever is none."""
    try:
        line = parse_json(text, half_characters=True)  # a path on the command line may have some
    except NotJson:
        return None
    return line if isinstance(line, dict) and line.get("do") == kind else None


def difference(
    found: Record,
    header: Record,
    words: Mapping[str, str],
    untold: Collection[str],
) -> str | None:
    """What is different in the first line of a record: `--seed was different (3)`."""
    wanted = json.loads(to_line(header))
    if "trusted" in wanted and "secret" not in found:
        found = {"trusted": True, **found}  # until there were secrets, everybody was trusted
    if "secret" in wanted and "secret" not in found:
        return "it has no secret, and only trusted players go on without one (--trusted)"
    for key in (*wanted, *found):
        if key not in found or key not in wanted or not same_json(found[key], wanted[key]):
            what = {**WORDS, **words}.get(key) or (f"--{key}" if key in wanted else shown(key))
            was = "" if key in (*UNTOLD, *untold) else f" ({_told(found.get(key))})"
            return f"{what} was different{was}"
    return None


def _told(value: object) -> str:
    if isinstance(value, dict):
        return _short(", ".join(f"{_word(key)}={_word(one)}" for key, one in value.items())) or "none"
    if isinstance(value, list):
        return _short(",".join(map(_word, value)))
    return "none" if value is None else _word(value)


def _word(value: object) -> str:
    """Without quotation marks where it can do without."""
    text = shown(value)
    return text[1:-1] if isinstance(value, str) else text


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:197] + "..."
