"""Enumerates repairs by one parenthesis and scores them.

The text is never changed or read again: a repair is a tree, which shares with the one as it stands all that
the parenthesis does not touch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.reserved_words import CLASSES, STORAGES, lengths
from upcard.recycle.source import Source, Span

MANY = 10_000_000


@dataclass(frozen=True, slots=True)
class Repair:
    """One parenthesis added or taken away, and the tree that this gives."""

    at: int
    """Where it is added, or which one is taken away."""
    parenthesis: str
    added: bool
    run: int
    """How many parentheses stand together there."""
    tree: Form
    changed: tuple[Form, ...]
    """The forms of the tree that the text as it stands does not have."""
    of: Form
    """The form that the parenthesis opens or closes."""
    behind: Node | None = None
    """What stands before an added opening parenthesis."""

    def diagnostic(self, source: Source) -> Diagnostic:
        line = source.line(self.at)
        if self.added and self.parenthesis == ")":
            opener = source.line(self.of.span.start)
            what = self.of.head or "list"
            where = "on this line" if opener == line else f"on line {opener}"
            return Diagnostic(
                "E110",
                Span(self.at - 1, self.at),
                "a closing parenthesis is missing, probably after this",
                f"it would close the {what} that opens {where}",
            )
        if self.added:
            before = self.behind
            if (
                isinstance(before, Atom)
                and before.is_word("do", "choice")
                and source.line(before.span.end) < line
            ):
                # the list of items opens behind the word, not on a line of its own
                return Diagnostic(
                    "E111",
                    before.span,
                    "an opening parenthesis is missing, probably after this",
                    "the items of do and choice need their own parentheses, as in (do ((turn pass)))",
                )
            at = self._crowded(source)
            return Diagnostic(
                "E111",
                Span(at, at + 1),
                "an opening parenthesis is missing, probably before this",
                "each form has its own parentheses, as in (do ((turn pass)))",
            )
        if self.parenthesis == "(":
            return Diagnostic(
                "E110",
                Span(self.at, self.at + 1),
                "this opening parenthesis is probably not needed",
                "remove it, or close the form that it opens",
            )
        return Diagnostic(
            "E111",
            Span(self.at, self.at + 1),
            "this closing parenthesis is probably not needed",
            "remove it, or add the opening parenthesis that it should match",
        )

    def _crowded(self, source: Source) -> int:
        """Of a run of opening parentheses over several lines, the part that stands before a word."""
        starts, node = [self.at], self.of.items[0]
        while isinstance(node, Form) and node.items:
            node = node.items[0]
            starts.append(node.span.start)
        last = source.line(starts[-1])
        return next(start for start in starts if source.line(start) == last)


@dataclass(frozen=True, slots=True)
class _Step:
    """A form on the way down from the game, and its place in the form above."""

    form: Form
    index: int
    above: _Step | None


def _steps(root: _Step) -> Iterator[_Step]:
    stack = [root]
    while stack:
        here = stack.pop()
        yield here
        for index, item in enumerate(here.form.items):
            if isinstance(item, Form):
                stack.append(_Step(item, index, here))


def closings(game: Form) -> Iterator[Repair]:
    """Close a form earlier: each form around it then ends where the one inside it did."""
    top = _Step(game, 0, None)
    yield Repair(_last(game), ")", True, 1, game, (game,), game)
    if not game.items or not isinstance(game.items[-1], Form):
        return
    for step in _steps(_Step(game.items[-1], len(game.items) - 1, top)):
        items = step.form.items
        for i in range(1, len(items)):
            # looked at before anything is built: in a long form most places are ruled out by this
            if not _possible(items[0], items[1] if i > 1 else None, i):
                continue
            inner = Form(items[:i], Span(step.form.span.start, items[i - 1].span.end))
            tree, changed = _shifted(step, inner, items[i:])
            yield Repair(items[i - 1].span.end, ")", True, _closers(items[i - 1]), tree, changed, inner)


def without_opening(game: Form) -> Iterator[Repair]:
    """Take an opening parenthesis away: what stood in it belongs to the form around it."""
    if not game.items or not isinstance(game.items[-1], Form):
        return
    top = _Step(game, 0, None)
    for step in _steps(_Step(game.items[-1], len(game.items) - 1, top)):
        above = step.above
        if above is None or not step.form.items or (step.index == 0 and above is not top):
            continue  # of a run of parentheses it is enough to try the outermost
        joined = Form(
            (*above.form.items[: step.index], *step.form.items),
            Span(above.form.span.start, step.form.span.end),
        )
        tree, changed = _shifted(above, joined, above.form.items[step.index + 1 :])
        yield Repair(step.form.span.start, "(", False, _openers(step.form), tree, changed, step.form)


def _shifted(step: _Step, inner: Form, rest: tuple[Node, ...]) -> tuple[Form, tuple[Form, ...]]:
    """The tree in which `inner` stands for a form, and `rest` is left over for the form around it."""
    changed = [inner]
    here = step
    while here.above is not None:
        parent = here.above.form
        inner = Form((*parent.items[: here.index], inner, *rest), Span(parent.span.start, here.form.span.end))
        changed.append(inner)
        rest = parent.items[here.index + 1 :]
        here = here.above
    return inner, tuple(changed)


def openings(game: Form, trail: tuple[Node, ...]) -> Iterator[Repair]:
    """Open a form earlier: each form around it then ends where the one around that did."""
    for step in _steps(_Step(game, 0, None)):
        items = step.form.items
        for i in range(1, len(items)):
            first, second = items[i], items[i + 1] if i + 1 < len(items) else None
            if (isinstance(first, Atom) and first.kind == "mark") or not _possible(
                first, second, len(items) - i
            ):
                continue
            inner = Form(items[i:], Span(items[i].span.start, step.form.span.end))
            tree, changed = _widened(step, (*items[:i], inner), trail)
            at, run = items[i].span.start, _openers(items[i])
            yield Repair(at, "(", True, run, tree, (inner, *changed), inner, items[i - 1])


def without_closing(game: Form, trail: tuple[Node, ...]) -> Iterator[Repair]:
    """Take a closing parenthesis away: the form goes on where it ended."""
    for step in _steps(_Step(game, 0, None)):
        above = step.above
        if above is not None and step.index == len(above.form.items) - 1:
            continue
        tree, changed = _widened(step, step.form.items, trail)
        yield Repair(step.form.span.end - 1, ")", False, _closers(step.form), tree, changed, step.form)


def _widened(step: _Step, items: tuple[Node, ...], trail: tuple[Node, ...]) -> tuple[Form, tuple[Form, ...]]:
    """The tree in which a form has these items, and then those that follow it in the form around it."""
    changed = []
    here: _Step | None = step
    while here is not None:
        above = here.above
        following = trail if above is None else above.form.items[here.index + 1 :]
        end = here.form.span.end if above is None else above.form.span.end
        made = Form((*items, *following), Span(here.form.span.start, end))
        changed.append(made)
        if above is not None:
            items = (*above.form.items[: here.index], made)
        here = above
    return made, tuple(changed)


def _closers(node: Node) -> int:
    """How many closing parentheses the node ends in."""
    count = 0
    while isinstance(node, Form):
        count += 1
        if not node.items:
            break
        node = node.items[-1]
    return count


def _openers(node: Node) -> int:
    count = 0
    while isinstance(node, Form):
        count += 1
        if not node.items:
            break
        node = node.items[0]
    return count


def _last(form: Form) -> int:
    """Where the last item of a form ends."""
    return form.items[-1].span.end if form.items else form.span.start + 1


# --- what can be ruled out at once ----------------------------------------------------------------

_LENGTHS = lengths()
"""How many items a form can have, its first word included: most repairs fail already here."""


def _possible(first: Node, second: Node | None, count: int) -> bool:
    """Whether forms that start like this can have this number of items."""
    head = first.text if isinstance(first, Atom) else ""
    if isinstance(second, Atom) and second.kind == "word":
        if second.text in STORAGES:
            return count == 3
        if second.text in CLASSES and head != "indexed":
            return 3 <= count <= 4
    least, most = _LENGTHS.get(head, (1, MANY))
    return least <= count <= most


def form_possible(form: Form) -> bool:
    items = form.items
    return bool(items) and _possible(items[0], items[1] if len(items) > 1 else None, len(items))
