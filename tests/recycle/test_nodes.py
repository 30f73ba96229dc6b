"""Nodes lie in families, everybody takes them from one place, and each declares its form in full."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from tests.docs.examples import PAGES

import upcard
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.nodes import actions, collections, game, node, players_and_teams, syntax, values
from upcard.recycle.reader import read
from upcard.recycle.reserved_words import FORMS, HEADS, OPERATORS
from upcard.recycle.source import Source
from upcard.recycle.walk import parts

ROOT = Path(upcard.__file__).parent
FORM_CLASSES = [cls for cls in p.NODES if not cls.__subclasses__() and cls not in (p.Bad, p.BadItem)]


def test_the_program_hands_on_every_node_of_the_families() -> None:
    for family in (node, syntax, values, players_and_teams, collections, actions, game):
        own = {
            name: thing
            for name, thing in vars(family).items()
            if isinstance(thing, type) and thing.__module__ == family.__name__
        }
        assert own
        assert {name: getattr(p, name, None) for name in own} == own


def test_nobody_else_takes_nodes_from_a_family() -> None:
    named = {
        path.relative_to(ROOT) for path in ROOT.rglob("*.py") if "recycle.nodes" in path.read_text("utf-8")
    }
    assert {path for path in named if path.parent.name != "nodes"} == {Path("recycle/program.py")}


# --- declarations --------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", FORM_CLASSES, ids=lambda cls: cls.__name__)
def test_a_form_declares_how_it_fails_and_where_it_is_documented(cls: type[p.Node]) -> None:
    assert cls.failures is not None
    page, _, section = cls.page.partition("#")
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    heads = {
        re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-")
        for head in re.findall(r"^#+ (.+)$", text, re.M)
    }
    assert not section or section in heads


def test_a_form_that_declares_nothing_can_fail() -> None:
    assert p.Node.failures is None
    assert p.Expr.failures is None


def sentences() -> dict[str, str]:
    return {name: text for name, text in vars(failures).items() if name.isupper() and isinstance(text, str)}


def test_every_sentence_belongs_to_a_form() -> None:
    claimed = {sentence for cls in FORM_CLASSES for sentence in cls.failures or ()}
    # no checked program reads a variable before it is bound; every form that counts can say the other one
    general = {failures.NO_VALUE_YET, failures.TOO_MUCH_WORK}
    assert claimed | general == set(sentences().values())
    assert len(set(sentences().values())) == len(sentences())


@pytest.mark.parametrize("folder", ["engine/reference", "engine/native/lower"])
def test_engines_say_no_sentence_of_their_own(folder: str) -> None:
    """A run-time error is a name of `upcard.recycle.failures`, never a text."""
    for path in (ROOT / folder).rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and _called(call) in ("fault", "fail", "Fault"):
                texts = [a for a in call.args[1:] if isinstance(a, ast.JoinedStr | ast.Constant)]
                assert not texts, f"{path.name}:{call.lineno}"


def _called(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def test_examples_are_forms_with_the_declared_number_of_items() -> None:
    for form in FORMS:
        for head in form.words if form.bounds is not None and form.example else ():
            shown = read(Source("example", form.shown(head))).form
            assert shown is not None, form.example
            assert shown.head == head or not form.operands, form.example
            least, most = form.bounds or (0, 0)
            assert least <= len(shown.items) - 1 <= most, form.example


def test_heads_of_regular_forms_fill_every_field() -> None:
    for cls in p.NODES:
        for form in p.syntaxes_of(cls):
            for head in form.words if form.operands else ():
                filled = [operand.field for operand in form.operands if isinstance(operand, p.Operand)]
                assert sorted((*filled, *form.fields.get(head, ()))) == sorted(parts(cls)), cls.__name__


def test_a_head_has_one_role_and_one_layout() -> None:
    for head in HEADS | OPERATORS:
        forms = [form for form in FORMS if head in form.words]
        assert len({(form.role, form.layout) for form in forms}) == 1, head
