"""Decodes plain data, as `json` and `tomllib` return it, into dataclasses by their annotations.

    @dataclass(frozen=True)
    class Level:
        name: str
        source: Annotated[str, Key("from")]
        playouts: Annotated[int, Range(1)] = 100

    decode(Level, {"name": "casual", "from": "sheet"})

Nothing is converted: `true` is not a number, `1.0` is not an integer and a text is not a list. Unknown keys,
missing keys and wrong values raise `Mismatch` with the path to the value; the first one carries the others. A
method `validate` of the dataclass is called on the decoded object; it raises `Mismatch` for parts that
contradict each other, with a path relative to that object.
"""

from __future__ import annotations

import functools
import math
import re
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from upcard.recycle.diagnostics import suggest
from upcard.terminal_text import visible

T = TypeVar("T")
DataPath: TypeAlias = tuple[str | int, ...]
"""Keys and indices, outermost first."""

WORD = 64
"""Bits of an integer, unless its `Range` says otherwise."""


MAX_MISMATCHES = 100
"""Nobody reads more, and a file may be wrong in every line."""


class Mismatch(Exception):
    """Data that does not fit its definition: the path to the value, and what is wrong with it.

    `problem` continues a sentence whose subject is the value: "must be text, not 5".
    """

    def __init__(self, problem: str, *path: str | int, hint: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint
        """What to do about it."""
        self.path: DataPath = path
        self.others: tuple[Mismatch, ...] = ()
        """What else is wrong with the same data, behind this."""

    @property
    def all(self) -> tuple[Mismatch, ...]:
        return (self, *self.others)

    def below(self, *path: str | int) -> Mismatch:
        """The same mismatches, with an outer path in front."""
        for mismatch in self.all:
            mismatch.path = (*path, *mismatch.path)
        return self

    def message(self, whole: str) -> str:
        """What is wrong; `whole` is its subject if the path is empty, such as "this line"."""
        return f"{shown_path(self.path) or whole} {self.problem}"

    def sentence(self, whole: str) -> str:
        """The message and the hint."""
        return f"{self.message(whole)}; {self.hint}" if self.hint else self.message(whole)


class UnknownKey(Mismatch):
    """A key that the definition does not have."""


class MissingKey(Mismatch):
    """A required key that the data does not have."""


def raise_all(mismatches: Iterable[Mismatch]) -> None:
    """Raises the first of these mismatches with the others, if there are any."""
    found = [one for mismatch in mismatches for one in mismatch.all]
    if found:
        first, *others = found[:MAX_MISMATCHES]
        for mismatch in found:
            mismatch.others = ()
        first.others = tuple(others)
        raise first


# --- annotations ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Key:
    """The key of a field in the file, if it differs from the field's name."""

    name: str


@dataclass(frozen=True)
class Range:
    """Inclusive bounds of a number. None means unbounded, even beyond 64 bits."""

    least: float | None = -(1 << (WORD - 1))
    most: float | None = (1 << (WORD - 1)) - 1


@dataclass(frozen=True)
class Length:
    """Bounds on the length of a list, table or text."""

    least: int = 0
    most: int | None = None


@dataclass(frozen=True)
class Rest:
    """The field takes all keys that no other field has, as a mapping."""


@dataclass(frozen=True)
class Check:
    """A check of a decoded value: `of` raises `Mismatch` or returns the value to use."""

    of: Callable[[Any], Any]


# --- decoding ------------------------------------------------------------------------------------


def decode(kind: type[T], data: object, ignore: Collection[str] = ()) -> T:
    """Decodes data into a dataclass or any other annotation. Keys in `ignore` are skipped."""
    if ignore and type(data) is dict:
        data = {key: value for key, value in data.items() if key not in ignore}
    decoded: T = _decoder(typing.cast(Any, kind))(data)
    return decoded


@dataclass(frozen=True)
class _Decoder:
    expected: str
    takes: tuple[type, ...]
    """The exact types of plain data that it accepts."""
    convert: Callable[[Any], Any]

    def __call__(self, value: object) -> Any:
        if type(value) not in self.takes:
            raise Mismatch(f"must be {self.expected}, not {shown(value)}")
        return self.convert(value)


def _same(value: Any) -> Any:
    return value


_ANYTHING = (str, int, float, bool, type(None), list, dict)
_SIMPLE: dict[Any, _Decoder] = {
    str: _Decoder("text", (str,), _same),
    bool: _Decoder("true or false", (bool,), _same),
    type(None): _Decoder("nothing", (type(None),), _same),
    Any: _Decoder("anything", _ANYTHING, _same),
}


@functools.cache
def _decoder(kind: Any) -> _Decoder:
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if kind is int or kind is float:
        return _number(kind, Range())
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:])
    if origin is Literal:
        return _choice(arguments)
    if origin in (typing.Union, types.UnionType):
        if all(typing.get_origin(argument) is Literal for argument in arguments):
            return _choice([value for argument in arguments for value in typing.get_args(argument)])
        return _union([_decoder(argument) for argument in arguments])
    if origin is tuple:
        return _list(arguments)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(_decoder(arguments[1]))
    if is_dataclass(kind):
        return _record(typing.cast(type, kind))
    raise TypeError(f"{kind} cannot be decoded")


