"""Static analysis of forms: whether they can fail or draw, and in which order cards come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from upcard.recycle import program as p
from upcard.recycle.arithmetic import LEAST
from upcard.recycle.constants import constant, text_of
from upcard.recycle.deck_sizes import cards_at_most
from upcard.recycle.facts import owner_word
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MAX_COUNT, MAX_MADE, MAX_NUMBER
from upcard.recycle.sizes import Sizes
from upcard.recycle.walk import below, children
from upcard.recycle.work import Work


class Analysis:
    """Answers about the nodes of one program; remembers them."""

    def __init__(self, program: p.Program, small_maps: bool, work: Work) -> None:
        self.program = program
        self.work = work
        self.small_maps = small_maps
        """No sum of awards can leave 64 bits, so a score cannot fail but for a missing card."""
        self._safe: dict[p.Node, bool] = {}
        self._wild: set[tuple[str, str | None]] | None = None
        self.remakes_teams = any(
            isinstance(node, p.CreateTeams) for element in program.body for node in below(element)
        )
        cards = cards_at_most(program)
        self._sizes = Sizes(MAX_MADE if cards is None else cards, program.players, program.base)
        self._before_teams = frozenset(below(program.setup))
        self.teams = None if self.remakes_teams else _teams_of_setup(program)
        """The seats of each team, where that is known from the setup on."""

    def may_be_gone(self, owner: p.Owner) -> bool:
        """A team that was kept in a variable while the teams were made anew."""
        return (
            self.remakes_teams
            and isinstance(owner, p.Expr)
            and owner.kind is Kind.TEAM
            and isinstance(owner, p.Var)
        )

    def safe(self, node: p.Node) -> bool:
        """It can neither fail nor draw nor count work, so how often it is evaluated makes no difference."""
        known = self._safe.get(node)
        if known is None:
            known = self._safe[node] = self._find_safe(node)
        return known

    def _find_safe(self, node: p.Node) -> bool:
        if node in self.work.units or node in self.work.large or node.draws or self.may_fail(node):
            return False
        return all(self.safe(child) for child in children(node))

    def may_fail(self, node: p.Node) -> bool:
        """Whether the form itself can end the game as failed, operands aside.

        A form can fail unless its class says that it cannot, or the text shows that it does not here.
        """
        if isinstance(node, p.Indexed):
            return True  # it makes a list, for which there may be no room
        if node.failures == ():
            return False
        if isinstance(node, p.Storage):
            return self.may_be_gone(node.owner)
        if isinstance(node, p.TeamAt | p.TeamOf):
            return node in self._before_teams
        if isinstance(node, p.Members):
            return not isinstance(node.team, p.TeamAt | p.TeamOf)
        if isinstance(node, p.Location):
            return node.number is not None and not _is_int(node.number, 0, MAX_NUMBER)
        if isinstance(node, p.SeatNumber):
            first = self.program.base
            return not _is_int(node.number, first, first + self.program.players - 1)
        if isinstance(node, p.Range):
            low, high = node.low, node.high
            return not (isinstance(low, p.Int) and _is_int(high, LEAST, low.value + MAX_COUNT - 1))
        if isinstance(node, p.Combination | p.Partition):
            return self._sizes.operands(node.parts) >= MAX_COUNT
        if isinstance(node, p.Sort):
            return not self.small_maps
        if isinstance(node, p.Score):
            is_card = isinstance(node.card, p.Var) and node.card.binding.how == "each"
            return not (is_card and self.small_maps)
        return True

    def tame(self, store: p.IntStore) -> bool:
        """Adding to it never leaves 64 bits: it is only set to small numbers and only changed by small steps,
        of which it would take more than anybody can wait for."""
        if self._wild is None:
            self._wild = set(self._find_wild())
        kind, name = owner_word(store.owner), text_of(store.name)
        return name is not None and not {(kind, name), (kind, None)} & self._wild

    def _find_wild(self) -> Iterator[tuple[str, str | None]]:
        for node in below(self.program):
            if isinstance(node, p.SetInt):
                small = isinstance(node.value, p.Size) or _at_most(node.value, 1 << 40)
            elif isinstance(node, p.AddInt):
                small = node.amount is None or _at_most(node.amount, 1 << 10)
            else:
                continue
            if not small:
                yield owner_word(node.store.owner), text_of(node.store.name)

    def mentions(self, node: p.Node, binding: p.Binding) -> bool:
        if isinstance(node, p.Var):
            return node.binding is binding
        return any(self.mentions(child, binding) for child in children(node))


def _is_int(expr: p.Expr, least: int, most: int) -> bool:
    """A number that is written out, within these bounds."""
    return isinstance(expr, p.Int) and least <= expr.value <= most


def _teams_of_setup(program: p.Program) -> list[list[int]] | None:
    """The seats of each team, others alone; None where a number is drawn or fits no player."""
    made = program.setup.teams
    teams: list[list[int]] = []
    for team in made.teams if made is not None else ():
        numbers = [constant(number) for number in team]
        teams.append([number - program.base for number in numbers if number is not None])
        if None in numbers:
            return None
    named = [seat for team in teams for seat in team]
    if len(set(named)) < len(named) or not all(0 <= seat < program.players for seat in named):
        return None
    return teams + [[seat] for seat in range(program.players) if seat not in named]


def alike(one: p.Node, other: p.Node, known: dict[p.Binding, p.Binding]) -> bool:
    """Whether two forms say the same; `known` are variables of the first that are others in the second."""
    if type(one) is not type(other):
        return False
    if isinstance(one, p.Var):
        assert isinstance(other, p.Var)
        return known.get(one.binding, one.binding) is other.binding
    if isinstance(one, p.Filter | p.Quantified):
        assert isinstance(other, p.Filter | p.Quantified)
        known = known | {one.binding: other.binding}
    for part in fields(one):
        if part.name == "span":
            continue
        mine, theirs = getattr(one, part.name), getattr(other, part.name)
        if not _parts_alike(mine, theirs, known):
            return False
    return True


def _parts_alike(one: object, other: object, known: dict[p.Binding, p.Binding]) -> bool:
    if isinstance(one, p.Binding) and isinstance(other, p.Binding):
        return known.get(one, one) is other
    if isinstance(one, p.Node) and isinstance(other, p.Node):
        return alike(one, other, known)
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(_parts_alike(a, b, known) for a, b in pairs)
    return one == other


def _at_most(amount: p.Expr, most: int) -> bool:
    number = constant(amount)
    return number is not None and abs(number) <= most


def place_form(expr: p.Expr) -> p.PlaceForm | None:
    """The form of the live location that a card collection is; None for a snapshot.

    No form gives one of several values, so a value goes back to a single form. Operands that only say how
    often or when, such as the source of an `all`, say nothing about it.
    """
    if isinstance(expr, p.Location):
        return expr
    if isinstance(expr, p.Var):
        source = expr.binding.source
        return place_form(source) if expr.binding.how != "each" else element_form(source)
    if isinstance(expr, p.ListElement):
        return element_form(expr.lists)
    return None


def element_form(lists: p.Expr) -> p.PlaceForm | None:
    """The form of the live locations that a list of collections holds; None where it holds snapshots."""
    if isinstance(lists, p.Indexed):
        return lists
    if isinstance(lists, p.Each):
        return place_form(lists.body)
    if isinstance(lists, p.Filter):
        return element_form(lists.source)
    if isinstance(lists, p.Var) and lists.binding.how != "each":
        return element_form(lists.binding.source)
    return None


def is_place(expr: p.Expr) -> bool:
    """A card collection that is a live location rather than a snapshot."""
    return place_form(expr) is not None


def holds_places(lists: p.Expr) -> bool:
    """A list of collections whose elements are live locations."""
    return element_form(lists) is not None


def one_of_the_players(expr: p.Expr) -> p.Location | None:
    """Where a card that a form finds lies for certain: a place of this class and name, of some player."""
    if isinstance(expr, p.BestCard | p.EndCard):
        return one_of_the_players(expr.cards)
    if isinstance(expr, p.Filter):
        return one_of_the_players(expr.source)
    if isinstance(expr, p.Combination) and expr.how == "union" and len(expr.parts) == 1:
        return one_of_the_players(expr.parts[0])
    if isinstance(expr, p.Each):
        return one_of_the_players(expr.body)
    if not isinstance(expr, p.Location) or isinstance(expr.owner, p.Table) or expr.cls == "mem":
        return None
    return expr if isinstance(expr.name, p.Str) else None


def each_once(expr: p.Expr) -> bool:
    """No card can occur in it twice. A memory may hold one twice, since it only points at cards."""
    form = place_form(expr)
    if form is not None:
        return form.cls != "mem"
    if isinstance(expr, p.Var):
        source = expr.binding.source
        return _groups_once(source) if expr.binding.how == "each" else each_once(source)
    if isinstance(expr, p.Filter):
        return each_once(expr.source)
    if isinstance(expr, p.Sort | p.EndCards | p.EndRun):
        return each_once(expr.cards)
    if isinstance(expr, p.Combination):
        if expr.how != "union":
            return True
        return len(expr.parts) == 1 and _disjoint(expr.parts[0])
    if isinstance(expr, p.ListElement):
        return _groups_once(expr.lists)
    return False


def _groups_once(lists: p.Expr) -> bool:
    """No group of a list of snapshots holds a card twice."""
    if isinstance(lists, p.Tuples | p.Subsets | p.Runs):
        return each_once(lists.cards)
    if isinstance(lists, p.Partition):
        return len(lists.parts) == 1 and (
            each_once(lists.parts[0]) if lists.parts[0].kind is Kind.CARDS else _disjoint(lists.parts[0])
        )
    if isinstance(lists, p.Filter):
        return _groups_once(lists.source)
    if isinstance(lists, p.Each):
        return each_once(lists.body)
    if isinstance(lists, p.Var) and lists.binding.how != "each":
        return _groups_once(lists.binding.source)
    return False


def _disjoint(part: p.Expr) -> bool:
    """A part of a union that holds no card twice: one collection, or the same place of each player."""
    if part.kind is Kind.CARDS:
        return each_once(part)
    if isinstance(part, p.Each) and isinstance(part.body, p.Location) and part.body.cls != "mem":
        owner = part.body.owner
        over_players = isinstance(part.source, p.Players | p.Members)
        return over_players and isinstance(owner, p.Var) and owner.binding is part.binding
    return False


class Orders:
    """Which collections are certain to come in card order."""

    def __init__(self, analysis: Analysis, is_ordered: object) -> None:
        self._is_ordered = is_ordered
        self.analysis = analysis

    def by_card(self, expr: p.Expr) -> bool:
        if isinstance(expr, p.Location):
            name = text_of(expr.name)
            owner = "table" if isinstance(expr.owner, p.Table) else "player"
            return name is not None and not self._is_ordered(owner, expr.cls, name)  # type: ignore[operator]
        if isinstance(expr, p.Filter):
            return self.by_card(expr.source)
        if isinstance(expr, p.EndCards):
            return self.by_card(expr.cards)
        if isinstance(expr, p.Combination):
            if expr.how == "intersect":
                return expr.parts[0].kind is Kind.CARDS and self.by_card(expr.parts[0])
            return len(expr.parts) == 1 and expr.parts[0].kind is Kind.CARDS and self.by_card(expr.parts[0])
        if isinstance(expr, p.Var):
            source = expr.binding.source
            if expr.binding.how == "each":
                return self.list_by_card(source)
            return self.by_card(source)
        if isinstance(expr, p.ListElement):
            return self.list_by_card(expr.lists)
        return False

    def list_by_card(self, lists: p.Expr) -> bool:
        """Each collection of the list comes in card order."""
        if isinstance(lists, p.Each):
            return self.by_card(lists.body)
        if isinstance(lists, p.Filter):
            return self.list_by_card(lists.source)
        if isinstance(lists, p.Subsets):
            return self.by_card(lists.cards)
        if isinstance(lists, p.Tuples):
            return self.by_card(lists.cards)
        if isinstance(lists, p.Partition):
            return (
                len(lists.parts) == 1 and lists.parts[0].kind is Kind.CARDS and self.by_card(lists.parts[0])
            )
        if isinstance(lists, p.Var) and lists.binding.how != "each":
            return self.list_by_card(lists.binding.source)
        return False
