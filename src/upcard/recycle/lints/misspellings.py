"""W504, W505: names without a counterpart, and names that look like misspellings.

A name that is read but never written reads as nothing for ever. Strings, point maps and memories start
as nothing that a program could want, so that is always worth a warning. Numbers start as 0 and locations
as empty, which is often just right: for them there must be a written one that the writer may have meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.lints.lint_subject import Key, Subject
from upcard.recycle.lints.near_names import MAX_LETTERS, MAX_NAMES, Nearness, shortened, slips
from upcard.recycle.lints.usage import Usage, usage
from upcard.recycle.source import Span

_STORES = {"sto": "number", "str": "string", "points": "point map"}
_OWNERS = {"table": "the table", "player": "players", "team": "teams"}
_EXAMPLES = {"table": "game", "player": "(current player)", "team": "(team (current player))"}


def misspelt(subject: Subject) -> Iterator[Diagnostic]:
    used = usage(subject)
    nearness = Nearness()
    said: set[Key] = set()
    for finding, keys in _unwritten(used, nearness):
        said.update(keys)
        yield finding
    yield from _slips(used, said)


# --- W504 ----------------------------------------------------------------------------------------


def _unwritten(used: Usage, nearness: Nearness) -> Iterator[tuple[Diagnostic, tuple[Key, ...]]]:
    written: dict[Key, list[str]] = {}
    by_name: dict[str, list[Key]] = {}
    for key in used.uses:
        if key.name is not None and used.written(key):
            written.setdefault(key.nameless, []).append(key.name)
            by_name.setdefault(key.name, []).append(key)
    for key, use in used.uses.items():
        if key.name is None or not use.reads or used.written(key):
            continue
        near = nearness.nearest(key.name, written.get(key.nameless, ()))
        meant = key._replace(name=near) if near else _elsewhere(key, by_name.get(key.name, ()))
        if meant is None and key.space not in ("str", "points", "mem"):
            continue
        span = min(use.reads, key=lambda s: s.start)
        yield _finding(key, meant, span), (key, meant) if meant else (key,)


def _elsewhere(key: Key, namesakes: Iterable[Key]) -> Key | None:
    """The same name with another owner or another class: right letters, wrong place."""
    is_store = key.space in _STORES
    for other in namesakes:
        if (other.space == key.space) if is_store else (other.space not in _STORES):
            return other
    return None


def _finding(key: Key, meant: Key | None, span: Span) -> Diagnostic:
    owners = _OWNERS[key.owner]
    if key.space in _STORES:
        message = f"the {_STORES[key.space]} {key.name} of {owners} is read but never written"
    elif key.space == "mem":
        message = f"the memory {key.name} of {owners} is read but no card is ever remembered there"
    else:
        message = f"no card ever gets into the {key.space} {key.name} of {owners}"
    if meant is not None:
        hint = f"did you mean {_form(meant)}?"
    elif key.space == "mem":
        hint = f"fill it, as in (remember 'C (top {_form(key)}))"
    else:
        value = "(((RANK : A) 14) ((RANK : K) 13))" if key.space == "points" else "NONE"
        hint = f"write it first, as in (set {_form(key)} {value})"
    return Diagnostic("W504", span, message, hint)


def _form(key: Key) -> str:
    return f"({_EXAMPLES[key.owner]} {key.space} {key.name})"


# --- W505 ----------------------------------------------------------------------------------------


def _slips(used: Usage, said: set[Key]) -> Iterator[Diagnostic]:
    """Names that occur once, one letter from a name that occurs more often."""
    shelves: dict[tuple[Key, str], list[str]] = {}
    for key, use in used.uses.items():
        if key.name is not None and use.count > 1 and 4 <= len(key.name) <= MAX_LETTERS:
            for short in shortened(key.name):
                shelves.setdefault((key.nameless, short), []).append(key.name)
    for key, use in used.uses.items():
        if key.name is None or use.count != 1 or key in said or not 4 <= len(key.name) <= MAX_LETTERS:
            continue
        if key.nameless in used.open:
            continue  # a computed name may use it any number of times
        near = dict.fromkeys(
            name
            for short in shortened(key.name)
            for name in shelves.get((key.nameless, short), ())[:MAX_NAMES]
        )
        meant = next((name for name in near if _is_slip(key, name)), None)
        if meant is not None:
            yield Diagnostic(
                "W505",
                (use.reads or use.writes)[0],
                f"{key.name} occurs only here and may be a misspelling of {meant}",
                f"write {_form(key._replace(name=meant))} if you mean that, or choose a name that is "
                "less similar",
            )


def _is_slip(key: Key, other: str) -> bool:
    name = key.name or ""
    if slips(name, other) != 1:
        return False
    if len(name) == len(other) and sorted(name) != sorted(other):
        # a replaced letter: short words differ by one too often, and PILEA beside PILEB is a series
        series = name[:-1] == other[:-1] and {name[-1], other[-1]} <= set("ABCDEFGHWXYZ")
        return len(name) >= 5 and not series
    # TRICKS beside TRICK: a pile is often filled in one place and never looked at
    is_plural = f"{name}S" == other or f"{other}S" == name
    return not (is_plural and key.space not in _STORES)