def _number(kind: type, bounds: Range) -> _Decoder:
    least, most = bounds.least, bounds.most
    what = "a whole number" if kind is int else "a number"
    limits = [f"at least {least}"] if least is not None and abs(least) < 1 << 62 else []
    limits += [f"at most {most}"] if most is not None and abs(most) < 1 << 62 else []
    expected = f"{what}, {' and '.join(limits)}" if limits else what

    def convert(value: float) -> float:
        if not math.isfinite(value) if type(value) is float else kind is float and abs(value) >= 1 << 1023:
            raise Mismatch(f"must be {expected}, not {shown(value)}")
        if (least is not None and value < least) or (most is not None and value > most):
            raise Mismatch(f"must be {expected}, not {shown(value)}")
        return value if kind is int else float(value)

    return _Decoder(expected, (int,) if kind is int else (int, float), convert)


def _annotated(kind: Any, notes: Sequence[object]) -> _Decoder:
    bounds = next((note for note in notes if isinstance(note, Range)), None)
    decoder = _number(kind, bounds) if bounds is not None else _decoder(kind)
    for note in notes:
        if isinstance(note, Length):
            decoder = _Decoder(decoder.expected, decoder.takes, _check_length(decoder.convert, note))
        elif isinstance(note, Check):
            decoder = _Decoder(decoder.expected, decoder.takes, _chain(decoder.convert, note.of))
    return decoder


def _check_length(convert: Callable[[Any], Any], length: Length) -> Callable[[Any], Any]:
    def measured(value: Any) -> Any:
        if len(value) < length.least:
            few = "must not be empty" if length.least == 1 else f"needs at least {length.least} of them"
            raise Mismatch(f"{few}, but has {len(value)}" if length.least > 1 else few)
        if length.most is not None and len(value) > length.most:
            raise Mismatch(f"is too long: {len(value)}, and at most {length.most} are allowed")
        return convert(value)

    return measured


