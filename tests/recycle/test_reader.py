"""The reader: lexical rules, and texts that nobody would write."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upcard.recycle.forms import Atom, Form, walk
from upcard.recycle.frontend import Checked, check, check_bytes
from upcard.recycle.reader import MAX_DEPTH, decode, read
from upcard.recycle.reserved_words import OPERATORS, RESERVED
from upcard.recycle.source import Source

PROGRAMS = [p.read_text(encoding="utf-8") for p in sorted((Path(__file__).parent / "programs").glob("*.rcy"))]
GAME = """(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
  (do ((turn pass)))
  (scoring max ((current player) sto SCORE)))"""


def steps_allowed(length: int) -> int:
    """Reading and checking take a step or so for each character; guessing where a parenthesis was lost
    may take a bounded multiple of that."""
    return 200_000 + 100 * length


def atoms(text: str) -> list[tuple[str, str]]:
    form = read(Source("x", text)).form
    assert form is not None
    return [(n.kind, n.text) for n in walk(form) if isinstance(n, Atom)]


def codes(text: str | bytes) -> list[str]:
    checked = check_bytes(text, "x") if isinstance(text, bytes) else check(Source("x", text))
    return [d.code for d in checked.diagnostics if d.severity == "error" or d.code == "W501"]


def item(text: str) -> str:
    """A game with one more thing to do."""
    return GAME.replace("(turn pass)", text)


# --- lexical structure ---------------------------------------------------------------------------


def test_the_game_is_good() -> None:
    assert codes(GAME) == []


def test_a_comment_may_end_the_file() -> None:
    assert codes(GAME + " ;; the end") == []
    reading = read(Source("x", ";; first\n" + GAME + " ;; last"))
    assert [(c.text, c.own_line) for c in reading.comments] == [(";; first", True), (";; last", False)]


def test_a_byte_order_mark_is_dropped() -> None:
    assert codes(b"\xef\xbb\xbf" + GAME.encode()) == []
    assert decode(b"\xef\xbb\xbf(game)") == ("(game)", None)


def test_carriage_returns_are_white_space() -> None:
    assert codes(GAME.replace("\n", "\r\n").encode()) == []
    assert codes(GAME.replace("\n", "\r").encode()) == []


def test_only_comments_may_hold_other_characters() -> None:
    assert codes(";; naïve, schön, 札\n" + GAME) == []
    assert codes(item("(set (game str X) SCHÖN)")) == ["E102"]
    assert codes(item("(inc (game sto X) ½)")) == ["E102"]


def test_one_semicolon_is_an_error_and_no_more_than_one() -> None:
    assert codes(GAME + "; the end") == ["W501"]
    assert codes("; the deal (all of it\n" + GAME) == ["E103"]
    assert codes(item("(turn pass) ; and so on\n")) == ["E103"]


def test_tokens() -> None:
    assert atoms("(game 'C HAND 007 .. , : // == <= top)") == [
        ("word", "game"),
        ("variable", "C"),
        ("name", "HAND"),
        ("number", "7"),
        ("mark", ".."),
        ("mark", ","),
        ("mark", ":"),
        ("operator", "//"),
        ("operator", "=="),
        ("operator", "<="),
        ("word", "top"),
    ]


@pytest.mark.parametrize("operator", sorted(OPERATORS))
def test_operators(operator: str) -> None:
    assert atoms(f"({operator}1)") == [("operator", operator), ("number", "1")]


def test_white_space_is_needed_only_between_words() -> None:
    assert atoms("(range 2..10)") == [("word", "range"), ("number", "2"), ("mark", ".."), ("number", "10")]
    assert codes(item("(all (range 2..10)'N(inc(game sto X)'N))")) == []
    glued, spaced = (atoms(f"(top{gap}((current player) iloc HAND))") for gap in ("", " "))
    assert glued == spaced


def test_neighbouring_names_and_numbers_stay_apart() -> None:
    assert atoms("(A B 1 23)") == [("name", "A"), ("name", "B"), ("number", "1"), ("number", "23")]


@pytest.mark.parametrize("name", ["PILE2", "Hand", "HAND_A", "2PILE", "hAND"])
def test_names_have_capitals_only(name: str) -> None:
    assert codes(item(f"(shuffle (game vloc {name}))")) == ["E105"]


@pytest.mark.parametrize("variable", ["'", "'p", "'P1", "'_"])
def test_variables_are_an_apostrophe_and_a_name(variable: str) -> None:
    assert codes(item(f"(all player {variable} (turn pass))")) == ["E104"]


def test_numbers_have_64_bits() -> None:
    assert codes(item(f"(inc (game sto X) {2**63 - 1})")) == []
    assert codes(item(f"(inc (game sto X) {'0' * 5000}1)")) == []
    assert codes(item(f"(inc (game sto X) {2**63})")) == ["E106"]
    assert codes(item(f"(inc (game sto X) {'9' * 5000})")) == ["E106"]
    assert codes(item("(inc (game sto X) (- 0 3))")) == []


def test_there_are_no_negative_numbers() -> None:
    assert codes(item("(inc (game sto X) -3)")) != []


def test_words_are_reserved() -> None:
    assert all(word.islower() and word.isalpha() for word in RESERVED)
    assert codes(item("(shuffle (game iloc library))")) == ["E107"]
    assert codes(item("(Turn pass)")) == ["E105"]


def test_quoted_text_is_one_mistake() -> None:
    assert codes(item('(set (game str X) "HEARTS")')) == ["E102"]
    assert codes(item("(set (game str X) ‘hearts of oak’)")) == ["E102"]


def test_text_after_the_game_is_ignored() -> None:
    assert codes(GAME + ")") == ["W501"]
    assert codes(GAME + "\n(stage") == ["W501"]
    assert codes(GAME + "\nBranching Factor «»") == ["W501"]
    assert codes(GAME + "\n;; a comment\n") == []


def test_text_before_the_game_is_not() -> None:
    assert codes("Bridge 2\n" + GAME) == ["E113"]
    assert codes(")" + GAME) == ["E113"]


def test_files_without_a_game() -> None:
    for text in ("", " \n", ";; nothing", "hello there", "(stage)", ")", "()"):
        assert codes(text) == ["E113"], text


def test_depth_is_bounded() -> None:
    good = "(not " * (MAX_DEPTH - 6) + "(== 1 1)" + ")" * (MAX_DEPTH - 6)
    assert codes(item(f"({good} (turn pass))")) == []
    bad = "(not " * (MAX_DEPTH + 1) + "(== 1 1)" + ")" * (MAX_DEPTH + 1)
    assert codes(item(f"({bad} (turn pass))")) == ["E112"]


def test_spans_are_right() -> None:
    source = Source("x", GAME)
    form = read(source).form
    assert form is not None
    for node in walk(form):
        text = GAME[node.span.start : node.span.end]
        if isinstance(node, Form):
            assert text[0] == "("
            assert text[-1] == ")"
        else:
            assert text == node.text


def test_wrong_bytes_are_shown_where_they_are() -> None:
    checked = check_bytes(b"\xef\xbb\xbf;; ok\n;; caf\xe9\n" + GAME.encode(), "x")
    first = checked.diagnostics[0]
    assert first.code == "E101"
    assert (checked.source.line(first.span.start), checked.source.column(first.span.start)) == (2, 7)
    assert checked.program is None


# --- lost parentheses ----------------------------------------------------------------------------


def _lost(text: str) -> tuple[str, int]:
    checked = check(Source("x", text))
    assert len(checked.diagnostics) == 1
    return checked.diagnostics[0].code, checked.source.line(checked.diagnostics[0].span.start)


@pytest.mark.parametrize(
    "good, wrong, expected",
    [
        ("(A, K)))))", "(A, K))))", ("E110", 2)),
        ("(A, K)))))", "(A, K))))))", ("E111", 2)),
        ("(RANK (A, K))", "RANK (A, K))", ("E111", 2)),
        ("(do ((turn pass)))", "(do ((turn pass))", ("E110", 3)),
        ("(do ((turn pass)))", "(do (((turn pass)))", ("E110", 3)),
        ("(do ((turn pass)))", "(do (turn pass)))", ("E111", 3)),
        ("SCORE)))", "SCORE))", ("E110", 4)),
    ],
)
def test_one_parenthesis_too_few_or_too_many(good: str, wrong: str, expected: tuple[str, int]) -> None:
    assert _lost(GAME.replace(good, wrong)) == expected


def test_lexical_mistakes_are_still_told() -> None:
    checked = check(Source("x", GAME.replace("(turn pass)", "(turn £)")[:-1]))
    assert [d.code for d in checked.diagnostics] == ["E110", "E102"]


def test_guessing_needs_no_recursion_limit() -> None:
    """The formatter asks the reader directly, without the checker's own preparations."""
    deep = "(not " * 190 + "(== 1 1)" + ")" * 190
    assert read(Source("x", item(f"({deep} (turn pass))")[:-1])).unbalanced


