"""Questions back in a real browser, without JavaScript: by pointer, by keyboard, on a small screen."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.urls import path
from playwright.sync_api import Browser, Page, sync_playwright

from agent.web import pages, wiring
from tests.rows import NOW, build

urlpatterns = [path("", pages.ask, {"clock": lambda: NOW}, name="ask")]  # the site's page, its clock stopped
CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
)
ONE, TWO = "a museum in Harbour and cafe near me", "cafe near me, a museum in Harbour and a zoo"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None and os.environ.get("CI") != "true", reason="chromium is not installed; `make system` as root installs it"),
]


@pytest.fixture
def address(settings, tmp_path: Path, live_server) -> Iterator[str]:
    settings.ROOT_URLCONF = __name__
    settings.SNAPSHOT_DIR = tmp_path
    build(tmp_path)
    wiring.store.cache_clear()
    yield live_server.url
    wiring.store.cache_clear()


@pytest.fixture
def browser(address: str) -> Iterator[Browser]:
    """Ended before the database is cleared: Django refuses to work beside playwright's event loop."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield browser
        browser.close()


def asked(browser: Browser, address: str, question: str, width: int = 1280, scheme: str = "light") -> Page:
    """The page that asks back, as a resident without JavaScript comes to it."""
    page = browser.new_context(java_script_enabled=False, viewport={"width": width, "height": 700}, color_scheme=scheme).new_page()
    page.goto(address)
    page.get_by_label("Your question").fill(question)
    page.get_by_role("button", name="Ask").click()
    return page


def cards(page: Page) -> list[str]:
    return [text.split("\n")[-1] for text in page.get_by_role("heading", level=3).all_inner_texts()]


@pytest.mark.rule("R-02", "R-09")
def test_one_question_back_is_answered_by_a_tap_or_in_own_words(browser, address):
    page = asked(browser, address, ONE)
    assert cards(page) == ["Boat Museum"]
    page.get_by_role("button", name="Harbour").click()
    assert (cards(page), page.get_by_text(pages.REST).is_visible()) == (["Pier Cafe"], True)
    page.get_by_role("button", name="Ask").click()
    assert cards(page) == ["Boat Museum"]
    page.get_by_role("textbox", name="Or name an area").fill("le port")
    page.get_by_role("button", name="Go on").click()
    assert cards(page) == ["Pier Cafe"]


@pytest.mark.rule("R-02", "R-09")
def test_two_questions_back_are_answered_together(browser, address):
    page = asked(browser, address, TWO)
    assert page.get_by_role("heading", level=2).all_inner_texts() == ["Cafe", "Museum in Harbour", "Zoo"]
    page.get_by_role("radio", name="Harbour").check()
    page.get_by_role("textbox", name="Or say it in other words").fill("gallery")
    page.get_by_role("button", name="Go on").click()
    assert cards(page) == ["Pier Cafe", "Boat Museum"]


@pytest.mark.rule("R-09")
def test_questions_back_are_answered_by_keyboard_and_the_enter_key_in_the_box_sends_the_words(browser, address):
    page = asked(browser, address, ONE)
    page.get_by_role("textbox", name="Or name an area").focus()
    page.keyboard.type("Harbour")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert cards(page) == ["Pier Cafe"]
    page = asked(browser, address, TWO)
    page.get_by_role("radio", name="Old Town").focus()
    page.keyboard.press("ArrowDown")
    page.get_by_role("radio", name="food").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    assert page.locator(":focus").get_attribute("name") == "say-3"
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert cards(page) == ["Pier Cafe", "Boat Museum"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("question", [ONE, TWO])
def test_options_fit_320_pixels_and_are_big_enough_to_tap(browser, address, question, scheme):
    page = asked(browser, address, question, width=320, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    boxes = [one.bounding_box() for one in page.locator(".choice, .say input[type=text], .say button, .back button").all()]
    assert min(box["height"] for box in boxes) >= 44
    assert max(box["x"] + box["width"] for box in boxes) <= 320


def test_every_option_and_box_has_a_name_and_its_group_the_question(browser, address):
    page = asked(browser, address, TWO)
    groups = [re.search(r"(Where should|What are)", group.aria_snapshot())[0] for group in page.get_by_role("group").all()[:2]]
    assert groups == ["Where should", "What are"]
    assert [page.get_by_role("radio", name=name).count() for name in ("Old Town", "Harbour", "food", "restaurant")] == [1, 1, 1, 1]
