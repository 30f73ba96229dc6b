"""W510: a decision that may have no alternatives.

For each item of a choice there is a formula: when does it offer at least one alternative? A simple action
always does; a conditional does when its condition holds and its item does; a block does when anything in
it does; a loop does when some element does. The choice is fine when one of them always holds (see
`formulas` for what counts as always).

What a loop goes through is taken to hold something, with these exceptions, which hold nothing as easily
as something: a filter of cards or groups, conditions on each card, runs and tuples. Even these are taken
to hold something behind a guard that reads more than the filter's own test does, or that finds some card
itself: such a guard knows something (a flag that says "can follow suit"). A guard that reads only what the
test reads, such as a lead suit, does not. Filters of players, numbers and names are mostly there to
leave one out, so they are never doubted. Where there are too many cases to try, nothing is said.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from upcard.recycle import program as p
from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.kinds import Kind
from upcard.recycle.lints.conditions import Conditions, Env
from upcard.recycle.lints.domains import Domains
from upcard.recycle.lints.effects import read_by
from upcard.recycle.lints.formulas import Every, Formula, Prover, Some, Test, every, some, tests
from upcard.recycle.lints.lint_subject import Subject, looked_at, meaning
from upcard.recycle.walk import below

Reads = frozenset[Hashable]


def missing_else(subject: Subject) -> Iterator[Diagnostic]:
    domains = Domains(subject)
    purse = 1_500_000
    for choice, end in _choices(subject.program.body, None):
        if any(isinstance(item, p.Action) for item in choice.items):
            continue  # most choices: nothing to find out
        offers = _Offers(subject, domains, purse)
        is_sure = offers.always(choice, end)
        purse = offers.prover.left
        if is_sure is False:
            yield Diagnostic(
                "W510",
                subject.spot(choice.span),
                "it is possible that no item of this choice applies",
                "add an item for the remaining case, as in ((== (size (game iloc STOCK)) 0) (turn pass))",
            )


def _choices(body: tuple[p.Element, ...], end: p.Expr | None) -> Iterator[tuple[p.Choice, p.Expr | None]]:
    """Every choice with the end condition of the stage it stands in."""
    for element in body:
        if isinstance(element, p.Stage):
            yield from _choices(element.body, element.end)
        while isinstance(element, p.LetChoice):
            element = element.inner
        if isinstance(element, p.Choice):
            yield element, end


class _Offers:
    def __init__(self, subject: Subject, domains: Domains, purse: int) -> None:
        self._subject = subject
        self._conditions = Conditions(subject, domains)
        self.prover = Prover(self._conditions.domains, purse)

    def always(self, choice: p.Choice, end: p.Expr | None) -> bool | None:
        offered = some(*(self._item(item, {}, frozenset()) for item in choice.items))
        is_sure = self.prover.always(offered)
        if is_sure is False and end is not None:
            # the round would not have begun if the stage were over; what the round did since is left aside
            over = _reached(self._conditions.of(end, {}))
            terms = {test.term for test in tests(offered)}
            if any(test.term in terms for test in tests(over)):
                return self.prover.always(some(offered, over))
        return is_sure

    # --- items ---------------------------------------------------------------------------------

    def _item(self, item: p.Item, env: Env, guards: Reads) -> Formula:
        if isinstance(item, p.When):
            test = self._conditions.of(item.test, env)
            reads = self._reads(item.test)
            if self._conditions.finds_cards(test):
                reads |= {"cards"}
            return every(test, self._item(item.item, env, guards | reads))
        if isinstance(item, p.Do):
            return some(*(self._item(inner, env, guards) for inner in item.items))
        if isinstance(item, p.Let):
            return self._item(item.item, env, guards)
        if isinstance(item, p.Repeat):
            count = self._subject.number(item.count)
            return False if count is not None and count <= 0 else self._item(item.item, env, guards)
        if isinstance(item, p.RepeatAll):
            card = item.item.card
            if isinstance(card, p.Position):
                return self._holds_something(card.cards, env, guards)
            return True
        if isinstance(item, p.ForAny | p.ForAll):
            inner = {**env, item.binding.slot: len(env)}
            offered = self._item(item.item, inner, guards)
            tested: set[Hashable] = set()
            for node in below(item.item):
                if isinstance(node, p.When):
                    tested |= self._reads(node.test)
            return self._exists(item.source, offered, env, guards, tested)
        return True

    def _exists(
        self, source: p.Expr, offered: Formula, env: Env, guards: Reads, tested: set[Hashable]
    ) -> Formula:
        """Some element of the source for which the formula holds."""
        if self.prover.always(offered) is True:
            offered = True
        if isinstance(offered, bool):
            return offered and self._holds_something(source, env, guards)
        if isinstance(offered, Some):
            return some(*(self._exists(source, part, env, guards, tested) for part in offered.parts))
        parts = offered.parts if isinstance(offered, Every) else (offered,)
        depth = len(env)
        about = [part for part in parts if depth in self._conditions.looks_at(part)]
        others = [part for part in parts if depth not in self._conditions.looks_at(part)]
        if not about:
            return every(self._holds_something(source, env, guards), *others)
        if source.kind not in (Kind.CARDS, Kind.LISTS) or guards - tested:
            return every(*others)
        return every(Test(self._conditions.count(source, every(*about), env), ">=", 1), *others)

    def _holds_something(self, source: p.Expr, env: Env, guards: Reads) -> Formula:
        source = meaning(source)
        if isinstance(source, p.Names):
            return bool(source.texts)
        if isinstance(source, p.Range):
            low, high = self._subject.number(source.low), self._subject.number(source.high)
            return low is None or high is None or low <= high
        if isinstance(source, p.Players):
            return not source.others or self._subject.program.players > 1
        if isinstance(source, p.Sort | p.Subsets):
            return self._holds_something(source.cards, env, guards)
        if isinstance(source, p.Partition) and len(source.parts) == 1:
            return self._holds_something(source.parts[0], env, guards)
        if source.kind not in (Kind.CARDS, Kind.LISTS):
            return True
        if isinstance(source, p.Filter):
            is_known = guards - self._reads(source.test)
        elif isinstance(source, p.Runs | p.Tuples | p.EndRun):
            is_known = guards
        else:
            return True
        return bool(is_known) or Test(self._conditions.count(source, True, env), ">=", 1)

    def _reads(self, expr: p.Expr) -> Reads:
        nodes = list(looked_at(expr))
        loops = {("loop", node.binding.slot) for node in nodes if isinstance(node, p.Var)}
        own = {
            ("loop", node.binding.slot)
            for node in nodes
            if isinstance(node, p.Filter | p.Quantified | p.Each)
        }
        return frozenset({*read_by(self._subject, nodes).keys, *(loops - own)})


def _reached(formula: Formula) -> Formula:
    """An end condition as the writer means it: a count that ends at 3 does not go past 3."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, Test):
        if formula.operator == "==" and isinstance(formula.constant, int):
            return Test(formula.term, ">=" if formula.constant > 0 else "<=", formula.constant)
        return formula
    parts = map(_reached, formula.parts)
    return every(*parts) if isinstance(formula, Every) else some(*parts)