# --- texts that nobody would write ---------------------------------------------------------------


def no_harm(checked: Checked) -> None:
    assert checked.steps <= steps_allowed(len(checked.source.text))
    assert (checked.program is None) == bool(checked.errors)
    for found in checked.diagnostics:
        assert 0 <= found.span.start <= max(found.span.end, len(checked.source.text))
        assert found.message
        assert "\n" not in found.message
        assert len(found.message) < 160
        found.to_json(checked.source)


@given(st.binary(max_size=400))
@settings(deadline=None, max_examples=200)
def test_any_bytes(data: bytes) -> None:
    no_harm(check_bytes(data, "x"))


@given(st.text(max_size=400))
@settings(deadline=None, max_examples=200)
def test_any_text(text: str) -> None:
    no_harm(check(Source("x", text)))


TOKENS = st.sampled_from(
    [
        *sorted(RESERVED),
        *sorted(OPERATORS),
        *"()()()()()()(),:",
        "..",
        "'C",
        "'P",
        "HAND",
        "A",
        "0",
        "4",
        ";;",
        "\n",
    ]
)


@given(st.lists(TOKENS, max_size=120))
@settings(deadline=None, max_examples=300)
def test_token_soup(tokens: list[str]) -> None:
    no_harm(check(Source("x", " ".join(tokens))))
    no_harm(check(Source("x", item(" ".join(tokens)))))


