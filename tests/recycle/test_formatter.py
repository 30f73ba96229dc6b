"""The formatter: what each kind of form looks like, and what holds for any text that can be read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests import documents

from upcard.recycle.diagnostics import RecycleError
from upcard.recycle.formatter import WIDTH, format_source
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.reader import MAX_DEPTH, Reading, read
from upcard.recycle.reserved_words import HEADS, OPERATORS
from upcard.recycle.source import Source


def formatted(text: str) -> str:
    return format_source(Source("test.gdl", text))


def check(text: str, expected: str) -> None:
    """The text becomes the expected lines (given with a line break in front), and stays so."""
    expected = expected.removeprefix("\n")
    assert formatted(text) == expected
    assert formatted(expected) == expected


# --- one line ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, expected",
    [
        ("()", "()\n"),
        ("( turn\n pass )", "(turn pass)\n"),
        ("(any(RED,BLUE)'C(set(game str HUE)'C))", "(any (RED, BLUE) 'C (set (game str HUE) 'C))\n"),
        ("(A ,TWO , J)", "(A, TWO, J)\n"),
        ("((RANK:A)14)", "((RANK : A) 14)\n"),
        ("(range 2 .. 10)", "(range 2..10)\n"),
        ("(range 2..(size 'C))", "(range 2 .. (size 'C))\n"),
        ("(random 'A..'B)", "(random 'A .. 'B)\n"),
        ("(.. 2 .. , : 007 ..)", "(.. 2 .., : 007 ..)\n"),
        ("(1..2..3)", "(1..2..3)\n"),
        ("(do\n(\n(turn pass)\n)\n)", "(do ((turn pass)))\n"),
        ("((== 1 2)\n\n(turn pass))", "((== 1 2) (turn pass))\n"),
        ("\r\n(turn\r\npass)\r\n\r\n", "(turn pass)\n"),
        ("(+ 1 2)\n\n\n", "(+ 1 2)\n"),
    ],
)
def test_what_fits_stays_on_one_line(text: str, expected: str) -> None:
    check(text, expected)


# --- forms over several lines ------------------------------------------------------------------


def test_a_game_is_laid_out_by_its_structure() -> None:
    check(
        "(game (setup (create players 2)\n\n\n\n(create deck (game vloc D) (deck (N (A, B)))))\n\n\n"
        "(stage player (end (== 1 2)) (choice ((turn pass) (inc (game sto N)))))"
        "(do ((shuffle (game vloc D)))) (scoring max (game sto N)))",
        """
(game
 (setup
  (create players 2)

  (create deck (game vloc D) (deck (N (A, B)))))

 (stage player
  (end (== 1 2))
  (choice (
   (turn pass)
   (inc (game sto N)))))
 (do ((shuffle (game vloc D))))
 (scoring max (game sto N)))
""",
    )


def test_no_blank_line_after_an_opening_or_before_a_closing() -> None:
    check(
        "(game\n\n(setup\n\n;; a\n\n\n(create players 2)\n\n"
        "(create teams (0) (1))\n\n)\n\n(do (\n\n(turn pass)\n\n)))",
        """
(game
 (setup
  ;; a

  (create players 2)

  (create teams (0) (1)))

 (do ((turn pass))))
""",
    )


def test_a_conditional_has_its_item_below_the_test() -> None:
    check(
        "((and (>= ((current team) sto TRICKSWON) 3) (== ((current team) str BID) MAKER))"
        " (inc ((current team) sto SCORE)))",
        """
((and (>= ((current team) sto TRICKSWON) 3) (== ((current team) str BID) MAKER))
 (inc ((current team) sto SCORE)))
""",
    )


def test_the_body_of_a_binder_is_indented_by_one() -> None:
    check(
        "(all player 'P (do ((set ('P sto SCORE) 0) (set ('P str BID) NONE))))",
        """
