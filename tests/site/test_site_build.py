"""The site: all pages and an index, made anew only where something changed, gone on with after a stop."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.runner import upcard
from tests.site.page_reader import asked_for, handlers, ids, read
from tests.site.small_game import SOUND, folder_of

from upcard.library import find, names, read_sheet
from upcard.library import lookup as shelf
from upcard.library.catalogue import Entry
from upcard.parallel.pool import in_order
from upcard.site import site_build as sites
from upcard.site.index_page import _players_order
from upcard.site.page_data import PageData, PageOptions
from upcard.site.site_build import NotOurs, Site

ASKED = PageOptions("", engine="reference", games=6, players="none")
SHEET = 'title = "{title}"\nrelated = ["Second", "Elsewhere"]\nfamily = "{family}"\nline = "<b>{title}</b>"\n'
SHEET += 'tags = ["two players", "quick"]\n'


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shelf with two games of its own."""
    place = tmp_path / "games"
    folder_of(place, "first", SOUND.format(comment="one"), SHEET.format(title="First", family="climbing"))
    folder_of(place, "second", SOUND.format(comment="two"), SHEET.format(title="Second", family="bluff"))
    monkeypatch.setattr(shelf, "GAMES", place)
    return place


def build(site: Site) -> list[str]:
    site.open()
    made = list(site.make(site.outdated(), 1))
    site.finish()
    return made


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_pages_and_an_index(library: Path, tmp_path: Path) -> None:
    site = Site.of(tmp_path / "out", ASKED)
    assert build(site) == ["first", "second"]
    assert set(files(site.folder)) == {
        "index.html",
        "first.html",
        "second.html",
        ".upcard/first.json",
        ".upcard/second.json",
    }
    for name in ("index", "first", "second"):
        root = read((site.folder / f"{name}.html").read_text(encoding="utf-8"))
        assert asked_for(root) == []
        assert len(ids(root)) == len(set(ids(root)))
        for link in root.all("a"):
            to = link.attributes["href"]
            assert to.startswith(("#", "data:")) or (site.folder / to).is_file(), to
    first = read((site.folder / "first.html").read_text(encoding="utf-8"))
    (related,) = first.one("related").all("a")
    assert related.attributes["href"] == "second.html"
    assert handlers(first) == []


def test_the_index_explains_its_columns_and_finds_tags(library: Path, tmp_path: Path) -> None:
    site = Site.of(tmp_path / "out", ASKED)
    build(site)
    root = read((site.folder / "index.html").read_text(encoding="utf-8"))
    heads = root.all("thead")[0].all("th")
    assert all(len(head.attributes["title"]) > 10 for head in heads)
    explained = [term.text for term in root.all("dt")]
    assert explained == [head.text for head in heads[3:]], "on touch screens there is no hovering"
    assert all(part.text for part in root.all("dd"))
    for row in root.all("tbody")[0].all("tr"):
        assert row.attributes["data-tags"] == "two players quick"
    (script,) = root.all("script")
    assert "row.dataset.tags" in script.text
    (style,) = root.all("style")
    assert "line-clamp" not in style.text, "lines are shown whole"
    assert "6 games of random players (seed 0)" in root.text
    assert "searching players" not in root.text, "nobody searched"


def test_players_sort_as_they_read() -> None:
    def entry(*offered: int) -> Entry:
        return Entry("x", "X", "bluff", offered[0] if offered else None, offered, "")

    ordered = [entry(1, 2, 3, 4, 5), entry(2), entry(2, 3), entry(2, 3, 4), entry(3), entry(4, 5, 6, 7)]
    keys = [float(_players_order(one)) for one in ordered]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("name", names())
def test_every_game_of_the_library_has_a_short_line(name: str) -> None:
    files = find(name)
    assert files.sheet is not None
    line = read_sheet(files.sheet).line
    assert 10 < len(line) <= 60
    assert "…" not in line


def test_the_index_is_a_table_without_its_script(library: Path, tmp_path: Path) -> None:
    site = Site.of(tmp_path / "out", ASKED)
    build(site)
    text = (site.folder / "index.html").read_text(encoding="utf-8")
    root = read(text)
    (script,) = root.all("script")
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    policies = [meta.attributes.get("content", "") for meta in root.all("meta")]
    assert any(f"script-src 'sha256-{digest}'" in policy for policy in policies), "no other script may run"
    assert handlers(root) == ["script"]
    (controls,) = [div for div in root.all("div") if div.attributes.get("class") == "controls"]
    assert "hidden" in controls.attributes
    first, second = root.all("tbody")[0].all("tr")
    assert first.all("th")[0].text == "First<b>First</b>"
    assert first.attributes["data-family"] == "climbing"
    assert second.attributes["data-players"] == "2"
    decisions = first.all("td")[2]
    assert (decisions.text, decisions.attributes["data-value"]) == ("6.0", "6.0"), "sorted as it reads"
    assert {option.attributes["value"] for option in root.all("option")} == {"", "bluff", "climbing", "2"}