def _chain(first: Callable[[Any], Any], second: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: second(first(value))


def _choice(values: Sequence[Any]) -> _Decoder:
    *others, last = [shown(value) for value in values]
    expected = f"{', '.join(others)} or {last}" if others else last
    kinds = {(type(value), value) for value in values}

    def convert(value: Any) -> Any:
        if (type(value), value) not in kinds:
            raise Mismatch(f"must be {expected}, not {shown(value)}")
        return value

    return _Decoder(expected, tuple({type(value) for value in values}), convert)


def _union(members: Sequence[_Decoder]) -> _Decoder:
    by_type = {taken: member for member in reversed(members) for taken in member.takes}
    *others, last = [member.expected for member in members if member.takes != (type(None),)]
    expected = f"{', '.join(others)} or {last}" if others else last
    return _Decoder(expected, tuple(by_type), lambda value: by_type[type(value)].convert(value))


def _list(arguments: tuple[Any, ...]) -> _Decoder:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return _any_length(_decoder(arguments[0]))
    members = [_decoder(argument) for argument in arguments]
    expected = f"a list of {len(members)}"

    def convert(values: list[Any]) -> tuple[Any, ...]:
        if len(values) != len(members):
            raise Mismatch(f"must be {expected}, not of {len(values)}")
        pairs = zip(members, values, strict=True)
        return tuple(_members((at, member, value) for at, (member, value) in enumerate(pairs)))

    return _Decoder(expected, (list,), convert)


def _any_length(member: _Decoder) -> _Decoder:
    def convert(values: list[Any]) -> tuple[Any, ...]:
        try:
            return tuple([member(value) for value in values])
        except Mismatch:  # finds the wrong elements only now
            return tuple(_members((at, member, value) for at, value in enumerate(values)))

    return _Decoder(f"a list where every item is {member.expected}", (list,), convert)


def _mapping(member: _Decoder) -> _Decoder:
    def convert(values: dict[str, Any]) -> dict[str, Any]:
        decoded = _members((key, member, value) for key, value in values.items())
        return dict(zip(values, decoded, strict=True))

    return _Decoder(f"a table where every value is {member.expected}", (dict,), convert)


def _members(members: Iterable[tuple[str | int, _Decoder, object]]) -> list[Any]:
    """Decodes members of a list or table by their index or key; all that are wrong are reported."""
    decoded: list[Any] = []
    wrong: list[Mismatch] = []
    for at, decoder, value in members:
        try:
            decoded.append(decoder(value))
        except Mismatch as mismatch:
            wrong.append(mismatch.below(at))
            if len(wrong) >= MAX_MISMATCHES:
                break
    raise_all(wrong)
    return decoded


@dataclass(frozen=True)
class _Part:
    """A field of a dataclass."""

    key: str
    name: str
    decoder: _Decoder
    is_required: bool
    is_rest: bool


def _record(kind: type) -> _Decoder:
    parts = _parts(kind)
    named = {part.key: part for part in parts if not part.is_rest}
    rest = next((part for part in parts if part.is_rest), None)
    required = [part for part in named.values() if part.is_required]
    validate = getattr(kind, "validate", None)

    def convert(data: dict[str, Any]) -> Any:
        given, others = {}, {}
        wrong: list[Mismatch] = []
        meant = set()
        for key, value in data.items():
            part = named.get(key)
            if part is not None:
                try:
                    given[part.name] = part.decoder(value)
                except Mismatch as mismatch:
                    wrong.append(mismatch.below(key))
            elif rest is not None:
                others[key] = value
            else:
                meant.add(suggest(key, named))
                wrong.append(UnknownKey("is not a known key", key, hint=_hint(key, named)))
        for part in required:
            # a key that is only misspelt is not missing as well
            if part.key not in data and part.key not in meant:
                wrong.append(MissingKey(f"is missing; it must be {part.decoder.expected}", part.key))
        if rest is not None:
            try:
                given[rest.name] = rest.decoder(others)
            except Mismatch as mismatch:
                wrong.append(mismatch)
        raise_all(wrong)
        decoded = kind(**given)
        if validate is not None:
            validate(decoded)
        return decoded

    return _Decoder(f"a table of {', '.join(named)}" if len(named) <= 8 else "a table", (dict,), convert)


def _parts(kind: type) -> list[_Part]:
    hints = typing.get_type_hints(kind, include_extras=True)
    parts = []
    for field in fields(kind):
        if field.init:
            annotation = hints[field.name]
            notes = typing.get_args(annotation)[1:] if typing.get_origin(annotation) is Annotated else ()
            key = next((note.name for note in notes if isinstance(note, Key)), field.name)
            is_rest = any(isinstance(note, Rest) for note in notes)
            parts.append(_Part(key, field.name, _decoder(annotation), _is_required(field), is_rest))
    return parts


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _hint(key: str, known: Collection[str]) -> str:
    meant = suggest(key, known)
    return f"did you mean {meant}?" if meant else f"the known keys are {', '.join(known)}"


# --- showing values ------------------------------------------------------------------------------

_BARE = re.compile(r"[A-Za-z0-9_-]{1,40}")


def shown_path(path: Sequence[str | int]) -> str:
    """`match.count[2].who`"""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            name = part if _BARE.fullmatch(part) else shown(part)
            text += f".{name}" if text else name
    return text


def bounded_name(text: str) -> str:
    """A check of names that messages repeat."""
    if len(text) > LONGEST_NAME:
        raise Mismatch(f"must be a name of up to {LONGEST_NAME} characters, not {shown(text)}")
    return text


LONGEST_NAME = 255


def short(word: str, longest: int = 40) -> str:
    """A word of a record in a message, without quotes: cut where it is long, harmless to a terminal."""
    return visible(_cut(word, longest))


def _cut(text: str, longest: int = 40) -> str:
    return text if len(text) <= longest else text[: longest - 3] + "..."


def shown(value: object) -> str:
    """A value for a message: short, and with control characters escaped."""
    if isinstance(value, str):
        return '"' + visible(_cut(value).replace("\\", "\\\\").replace('"', '\\"')) + '"'
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int):
        return str(value) if abs(value) < 1 << WORD else "a number of more than 64 bits"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list):
        return "a list"
    return "a table" if isinstance(value, dict) else f"a {type(value).__name__}"
