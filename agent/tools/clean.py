"""Text that others wrote, before it goes into an answer or to a model: without hidden characters, on one line, and cut."""

import unicodedata
from dataclasses import replace

from agent.types import Row

NAME_CHARS = 120
FACT_CHARS = 300
_JOINERS = "\u200c\u200d"  # they are part of the spelling in Persian, Hindi and others; between Latin letters they only hide


def clean(row: Row) -> Row:
    """A row with its names and facts cleaned and cut. Its ids, its address and its states are ours."""
    return replace(
        row,
        name=clean_text(row.name, NAME_CHARS),
        names=tuple(clean_text(name, NAME_CHARS) for name in row.names),
        location=clean_text(row.location, FACT_CHARS),
        reason=replace(row.reason, text=clean_text(row.reason.text, FACT_CHARS)),
        facts={slot: clean_text(text, NAME_CHARS if slot == "name" else FACT_CHARS) for slot, text in row.facts.items()},
    )


def clean_text(text: str, most: int) -> str:
    """One line of at most so many characters, without control, turning, private and hidden characters. Cut text ends in "…"."""
    if not text.isprintable() or "  " in text:
        text = " ".join("".join(_kept(text, at) for at in range(len(text))).split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _kept(text: str, at: int) -> str:
    char = text[at]
    if char.isspace():
        return " "
    if char in _JOINERS:
        return char if at and not unicodedata.name(text[at - 1], "LATIN").startswith("LATIN") else ""
    return "" if unicodedata.category(char)[0] == "C" else char