@given(st.sampled_from(PROGRAMS), st.integers(0, 2**32), st.integers(1, 6))
@settings(deadline=None, max_examples=150)
def test_programs_with_edits(text: str, seed: int, edits: int) -> None:
    rng = random.Random(seed)
    for _ in range(edits):
        at = rng.randrange(len(text))
        end = min(len(text), at + rng.randrange(12))
        insert = rng.choice(
            ["", "(", ")", "'", "\0", "HAND", "(turn pass)", text[at:end] * 2, "\ufeff", '"', ";"]
        )
        text = text[:at] + insert + text[end:]
    no_harm(check(Source("x", text)))


def _name(n: int) -> str:
    letters = ""
    n += 1
    while n:
        n, rest = divmod(n - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _declares(count: int, value: Callable[[str], str], use: str = "(turn pass)") -> str:
    chain = "".join(f"(declare {value(_name(i))} '{_name(i + 1)})" for i in range(count))
    return item(use).replace("(game\n", f"(game (declare 1 'A) {chain}", 1)


N = 3000
HOSTILE = {
    "opening": "(" * 100_000,
    "closing": ")" * 100_000,
    "balanced": "(" * 100_000 + ")" * 100_000,
    "deep": item("(do (" * 50_000 + "))" * 50_000),
    "quotes": item("'" * 50_000),
    "double quotes": item('"' * 50_001),
    "semicolons": "; " * 50_000,
    "nul": "\0" * 50_000,
    "byte-order marks": "\ufeff" * 50_000,
    "one line": item("(turn pass) " * 20_000),
    "long name": item("(shuffle (game vloc " + "A" * 100_000 + "))"),
    "long number": item("(inc (game sto X) " + "7" * 100_000 + ")"),
    "long comment": ";; " + "x" * 200_000 + "\n" + GAME,
    "unknown words": item("".join(f"(zhuffle {_name(i).lower()}q)" for i in range(N))),
    "unknown variables": item("".join(f"(inc (game sto X) '{_name(i)}QX)" for i in range(N))),
    "unknown among many": _declares(
        N, lambda v: "1", "".join(f"(inc (game sto X) '{_name(i)}QX)" for i in range(N))
    ),
    "doubling": _declares(N, lambda v: f"(+ '{v} '{v})"),
    "doubling players": _declares(N, lambda v: f"(+ '{v} '{v})").replace(
        "players 2", f"players '{_name(400)}"
    ),
    "aliases": _declares(N, lambda v: f"'{v}"),
    "unions": _declares(N, lambda v: f"(union '{v} '{v})").replace("declare 1", "declare (game vloc X)"),
    "lets": item(
        "".join(
            f"(let {'(tri ' * 60}{v}{')' * 60} '{_name(i)} "
            for i, v in enumerate(["1", *("'" + _name(i) for i in range(90))])
        )
        + "(turn pass)"
        + ")" * 91
    ),
    "wide and unclosed": item("".join(f"(inc (game sto {_name(i)}))" for i in range(N)))[:-1],
    "names unclosed": item("(set (game str X) (" + ", ".join(_name(i) for i in range(N)) + ")"),
    "closed early": item("(turn pass))" + "(do ((turn pass)))" * N),
    "awards unclosed": item("(set (game points X) (" + "((RANK : A) 1)" * N + ")"),
    "teams": GAME.replace(
        "players 2)", "players 2) (create teams " + " ".join(f"({i})" for i in range(N)) + ")"
    ),
    "attributes": GAME.replace("(RANK (A, K))", "(RANK (A, K))" * N),
    "nested attributes": GAME.replace("(RANK (A, K))", "(RANK (A " * 60 + "(RANK (A, K))" + "))" * 60),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts(name: str) -> None:
    no_harm(check_bytes(HOSTILE[name].encode(), "x"))


@pytest.mark.parametrize(
    "make",
    [
        lambda n: item("(turn pass)" * n),
        lambda n: item("".join(f"(inc (game sto X) '{_name(i)}Q)" for i in range(n))),
        lambda n: item("(turn pass)" * n)[:-1],
        lambda n: item("(inc (game sto X) (+ " + "1 " * n + "))"),
        lambda n: _declares(n, lambda v: "(+ 1 2)"),
        lambda n: item("zzz " * n),
    ],
)
def test_work_is_linear(make: Callable[[int], str]) -> None:
    """Twice the text takes about twice the steps."""
    small, large = (check(Source("x", make(n))) for n in (1000, 2000))
    assert large.steps <= 2.3 * small.steps + 2000
