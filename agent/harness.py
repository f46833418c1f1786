"""The engine: one question in, events and parts out, then one reply. Read it from top to bottom.

intake → parse → anchors and keywords → dispatch → execution → follow-up gate → finalize → grounding → reply. It runs in one thread over one
read-only snapshot handle, touches nothing but its `Deps`, and holds every rule that a prompt could only ask for.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agent.blocks import anchors, dispatch, finalize, followup, grounding, keywords, parse
from agent.blocks import reply as replies
from agent.blocks.execute import execute
from agent.blocks.intake import intake
from agent.deps import Deps
from agent.echo import Echo, show_again, verify
from agent.errors import EchoRejected, ModelMisbehaved, Refused
from agent.llm.base import Stage, Turn
from agent.llm.rules.compose import compose
from agent.state import State
from agent.types import Call, Event, Part, Query, Question, Reply, Result, Resume, Sentence, Tags

LEFT_OUT = "Small answers {cap} questions at a time, so the rest was left out."
WAITS = "Small will answer this with the question before it."
ENOUGH = "Small can’t ask back about this one as well, so it doesn’t know."
NOT_PICKED = "Without knowing that, Small doesn’t know."

Step = Event | Part | Reply


def run(query: Query, deps: Deps, resumed: Resume | None = None) -> Iterator[Step]:
    """Answer one query, or go on with one that was asked back about.

    Yields each step as it is done, each part when it is grounded, and last the reply. Raises nothing of the resident's or the model's doing.
    """
    state = State(query, deps)
    try:
        state.text = intake(query.text, deps.budget)
    except Refused as refused:
        yield Event("intake", 0, {"refused": refused.why})
        yield replies.refusal(refused, query.text.strip()[: deps.budget.query_chars], state.meta())
        return
    yield Event("intake", 0, {"chars": len(state.text)})
    if resumed is not None:
        yield from _take_picks(state, resumed)
        if state.shown_again:
            yield state.shown_again
            return
    yield from _resolve(state)
    parts: list[Part] = []
    for step in _finish(state):
        if isinstance(step, Part):
            parts.append(step)
        yield step
    yield replies.reply(state.text, parts, state.followups, state.echo, state.meta(), capped=state.capped)


def _take_picks(state: State, resumed: Resume) -> Iterator[Event]:
    """Verify the echo and read the picks (A-31 to A-36). A rejected echo makes this a new run; an invalid pick shows the options once more."""
    deps = state.deps
    try:
        echo = _verified(state, resumed)
    except EchoRejected as error:
        yield Event("resume", 0, {"rejected": error.why})
        return
    picks = {pick.question: pick for pick in resumed.picks}
    read = {one.question: followup.read_pick(picks[one.question], one, deps) for one in echo.pending if one.question in picks}
    strays = [number for number in picks if number not in {one.question for one in echo.pending}]
    invalid = [number for number, option in read.items() if option is None] + strays
    if invalid and (again := show_again(echo)):
        state.shown_again = replies.options_again(state.text, again, deps.echo_keys, deps.now, state.meta())
    state.resumed = echo
    state.picked = {one.question: (one.slot, read.get(one.question)) for one in echo.pending}
    yield Event("resume", 0, {"picked": sum(map(bool, read.values())), "invalid": len(invalid), "left": len(echo.pending) - len(read)})


def _verified(state: State, resumed: Resume) -> Echo:
    echo = verify(resumed.token, state.text, state.deps.echo_keys, state.deps.now)
    if echo.snapshot != state.deps.snapshot.number:
        raise EchoRejected("snapshot")
    return echo


def _resolve(state: State) -> Iterator[Event]:
    """Round 1: questions and their calls, run. One re-ask under the same cap when it cannot be read (A-48)."""
    stage: Stage = "resume" if state.resumed else "resolve"
    while state.rounds.may("parse") and not state.parsed.questions and not state.deps.stopped():
        answer = state.rounds.ask(state.deps.model, Turn(stage, state.rounds.next, state.text))
        if answer is None:
            continue
        try:
            state.parsed = parse.read(answer, state.text, state.deps.budget)
        except ModelMisbehaved as error:
            state.rounds.miss(str(error))
    yield Event("parse", state.rounds.spent, {"questions": len(state.parsed.questions), "dropped": state.parsed.dropped_questions})
    yield from _gather(state, state.parsed.calls, state.parsed.dropped_calls)
    if state.resumed:
        unpicked = [number for number, (_, option) in state.picked.items() if option is None]
        state.lost = dict.fromkeys((*unpicked, *followup.hanging(state.parsed.questions, unpicked)), NOT_PICKED)
    else:
        yield from _gate(state)


def _gather(state: State, calls: Sequence[Call], dropped: int) -> Iterator[Event]:
    """Resolve, order and run a round's calls over the one handle."""
    wanted = [call for call in calls if state.needs(call.question)]
    plan = dispatch.plan(wanted, state.parsed.questions)
    for call, why in plan.refused:
        state.add(Result(call.question, call.tool, failed="no answer to that"), refused=why)
    yield Event("dispatch", state.rounds.spent, {"calls": len(plan.calls), "refused": len(plan.refused), "dropped": dropped})
    for call in plan.calls:
        if state.deps.stopped():
            return
        result = _execute(state, call)
        state.add(result)
        rung = anchor.rung if (anchor := state.anchors.get(call.question)) else None
        yield Event("anchor", state.rounds.spent, {"question": call.question, "rung": rung})
        tags = state.tags.get(call.question)
        yield Event(
            "keywords",
            state.rounds.spent,
            {"question": call.question, "tags": list(tags.names) if tags else [], "unmet": len(tags.unmet) if tags else 0},
        )
        yield Event("execute", state.rounds.spent, state.told(result))


