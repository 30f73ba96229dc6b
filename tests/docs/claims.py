"""What a page says about an example, held against what came of it."""

from __future__ import annotations

import re
from typing import Any

from tests.docs.examples import SEEDS, Example, Run, asks, checked, face, inputs, letters, play, understood

from upcard.engine.api import TABLE, Place
from upcard.engine.reference import ReferenceState
from upcard.engine.shared.table import Snapshot, Table
from upcard.recycle import program as p
from upcard.recycle.frontend import Checked
from upcard.recycle.kinds import Kind

# --- showing values as the pages do --------------------------------------------------------------


def cards_text(table: Table, cards: Any) -> str:
    return "[" + " ".join(face(dict(table.cards[card].attributes)) for card in cards) + "]"


def shown(run: Run, value: Any, kind: Kind) -> str:
    table = run.state.machine.table
    if kind is Kind.BOOL:
        return "true" if value else "false"
    if kind is Kind.STR:
        return str(value) or "(empty)"
    if kind is Kind.CARD:
        return "no card" if value is None else face(dict(table.cards[value].attributes))
    if kind is Kind.PLAYER:
        return f"player {value + run.base}"
    if kind is Kind.TEAM:
        return f"team {value + run.base}"
    if kind is Kind.CARDS:
        return cards_text(table, value.cards if isinstance(value, Snapshot) else table.at(value))
    if kind.element is not None:
        between = " " if kind is Kind.LISTS else ", "
        return between.join(shown(run, part, kind.element) for part in value) or "nothing"
    return str(value)


def let_value(run: Run, name: str) -> str:
    """What a let of the run's body was given."""
    (node,) = [n for n in run.program.body if isinstance(n, p.Let) and n.binding.name == name]
    return shown(run, run.state.machine.table.env[node.binding.slot], node.binding.kind)


def effect_text(run: Run, effect: dict[str, Any]) -> str:
    def card(name: str) -> str:
        for known in run.state.machine.table.cards:
            if known.id == effect[name]:
                return face(dict(known.attributes))
        return "?"

    def place(name: str) -> str:
        return ".".join(str(effect[name]).split(".")[2:])

    what = effect["do"]
    if what == "move":
        return f"{card('card')} to {place('to')}"
    if what in ("remember", "forget"):
        return f"{what} {card('card')}"
    if what == "swap":
        if "card" in effect:
            return f"swap {card('card')} {card('other')}"
        return f"swap {place('from')} {place('to')}"
    if what == "set":
        return f"{effect['name']} {effect['value']}"
    if what == "cycle":
        return f"{effect['which']} player {effect['seat'] + run.base}"
    if what == "shuffle":
        return f"shuffle {place('place')}"
    return {"pass": "pass", "hidden": "...", "points": f"points {effect.get('name')}"}[what]


def moves_text(run: Run, moves: Any) -> str:
    return " | ".join(", ".join(effect_text(run, e) for e in move.effects) for move in moves)


# --- checking what is said -----------------------------------------------------------------------


def place_of(run: Run, text: str) -> Place:
    match = re.fullmatch(r"\((?:game|\((\d+) player\)) (\w+) (\w+)(?: (\d+))?\)", text)
    assert match, f"{text} is not a place with fixed parts"
    seat, cls, name, number = match.groups()
    return Place(TABLE if seat is None else int(seat) - run.base, cls, name, int(number or 0))


def seen_text(run: Run, state: ReferenceState, seat: int, place: str) -> str:
    seen = state.observe(seat)
    cards = seen.places.get(place_of(run, place).text, ())
    return "[" + " ".join("?" if card is None else face(dict(seen.cards[card])) for card in cards) + "]"


def known_text(run: Run, state: ReferenceState, seat: int, card: str) -> str:
    seen = state.observe(seat)
    (card_id,) = [i for i, attributes in seen.cards.items() if face(dict(attributes)) == card]
    if card_id not in seen.memory:
        return "in sight"
    entry = seen.memory[card_id]
    where = " or ".join(_readable(run, text) for text in entry["where"])
    return where + (", placed" if entry["placed"] else "")


def _readable(run: Run, text: str) -> str:
    owner, cls, name, *number = text.split(".")
    who = "game" if owner == "table" else f"({int(owner.removeprefix('seat')) + run.base} player)"
    return f"({' '.join([who, cls, name, *number])})"


def at_decision(run: Run, number: int, what: str) -> str:
    """`player 2: ...`, `player 2 sees PLACE: ...` and so on: says what follows the colon."""
    state = run.decisions[number - 1]
    head, _, _ = what.partition(": ")
    match = re.fullmatch(r"player (\d+)(?: (sees|knows|is shown)(?: (.+))?)?", head)
    assert match, what
    seat = int(match.group(1)) - run.base
    if match.group(2) == "sees":
        return f"{head}: {seen_text(run, state, seat, match.group(3))}"
    if match.group(2) == "knows":
        return f"{head}: {known_text(run, state, seat, match.group(3))}"
    assert state.to_move is not None
    moves: Any = state.moves
    if match.group(2) == "is shown":
        moves = state.observe(seat).moves
    else:
        head = f"player {state.to_move + run.base}"
    return f"{head}: {moves_text(run, moves)}"


