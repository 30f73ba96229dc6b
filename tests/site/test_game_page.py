"""A page is whole: every figure is there, nothing is asked for, and its own command makes it again."""

from __future__ import annotations

import base64
import re
import shlex
from itertools import combinations
from pathlib import Path

import pytest
from tests.cli.runner import upcard
from tests.site.page_reader import Element, asked_for, handlers, ids, pointed_at, read
from tests.site.widths import WIDTHS, browser, too_wide

from upcard.graph.svg import picture
from upcard.library import find
from upcard.site.page_data import PageData, PageOptions, load_page_data, search_games

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

SECTIONS = (
    "table rules variants related house-rules flow branching leading length scores spread lead-history "
    "heuristics skill program"
).split()
FIGURES = "table flow branching leading length scores spread lead-history".split()


@pytest.fixture(scope="module")
def made() -> PageData:
    found = load_page_data(PageOptions("euchre", games=20, search_games=2, seed=3, rules=(("stick", "no"),)))
    for _ in found.play(1):
        pass
    return found


@pytest.fixture(scope="module")
def page(made: PageData) -> str:
    from upcard.site.game_page import game_page

    return game_page(made)


@pytest.fixture(scope="module")
def root(page: str) -> Element:
    return read(page)


def test_every_section_is_there_in_order(root: Element) -> None:
    sections = root.all("section")
    assert [section.attributes["id"] for section in sections] == SECTIONS
    link_addresses = [link.attributes["href"] for nav in root.all("nav") for link in nav.all("a")]
    assert link_addresses == [f"#{name}" for name in SECTIONS]
    (title,) = root.all("h1")
    assert title.text == "Euchre"


def test_no_figure_is_missing(root: Element) -> None:
    for name in FIGURES:
        (figure,) = root.one(name).all("figure")
        drawings = figure.all("svg")
        assert len(drawings) == (2 if name in ("length", "scores") else 1)
        for drawing in drawings:
            assert len(drawing.all()) >= 8, name
            assert float(drawing.attributes["viewbox"].split()[2]) > 100
    rows = root.one("heuristics").all("tbody")[0].all("tr")
    assert len(rows) == 11
    for row in rows:
        if row.all("th")[0].text in ("skill", "luck"):
            assert "too few" in row.text, "two deals say nothing"
            assert not row.all("svg")
        else:
            assert len(row.all("svg")) == 1
            assert re.search(r"\d\.\d{3}", row.text)


def test_ids_are_unique_and_links_have_targets(page: str, root: Element) -> None:
    found = ids(root)
    assert len(found) == len(set(found))
    assert pointed_at(page) <= set(found)
    assert len(pointed_at(page)) > 15, "cards refer to suits, the contents to sections"


