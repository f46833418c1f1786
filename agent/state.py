"""What one run has gathered so far. It is gone with the run; all that outlives it travels in the echo."""

import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent.deps import Deps
from agent.echo import Echo, Pending, begin, mint
from agent.errors import EchoRejected
from agent.llm.base import Model, Turn
from agent.llm.rounds import MAY, Rounds
from agent.tools.registry import TOOLS
from agent.types import Anchor, Call, Followup, Option, Parsed, Query, Question, Reply, Result, Row, Tags


@dataclass(slots=True)
class State:
    """One run. `picked` holds, for each question that was asked back about, its slot and the option picked, or None.

    `lost` says of questions that cannot be answered for want of a pick why that is; `echo` is the signed memory of what is asked back.
    """

    query: Query
    deps: Deps
    text: str = ""
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    parsed: Parsed = field(default_factory=lambda: Parsed((), ()))
    anchors: dict[int, Anchor | None] = field(default_factory=dict)
    tags: dict[int, Tags] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    followups: list[Followup] = field(default_factory=list)
    waiting: set[int] = field(default_factory=set)
    lost: dict[int, str] = field(default_factory=dict)
    echo: str | None = None
    resumed: Echo | None = None
    picked: dict[int, tuple[str, Option | None]] = field(default_factory=dict)
    shown_again: Reply | None = None
    regenerated: bool = False
    capped: bool = False
    rounds: Rounds = field(init=False)

    def __post_init__(self) -> None:
        self.rounds = Rounds(self.deps.budget.rounds, self.deps.budget.deadline_s)

    @property
    def finalizer(self) -> Model:
        return self.deps.finalizer or self.deps.model

    def question(self, number: int) -> Question:
        return self.parsed.questions[number - 1]

    def of(self, question: int) -> list[Result]:
        return [result for result in self.results if result.question == question]

    def gathered(self) -> Mapping[int, Sequence[Row]]:
        """The rows so far, by question; what an open question leant on when it was asked back about comes first again."""
        numbers = range(1, len(self.parsed.questions) + 1)
        kept = {row for _, row in self.resumed.rows} if self.resumed else set()
        found = {number: [row for result in self.of(number) for row in result.rows] for number in numbers}
        return {number: sorted(rows, key=lambda row: row.public_id not in kept) for number, rows in found.items()}

    @property
    def next_row(self) -> int:
        return 1 + sum(len(result.rows) for result in self.results)

    def add(self, result: Result, refused: str = "") -> None:
        """Keep a result, less the rows that its question has already."""
        known = {row.public_id for before in self.of(result.question) for row in before.rows}
        result = replace(result, rows=tuple(row for row in result.rows if row.public_id not in known))
        self.results.append(result)
        self.calls.append({"question": result.question, "tool": result.tool, "rows": len(result.rows)} | ({"refused": refused} if refused else {}))

    def told(self, result: Result) -> dict[str, Any]:
        """A result for the record: counts and public ids, never a distance (A-53)."""
        return {
            "question": result.question,
            "tool": result.tool,
            "rows": len(result.rows),
            "total": result.total,
            "ids": [row.public_id for row in result.rows],
        }

    def asked(self) -> tuple[Question, ...]:
        """The questions that a final is wanted for: those that are neither asked back about nor waiting nor lost."""
        closed = {asked.question for asked in self.followups} | self.waiting | self.lost.keys()
        return tuple(one for one in self.parsed.questions if one.number not in closed and self.wants(one.number))

    def wants(self, number: int) -> bool:
        """Whether a question is of this run: a resumed one answers what was pending, and what hangs on that (A-37)."""
        if not self.resumed or number in self.picked:
            return True
        seen: set[int] = set()
        while number not in seen and 1 <= number <= len(self.parsed.questions):
            seen.add(number)
            number = self.question(number).hangs_on or 0
            if number in self.picked:
                return True
        return False

    def needs(self, number: int) -> bool:
        """Whether a question's calls run: it is of this run, or one that is hangs on it."""
        return self.wants(number) or any(question.hangs_on == number and self.wants(question.number) for question in self.parsed.questions)

    def may_call(self) -> bool:
        """Whether the round just spent may still call tools; in the last one a call is rejected."""
        return "calls" in MAY[min(self.rounds.spent, 3)]

    def turn(self, rejected: tuple[str, ...]) -> Turn:
        return Turn("finalize", self.rounds.next, self.text, self.asked(), tuple(self.results), rejected)

    def with_pick(self, call: Call) -> Call:
        """A call with the kind that was picked in place of its phrases."""
        slot, option = self.picked.get(call.question, ("", None))
        if slot == "what" and option:
            return replace(call, args={**call.args, "keywords": [option.label]})
        if slot == "which" and option and "names" in TOOLS[call.tool].parameters:
            return replace(call, args={**call.args, "names": [option.id]})
        return call

    def picked_where(self, number: int) -> Option | None:
        slot, option = self.picked.get(number, ("", None))
        return option if slot == "where" else None

    def ask_back(self, asked: Followup) -> bool:
        """Ask one thing more, if it may be: so many may be open (A-28), and their echo must not be longer than a door takes back."""
        followups = [*self.followups, asked]
        if len(followups) > self.deps.budget.followups:
            return False
        try:
            self.echo = self._minted(followups)
        except EchoRejected:
            return False
        self.followups = followups
        return True

    def _minted(self, followups: Sequence[Followup]) -> str:
        """The echo of what is open, with the first row of each answered question that an open one hangs on."""
        open_ = {one.question for one in followups}
        leant_on = {question.hangs_on for question in self.parsed.questions if question.number in open_} - open_
        pending = tuple(Pending(one.question, one.slot, {option.id: option.label for option in one.options}) for one in followups)
        rows = tuple((number, row.public_id) for number, rows in self.gathered().items() if number in leant_on for row in rows[:1])
        return mint(begin(self.text, self.deps.snapshot.number, pending, rows), self.deps.echo_keys, self.deps.now)

    def meta(self) -> dict[str, Any]:
        manifest = self.deps.snapshot.manifest
        return {
            "run": self.id,
            "snapshot": {"number": manifest.number, "published": manifest.published.isoformat()},
            "model": self.deps.models,
            "degraded": False,
            "rounds": self.rounds.spent,
            "model_calls": self.rounds.spent,
            "regenerated": self.regenerated,
            "latency_ms": round((time.monotonic() - self.rounds.began) * 1000),
            "first_token_ms": None,
            "tokens": {"in": 0, "out": 0},
            "cost": None,
            "questions": [{"what": one.what, "where": one.where, "why": one.why} for one in self.parsed.questions],
            "calls": self.calls,
        }
