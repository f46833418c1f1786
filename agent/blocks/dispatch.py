"""Dispatch: which calls of a round run, and in which order (A-15 to A-18)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.errors import ToolRefused
from agent.tools.registry import TOOLS
from agent.types import Call, Question


@dataclass(frozen=True, slots=True)
class Plan:
    """Calls in dependency order, and those refused with the reason."""

    calls: tuple[Call, ...]
    refused: tuple[tuple[Call, str], ...] = ()


def plan(calls: Sequence[Call], questions: Sequence[Question]) -> Plan:
    """Order a round's calls so that what others hang on comes first; refuse what no registry or graph allows, each alone."""
    by_number = {question.number: question for question in questions}
    depth = {question.number: _depth(question, by_number) for question in questions}
    good: list[Call] = []
    refused: list[tuple[Call, str]] = []
    for call in calls:
        try:
            good.append(_allowed(call, by_number, depth))
        except ToolRefused as error:
            refused.append((call, str(error)))
    return Plan(tuple(sorted(good, key=lambda call: depth[call.question] or 0)), tuple(refused))


def _depth(question: Question, by_number: Mapping[int, Question]) -> int | None:
    """How many questions this one hangs on, or None for a cycle, a self-reference or an unknown k (A-17)."""
    seen: set[int] = set()
    steps = 0
    while (k := question.hangs_on) is not None:
        if k in seen or k == question.number or k not in by_number:
            return None
        seen.add(k)
        question = by_number[k]
        steps += 1
    return steps


def _allowed(call: Call, by_number: Mapping[int, Question], depth: Mapping[int, int | None]) -> Call:
    question = by_number.get(call.question)
    tool = TOOLS.get(call.tool)
    if question is None:
        raise ToolRefused(f"there is no question {call.question}")
    if tool is None:
        raise ToolRefused(f"there is no tool '{call.tool}'")
    if not tool.offered:
        raise ToolRefused(f"{tool.name} is the harness's own")
    if tool.category != question.category:
        raise ToolRefused(f"{tool.name} is for {tool.category} questions, and question {question.number} is a {question.category} question")
    if depth[question.number] is None:
        raise ToolRefused(f"question {question.number} hangs on '{question.where}', which leads nowhere")
    return Call(call.question, call.tool, tool.check(call.args))
