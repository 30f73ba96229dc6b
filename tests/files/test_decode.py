"""Plain data decoded by annotations: strictly, and with the path to what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest

from upcard.files.decode import Check, Key, Length, Mismatch, Range, decode, shown


def even(number: int) -> int:
    if number % 2:
        raise Mismatch("must be even")
    return number // 2


@dataclass(frozen=True)
class Inner:
    name: str
    source: Annotated[str | None, Key("from")] = None


@dataclass(frozen=True)
class Outer:
    title: str
    count: int = 0
    share: float = 0.0
    ready: bool = False
    playouts: Annotated[int, Range(1, 100)] = 1
    seed: Annotated[int, Range(None, None)] = 0
    mode: Literal["one", "two", 3] = "one"
    either: int | str | tuple[str, ...] | None = None
    pair: tuple[int, str] = (0, "")
    inners: tuple[Inner, ...] = ()
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    few: Annotated[tuple[int, ...], Length(1, 2)] = (1,)
    half: Annotated[int, Check(even)] = 0
    anything: Any = None

    def validate(self) -> None:
        if self.count > 1 and self.mode == "one":
            raise Mismatch("must be two when there are several", "mode")


def test_everything_that_fits() -> None:
    given = {
        "title": "T",
        "count": 1,
        "share": 1,
        "ready": True,
        "playouts": 100,
        "seed": 10**30,
        "mode": 3,
        "either": ["a"],
        "pair": [1, "x"],
        "inners": [{"name": "n", "from": "here"}, {"name": "m"}],
        "words": {"A": {"B": "c"}},
        "few": [1, 2],
        "half": 8,
        "anything": [{"x": [None]}],
    }
    made = decode(Outer, given)
    assert made == Outer(
        "T",
        1,
        1.0,
        True,
        100,
        10**30,
        3,
        ("a",),
        (1, "x"),
        (Inner("n", "here"), Inner("m")),
        {"A": {"B": "c"}},
        (1, 2),
        4,
        [{"x": [None]}],
    )
    assert type(made.share) is float


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([], "the file must be a table, not a list"),
        ({}, "title is missing; it must be text"),
        ({"title": 5}, "title must be text, not 5"),
        ({"titel": "T"}, "titel is not a known key; did you mean title?"),
        ({"count": True}, "count must be a whole number, not true"),
        ({"count": 1.0}, "count must be a whole number, not 1.0"),
        ({"count": 1 << 63}, "count must be a whole number, not 9223372036854775808"),
        ({"count": 1 << 70}, "count must be a whole number, not a number of more than 64 bits"),
        ({"share": float("nan")}, "share must be a number, not nan"),
        ({"share": float("inf")}, "share must be a number, not inf"),
        ({"share": 10**400}, "share must be a number, not a number of more than 64 bits"),
        ({"share": False}, "share must be a number, not false"),
        ({"ready": 1}, "ready must be true or false, not 1"),
        ({"playouts": 0}, "playouts must be a whole number, at least 1 and at most 100, not 0"),
        ({"mode": "none"}, 'mode must be "one", "two" or 3, not "none"'),
        ({"mode": 3.0}, 'mode must be "one", "two" or 3, not 3.0'),
        ({"either": [1]}, "either[0] must be text, not 1"),
        (
            {"either": {}},
            "either must be a whole number, text or a list where every item is text, not a table",
        ),
        ({"pair": [1]}, "pair must be a list of 2, not of 1"),
        ({"pair": [1, 2]}, "pair[1] must be text, not 2"),
        ({"inners": [{"name": "n"}, {"from": "x"}]}, "inners[1].name is missing; it must be text"),
        ({"inners": [{"name": "n", "from": 1}]}, "inners[0].from must be text, not 1"),
        ({"words": {"A": {"B\x1b[": 1}}}, r'words.A."B\x1b[" must be text, not 1'),
        ({"few": []}, "few must not be empty"),
        ({"few": [1, 2, 3]}, "few is too long: 3, and at most 2 are allowed"),
        ({"half": 3}, "half must be even"),
        ({"count": 2}, "mode must be two when there are several"),
    ],
)
def test_what_does_not_fit(given: object, sentence: str) -> None:
    data = {"title": "T", **given} if isinstance(given, dict) and given and "titel" not in given else given
    with pytest.raises(Mismatch) as error:
        decode(Outer, data)
    assert error.value.sentence("the file") == sentence


def test_values_in_messages_are_short_and_harmless() -> None:
    assert shown("x" * 1000) == '"' + "x" * 37 + '..."'
    assert shown('\x1b]52;"\u202e\ud800') == r'"\x1b]52;\"\u202e\ud800"'
