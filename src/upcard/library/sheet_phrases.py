"""Compares the phrases of a sheet with what the program can do: W701 to W704."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum

from upcard.files.toml_lines import TomlSpans
from upcard.library.possible_actions import (
    ANY,
    NUMBER,
    Alternative,
    PossibleAction,
    PossibleActions,
    Word,
)
from upcard.library.sheet import Phrase, Sheet
from upcard.recycle.diagnostics import Diagnostic, suggest
from upcard.recycle.source import Source, Span

PARTS: Mapping[str, frozenset[str]] = {
    "move": frozenset({"card", "cards", "from", "to"}),
    "remember": frozenset({"card", "cards", "from", "to"}),
    "forget": frozenset({"card", "cards", "from"}),
    "swap": frozenset({"card", "cards", "other", "from", "to"}),
    "shuffle": frozenset({"place"}),
    "create": frozenset({"place"}),
    "set": frozenset({"owner", "name", "value"}),
    "points": frozenset({"owner", "name"}),
    "cycle": frozenset({"target"}),
}
"""The parts in braces that a phrase for an action replaces, besides {seat}."""
MAX_PHRASES = 500
"""At most this many phrases are compared with the program: each is tried on every action and phrase."""
BRACES = re.compile(r"\{([^{}]*)\}")
"""A part of a text that is replaced."""
_NUMBER = re.compile(r"-?[0-9]+")


class Fit(IntEnum):
    """Whether a phrase matches an action."""

    NO = 0
    PERHAPS = 1
    YES = 2


def fit(phrase: Phrase, action: PossibleAction) -> Fit:
    """Whether the phrase matches the action; perhaps, if the program's text does not decide it."""
    if phrase.do != action.do or phrase.by not in (None, action.by):
        return Fit.NO
    pairs: tuple[tuple[str | int | None, Word], ...] = (
        (phrase.source, action.source),
        (phrase.target, action.target),
        (phrase.name, action.name),
        (phrase.value, action.value),
        (phrase.owner, action.owner),
    )
    fits = [_fit(wanted, found) for wanted, found in pairs]
    return min([*fits, Fit.YES if phrase.who is None else Fit.PERHAPS])


def _fit(wanted: str | int | None, found: Word) -> Fit:
    if wanted is None:
        return Fit.YES
    if found is ANY:
        return Fit.PERHAPS
    if found is NUMBER:
        return Fit.PERHAPS if _NUMBER.fullmatch(str(wanted)) else Fit.NO
    return Fit.YES if found == wanted else Fit.NO


def check_phrases(
    sheet: Sheet, actions: PossibleActions, spans: TomlSpans, source: Source
) -> Iterator[Diagnostic]:
    """Phrases that match nothing, are never used, or have parts that nothing replaces."""
    for number, phrase in enumerate(sheet.phrases):
        yield from _parts(phrase, number, spans)
    if actions.is_complete:
        yield from _uses(sheet.phrases[:MAX_PHRASES], actions.all, spans, source)


# --- W701, W702 ----------------------------------------------------------------------------------


def _uses(
    phrases: Sequence[Phrase], actions: Sequence[PossibleAction], spans: TomlSpans, source: Source
) -> Iterator[Diagnostic]:
    # for every action the first phrase that certainly takes it
    takers = [
        next((at for at, phrase in enumerate(phrases) if fit(phrase, action) is Fit.YES), len(phrases))
        for action in actions
    ]
    for number, phrase in enumerate(phrases):
        before = {taker for action, taker in zip(actions, takers, strict=True) if fit(phrase, action)}
        if not before:
            yield _no_match(phrase, number, actions, spans)
        elif max(before) < number:
            lines = sorted(source.line(spans.of(("say", taker)).start) for taker in before)
            which = "the phrase in line {} comes" if len(lines) == 1 else "the phrases in lines {} come"
            yield Diagnostic(
                "W702",
                spans.of(("say", number)),
                f"this phrase is never used: {which.format(_listed(lines))} first for everything that it "
                "matches",
                "move the more special phrase up, or remove it",
            )


def _listed(lines: Sequence[int]) -> str:
    *others, last = map(str, lines)
    return f"{', '.join(others)} and {last}" if others else last