def _execute(state: State, call: Call) -> Result:
    """One call: its anchor down the ladder, its phrases to tags, then the tool. What was picked comes before what was parsed (A-32)."""
    question = state.question(call.question)
    call = state.with_pick(call)
    anchor = anchors.resolve(question, state.query, state.gathered(), state.deps, state.picked_where(question.number))
    state.anchors[question.number] = anchor
    phrases, without = call.args.get("keywords", ()), call.args.get("without", ())
    kinds = ("tag", "score") if question.category == "place" else ("tag",)
    tags = keywords.resolve(phrases, without, state.deps, kinds) if phrases or without else Tags()
    state.tags[question.number] = tags
    return execute(call, anchor, tags, state.next_row, state.deps)


def _gate(state: State) -> Iterator[Event]:
    """The follow-up gate: a last resort, at most two questions back, each asked once; a third is not known (A-27, A-28)."""
    for question in state.parsed.questions:
        results = state.of(question.number)
        slot = followup.open_slot(question, state.query.at, results, state.tags.get(question.number))
        if slot is None or not state.deps.echo_keys:
            continue
        rows = [row for result in results for row in result.rows] if slot == "which" else []
        asked = followup.ask(question, slot, rows, state.tags.get(question.number), state.deps)
        if asked and not state.ask_back(asked):
            state.lost[question.number] = ENOUGH
    open_ = [asked.question for asked in state.followups]
    state.waiting = followup.hanging(state.parsed.questions, open_)
    yield Event("followup", state.rounds.spent, {"asked": len(open_), "slots": [asked.slot for asked in state.followups]})


