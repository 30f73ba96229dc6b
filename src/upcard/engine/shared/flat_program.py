"""A program's body as a flat list of steps, so that a position in it is one number.

ENTER stage         push a cycle
TEST  stage         leave for LEAVE when the end condition holds
  ...body...
AGAIN stage         the same test; otherwise advance the cycle and go back behind TEST
LEAVE stage         pop the cycle
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from upcard.engine.shared.hidden_lets import telling_items
from upcard.recycle import program as p
from upcard.recycle.walk import below


@dataclass(frozen=True, slots=True)
class Block:
    item: p.Item


@dataclass(frozen=True, slots=True)
class Ask:
    choice: p.Choice
    open_sites: frozenset[int]
    """The `any` forms that pick from a memory: all seats see its cards, wherever they are."""
    telling_items: frozenset[int] = frozenset()
    """Items whose actions may reveal a hidden card that a let around the choice read (`hidden_lets`)."""


@dataclass(frozen=True, slots=True)
class Bind:
    """A let around a choice; only the outermost counts as a step."""

    node: p.LetChoice
    counts: bool


@dataclass(frozen=True, slots=True)
class StageStep:
    what: Literal["enter", "test", "again", "leave"]
    stage: p.Stage
    target: int = 0
    """test and again: where LEAVE stands."""
    back: int = 0
    """again: the first step of the body."""


Step: TypeAlias = Block | Ask | Bind | StageStep


def flatten(body: tuple[p.Element, ...]) -> list[Step]:
    steps: list[Step] = []
    for element in body:
        _add(element, steps)
    return steps


def _ask(choice: p.Choice, lets: Sequence[p.LetChoice] = ()) -> Ask:
    sites = (
        node.site
        for node in below(choice)
        if isinstance(node, p.ForAny) and isinstance(node.source, p.Location) and node.source.cls == "mem"
    )
    return Ask(choice, frozenset(sites), telling_items(choice, lets))


def _add(element: p.Element, steps: list[Step]) -> None:
    if isinstance(element, p.Stage):
        steps.append(StageStep("enter", element))
        test = len(steps)
        steps.append(StageStep("test", element))
        for inner in element.body:
            _add(inner, steps)
        leave = len(steps) + 1
        steps.append(StageStep("again", element, leave, test + 1))
        steps.append(StageStep("leave", element))
        steps[test] = StageStep("test", element, leave)
    elif isinstance(element, p.Choice):
        steps.append(_ask(element))
    elif isinstance(element, p.LetChoice):
        inner_let: p.LetChoice | p.Choice = element
        lets: list[p.LetChoice] = []
        while isinstance(inner_let, p.LetChoice):
            lets.append(inner_let)
            inner_let = inner_let.inner
        steps += [Bind(let, counts=let is element) for let in lets]
        steps.append(_ask(inner_let, lets))
    else:
        steps.append(Block(element))


# --- open stages ---------------------------------------------------------------------------------


@dataclass
class Depths:
    """How many stages are open around a step."""

    seat: int
    team: int
    queued: bool = True
    """The next player may be one that a `cycle next` named: only inside a stage that has such a form."""


NO_STAGE = Depths(0, 0)


def stage_depths(code: Sequence[Step]) -> list[Depths]:
    """Of each step the stages around it; of an enter those outside its stage."""
    depths: list[Depths] = []
    homes, home = [], [-1]
    """Of each step the stage of players right around it, by the step that enters it; -1 outside."""
    seat, team = 0, 0
    for number, step in enumerate(code):
        of_players = isinstance(step, StageStep) and step.stage.of == "player"
        depths.append(Depths(seat, team))
        homes.append(home[-1])
        if isinstance(step, StageStep) and step.what in ("enter", "leave"):
            change = 1 if step.what == "enter" else -1
            seat += change * of_players
            team += change * (not of_players)
            if of_players and step.what == "enter":
                home.append(number)
            elif of_players:
                home.pop()
    queuing = {homes[number] for number, step in enumerate(code) if _queues(step)}
    for here, stage in zip(depths, homes, strict=True):
        here.queued = stage in queuing
    return depths


def _queues(step: Step) -> bool:
    """A `cycle next` may be run in this step."""
    form = step.item if isinstance(step, Block) else step.choice if isinstance(step, Ask) else None
    return form is not None and any(isinstance(n, p.Cycle) and n.which == "next" for n in below(form))
