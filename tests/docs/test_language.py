"""Every example of docs/language is run, and what the page says about it is checked.

How pages write examples is told to readers in docs/language/index.md. In short: a `recycle` fence holds
either a whole game, followed by a `result` fence, or small forms, each followed by `;; => outcome`. Small
forms are put into the example table of index.md, just before its scoring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import pytest

from upcard.engine.contract import TABLE, Limits, Move, Place
from upcard.engine.reference import ReferenceGame, ReferenceState
from upcard.engine.shared.table import Snapshot, Table
from upcard.recycle import arithmetic, limits, reader, words
from upcard.recycle import program as p
from upcard.recycle.checker import base
from upcard.recycle.front import Checked, check
from upcard.recycle.kinds import Kind
from upcard.recycle.source import Source
from upcard.recycle.walk import below

PAGES = Path(__file__).parents[2] / "docs" / "language"
SEEDS = 80
"""How many deals show what `one of` says."""

REFUSED_WORDS = {"new", "faro"}


# --- reading the pages ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Example:
    page: str
    line: int
    text: str
    statements: tuple[str, ...]

    @property
    def whole(self) -> bool:
        return re.match(r"(\s*;;[^\n]*\n)*\s*\(game\s+\(", self.text) is not None

    @property
    def refused(self) -> bool:
        return any(said.startswith("refused:") for said in self.statements)

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def fences(path: Path) -> Iterator[tuple[str, int, list[str]]]:
    """Each fenced block: its language, the line its content starts on, its lines."""
    language, start, held = None, 0, list[str]()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            if language is None:
                language, start, held = line[3:].strip(), number + 1, []
            else:
                yield language, start, held
                language = None
        elif language is not None:
            held.append(line)
    assert language is None, f"{path.name}: a fence is still open at the end"


def examples_of(path: Path) -> Iterator[Example]:
    waiting: Example | None = None
    for language, start, lines in fences(path):
        if language == "result":
            assert waiting is not None, f"{path.name}:{start}: a result without a game before it"
            said = tuple(line.strip() for line in lines if line.strip())
            yield Example(waiting.page, waiting.line, waiting.text, said)
            waiting = None
            continue
        assert waiting is None, f"{path.name}:{start}: the game before has no result"
        assert language in ("recycle", "text", "sh", "python"), f"{path.name}:{start}: fence {language}"
        if language != "recycle":
            continue
        whole = Example(path.name, start, "\n".join(lines), ())
        if whole.whole:
            waiting = whole
        else:
            yield from small_forms(path, start, lines)
    assert waiting is None, f"{path.name}: the last game has no result"


def small_forms(path: Path, start: int, lines: list[str]) -> Iterator[Example]:
    text: list[str] = []
    said: list[str] = []
    first = start
    for number, line in enumerate(lines, start):
        form, arrow, outcome = line.partition(";; =>")
        if arrow:
            if form.strip():
                assert not said or text, f"{path.name}:{number}: two outcomes on one line"
                if said:
                    yield Example(path.name, first, "\n".join(text), tuple(said))
                    text, said, first = [], [], number
                text.append(form.rstrip())
            said.append(outcome.strip())
        elif said and re.match(r"\s*;;    ", line):
            said[-1] += " " + line.strip()[2:].strip()
        else:
            if said:
                yield Example(path.name, first, "\n".join(text), tuple(said))
                text, said, first = [], [], number
            if line.strip():
                text.append(line)
            elif not text:
                first = number + 1
    assert said, f"{path.name}:{first}: a form without an outcome"
    yield Example(path.name, first, "\n".join(text), tuple(said))


ALL = [example for path in sorted(PAGES.glob("*.md")) for example in examples_of(path)]


@cache
def example_table() -> str:
    """The game that small forms are put into: the one on index.md that says so in its first comment."""
    (table,) = [e for e in ALL if e.page == "index.md" and e.text.startswith(";; The example table")]
    return table.text


# --- putting together what is run ----------------------------------------------------------------

CHECK = "CHECK"


def letters(number: int) -> str:
    return CHECK + chr(ord("A") + number // 26) + chr(ord("A") + number % 26)


def before_scoring(game: str, elements: list[str]) -> str:
    at = game.rindex("(scoring")
    return game[:at] + "\n".join(elements) + "\n" + game[at:]


def asks(statements: tuple[str, ...]) -> list[tuple[str, str]]:
    """`FORM = VALUE` statements, as form and value."""
    found = []
    for said in statements:
        form, equals, value = said.partition(" = ")
        if equals and form.startswith("(") and form.count("(") == form.count(")"):
            found.append((form, value))
    return found


ELEMENT_HEADS = {"choice", "stage"}


def elements_for(example: Example) -> list[list[str]]:
    """What the example's text may be in the example table: a value, an action, an element."""
    value = [f"(let {example.text}\n 'ANSWER (turn pass))"]
    action = [f"(do ({example.text}\n))"]
    head = re.match(r"\s*\(\s*([a-z]+)", example.text)
    word = head.group(1) if head else ""
    if word in ELEMENT_HEADS or (word == "let" and "(choice" in example.text):
        return [[example.text]]
    if word in words.ACTIONS - {"all", "any"}:
        return [action]
    return [value, action]


