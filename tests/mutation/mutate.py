"""Changes to plain data and to bytes, each by a generator of random numbers that is given."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str | int, ...]

TEXTS = (
    *(
        "",
        " ",
        "x",
        "0",
        "-1",
        "1e9",
        "null",
        "person",
        "random",
        "expert",
        "pimc:abc",
        "pimc:0",
        "pimc:99999999",
    ),
    *(
        "simple:5",
        "{",
        "}",
        "{}",
        "{0}",
        "{card",
        "{seat.__class__}",
        "%s",
        ">= x",
        ">= 99999999999999999999",
    ),
    *("../x", "/dev/null", "a\nb", "a\x00b", "\x1b]52;c;aGk=\x07", "\x9b2J", "\u202eabc", "\u2028", "\ufffe"),
    *(
        "\U0001f0a1",
        "\u0665",
        "\u00b2",
        "K\u2660",
        "x" * 300,
        "play",
        "move",
        "game",
        "euchre",
        "HAND",
        "South",
    ),
)
NUMBERS: tuple[float, ...] = (
    *(0, 1, 2, 3, 5, -1, -2, 255, 256, 1000, 4096, 4097, 65536, 10**6, 10**9, 2**31, 2**32, 2**53, 2**62),
    *(2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 10**30, -(10**30), 10**400),
    *(0.5, -0.5, 1.0, 1.5, 1e-300, 1e15, 1e300, -1e300, float("inf"), float("-inf"), float("nan")),
)


def _deep(levels: int) -> Any:
    made: Any = []
    for _ in range(levels):
        made = [made]
    return made


ODD: tuple[Any, ...] = (
    *(None, True, False, [], {}, [[]], [{}], {"": None}, {"x": 1}, [None], [1, 2], ["a", "b"], [True]),
    *(_deep(12), _deep(70), [0] * 300, {str(n): n for n in range(100)}, "\ud800", {"\udfff": 1}),
)


def paths(data: Any, at: Path = ()) -> Iterator[Path]:
    yield at
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield from paths(value, (*at, key))


def _at(data: Any, path: Path) -> Any:
    for key in path:
        data = data[key]
    return data


def odd_value(random: Random) -> Any:
    return random.choice(random.choice((TEXTS, NUMBERS, ODD)))


def mutated_data(random: Random, data: Any) -> Any:
    """A copy of plain data with one to three changes somewhere in it."""
    data = copy.deepcopy(data)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        every = list(paths(data))
        path = random.choice(every)
        if not path:
            if random.random() < 0.9 or not isinstance(data, dict):
                continue
            return odd_value(random)
        holder = _at(data, path[:-1])
        random.choice(_CHANGES)(random, data, holder, path[-1], every)
    return data


def _replace(random: Random, data: Any, holder: Any, key: Any, every: list[Path]) -> None:
    holder[key] = copy.deepcopy(odd_value(random))


def _delete(random: Random, data: Any, holder: Any, key: Any, every: list[Path]) -> None:
    del holder[key]


def _rename(random: Random, data: Any, holder: Any, key: Any, every: list[Path]) -> None:
    if isinstance(holder, dict):
        others = [path[-1] for path in every if path and isinstance(path[-1], str)]
        new = random.choice((str(key) + "x", str(key)[:-1], random.choice(TEXTS), random.choice(others)))
        holder[new] = holder.pop(key)
    else:
        holder.insert(key, copy.deepcopy(holder[key]))


def _add(random: Random, data: Any, holder: Any, key: Any, every: list[Path]) -> None:
    value = holder[key]
    if isinstance(value, list):
        value.insert(random.randint(0, len(value)), copy.deepcopy(odd_value(random)))
    elif isinstance(value, dict):
        value[random.choice(TEXTS)] = copy.deepcopy(odd_value(random))
    else:
        holder[key] = random.choice(([value], {"x": value}, [value, value]))


def _transplant(random: Random, data: Any, holder: Any, key: Any, every: list[Path]) -> None:
    """Another value of the same data, which has a likely type and is in the wrong place."""
    holder[key] = copy.deepcopy(_at(data, random.choice(every)))


def _nudge(random: Random, data: Any, holder: Any, key: Any, every: list[Path]) -> None:
    value = holder[key]
    if isinstance(value, bool) or value is None:
        holder[key] = not value
    elif isinstance(value, int | float):
        near: list[object] = [value + 1, value - 1, -value, value * 2]
        if abs(value) < 1 << 64:  # an earlier change may have put a number there that no float holds
            near += [float(value), str(value)]
        holder[key] = random.choice(near)
    elif isinstance(value, str):
        cut = random.randint(0, len(value))
        holder[key] = value[:cut] + random.choice(TEXTS) + value[cut + random.randint(0, 2) :]
    elif isinstance(value, list):
        holder[key] = value[::-1] if random.random() < 0.5 else value[: len(value) // 2]
    else:
        holder[key] = list(value.values())


_CHANGES: tuple[Callable[[Random, Any, Any, Any, list[Path]], None], ...] = (
    *(_replace, _replace, _replace, _delete, _rename, _add, _transplant, _nudge, _nudge),
)

BYTES = (
    *(
        b"",
        b"\n",
        b"\r\n",
        b"\r",
        b"\x00",
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b'"',
        b"'",
        b'"""',
    ),
    *(
        b"[",
        b"]",
        b"{",
        b"}",
        b"[[",
        b"(",
        b")",
        b"=",
        b",",
        b":",
        b"#",
        b"\\",
        b"\\u",
        b"\\ud800",
        b"\x1b[2J",
    ),
    *(
        b"-",
        b".",
        b"e999",
        b"9" * 5000,
        b"0x" + b"f" * 400,
        b"NaN",
        b"Infinity",
        b"nan",
        b"inf",
        b"null",
        b"true",
    ),
    *(b"1979-05-27", b"[" * 2000, b'{"a":' * 200, b"\xe2\x80\xa8", b"\xc2\x85", b"5", b" "),
)


