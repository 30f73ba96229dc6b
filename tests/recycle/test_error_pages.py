"""Every code has a page, every page tells the truth: its wrong programs are refused in just these words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

import upcard
from upcard.library.new_game import STARTER as STARTER_FOLDER
from upcard.library.sheet_check import SheetCheck, check_sheet_text
from upcard.recycle import error_pages as explain
from upcard.recycle.diagnostic_text import WIDTH, render, summary
from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.frontend import Checked, check, check_bytes
from upcard.recycle.source import NOWHERE, Source, Span

STARTER = (STARTER_FOLDER / "rules.rcy").read_text(encoding="utf-8")
PACKAGE = Path(upcard.__file__).parent

_FENCE = re.compile(
    r"(?P<options>(?:^(?:with|base): [^\n]*\n+)*)"
    r"^```(?P<tag>recycle(?:-bytes)?|toml|text)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_SECTION = re.compile(r"^## (Wrong|Right)$", re.MULTILINE)
_ESCAPE = re.compile(rb"\\x([0-9a-f]{2})")


@dataclass(frozen=True)
class Example:
    """A program on a page. In a `recycle-bytes` block \\xNN stands for the byte NN."""

    text: str
    with_bytes: bool
    overrides: dict[str, str]
    base: Literal[0, 1] | None

    def check(self) -> Checked:
        if self.with_bytes:
            data = _ESCAPE.sub(lambda m: bytes([int(m.group(1), 16)]), self.text.encode())
            return check_bytes(data, "game.rcy", self.overrides, self.base)
        return check(Source("game.rcy", self.text), self.overrides, self.base)


def _example(match: re.Match[str]) -> Example:
    overrides: dict[str, str] = {}
    base: Literal[0, 1] | None = None
    for line in match["options"].split("\n"):
        word, _, rest = line.partition(": ")
        if word == "with":
            name, _, given = rest.partition("=")
            overrides[name] = given
        elif word == "base":
            base = 0 if rest == "0" else 1
    return Example(match["body"], match["tag"] == "recycle-bytes", overrides, base)


def _sections(page: str) -> Iterator[tuple[str, list[re.Match[str]]]]:
    parts = _SECTION.split(page)
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        yield title, list(_FENCE.finditer(body))


def _codes_in_source() -> set[str]:
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        found.update(re.findall(r'"([EW]\d{3})"', path.read_text(encoding="utf-8")))
    return found


PAGES = explain.codes()


def test_every_code_has_a_page() -> None:
    missing = sorted(_codes_in_source() - set(PAGES))
    assert not missing, f"no page in docs/errors for {', '.join(missing)}"


def test_every_page_has_a_code() -> None:
    assert not sorted(set(PAGES) - _codes_in_source())


def _found(fences: list[re.Match[str]]) -> tuple[list[str], str]:
    """The codes that an example gets, and the text that is printed.

    A sheet without a program belongs to the starter's."""
    *programs, last = fences
    if last["tag"] != "toml":
        (program,) = fences
        checked = _example(program).check()
        both: list[Checked | SheetCheck] = [checked]
    else:
        source = Source("rules.rcy", programs[0]["body"] if programs else STARTER)
        checked, sheet = check_sheet_text(last["body"], "game.toml", check(source), Path("game.toml"))
        both = [checked, sheet]
    said = [render(d, one.source) for one in both for d in one.diagnostics]
    return [d.code for one in both for d in one.diagnostics], "\n\n".join(said)


