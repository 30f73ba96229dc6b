"""Finding a game by name or file."""

from __future__ import annotations

import pytest

import upcard


@pytest.mark.parametrize("name", ["x" * 300, "x/" * 3000, "euchre\0", "a" * 300 + "\0"])
def test_a_name_that_no_file_can_have_is_a_name_without_a_file(name: str) -> None:
    with pytest.raises(upcard.Refused, match="there is no game or file called") as refused:
        upcard.load(name)
    assert len(str(refused.value)) < 1000


def test_a_sentence_is_one_line_whatever_it_quotes() -> None:
    with pytest.raises(upcard.Refused) as refused:
        upcard.load("two\nlines\x1b[31m")
    assert str(refused.value).startswith(r"there is no game or file called two\nlines\x1b[31m; ")
