"""Intake: one query in, counted and cleaned, or refused."""

import unicodedata

from agent.errors import Refused
from agent.types import Budget

EMPTY = "Ask me something about the town: a place, what is open, what is near."
TOO_LONG = "That is longer than {cap} characters. Please say it shorter."


def normalise(text: str) -> str:
    """NFC, outer white space trimmed, control and format characters made spaces: what A-01 counts."""
    text = unicodedata.normalize("NFC", text).strip()
    return "".join(" " if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in "\u200d\u200c" else char for char in text)


def intake(text: str, budget: Budget) -> str:
    """The query as it is asked from here on. Raises Refused when there is nothing in it or too much (A-01, A-02, A-03).

    The count is of code points after NFC and trimming, before anything is taken out: a page and a partner count the same.
    """
    if len(unicodedata.normalize("NFC", text).strip()) > budget.query_chars:
        raise Refused("too_long", TOO_LONG.format(cap=budget.query_chars))
    query = normalise(text)
    if not query.strip(" \u200c\u200d"):
        raise Refused("empty", EMPTY)
    return query
