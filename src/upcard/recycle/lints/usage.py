"""Where each storage and location of a program is read and written."""

from __future__ import annotations

from dataclasses import dataclass, field

from upcard.recycle import program as p
from upcard.recycle.lints.lint_subject import Key, Subject
from upcard.recycle.source import Span


@dataclass
class Use:
    reads: list[Span] = field(default_factory=list)
    writes: list[Span] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.reads) + len(self.writes)


@dataclass
class Usage:
    uses: dict[Key, Use]
    """By literal name. For locations a write is a place that names it right there."""
    filled: set[Key]
    """Locations that cards or references can come into, by any road; a computed name has no name here."""
    open: set[Key]
    """Nameless keys: some storage or location of that space and owner goes by a computed name."""

    def written(self, key: Key) -> bool:
        """Whether anything may write it."""
        if key in self.filled or key.nameless in self.filled:
            return True
        use = self.uses.get(key)
        return use is not None and bool(use.writes)


def usage(subject: Subject) -> Usage:
    """One walk over the program."""
    found = Usage({}, set(), set())
    targets: set[int] = set()
    for node in subject.nodes:
        if isinstance(node, p.Store):
            targets.add(id(node.store))
            key = subject.key(node.store)
            if key.name is None:
                found.filled.add(key)
        elif isinstance(node, p.Move | p.Remember):
            found.filled.update(subject.families(node.place))
            if isinstance(node.place, p.Position):
                targets.add(id(node.place.cards))
        elif isinstance(node, p.Swap):
            found.filled.update(subject.families(node.left))
            found.filled.update(subject.families(node.right))
        elif isinstance(node, p.CreateDeck):
            targets.add(id(node.location))
            found.filled.update(subject.families(node.location))
        elif isinstance(node, p.Named):
            # a target stands below its action, which came first
            _note(subject, found, node, id(node) in targets)
    return found


def _note(
    subject: Subject,
    found: Usage,
    node: p.Named,
    is_target: bool,
) -> None:
    key = subject.key(node)
    if key.name is None:
        found.open.add(key)
        return
    use = found.uses.setdefault(key, Use())
    (use.writes if is_target else use.reads).append(node.name.span)
