"""Grounding: nothing is shown that the gathered rows do not say (A-42)."""

import re
from collections.abc import Collection, Sequence

from agent.snapshot.lexicon import Lexicon
from agent.snapshot.names import fold
from agent.types import Part, Row

_NUMBER = re.compile(r"\d+(?:[.:,]\d+)*")
_NAMES = ("landmark", "place", "area", "festival")
_LONGEST = 8


def problems(part: Part, gathered: Sequence[Row], said: str, counts: Collection[int], lexicon: Lexicon) -> list[str]:
    """What in a part is not true of the rows gathered for its question; empty when it is grounded.

    `said` is what the resident typed (it may be repeated), `counts` the numbers of rows found.
    """
    by_id = {row.id: row for row in gathered}
    found = [f"{row.name} was not gathered" for row in part.recommends if by_id.get(row.id) != row]
    found += [f"{row.name} is recommended and not named" for row in part.recommends if fold(row.name) not in fold(part.text)]
    for sentence in part.sentences:
        if strangers := [row for row in sentence.rows if row not in by_id]:
            found.append(f"rows {strangers} are of another question")
            continue
        cited = [by_id[row] for row in sentence.rows]
        allowed = [said, *(text for row in cited for text in row.facts.values()), *map(str, counts)]
        found += _numbers(sentence.free, allowed) + _names(sentence.free, allowed, part, lexicon)
    return found


def _numbers(free: str, allowed: Sequence[str]) -> list[str]:
    """Numbers, times and prices in free words that no cited row and no resident said."""
    known = {number for text in allowed for number in _NUMBER.findall(text)}
    return [f"the number {number} is in no row" for number in _NUMBER.findall(free) if number not in known]


def _names(free: str, allowed: Sequence[str], part: Part, lexicon: Lexicon) -> list[str]:
    """Names of the town in free words that are those of no cited row, nor of where the question looks from."""
    words = fold(free).split()
    found: list[str] = []
    at = 0
    while at < len(words):
        end = next((end for end in range(min(len(words), at + _LONGEST), at + 1, -1) if _is_name(words[at:end], lexicon)), at)
        if end > at:
            found.append(" ".join(words[at:end]))
        at = max(end, at + 1)
    own = " ".join(fold(text) for text in (*allowed, part.anchor.name if part.anchor else "")) if found else ""
    return [f"{name} was not gathered" for name in found if f" {name} " not in f" {own} "]


def _is_name(words: Sequence[str], lexicon: Lexicon) -> bool:
    """A name of two words or more that is no tag as well: of one word alone nobody can tell a name from English."""
    phrase = " ".join(words)
    return bool(lexicon.exact(phrase, _NAMES)) and not lexicon.exact(phrase, ("tag",))
