"""Parse: what the resolver sent in round 1, checked and cut to the budget (A-06 to A-09)."""

import re
from collections.abc import Mapping
from typing import Any, cast, get_args

from agent.errors import ModelMisbehaved
from agent.types import Budget, Call, Category, Parsed, Question, Shape

_POINTS = re.compile(
    r"\b(near ?by|near (me|us|here)|around (here|me|us)|(close|closest|nearest) (by|to (me|us|here))|close by|here|in the neighbou?rhood|walking distance|(my|me|our|current) (current )?(area|location|place|town|city|position|spot))\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^(near |around |by |close to )?(there|it|them|that|that place)$", re.IGNORECASE)
_CHARS = 140


def read(raw: Mapping[str, Any], query: str, budget: Budget) -> Parsed:
    """Read round 1's object. Raises ModelMisbehaved, naming what does not fit."""
    listed = raw.get("questions")
    if not isinstance(listed, list) or not listed:
        raise ModelMisbehaved("questions must be a list with at least one question")
    kept = listed[: budget.questions]
    questions = tuple(_question(number, item, query) for number, item in enumerate(kept, start=1))
    calls, dropped = read_calls(raw, len(questions), budget)
    return Parsed(questions, calls, dropped_questions=len(listed) - len(kept), dropped_calls=dropped)


def read_calls(raw: Mapping[str, Any], questions: int, budget: Budget) -> tuple[tuple[Call, ...], int]:
    """The calls of a round, the same call once (by tool and arguments), and how many were dropped past the cap (A-15)."""
    listed = raw.get("calls", [])
    if not isinstance(listed, list):
        raise ModelMisbehaved("calls must be a list")
    calls: list[Call] = []
    for item in listed:
        call = _call(item)
        if call not in calls and 1 <= call.question <= max(questions, 1):
            calls.append(call)
    return tuple(calls[: budget.calls_per_round]), max(0, len(calls) - budget.calls_per_round)


def _question(number: int, item: object, query: str) -> Question:
    if not isinstance(item, Mapping) or not isinstance(item.get("what"), str):
        raise ModelMisbehaved(f"question {number} must be an object with a text 'what'")
    shape = item.get("shape", "some")
    category = item.get("category", "festival" if item.get("why") in ("event", "festival") else "place")
    return Question(
        number=number,
        what=_text(item["what"]),
        where=_where(number, item.get("where", "city"), query),
        why=_text(item.get("why")),
        when=_text(item.get("when")),
        shape=cast("Shape", shape if shape in get_args(Shape) else "some"),
        category=cast("Category", category if category in get_args(Category) else "place"),
    )


def _where(number: int, where: object, query: str) -> str | None:
    """The harness has the last word (A-09): null only for words that point; a pronoun is the question before (A-07)."""
    if isinstance(where, str) and where.strip():
        where = _text(where)
        return f"near Q{number - 1}" if number > 1 and _PRONOUN.match(where) else where
    return None if _POINTS.search(query) else "city"


def _call(item: object) -> Call:
    if not isinstance(item, Mapping) or not isinstance(item.get("tool"), str) or not isinstance(item.get("args", {}), Mapping):
        raise ModelMisbehaved("a call must be an object with 'question', 'tool' and 'args'")
    number = item.get("question", 1)
    if not isinstance(number, int) or isinstance(number, bool):
        raise ModelMisbehaved("a call's 'question' must be a number")
    return Call(question=number, tool=item["tool"], args=dict(item.get("args", {})))


def _text(value: object) -> str:
    return value.strip()[:_CHARS] if isinstance(value, str) else ""
