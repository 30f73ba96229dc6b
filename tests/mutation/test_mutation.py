"""A bounded run of mutated files: the long one is `python -m tests.mutation`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.mutation.__main__ import run
from tests.mutation.formats import NAMES, formats
from tests.mutation.trial import Format, mutant, tried

COUNT = 60
"""Mutants of each format, about a second in all."""


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Format]:
    return formats(tmp_path_factory.mktemp("mutation"))


@pytest.mark.parametrize("name", NAMES)
def test_every_mutant_is_accepted_or_refused_with_a_sentence(known: dict[str, Format], name: str) -> None:
    _, failures = run(known[name], seed=2, count=COUNT)
    assert failures == []


@pytest.mark.parametrize("name", NAMES)
def test_what_is_mutated_is_accepted_as_it_is(known: dict[str, Format], name: str) -> None:
    assert known[name].samples
    for sample in known[name].samples:
        outcome = tried(known[name], sample)
        assert (outcome.sentence, outcome.failure) == (None, None)


@pytest.mark.parametrize(
    "name, seed, number",
    [
        *(("transcript", 20261118, number) for number in (40753, 55983, 67653, 98003)),
        ("match", 20261118, 1122),
        ("sheet", 20261118, 42111),
        ("strategy", 20261120, 20676),
        *(("save", 20261118, number) for number in (1448, 2145, 2427, 41037, 51295)),
    ],
)
def test_mutants_that_were_once_answered_badly(
    known: dict[str, Format], name: str, seed: int, number: int
) -> None:
    """Their sentences were endless, of several lines, or named no line."""
    outcome = tried(known[name], mutant(known[name], seed, number))
    assert outcome.failure is None
    assert outcome.sentence is not None


def test_a_traceback_and_a_bad_sentence_are_failures(tmp_path: Path) -> None:
    from upcard.cli.console import MISUSE, Stop
    from upcard.recycle.diagnostics import Refused

    def format_with(error: Exception) -> Format:
        def use() -> None:
            raise error

        return Format("any", tmp_path / "file", (b"",), lambda _, data: data, use)

    failure = tried(format_with(KeyError("x")), b"").failure
    assert failure is not None
    assert "KeyError" in failure
    assert tried(format_with(Refused(f"{tmp_path}/file, line 3: wrong")), b"").failure is None
    for bad in ("wrong", f"{tmp_path}/file: wrong", "x" * 2000):
        assert tried(format_with(Refused(bad)), b"").failure is not None
    two_lines = Stop(MISUSE, f"{tmp_path}/file, line 3: a\nb")  # `Refused` escapes them
    assert tried(format_with(two_lines), b"").failure is not None
