"""The rules model's rounds: it resolves in the first, calls what hangs on another question in the second, and says its answer when nothing is left."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent.llm.base import Turn
from agent.llm.rules.compose import compose
from agent.llm.rules.read import Reading, read
from agent.llm.rules.split import split
from agent.llm.rules.tokens import words_of
from agent.snapshot.lexicon import Lexicon
from agent.types import Question


class RulesModel:
    """Reads English by the names, tags, synonyms and scores of one snapshot; gives the same answer to the same question."""

    name = "rules"

    def __init__(self, lexicon: Lexicon, town: str) -> None:
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
        plain = before.where == "city" and not (before.names or before.nearest or before.open_at or before.order_by or before.without)
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
    why = f"score:{reading.order_by}" if reading.order_by else "tag"
    return {"what": reading.what, "where": reading.where, "why": why, "when": reading.open_at, "shape": reading.shape, "category": "place"}


def _call(number: int, reading: Reading) -> dict[str, Any]:
    args: dict[str, Any]
    if reading.names:
        return {"question": number, "tool": "place_details", "args": {"names": list(reading.names)}}
    args = {"keywords": list(reading.keywords[:6]), "limit": reading.limit}
    args |= {"without": list(reading.without[:6])} if reading.without else {}
    args |= {"open_at": reading.open_at} if reading.open_at else {}
    args |= {"order_by": reading.order_by} if reading.order_by and not reading.nearest else {}
    return {"question": number, "tool": "places_near" if reading.nearest else "find_places", "args": args}
