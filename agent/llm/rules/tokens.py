"""A query as words: folded for look-ups, with the breaks that punctuation makes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.snapshot.names import fold

_CHUNK = re.compile(r"\S+")
_BREAK = re.compile(r"[.,;:?!)]+$")
_SPELT = {  # little words as they are often mistyped; names and kinds are mended by the town's own
    "neerest": "nearest", "nearst": "nearest", "neares": "nearest", "closet": "closest", "closets": "closest", "tonite": "tonight", "tonihgt": "tonight",
    "tomorow": "tomorrow", "tommorow": "tomorrow", "tommorrow": "tomorrow", "tmrw": "tomorrow", "tmr": "tomorrow", "wknd": "weekend", "opne": "open", "nr": "near", "sumwhere": "somewhere",
    "wat": "what", "wats": "whats", "wheres": "wheres", "were": "where", "coffe": "coffee",
}  # fmt: skip
_NUMBERS = {"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}


@dataclass(frozen=True, slots=True)
class Word:
    """One folded word. `ends` is the mark that closes it: "", "," or "." (any end of a sentence)."""

    text: str
    raw: str
    ends: str = ""


def words_of(query: str) -> tuple[Word, ...]:
    """The words of a query. "four stars" and "4-star" become "4 star(s)"."""
    found: list[Word] = []
    for match in _CHUNK.finditer(query):
        raw = match[0]
        parts = fold(raw).split()
        mark = _BREAK.search(raw)
        ends = "" if mark is None else "." if set(mark[0]) & set(".?!;") else ","
        if not parts:
            if found and ends:
                found[-1] = Word(found[-1].text, found[-1].raw, max(found[-1].ends, ends))
            continue
        found += [Word(_SPELT.get(part, part), raw, ends if part is parts[-1] else "") for part in parts]
    return tuple(_stars(found))


def _stars(words: Sequence[Word]) -> list[Word]:
    out = list(words)
    for at, word in enumerate(words[1:], start=1):
        if word.text in ("star", "stars") and words[at - 1].text in _NUMBERS:
            out[at - 1] = Word(_NUMBERS[words[at - 1].text], words[at - 1].raw)
    return out


def text_of(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)
