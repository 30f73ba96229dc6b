"""Where was the parenthesis lost? A text whose parentheses do not match has no sure structure.

When one parenthesis is missing or too many, every place where adding or removing one would help is tried:
the repaired tree must be a program, or as nearly one as can be had. Places that do equally well are told
apart by the writer's layout (people lay programs out by what they mean), and then by where parentheses
crowd: the longer a run of them, the easier one is lost in it.

When more than one is missing, only clues are left, the surest first; each is a walk over the lines:

1. a word that can only open a form stands without its parenthesis, or a `do` or `choice` lacks the
   second parenthesis of its list;
2. two neighbouring lines that start in the same column should be siblings: equally deep;
3. a line that starts at or left of a form that opened an earlier line should be outside that form.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.source import Source, Span
from upcard.recycle.words import CLASSES, ONLY_HEADS

_TOKEN = re.compile(r";;[^\n]*|\n|[()]|'?[A-Za-z0-9_]+|[^\s();'A-Za-z0-9_]+|[';]")


@dataclass(frozen=True, slots=True)
class Guess:
    """What to say, and how much work it took to find out."""

    diagnostic: Diagnostic
    steps: int


def holds_forms(source: Source, span: Span) -> bool:
    """Whether a stretch of text has anything but closing parentheses and comments."""
    return any(
        not m.group().startswith(";;") and m.group() not in ("\n", ")")
        for m in _TOKEN.finditer(source.text, span.start, span.end)
    )


def unclosed(source: Source, form: Form, count: int) -> Guess:
    """The text ended with forms open; `form` is what it would be if they were all closed at its end."""
    search = _Search(source)
    best = search.best(chain(_closings(form), _without_opening(form))) if count == 1 else None
    if best is not None:
        return Guess(best.diagnostic(source), search.steps)
    place = _by_clues(source)
    missing = "a closing parenthesis is missing" if count == 1 else f"{count} closing parentheses are missing"
    at = form.span.start if place is None else place
    return Guess(
        Diagnostic(
            "E110",
            Span(at, at + 1),
            f"{missing}, probably from here on",
            "indent each form below the one it stands in, and close it before the next",
        ),
        search.steps + len(source.text),
    )


def closed_early(source: Source, form: Form, trail: tuple[Node, ...], count: int) -> Guess | None:
    """The game form ended and something follows: `trail`, with `count` closing parentheses too many.

    None when nothing but parentheses follows and the game is none the better for any repair.
    """
    search = _Search(source)
    errors = _MANY if trail else search.errors(form)
    if errors == 0:
        return None
    repairs = chain(_openings(form, trail), _without_closing(form, trail))
    best = search.best(repairs, errors) if count == 1 else None
    if best is not None:
        return Guess(best.diagnostic(source), search.steps)
    if not trail:
        return None
    place = _by_clues(source)
    at = place if place is not None else form.span.end - 1
    return Guess(
        Diagnostic(
            "E111",
            Span(at, at + 1),
            "parentheses do not match, probably from here on",
            f"as it stands, the game ends on line {source.line(form.span.end - 1)}",
        ),
        search.steps + len(source.text),
    )


# --- repairs -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Repair:
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
                    "the items of do and choice stand in a list of their own, such as (do ((turn pass)))",
                )
            at = self._crowded(source)
            return Diagnostic(
                "E111",
                Span(at, at + 1),
                "an opening parenthesis is missing, probably before this",
                "each form has a parenthesis of its own, such as (do ((turn pass)))",
            )
        if self.parenthesis == "(":
            return Diagnostic(
                "E110",
                Span(self.at, self.at + 1),
                "this opening parenthesis is probably one too many",
                "remove it, or find where its form should end",
            )
        return Diagnostic(
            "E111",
            Span(self.at, self.at + 1),
            "this closing parenthesis is probably one too many",
            "remove it, or find the opening one that it should match",
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


def _closings(game: Form) -> Iterator[_Repair]:
    """Close a form earlier: each form around it then ends where the one inside it did."""
    top = _Step(game, 0, None)
    yield _Repair(_last(game), ")", True, 1, game, (game,), game)
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
            yield _Repair(items[i - 1].span.end, ")", True, _closers(items[i - 1]), tree, changed, inner)


def _without_opening(game: Form) -> Iterator[_Repair]:
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
        yield _Repair(step.form.span.start, "(", False, _openers(step.form), tree, changed, step.form)


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


def _openings(game: Form, trail: tuple[Node, ...]) -> Iterator[_Repair]:
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
            yield _Repair(at, "(", True, run, tree, (inner, *changed), inner, items[i - 1])


def _without_closing(game: Form, trail: tuple[Node, ...]) -> Iterator[_Repair]:
    """Take a closing parenthesis away: the form goes on where it ended."""
    for step in _steps(_Step(game, 0, None)):
        above = step.above
        if above is not None and step.index == len(above.form.items) - 1:
            continue
        tree, changed = _widened(step, step.form.items, trail)
        yield _Repair(step.form.span.end - 1, ")", False, _closers(step.form), tree, changed, step.form)


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


# --- which repair --------------------------------------------------------------------------------

_MANY = 10_000_000

_LENGTHS: dict[str, tuple[int, int]] = {
    head: (least, most)
    for heads, least, most in (
        ("do choice end forget shuffle turn owner actual not size tri fib pid subsets other", 2, 2),
        ("move remember swap set cycle repeat declare scoring cardatt < > <= >= == !=", 3, 3),
        ("inc dec top bottom", 2, 3),
        ("all any filter let sum score scoremax scoremin sort max min indexed range", 4, 4),
        ("tuples", 5, 5),
        ("run runs", 6, 6),
        ("random", 2, 4),
        ("and or + - * // % ^ create partition", 3, _MANY),
        ("stage", 4, _MANY),
        ("union intersect disjunction", 2, _MANY),
    )
    for head in heads.split()
}
"""How many items a form can have, its first word included: most repairs fail already here."""


def _possible(first: Node, second: Node | None, count: int) -> bool:
    """Whether there are forms with so many items that start like this."""
    head = first.text if isinstance(first, Atom) else ""
    if isinstance(second, Atom) and second.kind == "word":
        if second.text in ("sto", "str", "points"):
            return count == 3
        if second.text in CLASSES and head != "indexed":
            return 3 <= count <= 4
    least, most = _LENGTHS.get(head, (1, _MANY))
    return least <= count <= most


def _form_possible(form: Form) -> bool:
    items = form.items
    return bool(items) and _possible(items[0], items[1] if len(items) > 1 else None, len(items))


class _Search:
    """Tries repairs, within a budget: a text as long as a book must not take long to refuse."""

    def __init__(self, source: Source) -> None:
        # the checker reads examples with the reader, which asks for guesses here
        from upcard.recycle.checker import collections as _collections  # noqa: F401
        from upcard.recycle.checker.context import Trial

        self.source = source
        self.steps = 0
        self.budget = 50_000 + 30 * len(source.text)
        self.trial = Trial()
        # as in front.check: forms are walked by recursion, some six calls a level
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))

    def errors(self, tree: Form) -> int:
        from upcard.recycle.checker import shape
        from upcard.recycle.checker.context import Context

        ctx = Context(self.source, self.trial)
        self.trial.errors = 0
        self.trial.forms.append(tree)
        shape.game(ctx, tree, {})
        self.steps += ctx.steps + len(tree.items)
        return self.trial.errors

    def best(self, repairs: Iterable[_Repair], below: int = _MANY) -> _Repair | None:
        """The best repair, if it leaves fewer errors than `below`."""
        found: list[_Repair] = []
        fewest = below
        for repair in repairs:
            self.steps += sum(1 + len(form.items) for form in repair.changed)
            if self.steps > self.budget:
                if fewest:
                    return None  # what was found so far is not good, and better may be further on
                break
            if not all(map(_form_possible, repair.changed)):
                continue
            errors = self.errors(repair.tree)
            if errors < fewest:
                found, fewest = [repair], errors
            elif errors == fewest < below:
                found.append(repair)
        found = self._best_laid_out(found)
        weights: dict[int, int] = defaultdict(int)
        for repair in found:
            weights[self.source.line(repair.at)] += repair.run + 1
        return max(
            found,
            key=lambda r: (weights[self.source.line(r.at)], r.run, -r.at),
            default=None,
        )

    def _best_laid_out(self, repairs: list[_Repair]) -> list[_Repair]:
        if len(repairs) < 2:
            return repairs
        lines = _lines(self.source)
        found: list[_Repair] = []
        fewest = _MANY
        for repair in repairs:
            self.steps += len(self.source.text) // 4
            if self.steps > 2 * self.budget:
                break
            oddities = _oddities(lines, repair)
            if oddities < fewest:
                found, fewest = [], oddities
            if oddities == fewest:
                found.append(repair)
        return found


# --- layout --------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Line:
    """A line with tokens on it."""

    number: int
    column: int
    depth: int
    start: int
    last: int = 0
    tokens: list[tuple[str, int]] = field(default_factory=list)


def _oddities(lines: list[_Line], repair: _Repair) -> int:
    """How many lines would stand at an unexpected column."""
    odd = 0
    # of each open form: the column of the line it opened in, and that of its items that start a line
    open_forms: list[list[int]] = []
    pending = True
    for line in lines:
        for index, (text, at) in enumerate(line.tokens):
            if pending and at >= repair.at:
                pending = False
                if not repair.added:
                    continue
                if repair.parenthesis == "(":
                    open_forms.append([line.column, -1])
                elif open_forms:
                    open_forms.pop()
            if index == 0 and text != ")" and open_forms:
                form = open_forms[-1]
                odd += line.column <= form[0]
                odd += form[1] not in (-1, line.column)
                form[1] = line.column
            if text == "(":
                open_forms.append([line.column, -1])
            elif text == ")" and open_forms:
                open_forms.pop()
    return odd


def _lines(source: Source) -> list[_Line]:
    lines: list[_Line] = []
    depth, number, line_start, fresh = 0, 1, 0, True
    for match in _TOKEN.finditer(source.text):
        text = match.group()
        if text == "\n":
            number, line_start, fresh = number + 1, match.end(), True
            continue
        if text.startswith(";;"):
            continue
        if fresh:
            lines.append(_Line(number, match.start() - line_start, depth, match.start()))
            fresh = False
        line = lines[-1]
        line.tokens.append((text, match.start()))
        line.last = match.start()
        if text == "(":
            depth += 1
        elif text == ")":
            depth -= 1
    return lines


def _by_clues(source: Source) -> int | None:
    lines = _lines(source)
    headless = _headless(lines)
    return headless if headless is not None else _by_layout(lines)


def _headless(lines: list[_Line]) -> int | None:
    """Clue 1: the word that lost its parenthesis, or the list that lost its own."""
    previous, before = "", ""
    for line in lines:
        for text, at in line.tokens:
            if text in ONLY_HEADS and previous != "(":
                return at
            # (do ( and (choice ( are followed by a list of items, never by a word
            if previous == "(" and before in ("do", "choice") and text not in ("(", "'"):
                return at
            before, previous = previous, text
    return None


def _by_layout(lines: list[_Line]) -> int | None:
    """Clues 2 and 3. Silent for a text without indentation."""
    if len({line.column for line in lines}) < 2:
        return None
    siblings: list[_Line] = []  # the last line of each column, columns rising
    for index, line in enumerate(lines):
        while siblings and siblings[-1].column > line.column:
            siblings.pop()
        if line.tokens[0][0] == ")":
            continue  # a closing parenthesis on a line of its own is laid out in many ways
        if siblings and siblings[-1].column == line.column:
            if siblings[-1].depth != line.depth:
                # closing parentheses gather at the end of the block before the line
                return lines[index - 1].last if index else line.start
            siblings.pop()
        elif siblings and line.depth <= siblings[-1].depth:
            return lines[index - 1].last
        siblings.append(line)
    return None
