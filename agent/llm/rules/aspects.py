"""Aspects: whether a named place is or has what is asked ("dogs", "free", "quiet"), as far as its facts say."""

from agent.llm.rules.words import LITTLE
from agent.snapshot.lexicon import singular
from agent.snapshot.names import fold
from agent.types import Row

_NOT_KNOWN = ("", "whether that is so, Small does not know")
_STEPS = frozenset("wheelchair wheelchairs step accessible accessibility disabled ramp".split())
_PRICES = frozenset("free cheap moderate expensive pricey dear".split())


def whether(aspect: str, row: Row) -> tuple[str, str]:
    """A lead ("Yes. ", or nothing) and the words that answer, with `{row}` where a slot's row stands."""
    words = _forms(aspect)
    if words & _STEPS and "wheelchair" in row.facts:
        return ("Yes. " if row.facts["wheelchair"] == "step-free" else ""), "{{{row}.wheelchair}}"
    if words & _PRICES and "price" in row.facts:
        return ("Yes. " if fold(row.facts["price"]) in words else ""), "{{{row}.price}}"
    if score := next((slot for slot in row.facts if words & set(slot.split("_")) and row.facts[slot].endswith("of 10")), ""):
        return "", f"{score.replace('_', ' ')} {{{{{{row}}.{score}}}}}"
    if any(words & _forms(tag) for tag in row.facts.get("tags", "").split(", ")):
        return "Yes. ", "{{{row}.tags}}"
    return _NOT_KNOWN


def _forms(text: str) -> set[str]:
    """The words of a text that say something, each also in the singular."""
    return {form for word in fold(text).split() if word not in LITTLE for form in (word, *singular(word))}
