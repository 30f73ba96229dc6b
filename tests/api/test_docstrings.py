"""Every public name and method has a docstring with an example, and the examples are run."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import upcard

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE
PACKAGES = (upcard.arena, upcard.graph, upcard.rl, upcard.solve, upcard.study, upcard.verify)
RECORDS = {"Pair", "Standing", "Difference", "Finding", "Position"}
"""Parts of results, which the examples of the results show."""


def exported() -> Iterator[tuple[str, Any]]:
    for package in (upcard, *PACKAGES):
        prefix = package.__name__.removeprefix("upcard").lstrip(".")
        for name in package.__all__:
            value = getattr(package, name)
            if not isinstance(value, str | ModuleType) and name not in RECORDS:
                yield f"{prefix}.{name}".lstrip("."), value


NAMES = dict(exported())


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that Upcard's own classes define."""
    for base in cls.__mro__:
        if base.__module__.startswith("upcard"):
            for name, value in vars(base).items():
                if not name.startswith("_") and (
                    callable(value) or isinstance(value, property | classmethod)
                ):
                    yield name, value


def examples(text: str | None, name: str) -> list[doctest.Example]:
    return doctest.DocTestParser().get_examples(inspect.cleandoc(text or ""), name)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_has_an_example(name: str) -> None:
    value = NAMES[name]
    assert examples(value.__doc__, name), f"the docstring of {name} has no example"
    if isinstance(value, type) and not issubclass(value, Exception) and name != "Summary":
        for member, found in members(value):
            if name == "CheckResult" and member in ("count", "index"):
                continue
            about = inspect.getdoc(found)
            assert about, f"{name}.{member} has no docstring"
            if not isinstance(found, property):
                assert examples(about, member), f"the docstring of {name}.{member} has no example"


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_hold(name: str) -> None:
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    value = NAMES[name]
    texts = {name: value.__doc__}
    if isinstance(value, type):
        texts |= {f"{name}.{member}": inspect.getdoc(found) for member, found in members(value)}
    said: list[str] = []
    for about, text in texts.items():
        test = doctest.DocTest(examples(text, about), {"upcard": upcard}, about, None, None, text)
        runner.run(test, out=said.append)
    assert not runner.failures, "".join(said)


def test_dir_shows_every_name() -> None:
    for package in (upcard, *PACKAGES):
        shown = {name for name in dir(package) if not name.startswith("__")}
        assert shown == {name for name in package.__all__ if name != "__version__"}
        assert "__all__" in dir(package)
        assert package.__all__ == sorted(package.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'loads'"):
        upcard.loads  # noqa: B018