def texts(example: Example) -> list[str]:
    """The programs that an example may mean, most likely first."""
    checks = [
        f"(let {form} '{letters(i)} (turn pass))" for i, (form, _) in enumerate(asks(example.statements))
    ]
    if example.whole:
        return [before_scoring(example.text, checks)] if checks else [example.text]
    return [before_scoring(example_table(), [*made, *checks]) for made in elements_for(example)]


def inputs(example: Example) -> dict[str, str]:
    names = ("picks", "given", "seed", "deal", "stacked", "limits", "base given")
    found = {}
    for said in example.statements:
        name, colon, rest = said.partition(": ")
        if colon and name in names:
            found[name] = rest
    return found


def checked(example: Example, text: str) -> Checked:
    given = dict(pair.split("=") for pair in inputs(example).get("given", "").split())
    bases: dict[str, Literal[0, 1]] = {"0": 0, "1": 1}
    return check(Source(f"{example}", text), given, bases.get(inputs(example).get("base given", "")))


def understood(example: Example) -> Checked:
    """The first meaning of the text that can be played, else the first with its errors."""
    tries = [checked(example, text) for text in texts(example)]
    return next((c for c in tries if c.program is not None), tries[0])


# --- running it ----------------------------------------------------------------------------------


@dataclass
class Run:
    """One game played to its end, with the state before each decision."""

    program: p.Program
    state: ReferenceState
    decisions: list[ReferenceState]

    @property
    def base(self) -> int:
        return self.program.base


def stacked_ids(state: ReferenceState, faces: str) -> list[str]:
    by_face: dict[str, list[str]] = {}
    for card in state.machine.table.cards:
        by_face.setdefault(face(dict(card.attributes)), []).append(card.id)
    return [by_face[name].pop(0) for name in faces.split()]


def play(example: Example, made: Checked, seed: int | None = None) -> Run:
    program, known = made.sound()
    given = inputs(example)
    if seed is None:
        seed = int(given.get("seed", "1"))
    limits = Limits()
    if "limits" in given:
        most, word = given["limits"].split()
        limits = Limits(**{word: int(most)})
    game = ReferenceGame("example", program, known)
    number = int(given.get("deal", "0"))
    state = game.deal(seed, number, limits=limits)
    if "stacked" in given:
        orders = [stacked_ids(state, order) for order in given["stacked"].split(" / ")]
        state = game.deal(seed, number, stacked=orders, limits=limits)
    picks = [int(pick) for pick in given.get("picks", "").split()]
    decisions: list[ReferenceState] = []
    while state.to_move is not None:
        decisions.append(state.copy())
        pick = picks[len(decisions) - 1] if len(decisions) <= len(picks) else 0
        state.play(pick)
    assert len(decisions) >= len(picks), f"{len(picks)} picks, but {len(decisions)} decisions"
    return Run(program, state, decisions)