_FIELDS = {"name": "name", "source": "from", "target": "to", "owner": "owner", "by": "by", "value": "value"}
"""The fields of an action with their keys, in the order in which a reader would look for the mistake."""


def _no_match(phrase: Phrase, number: int, actions: Sequence[PossibleAction], spans: TomlSpans) -> Diagnostic:
    """Names the first key that leaves no action."""
    left = [action for action in actions if action.do == phrase.do]
    shown = f'"{phrase.do}" of the program'
    for field, key in _FIELDS.items():
        wanted = getattr(phrase, field)
        if wanted is None or not left:
            continue
        words = {getattr(action, field) for action in left}
        left = [action for action in left if _fit(wanted, getattr(action, field))]
        if not left:
            return Diagnostic(
                "W701",
                spans.of(("say", number, key)),
                f'this phrase matches nothing: no {shown} has {key} = "{str(wanted)[:24]}"',
                _instead(str(wanted), key, words),
            )
        shown += f'{" and" if " with " in shown else " with"} {key} = "{str(wanted)[:24]}"'
    return Diagnostic(
        "W701",
        spans.of(("say", number)),
        f'this phrase matches nothing: the program never does "{phrase.do}"',
        "compare it with the actions of rules.rcy, or remove it",
    )


def _instead(wanted: str, key: str, words: Iterable[Word]) -> str:
    names = sorted(word for word in words if isinstance(word, str))
    meant = suggest(wanted, names)
    if meant:
        return f"did you mean {meant}?"
    if NUMBER in words:
        names.append("a number")
    return f"it can be {', '.join(names[:8])}" if names else f"leave {key} out"


# --- W703 ----------------------------------------------------------------------------------------


def _parts(phrase: Phrase, number: int, spans: TomlSpans) -> Iterator[Diagnostic]:
    if phrase.do == "hidden":
        return
    allowed = PARTS.get(phrase.do, frozenset()) | {"seat"}
    for key in ("tell", "pick"):
        for part in BRACES.findall(getattr(phrase, key)):
            if part not in allowed:
                meant = suggest(part, sorted(allowed))
                hint = (
                    f"did you mean {{{meant}}}?"
                    if meant
                    else "it replaces " + ", ".join(f"{{{name}}}" for name in sorted(allowed))
                )
                yield Diagnostic(
                    "W703",
                    spans.of(("say", number, key)),
                    f'{{{part[:24]}}} means nothing in a phrase for "{phrase.do}"',
                    hint,
                )


# --- W704 ----------------------------------------------------------------------------------------


def check_alternatives(sheet: Sheet, actions: PossibleActions) -> Iterator[Diagnostic]:
    """Alternatives of the program that no phrase has words for; the spans are those of the program."""
    if not sheet.phrases:
        return  # every move has the program's own names
    reported: set[Span] = set()
    for alternative in actions.alternatives():
        span = actions.first_line(alternative.item.span)
        if span not in reported and not _has_words(sheet.phrases, alternative):
            reported.add(span)
            words = ", ".join(sorted({a.value for a in alternative.actions if isinstance(a.value, str)}))
            yield Diagnostic(
                "W704",
                span,
                "the sheet has no words for this alternative" + (f" ({words})" if words else ""),
                f"add a phrase to game.toml: [[say]], {_pattern(alternative)}, pick = ...",
            )


def _has_words(phrases: Sequence[Phrase], alternative: Alternative) -> bool:
    return any(_picks(phrases, action) for action in alternative.actions)


def _picks(phrases: Sequence[Phrase], action: PossibleAction) -> bool:
    for phrase in phrases:
        how = fit(phrase, action)
        if how and phrase.pick:
            return True
        if how is Fit.YES:
            return False
    return False


def _pattern(alternative: Alternative) -> str:
    """The keys of a phrase for the alternative."""
    told = [action for action in alternative.actions if action.do in PARTS or action.do == "pass"]
    action = next((one for one in told if isinstance(one.value, str)), told[0] if told else None)
    if action is None:
        return 'do = "pass"'
    keys = {"do": action.do, "name": action.name, "from": action.source, "to": action.target}
    keys["value"] = action.value
    return ", ".join(f'{key} = "{word}"' for key, word in keys.items() if isinstance(word, str))
