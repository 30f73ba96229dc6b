"""What the checker knows while it walks: findings, scopes, and evidence for the counting base."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from upcard.recycle import program as p
from upcard.recycle.diagnostics import Diagnostic, suggest
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.kinds import Kind
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
        text = " ".join(self.source.text[node.span.start : node.span.end].split())
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
            span = Span(form.span.start, form.span.end)
            self.report(
                "E201",
                _first_line(self.source, span),
                f"{head} needs {wanted}, but has {len(rest)}",
                f"write {shape}",
            )
        else:
            wanted = _count(most) if least == most else f"at most {_count(most)}"
            self.report(
                "E201", rest[most].span, f"{head} takes {wanted}, but has {len(rest)}", f"write {shape}"
            )
        return None


def _count(n: int) -> str:
    return "nothing behind it" if n == 0 else "1 operand" if n == 1 else f"{n} operands"


def _first_line(source: Source, span: Span) -> Span:
    """The part of a span on its first line: a finding about a whole form points at its start."""
    end = source.text.find("\n", span.start, span.end)
    return Span(span.start, end) if end > span.start else span
