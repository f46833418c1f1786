"""Titles that carry a state: "[CANCELLED] Choir", "CANCELLED: Choir", "Choir - postponed". Any other mark, such as "[LATE]", is part of the title."""

import re

from festivals.models import State

_WORDS = {
    State.CANCELLED: r"cancell?ed|called off|annul[ée]e?s?|abgesagt|f[äa]llt aus",
    State.POSTPONED: r"postponed|report[ée]e?s?|verschoben",
}
_PATTERNS = [
    (state, re.compile(rf"(?i)(?:[\[(*]+\s*(?:{words})\s*!*\s*[\])*]+\s*[:–—-]*|(?:{words})\s*(?:!+|:|\s[–—-]))\s*(?P<title>\S.*)"))
    for state, words in _WORDS.items()
] + [
    (state, re.compile(rf"(?i)(?P<title>.*\S)\s*(?:[\[(*]+\s*(?:{words})\s*!*\s*[\])*]+|\s[–—-]\s*(?:{words})!*)"))
    for state, words in _WORDS.items()
]  # fmt: skip


def parted(title: str) -> tuple[str, str]:
    """The title without the word for its state, and the state: empty where the title says none."""
    for state, pattern in _PATTERNS:
        if match := pattern.fullmatch(title):
            return match["title"], state.value
    return title, ""
