"""One run as it becomes records."""

from __future__ import annotations

import hashlib
import time
import unicodedata
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from agent.blocks.intake import normalise
from agent.deps import Deps
from agent.echo import verify
from agent.errors import EchoRejected
from agent.types import Event, Part, Query, Reply, Resume
from audit.masking import Masked, mask
from audit.models import Ended
from audit.process import this_process
from audit.trail import Record, keepable, of_step, public_id

HOLD_S = 0.25  # steps are held back so long, so that a quick run makes one commit of them: each hand-over costs two switches of threads
_READ_CHARS = 1_000  # of a question that is far too long, no more is looked at
Submit = Callable[..., None]


class Recording:
    """The records of one run, handed to `submit(records, wait)` as they come. The second end is none."""

    def __init__(self, submit: Submit, query: Query, deps: Deps, door: str, resumed: Resume | None = None) -> None:
        self._submit = submit
        self._query = query
        self._deps = deps
        self._resumed = resumed
        self._began = time.monotonic()
        self._seq = 0
        self._ended = False
        self._held: list[Record] = []
        self._handed_on = self._began
        self.row = self._first_row(door)

    @property
    def id(self) -> str:
        return str(self.row["id"])

    def start(self) -> None:
        """The row of a run that goes on: it is on the disk when this comes back."""
        self._submit([{"kind": "start", "row": self.row}], wait=True)

    def step(self, step: Event | Part | Reply) -> None:
        """An event or a part is held or queued; with the reply the run has ended, and that is on the disk when this comes back."""
        self._held.append(self._event(step))
        if not isinstance(step, Reply):
            if time.monotonic() - self._handed_on > HOLD_S:
                self._submit(self._release())
        elif not self._ended:
            ended = Ended.REFUSED if step.refused else Ended.ABORTED if self._deps.stopped() else Ended.OK
            end = self._end(ended, _figures(step) | {"echo": self._name(step.body.get("echo"))})
            self._submit([*self._release(), end, *self._asked(step)], wait=True)

    def broken(self, error: BaseException) -> None:
        """The run ended with no reply: the client left, or it broke. Nobody waits for this."""
        if not self._ended:
            left = isinstance(error, GeneratorExit | KeyboardInterrupt | SystemExit)
            end = self._end(Ended.ABORTED if left else Ended.ERROR, {"error": "" if left else type(error).__name__[:80]})
            self._submit([*self._release(), end])

    def _release(self) -> list[Record]:
        held, self._held, self._handed_on = self._held, [], time.monotonic()
        return held

    def _first_row(self, door: str) -> Record:
        deps, asked = self._deps, keep_text(self._query.text, self._deps.budget.query_chars)
        manifest = deps.snapshot.manifest
        return {
            "id": uuid.uuid4().hex,
            "resumes": self._name(self._resumed.token) if self._resumed else "",
            "door": door,
            "process": this_process(),
            "query": asked.text,
            "masked": list(asked.kinds),
            "lang": self._query.lang if self._query.lang in deps.town.languages else "",
            "located": self._query.at is not None,
            "now": deps.now.isoformat(),
            "snapshot": manifest.number,
            "snapshot_hash": manifest.content_hash,
            "resolver": deps.model.name[:80],
            "finalizer": (deps.finalizer or deps.model).name[:80],
            "started": datetime.now(UTC).isoformat(),
        }

    def _event(self, step: Event | Part | Reply) -> Record:
        self._seq += 1
        return {"kind": "event", "row": {"run_id": self.id, "seq": self._seq, "ms": self._ms(), **of_step(step)}}

    def _end(self, ended: Ended, figures: Mapping[str, Any]) -> Record:
        """The whole row, ended. Its time is the start and what a clock that only goes forward has counted since: never before the start (FA5)."""
        self._ended = True
        finished = datetime.fromisoformat(self.row["started"]) + timedelta(milliseconds=self._ms())
        return {"kind": "end", "row": {**self.row, "ended": ended.value, "finished": finished.isoformat(), **figures}}

    def _asked(self, reply: Reply) -> list[Record]:
        """The questions back, and the picks that answered earlier ones: ids, never what somebody typed in their place."""
        asked = [{"run_id": self.id, **keepable_followup(one)} for one in reply.body.get("followups", ())]
        picks = [
            {"echo": self.row["resumes"], "question": pick.question, "pick": public_id(pick.option) or "said", "picked_by": self.id}
            for pick in (self._resumed.picks if self._resumed and self.row["resumes"] else ())
        ]
        return [{"kind": "followup", "row": row} for row in asked] + [{"kind": "pick", "row": row} for row in picks]

    def _name(self, token: str | None) -> str:
        """What names a follow-up through all of its echoes: a digest of its nonce, since no part of an echo is kept. Empty for an echo that is none."""
        if not token:
            return ""
        try:
            echo = verify(token, normalise(self._query.text), self._deps.echo_keys, self._deps.now)
        except EchoRejected:
            return ""
        return hashlib.sha256(echo.nonce.encode()).hexdigest() if echo.snapshot == self._deps.snapshot.number else ""

    def _ms(self) -> int:
        return round((time.monotonic() - self._began) * 1000)


def keep_text(text: str, chars: int) -> Masked:
    """A question as it may be kept: masked, then cut. What no database can hold is replaced, and said."""
    trimmed = unicodedata.normalize("NFC", text[:_READ_CHARS]).strip()
    plain = trimmed.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    masked = mask(plain)
    kinds = (*masked.kinds, *(["unreadable"] if plain != trimmed else []))
    return Masked(masked.text[:chars], kinds)


def keepable_followup(asked: Mapping[str, Any]) -> Record:
    """A question back: its number, its slot and the ids of its options; its words are left out."""
    ids = [public_id(option.get("id")) for option in asked.get("options", ())]
    return {"question": asked["question"], "slot": keepable(asked["slot"]) or "", "options": [one for one in ids if one]}


def _figures(reply: Reply) -> Record:
    """The figures of a reply's `meta`. What is not there is not known, and null."""
    meta = reply.body.get("meta", {})
    tokens = meta.get("tokens") or {}
    statuses = [part.status for part in reply.parts]
    return {
        "run": str(meta.get("run", ""))[:32],
        "outcome": reply.outcome,
        "refused": keepable(reply.refused) or "",
        "rounds": meta.get("rounds", 0),
        "model_calls": meta.get("model_calls", 0),
        "parts": len(statuses),
        "unknown_parts": statuses.count("unknown"),
        "asked_back": len(reply.body.get("followups", ())),
        "regenerated": bool(meta.get("regenerated")),
        "degraded": bool(meta.get("degraded")),
        "latency_ms": meta.get("latency_ms"),
        "first_token_ms": meta.get("first_token_ms"),
        "tokens_in": tokens.get("in"),
        "tokens_out": tokens.get("out"),
        "cost": meta.get("cost"),
    }


def gap(count: int) -> Record:
    """An event of no run: so many records could not be written."""
    return {"kind": "event", "row": {"run_id": uuid.uuid4().hex, "seq": 0, "step": "unwritten", "ms": 0, "said": {"records": count}}}
