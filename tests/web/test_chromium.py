"""The table in a real browser: deals by clicks and by keys, a friend, a server that is killed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.web.browsers import get, make_table
from tests.web.processes import Process

import upcard

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed here")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if CHROMIUM is None:
    pytest.skip("there is no Chromium here; the table is not tried in a browser", allow_module_level=True)

SIZES = [(1280, 800, "light"), (390, 844, "dark")]
WAIT = 60_000
"""Milliseconds after which something is missing."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        # the sandbox needs rights that tests may not have; only pages of our own are opened
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(chromium: Any, width: int = 1280, height: int = 800, colours: str = "light") -> Iterator[Any]:
    """A page of a new browser, in which nothing may go wrong."""
    wrong: list[str] = []
    context = chromium.new_context(
        viewport={"width": width, "height": height}, color_scheme=colours, reduced_motion="reduce"
    )
    context.set_default_timeout(WAIT)
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if "Security Policy" in said.text else None)
    yield page
    assert not wrong
    context.close()


def enter(page: Any, address: str, table: dict[str, str]) -> None:
    """Opens a table by the personal link of a seat."""
    page.goto(f"{address}/table/{table['code']}#seat={table['token']}")
    page.wait_for_selector("waiting-room button.main, card-table .you")


def turn(page: Any) -> Any:
    """The person's next turn, or the end of the deal."""
    page.wait_for_selector("dialog, .question.mine")
    return page.evaluate("document.querySelector('card-table').turn")


def after(page: Any, before: Any) -> None:
    page.wait_for_function(
        "before => document.querySelector('card-table').turn !== before || document.querySelector('dialog')",
        arg=before,
    )


def fits(page: Any) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"


def test_the_client_has_the_same_state_as_the_server(address: str, chromium: Any) -> None:
    """The client's merge patch is the server's."""
    with opened(chromium) as page:
        page.goto(address)
        found = page.evaluate(
            """async () => {
                const { patched } = await import("/static/table_state.js");
                const old = {a: {b: 1, c: [1]}, d: "x", e: {f: {g: 1}}};
                return patched(old, {a: {c: null, h: [2]}, d: {i: 1}, e: {f: {g: 2}}, j: ""});
            }"""
        )
    assert found == {"a": {"b": 1, "h": [2]}, "d": {"i": 1}, "e": {"f": {"g": 2}}, "j": ""}


@pytest.mark.parametrize(("width", "height", "colours"), SIZES)
def test_axe_finds_nothing(address: str, chromium: Any, width: int, height: int, colours: str) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed here"
    ).Axe()

    def check(page: Any) -> None:
        found = axe.run(page).response["violations"]
        assert not [(one["id"], one["nodes"][0]["html"]) for one in found]

    table = make_table(address, "euchre", ("open", "open", "random", "random"))
    with opened(chromium, width, height, colours) as page:
        page.goto(address)
        page.wait_for_selector(".families a")
        check(page)
        page.goto(f"{address}/#euchre")
        page.wait_for_selector(".settings")
        check(page)
        page.goto(f"{address}/table/{table['code']}")
        page.wait_for_selector("waiting-room input")
        check(page)
        page.goto(f"{address}/table/{table['code']}?again#seat={table['token']}")
        page.get_by_role("button", name="Start the match").click()
        for _ in range(4):
            before = turn(page)
            check(page)
            if page.locator("dialog").count():
                return
            page.locator(".fan button.playable, .choices button").first.click(position={"x": 9, "y": 20})
            after(page, before)
        page.get_by_role("button", name="Invite").click()
        check(page)


@pytest.mark.parametrize(("width", "height", "colours"), SIZES)
def test_a_table_from_the_lobby_and_a_deal_by_clicks(
    address: str, chromium: Any, width: int, height: int, colours: str
) -> None:
    with opened(chromium, width, height, colours) as page:
        page.goto(address)
        page.wait_for_selector(".families a")
        assert page.locator(".families a").count() == len(upcard.games())
        fits(page)
        page.get_by_placeholder("Search games").fill("euchre")
        page.locator(".families a").first.click()
        page.get_by_label("Your name").fill("<b>Ann</b>")
        page.get_by_label("Stick the dealer").uncheck()
        page.get_by_label("Speed of bots").select_option("fast")
        for seat in ("West", "North", "East"):
            page.get_by_label(seat).select_option("casual")
        fits(page)
        page.get_by_role("button", name="Open the table").click()
        page.get_by_role("button", name="Start the match").click()
        page.wait_for_selector("card-table .you .pill")
        assert page.locator("card-table .you .pill .name").inner_text() == "<b>Ann</b>"
        assert "may not pass: no." in page.locator(".about").inner_text()
        play_deal_by_clicks(page)
        fits(page)
        assert "Score:" in page.locator("dialog").inner_text()
        page.locator("dialog button.main").click()
        page.wait_for_selector("dialog", state="detached")
        assert page.locator("table-log li").count() > 0