# --- showing values as the pages do --------------------------------------------------------------


def face(attributes: dict[str, str]) -> str:
    values = list(attributes.values())
    return ("" if all(len(v) == 1 for v in values) else "-").join(values)


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


@pytest.mark.parametrize("example", ALL, ids=str)
def test_example(example: Example) -> None:
    verify(example)


# --- is everything shown? ------------------------------------------------------------------------


@cache
def accepted() -> tuple[p.Program, ...]:
    found = []
    for example in ALL:
        if not example.refused:
            program, _ = understood(example).sound()
            found.append(program)
    return tuple(found)


def words_in(text: str) -> set[str]:
    bare = re.sub(r";;[^\n]*", "", text)
    return set(re.findall(r"(?<![A-Za-z'])[a-z]+(?![A-Za-z])", bare))


def test_every_word_is_in_an_example_that_runs() -> None:
    shown_words = {word for e in ALL if not e.refused for word in words_in(e.text)}
    assert words.RESERVED - shown_words == REFUSED_WORDS
    assert {word for e in ALL if e.refused for word in words_in(e.text)} >= REFUSED_WORDS


def subclasses(of: type[p.Node]) -> set[type[p.Node]]:
    return {of}.union(*(subclasses(inner) for inner in of.__subclasses__()))


def test_every_kind_of_form_is_run() -> None:
    """The checker's own list of meanings, so that both meanings of all, any, top and the like are shown."""
    never = {"Node", "Expr", "Item", "Action", "Bad", "BadItem"}
    nodes = [node for program in accepted() for node in (program, *below(program))]
    known = {cls.__name__ for cls in subclasses(p.Node)}
    assert known - never == {type(node).__name__ for node in nodes}
    assert {n.cls for n in nodes if isinstance(n, p.Location)} == set(get_args(p.LocationClass))
    assert {n.operator for n in nodes if isinstance(n, p.Arithmetic)} == words.ARITHMETIC
    assert {n.operator for n in nodes if isinstance(n, p.Compare)} == words.COMPARISONS
    assert {n.operator for n in nodes if isinstance(n, p.Logic)} == {"and", "or"}
    assert {n.negated for n in nodes if isinstance(n, p.Same)} == {True, False}
    assert {n.of for n in nodes if isinstance(n, p.Same)} == {
        Kind.INT,
        Kind.STR,
        Kind.CARD,
        Kind.PLAYER,
        Kind.TEAM,
    }
    assert {n.every for n in nodes if isinstance(n, p.Quantified)} == {True, False}
    assert {n.every for n in nodes if isinstance(n, p.Runs)} == {True, False}
    assert {n.greatest for n in nodes if isinstance(n, p.BestCard)} == {True, False}
    assert {n.was_any for n in nodes if isinstance(n, p.ForAll)} == {True, False}
    assert {n.how for n in nodes if isinstance(n, p.Combination)} == {"union", "intersect", "disjunction"}
    assert {n.of for n in nodes if isinstance(n, p.Stage)} == {"player", "team"}
    assert {n.whole for n in nodes if isinstance(n, p.Swap)} == {True, False}
    assert {n.which for n in nodes if isinstance(n, p.Cycle)} == {"next", "current"}
    assert {n.sign for n in nodes if isinstance(n, p.AddInt) if n.amount is None} == {1, -1}
    for ends in (p.EndCard, p.EndCards, p.EndRun, p.ListEnd):
        assert {n.end for n in nodes if isinstance(n, ends)} == {"top", "bottom"}, ends.__name__
    for three in (p.SeatAt, p.TeamAt):
        assert {n.which for n in nodes if isinstance(n, three)} == {"current", "next", "previous"}
    kinds = {n.source.kind for n in nodes if isinstance(n, p.Filter)}
    assert kinds >= {Kind.CARDS, Kind.LISTS, Kind.PLAYERS, Kind.TEAMS, Kind.INTS, Kind.STRS}
    assert {n.base for n in nodes if isinstance(n, p.Program)} == {0, 1}