(all player 'P
 (do (
  (set ('P sto SCORE) 0)
  (set ('P str BID) NONE))))
""",
    )
    check(
        "(any (filter ((current player) iloc HAND) 'L (or (!= (cardatt RANK 'L) J) (== (cardatt SUIT 'L) "
        "(game str LEADSUIT)))) 'C (move 'C (top ((current player) vloc TRICK))))",
        """
(any (filter ((current player) iloc HAND) 'L
      (or (!= (cardatt RANK 'L) J) (== (cardatt SUIT 'L) (game str LEADSUIT)))) 'C
 (move 'C (top ((current player) vloc TRICK))))
""",
    )


def test_operands_are_aligned_and_a_last_atom_stays_on_the_line() -> None:
    check(
        "(== (size (union (filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) (game str LEAD))) "
        "(filter ((next player) iloc HAND) 'C (== (cardatt SUIT 'C) (game str LEAD))))) 0)",
        """
(== (size (union (filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) (game str LEAD)))
                 (filter ((next player) iloc HAND) 'C (== (cardatt SUIT 'C) (game str LEAD))))) 0)
""",
    )


def test_a_move_has_the_place_below_the_card() -> None:
    check(
        "(repeat all (move (max ((current player) iloc HAND) using (game points PRECEDENCE)) "
        "(top ((next player) iloc HAND))))",
        """
(repeat all (move (max ((current player) iloc HAND) using (game points PRECEDENCE))
                  (top ((next player) iloc HAND))))
""",
    )


def test_using_keeps_its_point_map() -> None:
    check(
        "(cycle next (owner (max (union (all player 'P ('P vloc TRICK)) (game vloc TABLE)) using "
        "(game points PRECEDENCE))))",
        """
(cycle next (owner (max (union (all player 'P ('P vloc TRICK)) (game vloc TABLE))
                        using (game points PRECEDENCE))))
""",
    )


def test_a_stored_value_is_aligned_or_else_indented() -> None:
    check(
        "(set ((team (current player)) str REMEMBERED) "
        "(cardatt SUIT (top ((previous player) iloc LONGLOCATION))))",
        """
(set ((team (current player)) str REMEMBERED)
     (cardatt SUIT (top ((previous player) iloc LONGLOCATION))))
""",
    )
    check(
        "(set (game points PRECEDENCE) (((SUIT : (game str TRUMP)) 200) ((RANK : J) (SUIT : (game str "
        "TRUMP)) 1) ((RANK : A) 14) ((RANK : K) 13) ((RANK : Q) 12) ((RANK : J) 11) ((RANK : TEN) 10) "
        "((RANK : NINE) 9)))",
        """
(set (game points PRECEDENCE)
 (((SUIT : (game str TRUMP)) 200)
  ((RANK : J) (SUIT : (game str TRUMP)) 1)
  ((RANK : A) 14) ((RANK : K) 13) ((RANK : Q) 12) ((RANK : J) 11) ((RANK : TEN) 10)
  ((RANK : NINE) 9)))
""",
    )


def test_a_deck_has_its_attributes_aligned_and_its_values_filled() -> None:
    check(
        "(create deck (game iloc STOCK) (deck (RANK (A, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN,"
        " JACK, QUEEN, KING, KNIGHT)) (COLOR (RED (SUIT (HEARTS, DIAMONDS, CORALS))) "
        "(BLACK (SUIT (CLUBS, SPADES, ANTHRACITES, BASALTS))))))",
        """
(create deck (game iloc STOCK)
 (deck (RANK (A, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, KNIGHT))
       (COLOR (RED (SUIT (HEARTS, DIAMONDS, CORALS)))
              (BLACK (SUIT (CLUBS, SPADES, ANTHRACITES, BASALTS))))))
""",
    )
    values = ", ".join(["HEARTS"] * 20)
    check(
        f"(deck (SUIT ({values})))",
        """
(deck (SUIT (HEARTS, HEARTS, HEARTS, HEARTS, HEARTS, HEARTS, HEARTS, HEARTS, HEARTS, HEARTS, HEARTS,
             HEARTS, HEARTS, HEARTS, HEARTS, HEARTS, HEARTS, HEARTS, HEARTS, HEARTS)))
""",
    )


def test_nesting_does_not_drift_to_the_right() -> None:
    text = "(== (cardatt SUIT 'C) (game str LEADSUIT))"
    for _ in range(8):
        text = f"(intersect (game vloc D) (disjunction (game vloc E) (filter (game vloc F) 'C {text})))"
    assert max(len(line) for line in formatted(text).split("\n")) <= WIDTH


# --- comments ----------------------------------------------------------------------------------


def test_comments_keep_their_kind_of_place() -> None:
    check(
        ";; top  \n\n\n;;; more\n(game ;; of cards\n      ;; setting up\n(setup (create players 2)) ;; two\n"
        "(do ( ;; items\n(turn pass)\n\n\n      ;; the end\n)))   ;; behind\n\n;; last",
        """
;; top

;;; more
(game ;; of cards
 ;; setting up
 (setup (create players 2)) ;; two
 (do ( ;; items
  (turn pass)

  ;; the end
  ))) ;; behind

;; last
""",
    )


def test_a_comment_in_odd_places_moves_only_what_it_must() -> None:
    check(
        "(;; a\n;; b\nall player ;; c\n 'P (A ;; d\n, B ;; e\n) (;; f\n))",
        """
( ;; a
 ;; b
 all player ;; c
 'P
 (A ;; d
  , B ;; e
  )
 ( ;; f
  ))
""",
    )


def test_a_closing_parenthesis_is_never_swallowed_by_a_comment() -> None:
    check("(and (== 1 2)\n(== 2 3) ;; no\n)", "(and (== 1 2)\n     (== 2 3) ;; no\n     )\n")


# --- around the game ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, expected",
    [
        ("(game (scoring max 1)))", "(game (scoring max 1))\n)\n"),
        (
            "(game (scoring max 1)) ;; over\n\n\n  left   over\r\n (text ;; as it is\n\n\n  ",
            "(game (scoring max 1)) ;; over\n\nleft   over\n (text ;; as it is\n",
        ),
    ],
)
def test_text_after_the_game_is_kept(text: str, expected: str) -> None:
    check(text, expected)


@pytest.mark.parametrize(
    "text", ["", ";; nothing", "(game", "(game))(setup)", "(game what)", "game", "(game = 2)"]
)
def test_a_program_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(RecycleError) as refusal:
        formatted(text)
    assert refusal.value.diagnostics


@pytest.mark.parametrize(
    "opening",
    ["(", "(and (== 1 2) ", "(all player 'P ", "(set (game sto X) ", "(A, ", "(size ", "(do ", "(do ;; x\n"],
)
def test_the_deepest_nesting_is_formatted(opening: str) -> None:
    levels = MAX_DEPTH - 1
    text = opening * levels + "()" + ")" * levels
    once = formatted(text)
    assert content(once) == content(text)
    assert formatted(once) == once


# --- any readable text -------------------------------------------------------------------------


def tokens(node: Node) -> Iterator[str]:
    """The tokens of a form in reading order; equal lists mean equal forms."""
    stack: list[Node | str] = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, str):
            yield here
        elif isinstance(here, Atom):
            yield f"{here.kind} {here.text}"
        else:
            yield "("
            stack.append(")")
            stack.extend(reversed(here.items))


def content(text: str) -> tuple[list[str], list[tuple[str, bool]]]:
    reading: Reading = read(Source("test.gdl", text))
    assert isinstance(reading.form, Form)
    return list(tokens(reading.form)), [(comment.text, comment.own_line) for comment in reading.comments]


WORDS = sorted(HEADS | OPERATORS | {"player", "using", "sto", "iloc", "pass"})
ATOMS = [*WORDS, "A", "HEARTS", "V" * 120, "'C", "'PLAYER", "0", "12", "007", ",", ",", ":", "..", ".."]
SPACES = [" ", " ", " ", "\n", "\t ", "\r\n", "\n\n\n", " \n \n"]
COMMENTS = [
    " ;; note\n",
    ";; (\n",
    "\n;; own line  \n",
    "\n\n;;; a\n\n\n;; b )\r\n\n",
    ";;\n",
    " ;; " + "x" * 110 + "\n",
]

leaves: st.SearchStrategy[list[str]] = st.sampled_from(ATOMS).map(lambda atom: [atom])


def listed(parts: list[list[str]]) -> list[str]:
    return ["(", *(token for part in parts for token in part), ")"]


def headed(inner: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    """Lists of anything, and forms with a word in front, which is what most layouts go by."""
    head = st.sampled_from(WORDS)
    anything = st.lists(inner, max_size=6).map(listed)
    form = st.tuples(head, st.lists(inner, max_size=6)).map(lambda pair: listed([[pair[0]], *pair[1]]))
    block = st.tuples(st.sampled_from(["do", "choice"]), anything).map(
        lambda pair: listed([[pair[0]], pair[1]])
    )
    return st.one_of(anything, form, block)


# one list at least is at the top, because an atom alone is no program
programs = headed(st.recursive(leaves, headed, max_leaves=60))


def spaced(program: list[str], spaces: list[str]) -> str:
    """The tokens with white space and comments between them, taken in turn."""
    spaces_in_turn = cycle(spaces)
    return "".join(token + next(spaces_in_turn) for token in program)


any_spaces = st.lists(st.sampled_from(SPACES + COMMENTS), min_size=1, max_size=40)


@settings(max_examples=100, deadline=None)
@given(programs, any_spaces)
@example(["(", "A", ")"], [" ;; note\n"])
@example(["(", "do", "(", ")", ")"], ["\n;; own\n"])
def test_any_text_keeps_its_content_and_is_formatted_once(program: list[str], spaces: list[str]) -> None:
    text = spaced(program, spaces)
    once = formatted(text)
    assert content(once) == content(text)
    assert formatted(once) == once


@settings(max_examples=100, deadline=None)
@given(programs, any_spaces)
def test_any_text_becomes_tidy_lines(program: list[str], spaces: list[str]) -> None:
    once = formatted(spaced(program, spaces))
    lines = once.split("\n")
    assert lines.pop() == ""
    assert lines[0]
    assert lines[-1]
    for before, line in pairwise(lines):
        assert line == line.rstrip()
        assert before or line, "two blank lines in a row"
        if line.lstrip().startswith(")"):
            assert ";;" in before, "a closing parenthesis alone, and no comment made it so"
        if before.lstrip().startswith(";;") and line:
            assert indentation(before) == indentation(line)


def indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


@settings(max_examples=100, deadline=None)
@given(programs, st.lists(st.sampled_from([" ", "\n", "\t", "\r\n "]), min_size=1, max_size=20))
def test_line_breaks_do_not_matter(program: list[str], spaces: list[str]) -> None:
    assert formatted(spaced(program, spaces)) == formatted(" ".join(program))


# --- the two seed programs ---------------------------------------------------------------------


def seed(number: int) -> str:
    """The program in a seed document: from its first comment to the end of its last form."""
    text = documents.document(number)
    text = text[text.index("\n;; ") + 1 :]
    form = read(Source("seed", text)).form
    assert form is not None
    return text[: form.span.end]


@pytest.mark.parametrize("number", [documents.EUCHRE, documents.WHIST])
def test_a_seed_program_keeps_its_content_within_the_margin(number: int) -> None:
    text = seed(number)
    once = formatted(text)
    assert content(once) == content(text)
    assert formatted(once) == once
    assert max(len(line) for line in once.split("\n")) <= WIDTH


def test_the_euchre_seed_looks_as_its_author_wrote_it() -> None:
    once = formatted(seed(documents.EUCHRE))
    expected = """
 ;; First chance for bidding
 (stage player
  (end (or (all player 'P (== ('P str BID) PASS)) (any team 'T (== ('T str BID) MAKER))))
  (choice (
   (set ((current player) str BID) PASS)
   (do (
    (set ((current player) str BID) PICKUP)
    (set ((team (current player)) str BID) MAKER)
    (set ((team (next player)) str BID) DEFENDER)))

   (do (
    (set ((current player) str BID) ALONE)
    (set ((team (current player)) str BID) MAKER)
    (set ((team (next player)) str BID) DEFENDER))))))

"""
    assert expected in once
    filtered = """
    ((and (!= (game str LEADSUIT) NONE)
          (== (size (filter ((current player) iloc HAND) 'L
                     (or (and (== (cardatt RANK 'L) J)
                              (== (cardatt COLOR 'L) (game str TRUMPCOLOR))
                              (== (game str LEADSUIT) (game str TRUMPSUIT)))
                         (and (== (cardatt RANK 'L) J)
                              (!= (cardatt COLOR 'L) (game str TRUMPCOLOR))
                              (== (cardatt SUIT 'L) (game str LEADSUIT)))
                         (and (!= (cardatt RANK 'L) J)
                              (== (cardatt SUIT 'L) (game str LEADSUIT)))))) 0))
"""
    assert filtered in once
