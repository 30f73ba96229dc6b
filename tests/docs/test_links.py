"""No link of the documentation is dead, and no page is left out of the site."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.docs.dead_links import anchors, dead_links, documents, links
from tests.docs.site.site_pages import BORROWED, CHAPTERS, children, pages, site_text
from tests.docs.steps import DOCS


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(DOCS.parent)))
def test_links_lead_somewhere(path: Path) -> None:
    assert list(dead_links(path)) == []


def test_a_dead_link_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.docs.dead_links.ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(
        "# A `page` of links\n\n[one](page.md#a-page-of-links) [two](other.md) ![three](a.svg)\n"
        "[four](#nowhere) `[five](code.md)` [six](https://example.org/)\n\n```text\n[seven](fence.md)\n```\n",
        encoding="utf-8",
    )
    assert [line.split(": ", 1)[1] for line in dead_links(page)] == [
        "other.md does not exist",
        "#nowhere: there is no such section",
        "a.svg does not exist",
    ]


def test_equal_headings_have_different_anchors(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Wrong\n\n## Right\n\n## Wrong\n", encoding="utf-8")
    assert anchors(page) == {"wrong", "right", "wrong-1"}


def test_links_in_prose_are_found() -> None:
    assert list(links('[a `b` [c]](d.md#e) <img alt="" src="f.svg">')) == ["d.md#e", "f.svg"]


def test_every_page_is_in_the_navigation() -> None:
    def text(page: str) -> str:
        return (DOCS / f"{page}.md").read_text(encoding="utf-8")

    found = ["index"]
    for page in found:
        shown = site_text(page, text(page))
        for line in shown.splitlines():
            if line.startswith("/"):
                assert line[1:] not in found, f"{line} is in the navigation twice"
                found.append(line[1:])
    moved = {page for page in pages() if "orphan: true" in text(page)}
    assert set(found) | moved == set(pages())


def test_an_index_lists_its_pages_in_the_order_of_its_text() -> None:
    assert set(BORROWED) <= {f"{folder}/index" for folder in CHAPTERS.values()}
    text = "* [two](two.md)\n* [guide](play-euchre.md)\n* [hint](../hint.md)\n"
    assert children("how-to/index", text)[:2] == ["how-to/play-euchre", "hint"]