def test_the_index_names_every_word_that_opens_a_form() -> None:
    text = (PAGES / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`\(?([a-z]+)", text)) | set(re.findall(r"\((?:OWNER|WHO) ([a-z]+)", text))
    assert words.HEADS | words.CLASSES | {"sto", "str", "points", "player", "team"} <= listed


# --- links ---------------------------------------------------------------------------------------


def anchors(path: Path) -> set[str]:
    """Headings as Markdown viewers name them."""
    outside = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    heads = re.findall(r"^#+ (.+)$", outside, flags=re.MULTILINE)
    return {re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", sorted(PAGES.glob("*.md")), ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL))
    assert links
    for link in links:
        if link.startswith("http"):
            continue
        file, _, anchor = link.partition("#")
        target = path.parent / file if file else path
        assert target.is_file(), f"{path.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{path.name}: {link}"


def test_pages_are_all_reached_from_the_index() -> None:
    text = (PAGES / "index.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\((\w[\w-]*\.md)", text))
    assert {path.name for path in PAGES.glob("*.md")} - {"index.md"} <= linked


def test_pages_are_short() -> None:
    for path in PAGES.glob("*.md"):
        assert 50 <= len(path.read_text(encoding="utf-8").splitlines()) <= 260, path.name


def test_sizes_are_the_ones_in_force() -> None:
    text = (PAGES / "limits-and-errors.md").read_text(encoding="utf-8")
    sizes = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", text.split("## Sizes")[1], flags=re.MULTILINE))
    assert sizes["players"] == f"{base.MOST_PLAYERS}"
    assert sizes["cards"] == f"{limits.MOST_CARDS:,}"
    (made,) = [size for what, size in sizes.items() if what.startswith("cards, where a stage")]
    assert made == f"{limits.MOST_MADE}"
    assert sizes["numbers of places"] == f"0 to {limits.MOST_NUMBER}"
    assert sizes["numbers"] == f"{arithmetic.LEAST} to {arithmetic.MOST}"
    assert sizes["cards whose subsets are asked for"] == f"{limits.MOST_SUBSETS}"
    assert sizes["forms inside one another"] == f"{reader.MAX_DEPTH}"
    (most,) = [size for what, size in sizes.items() if what.startswith("times a repeat runs")]
    assert most == f"{limits.MOST:,}"
    assert sizes["cards of a computed collection"] == f"{limits.MOST:,}"
    (grouped,) = [size for what, size in sizes.items() if what.startswith("cards in all groups of a list")]
    assert grouped == f"{limits.MOST_GROUPED:,}" == f"{limits.MOST_CARDS_PICKED:,}"
    assert sizes["notes in one memory"] == f"{limits.MOST_REFERENCES:,}"
    assert sizes["picks of one alternative"] == f"{limits.MOST_PICKS:,}"
    assert sizes["picks of all alternatives of a decision"] == f"{limits.MOST_PICKS_LISTED:,}"
    assert f"{Limits().steps:,} steps" in text
    assert f"which is {Limits().decisions} " in text


def test_every_form_reads_as_one() -> None:
    """A small form is one form or one atom, so that nobody wonders which part an outcome belongs to."""
    for example in ALL:
        if not example.whole and not example.refused:
            bare = reader.read(Source("x", f"({example.text}\n)")).form
            assert bare is not None
            assert len(bare.items) == 1, str(example)


def test_moves_of_the_contract_are_what_is_shown() -> None:
    """Alternatives are shown by what they do; two with the same text are still two moves."""
    for example in ALL[:40]:
        if not example.refused and not any("fails" in s or "one of" in s for s in example.statements):
            for state in play(example, understood(example)).decisions:
                keys = [move.key for move in state.moves if isinstance(move, Move)]
                assert len(set(keys)) == len(keys) == state.choices