def test_only_changed_pages_are_rebuilt(library: Path, tmp_path: Path) -> None:
    site = Site.of(tmp_path / "out", ASKED)
    build(site)
    before = files(site.folder)
    assert build(site) == []
    assert files(site.folder) == before
    rules = library / "first" / "rules.rcy"
    rules.write_text(rules.read_text(encoding="utf-8") + ";; more\n", encoding="utf-8")
    assert build(site) == ["first"]
    sheet = library / "second" / "game.toml"
    sheet.write_text(
        sheet.read_text(encoding="utf-8") + 'summary = "Now with a summary."\n', encoding="utf-8"
    )
    assert build(site) == ["second"]
    assert b"Now with a summary." in site.page("second").read_bytes()
    site.page("first").write_text("somebody wrote over it", encoding="utf-8")
    assert build(site) == ["first"]
    site.page("second").unlink()
    assert build(site) == ["second"]
    assert build(replace(site, options=replace(ASKED, seed=1))) == ["first", "second"]


def test_pages_depend_on_the_package_s_files(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site.of(tmp_path / "out", ASKED)
    build(site)
    one = tmp_path / "package"
    one.mkdir()
    (one / "drawing.py").write_text("x = 1\n", encoding="utf-8")
    before = sites.digest_of(one.rglob("*.py"), one)
    (one / "drawing.py").write_text("x = 2\n", encoding="utf-8")
    assert sites.digest_of(one.rglob("*.py"), one) != before
    monkeypatch.setattr(sites, "_package_digest", lambda: "other files")
    assert site.outdated() == ["first", "second"]


def test_a_new_title_is_linked_everywhere(library: Path, tmp_path: Path) -> None:
    site = Site.of(tmp_path / "out", ASKED)
    build(site)
    (library / "second" / "game.toml").write_text(
        SHEET.format(title="Elsewhere", family="bluff"), encoding="utf-8"
    )
    assert build(site) == ["first", "second"]
    first = read(site.page("first").read_text(encoding="utf-8"))
    assert [link.text for link in first.one("related").all("a")] == ["Elsewhere"]


def test_an_interrupted_site_is_resumed(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Site.of(tmp_path / "whole", ASKED)
    build(whole)
    site = Site.of(tmp_path / "out", ASKED)
    site.open()
    draw = sites.game_page

    def stop_at_the_second(made: PageData, links: dict[str, str]) -> str:
        if made.game.name == "second":
            raise KeyboardInterrupt
        return draw(made, links)

    monkeypatch.setattr(sites, "game_page", stop_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        list(site.make(site.outdated(), 1))
    monkeypatch.setattr(sites, "game_page", draw)
    assert site.page("first").is_file()
    assert not site.page("second").exists()
    (kept,) = [path for path in (site.folder / ".upcard").iterdir() if path.is_dir()]
    games = (kept / "record" / "random.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(games) == 1 + ASKED.games, "what was played is not played again"
    assert build(site) == ["second"]
    assert files(site.folder) == files(whole.folder)


def test_a_folder_with_another_site_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "index.html").write_text("mine", encoding="utf-8")
    with pytest.raises(NotOurs, match=r"contains an index\.html that Upcard did not make"):
        Site.of(folder, ASKED).open()
    with pytest.raises(NotOurs, match="is a file"):
        Site.of(folder / "index.html", ASKED).open()
    assert (folder / "index.html").read_text(encoding="utf-8") == "mine"


def test_the_command_and_any_number_of_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--players", "none", "--games", "8", "leduc-holdem", "kuhn-poker"]
    for workers in ("1", "2"):
        done = upcard("site", "-o", f"by{workers}", "--workers", workers, *words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout == f"2 pages written: by{workers}/index.html\n"
    assert files(tmp_path / "by1") == files(tmp_path / "by2")
    note = json.loads((tmp_path / "by1" / ".upcard" / "kuhn-poker.json").read_text(encoding="utf-8"))
    assert note["row"]["decisions"] == pytest.approx(2.3, abs=0.5)
    done = upcard("site", "-o", "by1", *words, cwd=tmp_path)
    assert done.stdout == "0 pages written, 2 as they were: by1/index.html\n"

    def interrupted(*_: object) -> Iterator[list[str]]:
        yield ["kuhn-poker"]
        raise KeyboardInterrupt

    monkeypatch.setattr(sites, "in_order", interrupted)
    done = upcard("site", "-o", "by3", *words, cwd=tmp_path)
    assert done.returncode == 130
    assert done.stderr == "upcard: interrupted after 0 of 2 pages; the same command resumes\n"
    monkeypatch.setattr(sites, "in_order", in_order)
    done = upcard("site", "-o", "by3", "nothing", cwd=tmp_path)
    assert done.returncode == 2
    assert "the library has no game nothing" in done.stderr
