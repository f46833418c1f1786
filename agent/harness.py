"""The engine: one question in, events and parts out, then one reply. Read it from top to bottom.

intake → parse → anchors and keywords → dispatch → execution → finalize → grounding → reply. It runs in one thread over one read-only
snapshot handle, touches nothing but its `Deps`, and holds every rule that a prompt could only ask for.
"""

import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.blocks import anchors, dispatch, finalize, grounding, keywords, parse
from agent.blocks import reply as replies
from agent.blocks.execute import execute
from agent.blocks.intake import intake
from agent.deps import Deps
from agent.errors import ModelMisbehaved, Refused
from agent.llm.base import Turn
from agent.llm.rounds import MAY, Rounds
from agent.llm.rules.compose import compose
from agent.types import Anchor, Call, Event, Parsed, Part, Query, Question, Reply, Result, Row, Sentence, Tags

LEFT_OUT = "Small answers {cap} questions at a time, so the rest was left out."


@dataclass(slots=True)
class _Run:
    """What one run has gathered so far; it is gone with the run."""

    query: Query
    text: str
    deps: Deps
    rounds: Rounds
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    parsed: Parsed = field(default_factory=lambda: Parsed((), ()))
    anchors: dict[int, Anchor | None] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)

    def rows(self, question: int) -> list[Row]:
        return [row for result in self.results if result.question == question for row in result.rows]


def run(query: Query, deps: Deps) -> Iterator[Event | Part | Reply]:
    """Answer one query. Yields each step as it is done, each part when it is grounded, and last the reply; raises nothing of the resident's or the model's doing."""
    state = _Run(query, "", deps, Rounds(deps.model, deps.budget.rounds, deps.budget.deadline_s))
    try:
        state.text = intake(query.text, deps.budget)
    except Refused as refused:
        yield Event("intake", 0, {"refused": refused.why})
        yield replies.refusal(refused, query.text.strip()[: deps.budget.query_chars], _meta(state))
        return
    yield Event("intake", 0, {"chars": len(state.text)})
    yield from _resolve(state)
    parts: list[Part] = []
    for part in _finish(state):
        parts.append(part)
        yield part
    yield replies.reply(state.text, parts, _meta(state))


def _resolve(state: _Run) -> Iterator[Event]:
    """Round 1: questions and their calls, run. One re-ask under the same cap when it cannot be read (A-48)."""
    while state.rounds.left > 1 and not state.parsed.questions:
        answer = state.rounds.ask(Turn("resolve", state.rounds.spent + 1 if not state.rounds.misses else 1, state.text))
        if answer is None:
            continue
        try:
            state.parsed = parse.read(answer, state.text, state.deps.budget)
        except ModelMisbehaved as error:
            state.rounds.misses.append(str(error))
    yield Event("parse", state.rounds.spent, {"questions": len(state.parsed.questions), "dropped": state.parsed.dropped_questions})
    yield from _gather(state, state.parsed.calls, state.parsed.dropped_calls)


def _gather(state: _Run, calls: Sequence[Call], dropped: int) -> Iterator[Event]:
    """Resolve, order and run a round's calls over the one handle."""
    plan = dispatch.plan(calls, state.parsed.questions)
    for call, why in plan.refused:
        state.results.append(Result(call.question, call.tool, failed="no answer to that"))
        state.calls.append({"question": call.question, "tool": call.tool, "rows": 0, "refused": why})
    yield Event("dispatch", state.rounds.spent, {"calls": len(plan.calls), "refused": len(plan.refused), "dropped": dropped})
    for call in plan.calls:
        if state.deps.stopped():
            return
        result = _execute(state, call)
        state.results.append(result)
        state.calls.append({"question": call.question, "tool": call.tool, "rows": len(result.rows)})
        yield Event("execute", state.rounds.spent, {"question": call.question, "tool": call.tool, "rows": len(result.rows), "total": result.total})


