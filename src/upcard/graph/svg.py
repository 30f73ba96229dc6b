"""Draws the movement graph as SVG, or prints it as DOT.

Colours follow the reader's light or dark setting; nothing is told by colour alone: places say their kind in
words, ways have dash patterns and heads of their own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape

from upcard.engine.api import TABLE
from upcard.graph.edge_routes import Route, place_counts, route
from upcard.graph.fold import Folded, Line, Node, fold
from upcard.graph.movement import KINDS, WAYS, Kind, Movement, Way, kind_of
from upcard.graph.node_layout import (
    COUNT_SIZE,
    NAME_SIZE,
    OWNER_SIZE,
    SMALL_SIZE,
    Box,
    Layout,
    Point,
    Rect,
    Words,
    lay_out,
    text_width,
)
from upcard.narration.narrator import Narrator

MARGIN = 24.0
KIND_WORDS: Mapping[Kind, str] = {
    "public": "everyone sees the cards",
    "private": "only the owner sees them",
    "hidden": "nobody sees them",
    "memory": "notes of cards that are elsewhere",
}
WAY_WORDS: Mapping[Way, str] = {
    "public": "into a public place: everyone sees the card",
    "taken": "taken: a public card goes where not everyone sees it",
    "shared": "shared: a private card goes to another player",
    "plain": "any other way",
    "remembered": "remembered: the card stays where it is",
}
SHORT_WORDS: Mapping[Way, str] = {
    "public": "into public places",
    "taken": "taken from public places",
    "shared": "given to another player",
    "plain": "between places that not everyone sees",
    "remembered": "noted in a memory",
}
_DASHES: Mapping[Way, str] = {"taken": "0.1 6", "shared": "9 6", "remembered": "10 4 2 4"}

STYLE = """
.movement { --page: #ffffff; --ink: #1f2328; --soft: #59636e; --frame: #b6bec8;
  --public: #d5f0df; --public-rim: #00704f; --private: #d8e8fa; --private-rim: #005a94;
  --hidden: #fdf0b5; --hidden-rim: #8a6d00; --memory: #ececec; --memory-rim: #737373;
  --way-public: #00845f; --way-taken: #c8371f; --way-shared: #0068b0; --way-plain: #30363d;
  --way-remembered: #737373; }
@media (prefers-color-scheme: dark) {
  .movement { --page: #14181d; --ink: #eceff3; --soft: #a7b0ba; --frame: #4b545e;
    --public: #0f3b2c; --public-rim: #35c796; --private: #12314f; --private-rim: #6bb4f2;
    --hidden: #413709; --hidden-rim: #e0bd36; --memory: #33383e; --memory-rim: #a0a8b0;
    --way-public: #35c796; --way-taken: #ff8466; --way-shared: #6bb4f2; --way-plain: #dfe3e8;
    --way-remembered: #a0a8b0; }
}
.movement text { fill: var(--ink);
  font-family: system-ui, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif; }
.movement .page, .movement .under { fill: var(--page); }
.movement .frame { fill: none; stroke: var(--frame); stroke-width: 1.2; }
.movement .name { font-weight: 600; text-anchor: middle; }
.movement .below { fill: var(--soft); text-anchor: middle; }
.movement .owner, .movement .title { font-weight: 700; }
.movement .soft { fill: var(--soft); }
.movement .count { text-anchor: middle; }
.movement .node { stroke-width: 1.5; }
.movement .node.backs { stroke-width: 3.6; }
.movement .way { fill: none; stroke-linecap: round; }
.movement .head { stroke-linejoin: round; stroke-linecap: round; }
"""


def _class_rules() -> str:
    rules = [
        f".movement .node.{kind} {{ fill: var(--{kind}); stroke: var(--{kind}-rim);"
        f"{' stroke-dasharray: 4 3;' if kind == 'memory' else ''} }}"
        for kind in KINDS
    ]
    for way in WAYS:
        dashes = f" stroke-dasharray: {_DASHES[way]};" if way in _DASHES else ""
        rules.append(f".movement .way.{way} {{ stroke: var(--way-{way});{dashes} }}")
        filled = "none" if way == "plain" else f"var(--way-{way})"
        rules.append(f".movement .head.{way} {{ fill: {filled}; stroke: var(--way-{way}); }}")
    return "\n".join(rules) + "\n"


@dataclass(frozen=True)
class Caption:
    """The caption above the picture."""

    title: str
    below: str


UNTITLED = Caption("How the cards move", "")


@dataclass(frozen=True)
class Text:
    """A text and the box it fills; tests check these for overlaps."""

    text: str
    css: str
    size: int
    at: Point
    room: Rect


@dataclass(frozen=True)
class Picture:
    """Everything to draw, before it is written as SVG."""

    folded: Folded
    layout: Layout
    routes: list[Route]
    counts: Mapping[Line, Rect]
    words: Mapping[Node, Words]
    owners: Mapping[int, str]
    texts: list[Text]
    legend: list[tuple[Kind | Way, bool, Point]]
    """Samples: the kind, whether it is a kind of place, and the position."""
    width: float
    height: float


def svg(
    movement: Movement,
    narrator: Narrator,
    caption: Caption | None,
    every_place: bool = False,
    names: Caption = UNTITLED,
) -> str:
    """The whole picture. Without a caption: for a page with words around it; `names` says to those who
    cannot see the picture what it is and what it shows."""
    names = caption or names
    return "".join(
        _written(picture(movement, narrator, caption, every_place), names, finding(movement, narrator))
    )


def finding(movement: Movement, narrator: Narrator) -> str:
    """What the picture shows, in a sentence."""
    counts = Counter[Way]()
    for edge, count in movement.edges.items():
        counts[edge.way] += count
    parts = [f"{_mean(counts[way], movement.games)} {SHORT_WORDS[way]}" for way in WAYS if counts[way]]
    unit = narrator.sheet.deal_word if narrator.sheet else "game"
    games = f"One {unit}" if movement.games == 1 else f"Mean of {movement.games:,} {unit}s"
    if not parts:
        return f"{games}: no card moves."
    return f"{games}, {_mean(movement.moves, movement.games)} moves of cards: {', '.join(parts)}."


def picture(
    movement: Movement, narrator: Narrator, caption: Caption | None, every_place: bool = False
) -> Picture:
    folded = fold(movement, every_place)
    owners = {TABLE: "Table"} | {seat: narrator.seat(seat) for seat in range(movement.seats)}
    words = {node: _words(folded, node, narrator) for node in folded.nodes}
    inner = lay_out(folded, words, owners)
    head = _caption(caption) if caption else []
    offset = Point(MARGIN, head[-1].room.y + head[-1].room.height + 18 if head else MARGIN)
    widest = max((text.room.x + text.room.width for text in head), default=0.0) - MARGIN
    if widest > inner.width:
        offset += ((widest - inner.width) / 2, 0)
    layout = _moved(inner, offset)
    width = max(inner.width, widest, 460) + 2 * MARGIN
    routes = route(folded.lines, layout)
    sizes = {
        line: (text_width(_number(line, movement), COUNT_SIZE) + 4, COUNT_SIZE + 3.0) for line in folded.lines
    }
    counts = place_counts(routes, sizes, layout)
    texts = head + [_owner_text(box, owners[owner]) for owner, box in layout.boxes.items()]
    for node, rect in layout.nodes.items():
        texts += _node_texts(rect, words[node])
    for line, room in counts.items():
        at = Point(room.middle.x, room.middle.y + COUNT_SIZE * 0.36)
        texts.append(Text(_number(line, movement), "count", COUNT_SIZE, at, room))
    legend, legend_texts, height = _legend(folded, width, layout.height)
    return Picture(folded, layout, routes, counts, words, owners, texts + legend_texts, legend, width, height)


# --- words ---------------------------------------------------------------------------------------


def place_name(name: str, narrator: Narrator) -> str:
    """A program's name for readers: the sheet's word for it, or else the name in lower case."""
    word = narrator.word(name)
    word = word if word != name else name.lower()
    return word[:1].upper() + word[1:]


def _words(folded: Folded, node: Node, narrator: Narrator) -> Words:
    places = folded.nodes[node]
    names = list(dict.fromkeys(place.name for place in places))
    name = place_name(names[0], narrator)
    if len(names) > 1:
        name += f" +{len(names) - 1}"
    elif len(places) > 1:
        name += f" {places[0].number} to {places[-1].number}"
    elif places[0].number:
        name += f" {places[0].number}"
    below: str = folded.kind(node)
    movement = folded.movement
    start = sum(sum(movement.started(place).values()) for place in places)
    if start:
        below += f", {_mean(start, movement.games)} cards"
    return Words(name, below)


def _mean(count: int, games: int) -> str:
    """Cards per game, as short as possible."""
    if count % games == 0:
        return str(count // games)
    mean = count / games
    if mean < 0.01:
        return "<0.01"
    return f"{mean:.2f}" if mean < 1 else f"{mean:.1f}" if mean < 100 else f"{mean:.0f}"


def _number(line: Line, movement: Movement) -> str:
    return _mean(line.count, movement.games)


def _long_name(folded: Folded, node: Node, owners: Mapping[int, str], teller_name: str) -> str:
    whose = owners[node.owner]
    names = ", ".join(dict.fromkeys(place.text.split(".", 1)[1] for place in folded.nodes[node]))
    return f"{whose}: {teller_name} ({names})"


# --- positions of texts --------------------------------------------------------------------------


def _caption(caption: Caption) -> list[Text]:
    title = Rect(MARGIN, MARGIN - 4, text_width(caption.title, 20, bold=True), 24)
    below = Rect(MARGIN, title.y + 27, text_width(caption.below, 13), 17)
    return [
        Text(caption.title, "title", 20, Point(MARGIN, title.y + 19), title),
        Text(caption.below, "soft", 13, Point(MARGIN, below.y + 13), below),
    ]


def _owner_text(box: Box, name: str) -> Text:
    return Text(name, "owner", OWNER_SIZE, Point(box.title.x, box.title.y + OWNER_SIZE), box.title)


def _node_texts(rect: Rect, words: Words) -> list[Text]:
    made = []
    for text, css, size, base in (
        (words.name, "name", NAME_SIZE, rect.y + 19),
        (words.below, "below", SMALL_SIZE, rect.y + 35),
    ):
        width = text_width(text, size, bold=css == "name")
        room = Rect(rect.middle.x - width / 2, base - size * 0.85, width, size * 1.1)
        made.append(Text(text, css, size, Point(rect.middle.x, base), room))
    return made


def _moved(layout: Layout, by: Point) -> Layout:
    boxes = {
        owner: Box(owner, box.side, box.frame.moved(*by), box.title.moved(*by), box.nodes)
        for owner, box in layout.boxes.items()
    }
    nodes = {node: rect.moved(*by) for node, rect in layout.nodes.items()}
    return Layout(layout.width + by.x, layout.height + by.y, boxes, nodes)


def _seen_by(kind: Kind, folded: Folded) -> str:
    turned = any(place.cls == "oloc" for places in folded.nodes.values() for place in places)
    return "not everyone sees them" if kind == "private" and turned else KIND_WORDS[kind]


def _legend(
    folded: Folded, width: float, top: float
) -> tuple[list[tuple[Kind | Way, bool, Point]], list[Text], float]:
    """The legend, in columns: a sample of everything in the picture with its meaning."""
    kinds = [kind for kind in KINDS if any(folded.kind(node) == kind for node in folded.nodes)]
    ways = [way for way in WAYS if any(line.way == way for line in folded.lines)]
    entries: list[tuple[Kind | Way, bool, str]] = [
        (kind, True, f"{kind}: {_seen_by(kind, folded)}") for kind in kinds
    ]
    entries += [(way, False, WAY_WORDS[way]) for way in ways]
    samples: list[tuple[Kind | Way, bool, Point]] = []
    texts: list[Text] = []
    y = top + 34
    column = 66 + max((text_width(words, 12) for _, _, words in entries), default=0)
    columns = max(1, int((width - 2 * MARGIN + 16) // column))
    for part in (entries[: len(kinds)], entries[len(kinds) :]):
        for number, (what, is_place, words) in enumerate(part):
            at = Point(MARGIN + number % columns * column, y + number // columns * 24)
            samples.append((what, is_place, at))
            room = Rect(at.x + 46, at.y - 10, text_width(words, 12), 15)
            texts.append(Text(words, "legend", 12, Point(at.x + 46, at.y + 2), room))
        y += 24 * math.ceil(len(part) / columns)
    y -= 24
    games = folded.movement.games
    notes = [
        "The wider a line, the more cards move; the number says how many"
        + (" per game." if games > 1 else ".")
    ]
    if any(folded.movement.own_back(place) for place in folded.movement.places):
        notes.append("Bold rim: the place contains cards whose back differs from the usual one.")
    if any(len(places) > 1 for places in folded.nodes.values()):
        notes.append("Places with the same use are drawn as one; +1 means one more.")
    for note in notes:
        y += 24
        room = Rect(MARGIN, y - 10, text_width(note, 12), 15)
        texts.append(Text(note, "soft", 12, Point(MARGIN, y + 2), room))
    return samples, texts, y + MARGIN


# --- writing -------------------------------------------------------------------------------------


def _written(made: Picture, names: Caption, about: str) -> Iterator[str]:
    width, height = _n(made.width), _n(made.height)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="movement" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">\n'
    )
    yield f"<title>{escape(names.title)}</title>\n"
    below = f"{names.below}. " if names.below else ""
    yield f"<desc>{escape(below + about)}</desc>\n"
    yield f"<style>{STYLE}{_class_rules()}</style>\n"
    yield f'<rect class="page" width="{width}" height="{height}"/>\n'
    for box in made.layout.boxes.values():
        yield f'<rect class="frame" {_rect(box.frame)} rx="12"/>\n'
    most = max((line.count for line in made.folded.lines), default=1)
    for one in made.routes:
        yield _way(made, one, most)
    for node, rect in made.layout.nodes.items():
        yield _node(made, node, rect)
    for room in made.counts.values():
        yield f'<rect class="under" {_rect(room)} rx="3"/>\n'
    for what, is_place, at in made.legend:
        yield from _sample(what, is_place, at)
    for text in made.texts:
        yield (
            f'<text class="{text.css}" font-size="{text.size}" x="{_n(text.at.x)}" y="{_n(text.at.y)}">'
            f"{escape(text.text)}</text>\n"
        )
    yield "</svg>\n"


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _rect(rect: Rect) -> str:
    return f'x="{_n(rect.x)}" y="{_n(rect.y)}" width="{_n(rect.width)}" height="{_n(rect.height)}"'


def _node(made: Picture, node: Node, rect: Rect) -> str:
    movement = made.folded.movement
    bold = any(movement.own_back(place) for place in made.folded.nodes[node])
    title = _long_name(made.folded, node, made.owners, made.words[node].name)
    return (
        f'<rect class="node {made.folded.kind(node)}{" backs" if bold else ""}" {_rect(rect)} rx="9">'
        f"<title>{escape(title)}</title></rect>\n"
    )


def line_width(count: int, most: int) -> float:
    """The width of a line of any kind says how many cards took it, and nothing else."""
    return 0.9 + 3.2 * math.sqrt(count / most)


def _way(made: Picture, one: Route, most: int) -> str:
    line = one.line
    thickness = line_width(line.count, most)
    games = made.folded.movement.games
    title = (
        f"{_long_name(made.folded, line.source, made.owners, made.words[line.source].name)} to "
        f"{_long_name(made.folded, line.target, made.owners, made.words[line.target].name)}: "
        f"{line.count} in {games} game{'' if games == 1 else 's'}, {line.way}"
    )
    return _curve([*one.pieces], line.way, thickness, title)


def _curve(pieces: list[tuple[Point, Point, Point, Point]], way: Way, thickness: float, title: str) -> str:
    """The path ends at the base of the arrowhead, so that a thick line does not stick out of its tip."""
    *whole, last = pieces
    tip = last[3]
    back = last[2] if math.dist(last[2], tip) > 1 else last[0]
    length = math.dist(back, tip)
    forward = Point((tip.x - back.x) / length, (tip.y - back.y) / length)
    size = 7 + 1.3 * thickness
    base = tip + forward.scaled(-size)
    shorter = (last[0], last[1], last[2] + forward.scaled(-size), base if way != "plain" else tip)
    path = f"M{_p(pieces[0][0])}" + "".join(f"C{_p(b)} {_p(c)} {_p(d)}" for _, b, c, d in [*whole, shorter])
    across = Point(-forward.y, forward.x).scaled(size * 0.48)
    left, right = base + across, base + across.scaled(-1)
    head = f"M{_p(left)}L{_p(tip)}L{_p(right)}" + ("" if way == "plain" else "Z")
    stroke = thickness if way == "plain" else 1
    about = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<g>{about}<path class="way {way}" stroke-width="{_n(thickness)}" d="{path}"/>'
        f'<path class="head {way}" stroke-width="{_n(stroke)}" d="{head}"/></g>\n'
    )


def _p(point: Point) -> str:
    return f"{_n(point.x)},{_n(point.y)}"


def _sample(what: Kind | Way, is_place: bool, at: Point) -> Iterator[str]:
    if is_place:
        yield f'<rect class="node {what}" {_rect(Rect(at.x, at.y - 10, 36, 16))} rx="6"/>\n'
        return
    start, end = Point(at.x, at.y - 2), Point(at.x + 38, at.y - 2)
    third = Point(38 / 3, 0)
    way: Way = next(way for way in WAYS if way == what)
    yield _curve([(start, start + third, end + third.scaled(-1), end)], way, 2.2, "")


# --- DOT -----------------------------------------------------------------------------------------

_DOT_FILL: Mapping[Kind, str] = {
    "public": "#d5f0df",
    "private": "#d8e8fa",
    "hidden": "#fdf0b5",
    "memory": "#ececec",
}
_DOT_WAY: Mapping[Way, str] = {
    "public": 'color="#00845f"',
    "taken": 'color="#c8371f", style=dotted',
    "shared": 'color="#0068b0", style=dashed',
    "plain": 'color="#30363d", arrowhead=vee',
    "remembered": 'color="#737373", style=dashed, arrowhead=empty',
}


def dot(movement: Movement, narrator: Narrator, caption: Caption) -> str:
    """The graph as DOT, with every place on its own, for layout programs."""
    made = [f"digraph movement {{\n  label={_quoted(caption.title)};\n"]
    made.append('  node [shape=box, style="rounded,filled", fontname="sans-serif"];\n')
    for owner in (TABLE, *range(movement.seats)):
        places = [place for place in movement.nodes() if place.owner == owner]
        name = "Table" if owner == TABLE else narrator.seat(owner)
        made.append(f"  subgraph cluster_{owner + 1} {{\n    label={_quoted(name)};\n")
        for place in places:
            number = f" {place.number}" if place.number else ""
            rim = ", penwidth=3" if movement.own_back(place) else ""
            label = f"{place_name(place.name, narrator)}{number}\n{kind_of(place)}"
            fill = _DOT_FILL[kind_of(place)]
            made.append(f'    {_quoted(place.text)} [label={_quoted(label)}, fillcolor="{fill}"{rim}];\n')
        made.append("  }\n")
    most = max(movement.edges.values(), default=1)
    for edge, count in movement.ways():
        width = line_width(count, most)
        made.append(
            f"  {_quoted(edge.source.text)} -> {_quoted(edge.target.text)} "
            f'[label="{_mean(count, movement.games)}", penwidth={width:.1f}, {_DOT_WAY[edge.way]}];\n'
        )
    return "".join([*made, "}\n"])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