def _finish(state: State) -> Iterator[Event | Part]:
    """Rounds 2 and 3: what hangs on other rows, then the final. The cap reached without one is a fallback (A-49)."""
    final: Mapping[int, Any] | None = None
    rejected: tuple[str, ...] = ()
    while state.rounds.may("final") and state.asked() and final is None and not state.deps.stopped():
        answer = state.rounds.ask(state.finalizer, state.turn(rejected))
        if answer is None:
            continue
        try:
            if "final" in answer:
                final = finalize.drafts(answer["final"], state.asked())
            elif state.may_call():
                calls, dropped = parse.read_calls(answer, len(state.parsed.questions), state.deps.budget)
                yield from _gather(state, calls, dropped)
            else:
                rejected = ("the last round takes the final alone",)
        except ModelMisbehaved as error:
            rejected = (str(error),)
            state.rounds.miss(str(error))
    state.capped = final is None and bool(state.asked() or not state.parsed.questions)
    yield Event("finalize", state.rounds.spent, {"parts": len(final or {}), "capped": state.capped})
    yield from _parts(state, final or {})


def _parts(state: State, final: Mapping[int, Any]) -> Iterator[Event | Part]:
    """Every question's part in the order asked: grounded, or regenerated once, or composed by the harness from the same rows (A-42, A-43)."""
    if not state.parsed.questions:
        yield replies.unknown(1, "")
        return
    drawn = {question.number: _draw(state, question, final.get(question.number)) for question in state.asked()}
    failed = [number for number, part in drawn.items() if part is None and number in final]
    if failed and state.rounds.may("final"):
        drawn |= _regenerated(state, failed)
    yield Event("grounding", state.rounds.spent, {"failed": len(failed), "regenerated": state.regenerated, "misses": len(state.rounds.misses)})
    numbers = [question.number for question in state.parsed.questions if state.wants(question.number)]
    for question in (state.question(number) for number in numbers):
        part = _waiting(state, question) or drawn.get(question.number) or _composed(state, question)
        if question.number == len(state.parsed.questions) and state.parsed.dropped_questions:
            part = replies.with_note(part, Sentence(LEFT_OUT.format(cap=state.deps.budget.questions)), state.deps.budget.part_chars)
        yield part


def _draw(state: State, question: Question, draft: Any) -> Part | None:
    """A draft with its facts filled in, if every word of it is grounded."""
    if draft is None:
        return None
    results = state.of(question.number)
    rows = {row.id: row for result in results for row in result.rows}
    try:
        part = finalize.fill(draft, question, rows, state.anchors.get(question.number), state.deps.budget)
    except ModelMisbehaved as error:
        state.rounds.miss(str(error))
        return None
    counts = {len(rows), *(result.total for result in results), *range(1, len(rows) + 1)}
    own = [text for result in results for text in (*result.notes, result.failed) if text]
    wrong = grounding.problems(part, list(rows.values()), state.text, counts, state.deps.lexicon, town=state.deps.town.name, own=own)
    state.rounds.misses += wrong
    return None if wrong else part


def _regenerated(state: State, failed: Sequence[int]) -> dict[int, Part | None]:
    """The failed parts asked for once more, in a round that is left (A-43)."""
    state.regenerated = True
    answer = state.rounds.ask(state.finalizer, state.turn(tuple(state.rounds.misses[-6:])))
    try:
        again = finalize.drafts((answer or {}).get("final"), state.asked())
    except ModelMisbehaved as error:
        state.rounds.miss(str(error))
        return {}
    return {number: _draw(state, state.question(number), again.get(number)) for number in failed}


def _composed(state: State, question: Question) -> Part:
    """The part that the harness writes itself, or a plain don't-know."""
    part = _draw(state, question, compose(question, state.of(question.number)))
    return part or replies.unknown(question.number, question.what, anchor=state.anchors.get(question.number))


def _waiting(state: State, question: Question) -> Part | None:
    """The part of a question that is asked back about, that waits for one, or that is lost without an answer to one (A-28, A-36)."""
    for asked in state.followups:
        if asked.question == question.number:
            return replies.pending(question, asked.prompt)
    if question.number in state.waiting:
        return replies.pending(question, WAITS)
    lost = state.lost.get(question.number)
    return replies.unknown(question.number, question.what, lost) if lost else None