def play_deal_by_clicks(page: Any) -> None:
    while True:
        before = turn(page)
        if page.locator("dialog").count():
            return
        fits(page)
        playable = page.locator('.fan button[aria-label$="playable"]:not([aria-disabled])')
        options = page.locator(".choices button")
        assert playable.count() or options.count()
        assert page.locator("[role=alert][aria-live=assertive]").inner_text().startswith("Your turn")
        # another card may cover the middle of a card, but not its corner
        (playable if playable.count() else options).first.click(position={"x": 9, "y": 20})
        after(page, before)


def test_a_deal_by_keys_alone(address: str, chromium: Any) -> None:
    table = make_table(address, "euchre", ("open", *["random"] * 3))
    with opened(chromium, 390, 844, "dark") as page:
        enter(page, address, table)
        for _ in range(20):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('waiting-room button.main')"):
                break
        page.keyboard.press("Enter")
        held = 0
        while True:
            before = turn(page)
            if page.locator("dialog").count():
                break
            page.wait_for_function("document.activeElement.matches('card-table button')")
            if page.evaluate("document.activeElement.matches('.fan button')"):
                name = page.evaluate("document.activeElement.getAttribute('aria-label')")
                assert name.endswith(", playable")
                held += 1
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Home")
            page.keyboard.press("End")
            for _ in range(6):  # back to a choice that can be made
                if page.evaluate("document.activeElement.getAttribute('aria-disabled')") is None:
                    break
                page.keyboard.press("ArrowLeft")
            page.keyboard.press("Enter")
            after(page, before)
        assert held == 5
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog", state="detached")


def test_several_cards_are_chosen_and_confirmed(address: str, chromium: Any) -> None:
    table = make_table(address, "cribbage", ("open", "random"))
    with opened(chromium) as page:
        enter(page, address, table)
        page.get_by_role("button", name="Start the match").click()
        before = turn(page)
        cards = page.locator(".fan button")
        cards.nth(0).click(position={"x": 9, "y": 20})
        assert cards.nth(0).get_attribute("aria-pressed") == "true"
        cards.nth(2).click(position={"x": 9, "y": 20})
        assert page.locator(".choices button").count() == 1
        page.locator(".choices button.main").click()
        after(page, before)
        page.wait_for_function("document.querySelectorAll('.fan button').length === 4")


def test_a_friend_joins_and_both_survive_a_kill(tmp_path: Path, chromium: Any) -> None:
    words = ["--no-browser", "--database", str(tmp_path / "tables.db")]
    with Process([*words, "--port", "0"], tmp_path) as process:
        address, port = process.address, process.port
        table = make_table(address, "kuhn-poker", ("open", "open"))
        with opened(chromium) as ann, opened(chromium, 390, 844, "dark") as bob:
            enter(ann, address, table)
            bob.goto(f"{address}/table/{table['code'].lower()}")
            bob.get_by_label("Your name").fill("Bob")
            bob.get_by_role("button", name="Sit here").click()
            bob.wait_for_selector(f"text={'Ann'} starts the match")
            ann.get_by_role("button", name="Start the match").click()
            for page in (ann, bob):
                page.wait_for_selector("card-table .you .fan .card")
            held = [page.locator(".you .fan [data-card]").get_attribute("data-card") for page in (ann, bob)]
            process.kill()
            for page in (ann, bob):
                page.wait_for_selector(".connection:not([hidden])")
            with Process([*words, "--port", str(port)], tmp_path) as again:
                assert get(f"{again.address}/api/lobby")[0] == 200
                for page, card in zip((ann, bob), held, strict=True):
                    page.wait_for_selector(".connection", state="hidden")
                    assert page.locator(".you .fan [data-card]").get_attribute("data-card") == card
                ann.get_by_role("button", name="Say").click()
                ann.get_by_role("button", name="Well played!").click()
                bob.wait_for_selector("text=Ann: Well played!")
                first, second = (ann, bob) if ann.locator(".question.mine").count() else (bob, ann)
                before = turn(first)
                first.locator(".choices button").first.click()
                after(first, before)
                second.wait_for_selector(".question.mine, dialog")
