"""The rules model's rounds: it resolves in the first, calls what hangs on another question in the second, and says its answer when nothing is left."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent.llm.base import Turn
from agent.llm.rules.compose import compose
from agent.llm.rules.read import read
from agent.llm.rules.reading import Reading
from agent.llm.rules.split import split
from agent.llm.rules.tokens import words_of
from agent.snapshot.lexicon import Lexicon
from agent.types import Town

_SEARCH = ("keywords", "without", "limit")
TAKES = {  # which arguments each tool takes, of those that a reading has
    "find_places": (*_SEARCH, "order_by", "open_at"),
    "places_near": (*_SEARCH, "open_at"),
    "place_details": ("names", "open_at"),
    "compare_places": ("names", "order_by"),
    "find_festivals": (*_SEARCH, "when"),
    "festival_details": ("names", "when"),
    "festival_programme": ("names", *_SEARCH, "when"),
    "events_when": (*_SEARCH, "when"),
    "events_near": (*_SEARCH, "when"),
    "event_details": ("names", "when"),
}


class RulesModel:
    """Reads English by the names, tags, synonyms and scores of one snapshot; gives the same answer to the same question."""

    name = "rules"

    def __init__(self, lexicon: Lexicon, town: Town) -> None:
        self._lexicon = lexicon
        self._town = town

    def complete(self, turn: Turn) -> Mapping[str, Any]:
        """Round 1: questions and calls; round 2: chained calls, or the final; round 3: the final."""
        if turn.round == 1:
            return self._resolve(turn.query)
        if turn.round == 2 and (calls := self._chained(turn)):
            return {"calls": calls}
        return {"final": {"parts": [compose(question, [r for r in turn.results if r.question == question.number]) for question in turn.questions]}}

    def readings(self, query: str) -> list[Reading]:
        """What each clause of a query asks, in order."""
        clauses = split(words_of(query), self._lexicon)
        found: list[Reading] = []
        for clause in clauses:
            reading = read(clause, len(found) + 1, self._lexicon, self._town)
            if found and self._says_more(found[-1], reading):
                found.pop()
            found.append(reading)
        return found

    def _says_more(self, before: Reading, after: Reading) -> bool:
        """Whether a clause only says more of what the one before asked for: "a place to eat. Somewhere that serves …"."""
        plain = before.where == "city" and not (before.names or before.shape == "closest" or before.when or before.order_by or before.without)
        return plain and bool(before.keywords) and not after.names and all(self._covered(phrase, after.keywords) for phrase in before.keywords)

    def _covered(self, phrase: str, phrases: Sequence[str]) -> bool:
        """Whether a phrase is among others, or is the same kind of thing as one of them, broader or narrower."""
        if phrase in phrases:
            return True
        own = [self._lexicon.lineage(tag.ref) for tag in self._lexicon.word(phrase, ("tag",))[:1]]
        others = [self._lexicon.lineage(tag.ref) for other in phrases for tag in self._lexicon.word(other, ("tag",))[:1]]
        return any(one <= other or other <= one for one in own for other in others)

    def _resolve(self, query: str) -> dict[str, Any]:
        readings = self.readings(query)
        return {
            "questions": [_question(reading) for reading in readings],
            "calls": [_call(number, reading) for number, reading in enumerate(readings, start=1) if not _hangs(reading.where)],
        }

    def _chained(self, turn: Turn) -> list[dict[str, Any]]:
        """The calls of questions that hang on another's rows."""
        waiting = {question.number for question in turn.questions if _hangs(question.where)}
        readings = enumerate(self.readings(turn.query), start=1) if waiting else ()
        return [_call(number, reading) for number, reading in readings if number in waiting]


def _hangs(where: str | None) -> bool:
    return (where or "").startswith("near Q")


def _question(reading: Reading) -> dict[str, Any]:
    why = f"score:{reading.order_by}" if reading.order_by else "event" if reading.category == "festival" else reading.aspect or "tag"
    return {"what": reading.what, "where": reading.where, "why": why, "when": reading.when, "shape": reading.shape, "category": reading.category}


def _call(number: int, reading: Reading) -> dict[str, Any]:
    """The one call of a reading, with the arguments that its tool takes."""
    args: dict[str, Any] = {
        "names": list(reading.names[:5]),
        "keywords": list(reading.keywords[:6]),
        "without": list(reading.without[:6]),
        "order_by": reading.order_by,
        "open_at": reading.when,
        "when": reading.when,
        "limit": reading.limit,
    }
    return {"question": number, "tool": reading.tool, "args": {name: value for name, value in args.items() if value and name in TAKES[reading.tool]}}
