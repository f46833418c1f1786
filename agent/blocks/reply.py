"""The reply: one body for the page, the API and the terminal, its parts in the order asked (A-39, A-44, A-45)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from agent.echo import Echo, mint
from agent.errors import Refused
from agent.geo import walk_minutes
from agent.types import Anchor, Followup, Option, Outcome, Part, Question, Reply, Row, Sentence

UNKNOWN = "Small doesn’t know yet."
AGAIN = "That was none of these. Which one is it?"


def unknown(number: int, what: str, text: str = UNKNOWN, anchor: Anchor | None = None) -> Part:
    """A part that says plainly that it is not known."""
    return Part(number, what, "inform", "unknown", (Sentence(text),), anchor=anchor)


def pending(question: Question, prompt: str) -> Part:
    """A part that waits for the resident's answer."""
    return Part(question.number, question.what, "inform", "pending", (Sentence(prompt),))


def with_note(part: Part, note: Sentence, most: int) -> Part:
    """A part with a note at its end, made to fit."""
    sentences = list(part.sentences)
    while len(sentences) > 1 and len(" ".join(one.text for one in (*sentences, note))) > most:
        sentences.pop()
    said = {row for one in sentences for row in one.rows}
    return replace(part, sentences=(*sentences, note), recommends=tuple(row for row in part.recommends if row.id in said))


def outcome_of(parts: Sequence[Part], *, capped: bool = False) -> Outcome:
    """A follow-up if a part is pending, else an answer if one is answered, else a fallback; a fallback too where no final came in time (A-49)."""
    statuses = {part.status for part in parts}
    return "followup" if "pending" in statuses else "answer" if "answered" in statuses and not capped else "fallback"


def reply(
    query: str, parts: Sequence[Part], followups: Sequence[Followup], echo: str | None, meta: Mapping[str, Any], *, capped: bool = False
) -> Reply:
    outcome = outcome_of(parts, capped=capped)
    return Reply(outcome, tuple(parts), _body(outcome, None, query, parts, meta, followups, echo))


def options_again(query: str, echo: Echo, keys: Sequence[str], now: datetime, meta: Mapping[str, Any]) -> Reply:
    """The options once more, after a pick that was none: no run, no model call, the same first expiry (A-34, A-36)."""
    asked = [Followup(one.question, one.slot, AGAIN, tuple(Option(*option) for option in one.options.items())) for one in echo.pending]
    parts = tuple(pending(Question(one.question, ""), AGAIN) for one in asked)
    return Reply("followup", parts, _body("followup", None, query, parts, meta, asked, mint(echo, keys, now)))


def refusal(refused: Refused, query: str | None, meta: Mapping[str, Any]) -> Reply:
    """The reply to what is not answered: no part, no model call, no cost."""
    part = Part(1, "", "inform", "refused", (Sentence(str(refused)),))
    return Reply("fallback", (part,), _body("fallback", refused.why, query, (part,), {**meta, "cost": 0}, (), None), refused.why)


def _body(
    outcome: str,
    refused: str | None,
    query: str | None,
    parts: Sequence[Part],
    meta: Mapping[str, Any],
    followups: Sequence[Followup],
    echo: str | None,
) -> dict[str, Any]:
    shown = [row for part in parts for row in part.recommends]
    return {
        "outcome": outcome,
        "refused": refused,
        "query": query,
        "parts": [_part(part) for part in parts],
        "followups": [asdict(asked) for asked in followups],
        "echo": echo,
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