def mutated_bytes(random: Random, data: bytes) -> bytes:
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        data = random.choice(_BYTE_CHANGES)(random, data)
    return data


def _flip(random: Random, data: bytes) -> bytes:
    if not data:
        return data
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def _insert(random: Random, data: bytes) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(BYTES) + data[at + random.choice((0, 0, 1, 3)) :]


def _cut(random: Random, data: bytes) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + data[at + random.choice((1, 2, 10, 100, len(data))) :]


def _repeat(random: Random, data: bytes) -> bytes:
    at = random.randint(0, len(data))
    end = at + random.choice((1, 5, 50))
    return data[:end] + data[at:]


def _lines(random: Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    how = random.randrange(4)
    if how == 0:
        lines[one], lines[other] = lines[other], lines[one]
    elif how == 1:
        lines.insert(one, lines[other])
    elif how == 2:
        del lines[one]
    else:
        lines = [line + b"\r" for line in lines]
    return b"\n".join(lines)


def _start(random: Random, data: bytes) -> bytes:
    return random.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\n", b" ", b"\x00", b"#!")) + data


_BYTE_CHANGES = (_flip, _flip, _flip, _insert, _insert, _cut, _repeat, _lines, _start)


# --- writing data --------------------------------------------------------------------------------


def json_bytes(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def toml_bytes(data: Any) -> bytes:
    """Every key of the file in a line of its own. What TOML does not have, such as null, is left out."""
    if not isinstance(data, dict):
        data = {"value": data}
    lines = [f"{_quoted(key)} = {_toml(value)}\n" for key, value in data.items() if value is not None]
    return "".join(lines).encode("utf-8", "surrogatepass")


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, list):
        return f"[{', '.join(_toml(one) for one in value if one is not None)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_quoted(k)} = {_toml(v)}' for k, v in value.items() if v is not None)}}}"
    return repr(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
