"""Nodes of collections: cards, lists of collections, numbers, names."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from upcard.recycle import failures
from upcard.recycle.kinds import Kind
from upcard.recycle.nodes.node import Binding, End, Expr, LocationClass, Owner, node
from upcard.recycle.nodes.syntax import MAX_OPERANDS, Operand, Syntax
from upcard.recycle.nodes.values import Storage

_COUNTED = "({head} 2 (game vloc PILE) using (game points VALUE))"

# card collections


@node(page="cards-and-places#naming-a-place")
class PlaceForm(Expr):
    """Names places of cards: one, or all the numbered ones of a name."""

    owner: Owner
    cls: LocationClass
    name: Expr


@node(Kind.CARDS, failures=(failures.NO_SUCH_NUMBER,))
class Location(PlaceForm):
    """(OWNER class NAME [n]): live."""

    number: Expr | None
    syntax: ClassVar = Syntax(inside="vloc iloc hloc oloc mem", inside_role="class")


@node(Kind.LISTS, page="cards-and-places#numbered-places", failures=())
class Indexed(PlaceForm):
    """(indexed OWNER class NAME): the numbered locations that hold a card now."""

    syntax: ClassVar = Syntax("indexed", "(indexed game vloc PILE)", count=(3, 3), newer=0)


Named: TypeAlias = Storage | PlaceForm
"""What has an owner and a name: storages and places."""


@node(Kind.CARDS, page="collections#putting-collections-together", failures=(failures.TOO_MANY_CARDS,))
class Combination(Expr):
    """union, intersect, disjunction. A part is a collection or a list of them."""

    how: Literal["union", "intersect", "disjunction"]
    parts: tuple[Expr, ...]
    syntax: ClassVar = Syntax(
        "union intersect disjunction",
        "({head} (game vloc PILE) (game vloc POOL))",
        (Operand("parts", "part", many=1),),
        fields={head: {"how": head} for head in ("union", "intersect", "disjunction")},
        layout="aligned",
    )


@node(page="collections#filter", failures=())
class Filter(Expr):
    """Elements of the source that pass; of the source's own kind."""

    source: Expr
    binding: Binding
    test: Expr
    syntax: ClassVar = Syntax(
        "filter", "(filter (game vloc PILE) 'C (== (cardatt SUIT 'C) HEARTS))", count=(3, 3), layout="binder"
    )

    @property
    def kind(self) -> Kind:
        return self.source.kind


@node(Kind.CARDS, page="collections#sort-and-cards-from-one-end", failures=(failures.TOO_WIDE,))
class Sort(Expr):
    cards: Expr
    using: Expr
    syntax: ClassVar = Syntax(
        "sort",
        "(sort (game vloc PILE) using (game points VALUE))",
        (Operand("cards", Kind.CARDS), "using", Operand("using", Kind.MAP, what="{head} using")),
    )


@node(Kind.CARDS, page="collections#sort-and-cards-from-one-end", failures=(failures.TOO_FEW_CARDS,))
class EndCards(Expr):
    """(top n C), (bottom n C): the n cards nearest that end, in their own order."""

    end: End
    count: Expr
    cards: Expr


@node(Kind.CARDS, page="collections#a-run-at-one-end", failures=(failures.TOO_WIDE,))
class EndRun(Expr):
    """(run top n C using M), (run bottom n C using M)"""

    end: End
    least: Expr
    cards: Expr
    using: Expr
    syntax: ClassVar = Syntax(
        "run", "(run top 3 (game vloc PILE) using (game points VALUE))", count=(5, 5), inside="top bottom"
    )


class ListElement(Expr):
    """One collection of a list."""

    __slots__ = ()
    lists: Expr


@node(Kind.CARDS, page="collections#lists-of-collections", failures=(failures.NO_COLLECTIONS,))
class ListEnd(ListElement):
    """(top L), (bottom L) of a list of collections: its first or last. Mind that top is first here."""

    end: End
    lists: Expr


@node(Kind.CARDS, page="collections#lists-of-collections", failures=(failures.NO_SUCH_COLLECTION,))
class ListAt(ListElement):
    """(n L) of a list of collections."""

    index: Expr
    lists: Expr


# lists of collections


@node(Kind.LISTS, page="collections#lists-of-collections")
class Groups(Expr):
    """A list of collections that is made from cards, so its sequence follows from their order."""


@node(failures=(failures.TOO_MANY_CARDS,))
class Partition(Groups):
    key: Expr
    parts: tuple[Expr, ...]
    syntax: ClassVar = Syntax("partition", "(partition SUIT (game vloc PILE))", count=(2, MAX_OPERANDS))


@node(failures=(failures.EMPTY_TUPLES, failures.TOO_MANY_GROUPS, failures.TOO_WIDE))
class Tuples(Groups):
    count: Expr
    cards: Expr
    using: Expr
    syntax: ClassVar = Syntax(
        "tuples",
        _COUNTED,
        (
            Operand("count", Kind.INT),
            Operand("cards", Kind.CARDS),
            "using",
            Operand("using", Kind.MAP, what="{head} using"),
        ),
    )


@node(failures=(failures.TOO_MANY_SUBSETS,))
class Subsets(Groups):
    cards: Expr
    syntax: ClassVar = Syntax("subsets", "(subsets (game vloc PILE))", (Operand("cards", Kind.CARDS),))


@node(failures=(failures.TOO_MANY_GROUPS, failures.TOO_WIDE))
class Runs(Groups):
    """(runs largest n C using M), (runs all n C using M)"""

    every: bool
    least: Expr
    cards: Expr
    using: Expr
    syntax: ClassVar = Syntax(
        "runs",
        "(runs largest 3 (game vloc PILE) using (game points VALUE))",
        count=(5, 5),
        inside="largest all",
    )


@node(Kind.LISTS, page="collections#lists-of-collections", failures=())
class Each(Expr):
    """(all X 'V C) as a list of collections."""

    source: Expr
    binding: Binding
    body: Expr
    syntax: ClassVar = Syntax("all", count=(3, 3), role="block", layout="binder")


# other collections


@node(Kind.INTS, page="collections#other-collections", failures=(failures.TOO_MANY_NUMBERS,))
class Range(Expr):
    low: Expr
    high: Expr
    syntax: ClassVar = Syntax("range", "(range 1..3)", count=(3, 3))


@node(Kind.STRS, page="collections#other-collections", failures=())
class Names(Expr):
    texts: tuple[str, ...]


@node(Kind.INTS, page="chance#house-rules", failures=())
class Numbers(Expr):
    """Numbers given from outside in place of a declared range; the text itself has no such form."""

    values: tuple[int, ...]
