"""Whether a program counts players and teams from 0 or from 1."""

from __future__ import annotations

from typing import Literal

import pytest
from tests.recycle.check_text import counted_from, do

from upcard.recycle.frontend import check
from upcard.recycle.source import Source

# --- dialects and the counting base -------------------------------------------------------------------


@pytest.mark.parametrize(
    "form",
    [
        "(inc (game sto X))",
        "(dec (game sto X))",
        "(inc (game sto X) (pid (current player)))",
        "(inc (game sto X) (size (indexed game vloc PILE)))",
        "(shuffle (game vloc PILE 3))",
        "(inc (game sto X) (scoremax (game vloc PILE) using (game points V)))",
        "(inc (game sto X) (scoremin (game vloc PILE) using (game points V)))",
        "(swap (game vloc PILE) (game vloc ROW))",
        "(inc (game sto X) (+ 1 2 3))",
        "(cycle next (current player))",
        "(cycle current (2 player))",
    ],
)
def test_newer_forms_are_read_and_settle_the_base(form: str) -> None:
    assert counted_from(do(form)) == (1, [])


@pytest.mark.parametrize(
    "form",
    [
        "(inc (game sto X) 1)",
        "(cycle next previous)",
        "(cycle next (owner (top ((next player) iloc HAND))))",
        "(move (actual (top (game iloc STOCK))) (top (game vloc PILE)))",
        "(inc (game sto X) (score (max (game vloc PILE) using (game points V)) using (game points V)))",
    ],
)
def test_classic_forms_leave_the_base_at_0(form: str) -> None:
    assert counted_from(do(form)) == (0, [])


NEWER = "(inc (game sto X))"


@pytest.mark.parametrize(
    "rule, body, teams, base, expected",
    [
        (
            "1 an option wins",
            do("(inc (0 player) 1)".replace("(0 player)", "((0 player) sto X)")),
            "",
            1,
            (1, []),
        ),
        ("1 against a newer form", do(NEWER), "", 0, (0, [])),
        ("2 a list with 0", do(NEWER), "(0, 2) (1, 3)", None, (0, [])),
        ("2 with N as well", do(NEWER), "(0, 2) (1, 4)", None, (-1, ["E402"])),
        ("3 a list with N", do("(inc ((0 player) sto X) 1)"), "(1, 3) (2, 4)", None, (1, [])),
        ("4 a literal player 0", do(NEWER, "(inc ((0 player) sto X) 1)"), "", None, (0, [])),
        ("4 a literal team 0", do(NEWER, "(inc ((0 team) sto X) 1)"), "", None, (0, [])),
        ("4 a literal player N", do("(inc ((4 player) sto X) 1)"), "", None, (1, [])),
        ("4 comes before 6", do("(inc ((0 player) sto X) 1)"), "(1, 2)", None, (0, [])),
        ("5 a newer form", do(NEWER), "", None, (1, [])),
        ("5 comes before 6", do(NEWER), "(1, 2)", None, (1, [])),
        ("6 a list that decides nothing", do("(turn pass)"), "(1, 2)", None, (1, ["W513"])),
        ("7 nothing at all", do("(turn pass)"), "", None, (0, [])),
        ("7 a literal in between", do("(inc ((2 player) sto X) 1)"), "", None, (0, [])),
    ],
)
def test_the_counting_base(
    rule: str, body: str, teams: str, base: Literal[0, 1] | None, expected: tuple[int, list[str]]
) -> None:
    assert counted_from(body, teams, base=base) == expected, rule


def test_an_option_against_the_team_list_is_told() -> None:
    assert counted_from(teams="(0, 2) (1, 3)", base=1) == (-1, ["W512", "E402"])


def test_declared_members_decide_the_base_like_written_ones() -> None:
    def base(declared: str, teams: str) -> tuple[int, list[str]]:
        deck = "(create deck (game iloc STOCK) (deck (RANK (A, K))))"
        setup = f"(setup (create players 4) (create teams {teams}) {deck})"
        text = f"(game {declared} {setup} (choice ((turn pass))) (scoring max 1))"
        checked = check(Source("x", text))
        assert checked.program is not None
        return checked.program.base, [d.code for d in checked.warnings]

    assert base("(declare 0 'A)", "('A, 2) (1, 3)") == (0, [])
    assert base("(declare 4 'A)", "('A, 2) (1, 3)") == (1, [])
    assert base("(declare 1 'A) (declare 2 'B)", "('A) ('B)")[0] == 1
    assert "W513" in base("(declare 1 'A) (declare 2 'B)", "('A) ('B)")[1]