def test_a_page_requests_nothing_and_runs_nothing(root: Element) -> None:
    assert asked_for(root) == []
    assert handlers(root) == []
    (policy,) = [
        meta.attributes["content"]
        for meta in root.all("meta")
        if meta.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


def test_figures_have_text_a_name_and_a_finding(root: Element) -> None:
    """Letters are letters, not outlines, and who cannot see a figure is told what it shows."""
    drawings = [drawing for drawing in root.all("svg") if drawing.attributes.get("aria-hidden") != "true"]
    assert len(drawings) == 10
    named = set()
    for drawing in drawings:
        assert drawing.attributes["role"] == "img"
        name, about = (drawing.all(tag)[0].text for tag in ("title", "desc"))
        assert len(name) > 5
        assert re.search(r"\d|[♠♥♦♣]", about), f"{name} states no finding: {about}"
        assert about.endswith(".")
        assert drawing.all("text"), name
        named.add(name)
    assert len(named) == len(drawings)
    for drawing in root.all("svg"):
        if drawing.attributes.get("class") == "chart":
            for key, child in (("aria-labelledby", "title"), ("aria-describedby", "desc")):
                assert drawing.attributes[key] == drawing.all(child)[0].attributes["id"]


def test_no_label_lies_on_a_curve_of_the_lead_history(root: Element) -> None:
    (drawing,) = root.one("lead-history").all("svg")
    texts = [text for text in drawing.all("text") if text.text[0].isalpha()]
    words = [text.text for text in texts]
    ends = ["first side", "ahead, above", "second side"]
    assert words == ["expected rank: 1 first, 0 last", *ends, "share of the game done, %"]
    curves = [path for path in drawing.all("path") if path.attributes["class"] in ("l0", "l1")]
    right = max(
        float(point.partition(",")[0])
        for path in curves
        for point in re.split("[ML]", path.attributes["d"])
        if "," in point and "h" not in point
    )
    assert all(float(text.attributes["x"]) > right for text in texts[1:4])
    heights = [float(text.attributes["y"]) for text in texts[1:4]]
    assert all(abs(a - b) >= 15 for a, b in combinations(heights, 2))


def test_a_deal_is_called_by_its_word(root: Element) -> None:
    """In Euchre one run of the program is a hand."""
    assert "20 hands of random players" in root.one("branching").text
    assert "2 hands with the player “published” in every seat" in root.one("spread").text
    (tiles,) = [found for found in root.all("dl") if found.attributes.get("class") == "glance"]
    assert "decisions per hand" in tiles.text
    for name in ("branching", "leading", "length", "scores", "lead-history"):
        assert " game " not in root.one(name).text.replace("share of the game", ""), name


def test_published_is_explained(root: Element) -> None:
    for name in ("spread", "skill"):
        assert "“published” is the search player of the studies" in root.one(name).text


def test_too_few_deals_say_so(root: Element) -> None:
    (tiles,) = [found for found in root.all("dl") if found.attributes.get("class") == "glance"]
    assert "Too few deals" in tiles.text
    assert "2 deals of at least 20" in tiles.text
    assert "due to" not in tiles.text
    assert (
        "2 deals are too few to show the shares of skill and luck: at least 20 are needed"
        in root.one("skill").text
    )
    assert not root.one("skill").all("figure")


def test_links_of_a_page_alone_stay_on_it(root: Element) -> None:
    assert root.all("a")
    for link in root.all("a"):
        assert link.attributes["href"].startswith(("#", "data:text/plain;", "https://", "http://"))


def test_figures_are_in_the_page_s_colours(root: Element) -> None:
    """A colour of their own would stay as it is in the dark."""
    charts = [drawing for drawing in root.all("svg") if drawing.attributes.get("class") == "chart"]
    assert len(charts) == 8
    for drawing in charts:
        for element in drawing.all():
            assert not {"style", "fill", "stroke"} & set(element.attributes), element.tag
    (style,) = [style for style in root.all("style") if "--surface" in style.text]
    light, dark = re.findall(r":root \{ (--surface.*?) \}", style.text)
    names = [re.findall(r"(--[a-z0-9]+):", part) for part in (light, dark)]
    assert names[0] == names[1]
    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", style.text))
    assert used <= set(re.findall(r"(--[a-z0-9-]+):", style.text))


def test_no_text_overlaps_in_the_graph(made: PageData) -> None:
    drawn = picture(made.movement, made.game.narrator, None)
    assert len(drawn.texts) > 20
    for one, other in combinations(drawn.texts, 2):
        assert not one.room.overlaps(other.room), f"{one.text} and {other.text}"
    for text in drawn.texts:
        assert text.room.x >= 0
        assert text.room.y >= 0
        assert text.room.x + text.room.width <= drawn.width
        assert text.room.y + text.room.height <= drawn.height


def test_words_of_the_sheet_and_of_the_graph(made: PageData, root: Element) -> None:
    assert made.sheet is not None
    text = root.text
    for wanted in (made.sheet.summary, made.sheet.variants, *made.sheet.related):
        assert wanted in text
    for source in made.sheet.sources:
        assert source.partition(", https:")[0] in text
    (link,) = root.one("rules").all("a")
    assert link.attributes["href"].startswith("https://www.pagat.com/")
    assert link.text in text
    assert "https:" not in root.one("rules").text, "the words are the link"
    for rule in made.sheet.house_rules:
        assert rule.title in root.one("house-rules").text
    chosen = [bold.text for bold in root.one("house-rules").all("b")]
    assert chosen[0] == "no", "what was asked for, not what is usual"
    assert "becomes known to" in root.one("flow").text
    assert "95 % interval" in root.one("heuristics").text


def test_the_program_is_complete_and_can_be_downloaded(made: PageData, root: Element) -> None:
    section = root.one("program")
    (shown,) = section.all("pre")
    assert shown.text == made.program
    assert len({span.attributes["class"] for span in shown.all("span")}) > 8
    (link,) = section.all("a")
    assert link.attributes["download"] == "euchre.rcy"
    packed = link.attributes["href"].partition("base64,")[2]
    assert base64.b64decode(packed) == find("euchre").rules.read_bytes()


def test_every_figure_says_how_it_is_made(root: Element) -> None:
    for name in (*FIGURES, "heuristics"):
        (command,) = [p for p in root.one(name).all("p") if p.attributes.get("class") == "command"]
        words = shlex.split(command.all("code")[0].text)
        assert words[:3] == ["upcard", {"table": "page", "flow": "graph"}.get(name, "study"), "euchre"]
        assert words[words.index("--seed") + 1] == "3"
        assert "stick=no" in words


def test_its_own_command_makes_it_again(page: str, root: Element, tmp_path: Path) -> None:
    (footer,) = root.all("footer")
    words = shlex.split(footer.all("code")[0].text)
    done = upcard(*words[1:], "--workers", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "euchre.html").read_text(encoding="utf-8") == page
    assert [path.name for path in tmp_path.iterdir()] == ["euchre.html"]


def test_commands_of_figures_draw_them(root: Element, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed here")
    for name in ("flow", "spread"):  # a study with searching players draws all of its figures
        codes = [code.text for code in root.one(name).all("code")]
        done = upcard(*shlex.split(codes[0])[1:], cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / (codes[1] if len(codes) > 1 else "euchre.svg")).is_file()
    for name in ("branching", "leading", "length", "scores", "lead-history"):
        assert (tmp_path / root.one(name).all("code")[-1].text).is_file()
    drawn = read((tmp_path / "euchre.svg").read_text(encoding="utf-8"))
    shown = root.one("flow").all("svg")[0]
    assert sorted(path.attributes["class"] for path in drawn.all("path")) == sorted(
        path.attributes["class"] for path in shown.all("path")
    )


@pytest.mark.parametrize(
    "choices, games", [([[2, 1, 1]], 75), ([[1], [1, 1]], 75), ([[60, 40]], 50), ([[9000]], 4), ([], 75)]
)
def test_more_choices_make_fewer_games(choices: list[list[int]], games: int) -> None:
    assert search_games(choices) == games


def test_what_may_be_wide_scrolls_by_itself(root: Element) -> None:
    """Nothing makes a page wider than a phone: tables, the program and the graph scroll in their frames."""
    css = "".join(style.text for style in root.all("style"))
    rigid = re.findall(r"([^{}]+)\{[^{}]*min-width:\s*([\d.]+)rem", re.sub(r"@media[^{]*\{", "", css))
    wide = {selector.strip() for selector, size in rigid if float(size) * 16 > 390 - 2 * 20}
    assert wide == {".wide svg", ".heuristics"}
    assert ".wide .frame { overflow-x: auto; }" in css
    for name in ("scroll", "program"):
        assert re.search(rf"\.{name} {{[^}}]*overflow-x: auto", css)
    for table in root.all("table"):
        above, classes = table.parent, []
        while above is not None:
            classes += above.attributes.get("class", "").split()
            above = above.parent
        assert "scroll" in classes or "lines" in table.attributes.get("class", ""), table.attributes


@pytest.mark.skipif(browser() is None, reason="Chromium is not installed here")
def test_a_page_fits_a_phone_and_a_screen(page: str, tmp_path: Path) -> None:
    file = tmp_path / "euchre.html"
    program = browser()
    assert program is not None
    for width in WIDTHS:
        file.write_text(page, encoding="utf-8")
        assert too_wide(file, width, program) == []
    file.write_text(page.replace("<main", '<p style="width:500px">wide</p><main', 1), encoding="utf-8")
    assert too_wide(file, WIDTHS[0], program)
