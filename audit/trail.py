"""What is kept of an engine's step: counts, known words, public ids. Everything else is left out, whatever block or model it came from (A-53).

A position and a distance are numbers with a fraction or stand under a name that is not known; a model's words are no known word.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from agent.tools.registry import TOOLS
from agent.types import Category, Event, Kind, Outcome, Part, Reply, Rung, Status

Record = dict[str, Any]

REFUSALS = frozenset({"empty", "too_long", "abusive", "injection", "off_topic", "personal_data", "rate_limited", "busy"})
_WORDS = frozenset(
    {*(word for kind in (Category, Kind, Outcome, Rung, Status) for word in get_args(kind)), *REFUSALS, "small", "google", "where", "what", "which"}
)
_COUNTS = frozenset(
    "calls capped chars dropped failed followups ids invalid kind left options outcome parts pending picked question questions refused regenerated "
    "rejected repaired round rounds rows rung sentences slot sources status tool total unmet".split()
)
_ID = re.compile(r"(?:place|festival|event|area|tag|landmark|walk|day|venue|google):[\w-]{1,120}(?:@[\dT:+-]{8,32})?")


def keepable(value: Any) -> Any:
    """The part of a value that may be kept; None for what may not."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if 0 <= value < 2**31 else None
    if isinstance(value, str):
        return value if value in _WORDS or value in TOOLS or _ID.fullmatch(value) else None
    if isinstance(value, Mapping):
        return {key: keepable(one) for key, one in value.items() if key in _COUNTS}
    if isinstance(value, Iterable):
        return [kept for one in value if (kept := keepable(one)) is not None]
    return None


def public_id(value: Any) -> str:
    """A public id as it is, anything else as nothing."""
    return value if isinstance(value, str) and _ID.fullmatch(value) else ""


def of_step(step: Event | Part | Reply) -> Record:
    """A step as `step`, `round` and what it `said`: what a replay compares."""
    if isinstance(step, Event):
        return {"step": step.step[:20], "round": step.round, "said": keepable(step.counts)}
    if isinstance(step, Part):
        return {"step": "part", "round": 0, "said": _of_part(step)}
    calls = step.body.get("meta", {}).get("calls", ())
    return {
        "step": "reply",
        "round": 0,
        "said": {"outcome": step.outcome, "refused": keepable(step.refused), "calls": [_of_call(one) for one in calls]},
    }


def _of_part(part: Part) -> Record:
    """The verdict on one question, and the rows it speaks of."""
    said = {"question": part.question, "kind": part.kind, "status": part.status, "rung": part.anchor.rung if part.anchor else None}
    return {**said, "ids": [row.public_id for row in part.recommends], "sources": sorted({row.source for row in part.recommends})}


def _of_call(call: Mapping[str, Any]) -> Record:
    """A call; that it was refused, not in which words."""
    kept: Record = keepable({**call, "refused": bool(call.get("refused"))})
    return kept