def ordered_families(run: Run, wanted: bool) -> str:
    found = []
    for fact in run.state.game.facts.families:
        if (fact.ordered is not None) is wanted:
            owner = "game" if fact.family.owner == "table" else "player"
            found.append(f"{owner} {fact.family.cls} {fact.family.name or '*'}")
    return ", ".join(sorted(found))


def told(run: Run, said: str) -> str:
    """The statement as it should read."""
    name, colon, rest = said.partition(": ")
    if colon:
        outcome = run.state.outcome
        assert outcome is not None
        if name == "scores":
            return f"scores: {' '.join(map(str, outcome.scores or ()))}"
        if name == "ranks":
            return f"ranks: {' '.join(map(str, outcome.ranks or ()))}"
        if name == "ending":
            return f"ending: {outcome.ending}"
        if name == "base":
            return f"base: {run.base}"
        if name == "choosers":
            return f"choosers: {' '.join(str((d.to_move or 0) + run.base) for d in run.decisions)}"
        if name == "counts":
            return f"counts: {' '.join(str(d.choices) for d in run.decisions)}"
        if name == "alternatives":
            return f"alternatives: {moves_text(run, run.decisions[0].moves)}"
        if name == "names":
            return f"names: {' | '.join(move.key for move in run.decisions[0].moves)}"
        if name in ("ordered", "unordered"):
            return f"{name}: {ordered_families(run, name == 'ordered')}"
        match = re.fullmatch(r"decision (\d+)", name)
        if match:
            return f"{name}: {at_decision(run, int(match.group(1)), rest)}"
    return let_value(run, "ANSWER")


def verify(example: Example) -> None:
    made = understood(example)
    for said in example.statements:
        name, _, rest = said.partition(": ")
        if name == "refused":
            code, _, line = rest.partition(", line ")
            assert made.program is None, f"{example}: this is accepted"
            first = made.errors[0]
            assert first.code == code, f"{example}: {first.code} {first.message}"
            if line:
                assert made.source.line(first.span.start) == int(line)
        if name == "warns":
            assert rest in [d.code for d in made.warnings], f"{example}: {made.warnings}"
    if example.refused:
        return
    made.sound()
    if any("one of " in said for said in example.statements):
        verify_chance(example, made)
        return
    run = play(example, made)
    failure = run.state.outcome.failure if run.state.outcome else None
    questions = dict(asks(example.statements))
    if not any(said.startswith("fails: ") for said in example.statements):
        assert failure is None, f"{example}: {failure}"
    index = 0
    for said in example.statements:
        name, _, rest = said.partition(": ")
        if name in inputs(example) or name == "warns":
            continue
        if name == "fails":
            message, _, line = rest.partition(", line ")
            assert failure is not None, f"{example}: nothing failed"
            assert message in failure.message, f"{example}: {failure.message}"
            assert not line or failure.line == int(line), f"{example}: line {failure.line}"
        elif said.partition(" = ")[0] in questions:
            form, _ = asks((said,))[0]
            assert said == f"{form} = {let_value(run, letters(index))}", str(example)
            index += 1
        else:
            assert said == told(run, said), str(example)
    if example.whole:
        asking_changes_nothing(example, run)


def verify_chance(example: Example, made: Checked) -> None:
    """`one of a, b, c`: over many deals each of them comes, and nothing else."""
    wanted: dict[str, set[str]] = {}
    questions = asks(example.statements)
    for i, (_, value) in enumerate(questions):
        wanted[letters(i)] = choices_of(value)
    if not questions:
        wanted["ANSWER"] = choices_of(example.statements[0])
    came: dict[str, set[str]] = {name: set() for name in wanted}
    for seed in range(SEEDS):
        run = play(example, made, seed)
        for name in wanted:
            came[name].add(let_value(run, name))
    assert came == wanted, str(example)


def choices_of(value: str) -> set[str]:
    return set(value.removeprefix("one of ").split(", ")) if value.startswith("one of ") else {value}


def asking_changes_nothing(example: Example, run: Run) -> None:
    """A page shows the game as it is; the game that was run asks questions at its end."""
    bare = checked(example, example.text)
    program, known = bare.sound()
    assert program.base == run.program.base
    assert set(known.order.ordered) == set(run.state.game.facts.order.ordered), f"{example}: order is read"
    outcome = play(example, bare).state.outcome
    assert outcome is not None
    assert run.state.outcome is not None
    assert outcome.scores == run.state.outcome.scores
