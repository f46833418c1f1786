"""The ask page in a real browser, with and without JavaScript."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

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
QUESTION = "cafe in Old Town and a museum in Harbour"

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


class Watched:
    """A page, the hosts that it asked, and what it complained of."""

    def __init__(self, browser: Browser, *, javascript: bool, width: int = 1280, scheme: str = "light") -> None:
        context = browser.new_context(java_script_enabled=javascript, viewport={"width": width, "height": 700}, color_scheme=scheme)
        self.page: Page = context.new_page()
        self.hosts: set[str] = set()
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))
        self.page.on("requestfailed", lambda request: self.complaints.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def overflow(self) -> int:
        """By how many pixels the page is wider than its window."""
        return self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@pytest.mark.parametrize("javascript", [True, False])
def test_a_resident_asks_and_reads_the_cards_and_no_other_host_is_asked(browser, address, javascript):
    seen = Watched(browser, javascript=javascript)
    page = seen.page
    page.goto(address)
    page.get_by_label("Your question").fill(QUESTION)
    page.get_by_role("button", name="Ask").click()
    assert page.get_by_role("heading", level=2).all_inner_texts() == ["Cafe in Old Town", "Museum in Harbour"]
    assert page.get_by_role("listitem").get_by_role("heading", level=3).all_inner_texts() == [
        "1\nThe Blue Door Café",
        "2\nMill Cafe",
        "3\nBoat Museum",
    ]
    assert page.get_by_text("Open, closes 17:00", exact=True).is_visible()
    assert page.get_by_role("link", name="Directions to Mill Cafe").get_attribute("href").startswith("geo:54.401200,-2.961000")
    page.get_by_text("How this was answered").click()
    assert page.get_by_role("table").is_visible()
    assert (seen.hosts, seen.complaints) == ({urlsplit(address).netloc}, [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_hangs_over_at_320_pixels_and_every_target_is_big_enough(browser, address, scheme):
    seen = Watched(browser, javascript=False, width=320, scheme=scheme)
    for place in ("/", f"/?q={QUESTION}", f"/?fill={'W' * 140}", f"/?q={'W' * 141}"):
        seen.page.goto(address + place)
        for summary in seen.page.locator("summary").all():
            summary.click()
        assert (place, seen.overflow()) == (place, 0)
        sizes = [link.bounding_box() for link in seen.page.locator("main a, main button, summary, .home").all()]
        assert min(box["height"] for box in sizes) >= 44
    assert seen.complaints == []


def test_the_whole_way_can_be_gone_by_keyboard(browser, address):
    page = Watched(browser, javascript=False).page
    page.goto(address)
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to the question box"
    page.keyboard.press("Enter")
    page.keyboard.type("where is Clock Tower?")
    page.keyboard.press("Enter")
    page.wait_for_url("**/#answer")
    assert page.get_by_role("heading", level=3).all_inner_texts() == ["1\nClock Tower"]
    page.keyboard.press("Tab")
    assert page.locator(":focus").get_attribute("href").startswith("geo:54.400500,-2.960500")


def test_the_box_takes_140_characters_and_no_more_typed_or_pasted(browser, address):
    page = Watched(browser, javascript=False).page
    page.goto(address)
    box = page.get_by_label("Your question")
    box.fill("a" * 138)
    box.press_sequentially("bcd")
    assert box.input_value() == "a" * 138 + "bc"
    box.fill("")
    page.keyboard.insert_text("é" * 141)  # as a paste does
    assert box.input_value() == "é" * 140
