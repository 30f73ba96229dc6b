"""What the checker knows while it walks: findings, scopes, and evidence for the counting base."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from upcard.recycle import program as p
from upcard.recycle.diagnostics import Diagnostic, suggest
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.kinds import Kind
from upcard.recycle.reader import read
from upcard.recycle.source import Source, Span

MAX_FINDINGS = 100


@dataclass
class Evidence:
    """What the text says about counting from 0 or from 1 (the checker decides once it has seen it all)."""

    newer: Span | None = None
    """The first form that only the newer dialect has."""
    team_lists: list[tuple[Span, list[tuple[int, Span]]]] = field(default_factory=list)
    """Each team list with the literal numbers in it."""
    players: list[tuple[int, Span]] = field(default_factory=list)
    """Literal (n player)."""
    teams: list[tuple[int, Span]] = field(default_factory=list)
    """Literal (n team)."""


class Context:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.findings: list[Diagnostic] = []
        self.evidence = Evidence()
        self.slots = 0
        self.sites = 0
        self.steps = 0
        self.in_choice = False
        self.in_declare = False
        self._scope: dict[str, list[p.Binding]] = {}

    # --- findings ------------------------------------------------------------------------------

    def report(self, code: str, span: Span, message: str, hint: str = "") -> None:
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(Diagnostic(code, span, message, hint))

    def bad(self, code: str, span: Span, message: str, hint: str = "") -> p.Bad:
        self.report(code, span, message, hint)
        return p.Bad(span)

    def newer_form(self, span: Span) -> None:
        if self.evidence.newer is None:
            self.evidence.newer = span

    def text(self, node: Node) -> str:
        """The writer's own words, shortened for a message."""
        # a form may be as long as the file; its start is all that is shown
        end = min(node.span.end, node.span.start + 200)
        text = " ".join(self.source.text[node.span.start : end].split())
        return text if len(text) <= 32 else text[:29] + "..."

    # --- variables -----------------------------------------------------------------------------

    def bind(self, name: Atom, kind: Kind, how: str, source: p.Expr) -> p.Binding:
        """A binding that no scope holds yet."""
        assert how in ("declare", "let", "each")
        binding = p.Binding(self.slots, name.text, kind, name.span, how, source)  # type: ignore[arg-type]
        self.slots += 1
        return binding

    @contextmanager
    def scope(self, binding: p.Binding) -> Iterator[None]:
        self.declare(binding)
        try:
            yield
        finally:
            self._scope[binding.name].pop()

    def declare(self, binding: p.Binding) -> None:
        self._scope.setdefault(binding.name, []).append(binding)

    def variable(self, atom: Atom) -> p.Expr:
        bindings = self._scope.get(atom.text)
        if bindings:
            return p.Var(atom.span, bindings[-1])
        if len(self.findings) >= MAX_FINDINGS:
            return p.Bad(atom.span)  # looking for a likely name would be work for nothing
        known = [name for name, stack in self._scope.items() if stack]
        meant = suggest(atom.text, sorted(known))
        if meant:
            hint = f"did you mean '{meant}?"
        elif known:
            hint = "variables known here: " + ", ".join("'" + name for name in sorted(known)[:6])
        else:
            hint = f"bind it first, such as (let (top (game vloc PILE)) '{atom.text[:12]} ...)"
        return self.bad("E301", atom.span, f"the variable '{atom.text} has no value here", hint)

    # --- shapes --------------------------------------------------------------------------------

    def operands(self, form: Form, least: int, most: int, shape: str) -> tuple[Node, ...] | None:
        """The items behind the head, if their number is right and no mark stands among them."""
        rest = form.items[1:]
        for item in rest:
            if isinstance(item, Atom) and item.kind == "mark":
                self.report("E114", item.span, f"{item.text} has no place here", f"write {shape}")
                return None
        if least <= len(rest) <= most:
            return rest
        head = form.head or self.text(form.items[0])
        if len(rest) < least:
            wanted = _count(least) if least == most else f"at least {_count(least)}"
            span, missing = self._hole(form, shape)
            message = f"{head} needs {missing}" if missing else f"{head} needs {wanted}, but has {len(rest)}"
            self.report("E201", span, message, f"write {shape}")
        else:
            wanted = _count(most) if least == most else f"at most {_count(most)}"
            self.report(
                "E201", rest[most].span, f"{head} takes {wanted}, but has {len(rest)}", f"write {shape}"
            )
        return None


    def gap(self, form: Form) -> Span:
        """Where something is missing at the end of a form: the whole of a short form, the end of a long one.

        A form over several lines is closed on the line that lacks something, not on the one that opens it.
        """
        if self._broken(form.span.start, form.span.end):
            # a line that ends behind the first word, or parenthesis, lost what should follow there
            opening = form.items[0].span.end if form.items and isinstance(form.items[0], Atom) else 0
            opening = max(opening, form.span.start + 1)
            second = form.items[1:2] if opening > form.span.start + 1 else form.items[:1]
            if second and self._broken(opening, second[0].span.start):
                return Span(form.span.start, opening)
            return Span(form.span.end - 1, form.span.end)
        return form.span

    def _broken(self, start: int, end: int) -> bool:
        return self.source.text.find("\n", start, end) >= 0

    def _hole(self, form: Form, shape: str) -> tuple[Span, str]:
        """Where an operand is missing, and which if that can be told.

        The example shows where variables and words such as using belong.
        """
        rest = form.items[1:]
        example = read(Source("", shape)).form
        marks = [_slot(item) for item in example.items[1:]] if example else []
        if len(marks) != len(rest) + 1 or not rest:
            return self.gap(form), ""
        have = [_slot(item) for item in rest]
        fits = [sum(a == b for a, b in zip(have, marks[:i] + marks[i + 1 :], strict=True)) for i in range(len(marks))]
        hole = max(range(len(marks)), key=lambda i: (fits[i], i))
        if marks[hole] == "'":
            end = form.items[hole].span.end
            return Span(end - 1, end), f"a variable behind {self.text(form.items[hole])}"
        if marks[hole] == "using":
            return rest[hole].span, f"the word using before {self.text(rest[hole])}"
        return (rest[hole].span if hole < len(rest) else self.gap(form)), ""


def _slot(node: Node) -> str:
    """What can be told of an operand at a glance: it is a variable, or a certain word, or a value."""
    if isinstance(node, Atom) and node.kind in ("variable", "word"):
        return "'" if node.kind == "variable" else node.text
    return ""


def _count(n: int) -> str:
    return "nothing behind it" if n == 0 else "1 operand" if n == 1 else f"{n} operands"