@pytest.mark.parametrize("code", PAGES)
def test_a_page_tells_the_truth(code: str) -> None:
    page = explain.explain(code)
    assert page is not None
    assert page.startswith(f"# {code}: ")
    sections = list(_sections(page))
    assert [title for title, _ in sections] == ["Wrong", "Right"] * (len(sections) // 2)
    assert sections, "a page shows at least one wrong program and a right one"
    for title, fences in sections:
        if title == "Wrong":
            *texts, shown = fences
            assert shown["tag"] == "text"
            found, said = _found(texts)
            assert said + "\n" == shown["body"]
            # a warning may come with others that are shown beside it; an error comes first, and alone
            assert found == [code] if code.startswith("E") else code in found
        else:
            found, said = _found(fences)
            assert not [one for one in found if one.startswith("E")], said
            assert code not in found


# --- explain -------------------------------------------------------------------------------------


def test_explain_is_forgiving() -> None:
    assert explain.explain(" e301 ") == explain.explain("E301")
    assert explain.explain("E999") is None
    assert explain.explain("../E301") is None
    assert explain.explain("") is None


@pytest.mark.parametrize(
    "asked, meant",
    [("E31O", "E301"), ("W301", "E301"), ("301", "E301"), ("E3011", "E301"), ("e01", "E101")],
)
def test_unknown_codes_get_a_suggestion(asked: str, meant: str) -> None:
    assert explain.unknown(asked) == f"there is no code {asked}: did you mean {meant}?"


def test_unknown_codes_without_one() -> None:
    assert explain.unknown("nonsense") == "there is no code nonsense: write a code such as E301 or W501"
    assert explain.unknown("") == "the code is missing: write a code such as E301 or W501"


# --- render --------------------------------------------------------------------------------------


def _carets(shown: str) -> tuple[str, str]:
    """The line of the program and the one below it, without their margins."""
    lines = shown.split("\n")
    return lines[3].partition("| ")[2], lines[4].partition("| ")[2]


def test_render_as_promised() -> None:
    source = Source("game.rcy", "(game\n  (move 'D (top X)))\n")
    found = Diagnostic("E301", Span(14, 16), "the variable 'D has no value here", "did you mean 'C?")
    assert render(found, source) == (
        "error[E301]: the variable 'D has no value here\n"
        " --> game.rcy:2:9\n"
        "  |\n"
        "2 |   (move 'D (top X)))\n"
        "  |         ^^\n"
        "  = hint: did you mean 'C?"
    )


def test_render_of_an_empty_file() -> None:
    checked = check(Source("empty.rcy", ""))
    shown = render(checked.diagnostics[0], checked.source)
    assert " --> empty.rcy:1:1\n  |\n1 |\n  | ^\n" in shown


def test_render_past_the_end() -> None:
    source = Source("x", "(game")
    assert render(Diagnostic("E110", Span(50, 60), "m"), source).endswith("1 | (game\n  |      ^")


def test_tabs_stay_aligned() -> None:
    text = "(game\n\t\t(foo\tbar))"
    start = text.index("bar")
    line, carets = _carets(render(Diagnostic("E107", Span(start, start + 3), "m"), Source("x", text)))
    assert carets.index("^") == line.index("bar")
    assert "\t" not in line
    assert carets.strip() == "^^^"


@pytest.mark.parametrize("before", [0, 10, 200, 900, 1990])
def test_long_lines_are_cut_around_the_place(before: int) -> None:
    text = "(" + "A " * before + "bad" + " B" * (2000 - before)
    start = text.index("bad")
    line, carets = _carets(render(Diagnostic("E107", Span(start, start + 3), "m"), Source("x", text)))
    assert len(line) <= WIDTH + 6
    assert line[carets.index("^") :].startswith("bad")
    assert carets.strip() == "^^^"


def test_a_span_over_lines_marks_the_first() -> None:
    text = "(do (\n  (turn pass)))"
    line, carets = _carets(render(Diagnostic("E201", Span(0, len(text)), "m"), Source("x", text)))
    assert (line, carets) == ("(do (", "^^^^^")


def test_what_a_terminal_would_obey_is_replaced() -> None:
    shown = render(Diagnostic("E102", Span(1, 2), "m"), Source("x", "(\x1b[31m\x00)"))
    assert "\x1b" not in shown
    assert "\x00" not in shown


def test_colour_only_on_demand() -> None:
    source = Source("x", "(game)")
    found = Diagnostic("E210", Span(0, 6), "m", "h")
    plain, coloured = render(found, source), render(found, source, colour=True)
    assert "\x1b" not in plain
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_summary() -> None:
    class One:
        def __init__(self, *codes: str) -> None:
            self.diagnostics = tuple(Diagnostic(code, NOWHERE, "m") for code in codes)

    assert summary([One("E301", "W501", "E302")]) == "2 errors, 1 warning in 1 file"
    assert summary([One("E301"), One()]) == "1 error in 2 files"
    assert summary([One()]) == "no problems in 1 file"
