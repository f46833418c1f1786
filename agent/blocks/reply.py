"""The reply: one body for the page, the API and the terminal, its parts in the order asked (A-39, A-44, A-45)."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent.errors import Refused
from agent.geo import walk_minutes
from agent.types import Anchor, Outcome, Part, Reply, Row, Sentence

UNKNOWN = "Small doesn’t know yet."


def unknown(number: int, what: str, text: str = UNKNOWN, anchor: Anchor | None = None) -> Part:
    """A part that says plainly that it is not known."""
    return Part(number, what, "inform", "unknown", (Sentence(text),), anchor=anchor)


def outcome_of(parts: Sequence[Part]) -> Outcome:
    """A follow-up if a part is pending, else an answer if one is answered, else a fallback."""
    statuses = {part.status for part in parts}
    return "followup" if "pending" in statuses else "answer" if "answered" in statuses else "fallback"


def reply(query: str, parts: Sequence[Part], meta: Mapping[str, Any]) -> Reply:
    outcome = outcome_of(parts)
    return Reply(outcome, tuple(parts), _body(outcome, None, query, parts, meta))


def refusal(refused: Refused, query: str | None, meta: Mapping[str, Any]) -> Reply:
    """The reply to what is not answered: no part, no model call, no cost."""
    part = Part(1, "", "inform", "refused", (Sentence(str(refused)),))
    return Reply("fallback", (part,), _body("fallback", refused.why, query, (part,), {**meta, "cost": 0}), refused.why)


def _body(outcome: str, refused: str | None, query: str | None, parts: Sequence[Part], meta: Mapping[str, Any]) -> dict[str, Any]:
    shown = [row for part in parts for row in part.recommends]
    return {
        "outcome": outcome,
        "refused": refused,
        "query": query,
        "parts": [_part(part) for part in parts],
        "followups": [],
        "echo": None,
        "citations": list({row.public_id: {"id": row.public_id, "url": row.url} for row in shown}.values()),
        "move": None,
        "candidates": None,
        "meta": dict(meta),
    }


def _part(part: Part) -> dict[str, Any]:
    ids = {row.id: row.public_id for row in part.recommends}
    return {
        "question": part.question,
        "what": part.what,
        "kind": part.kind,
        "status": part.status,
        "text": part.text,
        "sentences": [{"text": one.text, "cites": [ids[row] for row in one.rows if row in ids]} for one in part.sentences],
        "anchor": {"rung": part.anchor.rung, "name": part.anchor.name} if part.anchor else None,
        "recommends": [_recommend(row) for row in part.recommends],
    }


def _recommend(row: Row) -> dict[str, Any]:
    return {
        "id": row.public_id,
        "name": row.name,
        "reason": {"type": row.reason.type, "text": row.reason.text},
        "location": row.location,
        "distance_m": row.distance_m,
        "walk_minutes": None if row.distance_m is None else walk_minutes(row.distance_m),
        "open": {"state": row.opening.state, "text": row.opening.text} if row.opening else None,
        "status": row.status,
        "when": dict(row.when) if row.when else None,
        "url": row.url,
        "source": row.source,
        "lat": row.point.lat if row.point else None,
        "lng": row.point.lng if row.point else None,
    }