def _execute(state: _Run, call: Call) -> Result:
    """One call: its anchor down the ladder, its phrases to tags, then the tool."""
    question = _question(state, call.question)
    gathered = {number: state.rows(number) for number in range(1, len(state.parsed.questions) + 1)}
    anchor = anchors.resolve(question, state.query, gathered, state.deps)
    state.anchors[question.number] = anchor
    phrases, without = call.args.get("keywords", ()), call.args.get("without", ())
    kinds = ("tag", "score") if question.category == "place" else ("tag",)
    tags = keywords.resolve(phrases, without, state.deps, kinds) if phrases or without else Tags()
    return execute(call, anchor, tags, 1 + sum(len(result.rows) for result in state.results), state.deps)


def _finish(state: _Run) -> Iterator[Part]:
    """Rounds 2 and 3: what hangs on other rows, then the final; each part is shown once it is grounded."""
    final: dict[int, Any] | None = None
    rejected: tuple[str, ...] = ()
    while state.rounds.left and state.parsed.questions and final is None:
        number = min(max(2, state.rounds.spent + 1), 3)
        answer = state.rounds.ask(Turn("finalize", number, state.text, state.parsed.questions, tuple(state.results), rejected))
        if answer is None:
            continue
        try:
            if "final" in answer:
                final = dict(finalize.drafts(answer["final"], state.parsed.questions))
            elif "calls" in MAY[number]:
                calls, dropped = parse.read_calls(answer, len(state.parsed.questions), state.deps.budget)
                for _ in _gather(state, calls, dropped):
                    pass
            else:
                rejected = ("round 3 takes the final alone",)
        except ModelMisbehaved as error:
            state.rounds.misses.append(str(error))
    yield from _parts(state, final or {})


def _parts(state: _Run, final: dict[int, Any]) -> Iterator[Part]:
    """Every question's part in the order asked; a question that was left out is said in the last."""
    if not state.parsed.questions:
        yield replies.unknown(1, "")
        return
    for question in state.parsed.questions:
        part = _part(state, question, final.get(question.number))
        if question.number == len(state.parsed.questions) and state.parsed.dropped_questions:
            note = Sentence(LEFT_OUT.format(cap=state.deps.budget.questions))
            part = _with(part, note, state.deps.budget.part_chars)
        yield part


def _part(state: _Run, question: Question, draft: Any) -> Part:
    """The model's part if it is grounded, else the part that the harness composes from the same rows (A-42)."""
    results = [result for result in state.results if result.question == question.number]
    rows = {row.id: row for result in results for row in result.rows}
    counts = {len(rows), *(result.total for result in results), *range(1, len(rows) + 1)}
    for candidate in (draft, compose(question, results)):
        if candidate is None:
            continue
        try:
            part = finalize.fill(candidate, question, rows, state.anchors.get(question.number), state.deps.budget)
        except ModelMisbehaved as error:
            state.rounds.misses.append(str(error))
            continue
        wrong = grounding.problems(part, list(rows.values()), state.text, counts, state.deps.lexicon)
        if not wrong:
            return part
        state.rounds.misses += wrong
    return replies.unknown(question.number, question.what, anchor=state.anchors.get(question.number))


def _with(part: Part, note: Sentence, most: int) -> Part:
    """A part with a note at its end, made to fit."""
    sentences = list(part.sentences)
    while len(sentences) > 1 and len(" ".join(one.text for one in (*sentences, note))) > most:
        sentences.pop()
    said = {row for one in sentences for row in one.rows}
    return Part(part.question, part.what, part.kind, part.status, (*sentences, note), tuple(r for r in part.recommends if r.id in said), part.anchor)


def _question(state: _Run, number: int) -> Question:
    return state.parsed.questions[number - 1]


def _meta(state: _Run) -> dict[str, Any]:
    manifest = state.deps.snapshot.manifest
    return {
        "run": state.id,
        "snapshot": {"number": manifest.number, "published": manifest.published.isoformat()},
        "model": state.deps.model.name,
        "degraded": False,
        "rounds": state.rounds.spent,
        "model_calls": state.rounds.spent,
        "regenerated": False,
        "latency_ms": round((time.monotonic() - state.rounds.began) * 1000),
        "first_token_ms": None,
        "tokens": {"in": 0, "out": 0},
        "cost": None,
        "questions": [{"what": one.what, "where": one.where, "why": one.why} for one in state.parsed.questions],
        "calls": state.calls,
    }
