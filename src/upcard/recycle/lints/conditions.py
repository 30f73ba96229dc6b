"""Turns conditions of a program into formulas over shared terms.

Two forms are equal here when they read alike, whatever their variables are called. A filter's size, an any
and an all as conditions, and an any in a choice all speak of the same number: how many elements pass.
"""

from __future__ import annotations

from typing import TypeAlias

from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.lints.domains import Domains
from upcard.recycle.lints.formulas import (
    FLIPPED,
    Domain,
    Every,
    Formula,
    Test,
    every,
    opposite,
    size,
    some,
    tests,
)
from upcard.recycle.lints.lint_subject import Subject
from upcard.recycle.walk import parts

Env: TypeAlias = dict[int, int]
"""Loop variables around a form, by slot, with their depth: what they are called does not matter."""

MAX_NODES = 300
"""A condition longer than this is taken as one term that nothing is known of."""


class Conditions:
    """One for each choice, since what a storage can hold depends on where the text stands."""

    def __init__(self, subject: Subject, domains: Domains) -> None:
        self._subject = subject
        self._domains = domains
        self._ids: dict[object, int] = {}
        # a chain of lets may lead back to the same one very often, so each is looked at once
        self._bound: dict[int, int] = {}
        self._held: dict[int, Formula] = {}
        self._spread: dict[tuple[int, int], tuple[int, Formula]] = {}
        self.domains: dict[int, Domain] = {}
        self.depths: dict[int, frozenset[int]] = {}
        """Which loop variables a term looks at."""
        self._card_counts: set[int] = set()
        """Terms that count the cards or groups that pass some test."""

    # --- terms ---------------------------------------------------------------------------------

    def _intern(self, shape: object, depths: frozenset[int], domain: Domain | None = None) -> int:
        term = self._ids.setdefault(shape, len(self._ids))
        self.depths.setdefault(term, depths)
        self.domains.setdefault(term, domain or Domain())
        return term

    def _term(self, expr: p.Expr, env: Env) -> int:
        """The number of a value."""
        if isinstance(expr, p.Var):
            return self._variable(expr, env)
        if expr.kind is Kind.BOOL:
            return self._formula_term(self.of(expr, env))
        if isinstance(expr, p.Size):
            return self.count(expr.of, True, env)
        if isinstance(expr, p.Random):
            return self._intern(("draw", expr), frozenset())  # never the same twice
        found: list[object] = [type(expr).__name__]
        depths: set[int] = set()
        inner = env
        for name in parts(type(expr)):
            value = getattr(expr, name)
            if isinstance(value, p.Binding):
                inner = {**env, value.slot: len(env)}
            else:
                found.append(self._part(value, inner, depths))
        depths.discard(len(env) if inner is not env else -1)
        return self._intern(tuple(found), frozenset(depths), self._domains.of(expr, expr.span.start))

    def _part(self, value: object, env: Env, depths: set[int]) -> object:
        if isinstance(value, p.Expr):
            term = self._term(value, env)
            depths |= self.depths[term]
            return ("term", term)
        if isinstance(value, tuple):
            return tuple(self._part(part, env, depths) for part in value)
        return "table" if isinstance(value, p.Table) else value

    def _variable(self, var: p.Var, env: Env) -> int:
        binding = var.binding
        if binding.how == "let":
            if binding.slot not in self._bound:
                self._bound[binding.slot] = self._term(binding.source, env)
            return self._bound[binding.slot]
        if binding.slot in env:
            depth = env[binding.slot]
            return self._intern(("element", depth), frozenset({depth}))
        text, number = self._subject.text(var), self._subject.number(var)
        if text is not None or number is not None:
            return self._intern(("constant", text, number), frozenset())
        return self._intern(("variable", binding.slot), frozenset())

    def _formula_term(self, formula: Formula) -> int:
        return self._intern(("formula", _canonical(formula)), self.looks_at(formula))

    def looks_at(self, formula: Formula) -> frozenset[int]:
        if isinstance(formula, bool):
            return frozenset()
        if isinstance(formula, Test):
            return self.depths[formula.term]
        return frozenset().union(*map(self.looks_at, formula.parts))

    def count(self, source: p.Expr, passing: Formula, env: Env) -> int:
        """How many elements of a collection pass; the element has the depth of `env`."""
        base, own = self._parts(source, env)
        passing = every(own, passing)
        depths = self.depths[base] | (self.looks_at(passing) - {len(env)})
        term = self._intern(("count", base, _canonical(passing)), depths, Domain(least=0))
        if passing is not True and source.kind in (Kind.CARDS, Kind.LISTS):
            self._card_counts.add(term)
        return term

    def finds_cards(self, formula: Formula) -> bool:
        """Whether the formula says somewhere that some card passes a test."""
        return any(
            test.term in self._card_counts and test.operator in (">", ">=", "!=") for test in tests(formula)
        )

    def _parts(self, source: p.Expr, env: Env) -> tuple[int, Formula]:
        """What a filter of filters goes through in the end, and what must hold to pass them all."""
        if isinstance(source, p.Var) and source.binding.how == "let":
            place = (source.binding.slot, len(env))
            if place not in self._spread:
                self._spread[place] = self._parts(source.binding.source, env)
            return self._spread[place]
        if isinstance(source, p.Filter):
            base, outer = self._parts(source.source, env)
            return base, every(outer, self.of(source.test, {**env, source.binding.slot: len(env)}))
        return self._term(source, env), True

    # --- conditions ----------------------------------------------------------------------------

    def of(self, expr: p.Expr, env: Env) -> Formula:
        formula = self._find(expr, env)
        if size(formula) > MAX_NODES:
            return Test(self._intern(("long", expr), frozenset(env.values())), "==", "SO")
        return formula

    def _find(self, expr: p.Expr, env: Env) -> Formula:
        if isinstance(expr, p.Truth):
            return expr.value
        if isinstance(expr, p.Not):
            return opposite(self.of(expr.of, env))
        if isinstance(expr, p.Logic):
            parts = [self.of(operand, env) for operand in expr.operands]
            return every(*parts) if expr.operator == "and" else some(*parts)
        if isinstance(expr, p.Compare):
            return self._numbers(expr.operator, expr.left, expr.right, env)
        if isinstance(expr, p.Same):
            operator = "!=" if expr.negated else "=="
            if expr.of is Kind.INT:
                return self._numbers(operator, expr.left, expr.right, env)
            return self._equal(operator, expr.left, expr.right, env)
        if isinstance(expr, p.Quantified):
            test = self.of(expr.test, {**env, expr.binding.slot: len(env)})
            term = self.count(expr.source, opposite(test) if expr.every else test, env)
            return Test(term, "<=", 0) if expr.every else Test(term, ">=", 1)
        if isinstance(expr, p.Var):
            return self._truth(expr, env)
        return Test(self._intern(("odd", expr), frozenset()), "==", "SO")

    def _truth(self, var: p.Var, env: Env) -> Formula:
        """A condition that was bound."""
        slot = var.binding.slot
        if var.binding.how == "let":
            if slot not in self._held:
                self._held[slot] = self.of(var.binding.source, env)
            return self._held[slot]
        if isinstance(var.binding.source, p.Truth):
            return var.binding.source.value
        return Test(self._intern(("variable", slot), frozenset()), "==", "SO")

    def _numbers(self, operator: str, left: p.Expr, right: p.Expr, env: Env) -> Formula:
        low, high = self._subject.number(left), self._subject.number(right)
        if high is not None:
            if low is not None:
                return _decided(operator, low - high)
            return Test(self._term(left, env), operator, high)
        if low is not None:
            return Test(self._term(right, env), FLIPPED[operator], low)
        a, b = self._term(left, env), self._term(right, env)
        if a == b:
            return _decided(operator, 0)
        if a > b:
            a, b, operator = b, a, FLIPPED[operator]
        return Test(self._intern(("difference", a, b), self.depths[a] | self.depths[b]), operator, 0)

    def _equal(self, operator: str, left: p.Expr, right: p.Expr, env: Env) -> Formula:
        first, second = self._subject.text(left), self._subject.text(right)
        if first is not None and second is not None:
            return (first == second) == (operator == "==")
        if second is not None:
            return Test(self._term(left, env), operator, second)
        if first is not None:
            return Test(self._term(right, env), operator, first)
        a, b = sorted((self._term(left, env), self._term(right, env)))
        if a == b:
            return operator == "=="
        return Test(self._intern(("same", a, b), self.depths[a] | self.depths[b]), operator, "SO")


def _decided(operator: str, difference: int) -> bool:
    return {
        "==": difference == 0,
        "!=": difference != 0,
        "<": difference < 0,
        ">": difference > 0,
        "<=": difference <= 0,
        ">=": difference >= 0,
    }[operator]


def _canonical(formula: Formula) -> object:
    """The same for formulas that differ only in the order of their parts."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, Test):
        return (formula.term, formula.operator, formula.constant)
    return (isinstance(formula, Every), frozenset(map(_canonical, formula.parts)))
