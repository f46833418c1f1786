"""Which titles carry a state, and which only look so."""

import pytest

from festivals.importers.titles import parted


@pytest.mark.parametrize(
    "title",
    [
        "[CANCELLED] Choir",
        "[Canceled] Choir",
        "(cancelled) Choir",
        "CANCELLED: Choir",
        "Cancelled - Choir",
        "CANCELLED! Choir",
        "**Cancelled** Choir",
        "Choir [CANCELLED]",
        "Choir (cancelled)",
        "Choir - cancelled",
        "Choir – CANCELLED",
        "Annulé : Choir",
        "[Abgesagt] Choir",
    ],
)
def test_a_mark_is_told_from_the_title(title: str):
    assert parted(title) == ("Choir", "cancelled")


def test_a_postponed_event_is_told_too():
    assert (parted("POSTPONED: Choir"), parted("Choir (reporté)")) == (("Choir", "postponed"), ("Choir", "postponed"))


@pytest.mark.parametrize(
    "title", ["[LATE] Choir", "Cancelled Stamps Fair", "The Cancelled: a play", "Choir", "Cancelled", "", "[CANCELLED]", "Self-cancelled"]
)
def test_any_other_title_stays_as_it_is(title: str):
    assert parted(title) == (title, "")
