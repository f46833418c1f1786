"""The follow-up: when a question back is the last resort, what it offers, and what the resident's answer to it means (A-27 to A-36)."""

from collections.abc import Sequence
from typing import Literal

from agent.deps import Deps
from agent.echo import Pending
from agent.geo import distance_m
from agent.snapshot.names import fold
from agent.tools.registry import TOOLS, Bench
from agent.types import Anchor, Followup, Option, Pick, Point, Question, Result, Row, Tags

Slot = Literal["where", "what", "which"]

APART_M = 250  # two of one name nearer than this are told of together
_AREA = "SELECT slug FROM area WHERE name = ?"
_DETAILS = ("place_details", "event_details", "festival_details")
_PROMPTS = {"where": "Where should Small look? Pick one, or name an area.", "what": "What are you looking for?", "which": "Which one do you mean?"}


def open_slot(question: Question, at: Point | None, results: Sequence[Result], tags: Tags | None) -> Slot | None:
    """The slot that nothing fills: it points and nothing says where; no phrase of it reached the floor; two bear the name equally well."""
    if question.where is None and at is None:
        return "where"
    rows = [row for result in results for row in result.rows]
    if tags is not None and tags.far and not rows:
        return "what"
    return "which" if any(result.tool in _DETAILS and namesakes(result.rows) for result in results) else None


def namesakes(rows: Sequence[Row]) -> bool:
    """Whether rows bear one name and are places apart, so that telling of one would be a guess."""
    if len(rows) < 2 or len({fold(row.name) for row in rows}) > 1 or len({row.public_id.partition("@")[0] for row in rows}) < 2:
        return False
    points = [row.point for row in rows if row.point]
    return len(points) < len(rows) or any(distance_m(points[0], point) > APART_M for point in points[1:])


def ask(question: Question, slot: Slot, rows: Sequence[Row], tags: Tags | None, deps: Deps) -> Followup | None:
    """The question back with its options from P5 or F7; None where they have nothing to offer."""
    now = deps.now.astimezone(deps.town.timezone)
    bench = Bench(deps.snapshot, deps.town, now, deps.budget, question.number, Anchor("city", deps.town.name))
    slugs = [row.public_id.partition(":")[2].partition("@")[0] for row in rows]
    if question.category == "festival" and slot != "what":
        of_festivals = bool(rows) and rows[0].public_id.startswith("festival:")
        options = TOOLS["festival_options"].run(bench, slot, slugs, of_festivals=of_festivals)
        options = _areas(options, deps) if slot == "where" else options
    else:
        options = TOOLS["place_options"].run(bench, slot, tags or Tags(), slugs)
    return Followup(question.number, slot, _PROMPTS[slot], options[: deps.budget.options]) if len(options) > 1 else None


def _areas(named: Sequence[Option], deps: Deps) -> tuple[Option, ...]:
    """Areas by their public ids. An event bears the name of its area alone: the belt of festivals has no areas (A-19)."""
    found = ((deps.snapshot.anchors.one(_AREA, (option.label,)), option.label) for option in named)
    return tuple(Option(f"area:{row['slug']}", label) for row, label in found if row)


def hanging(questions: Sequence[Question], open_: Sequence[int]) -> set[int]:
    """The questions that hang on an open one, so that they wait with it."""
    found = set(open_)
    for _ in questions:
        found |= {question.number for question in questions if question.hangs_on in found}
    return found - set(open_)


def read_pick(pick: Pick, pending: Pending, deps: Deps) -> Option | None:
    """What a pick means: an option that was offered, by its id or its words; else, said freely, an area or landmark for `where`, a kind for `what`.

    None for anything else. The words go through the town's own names and into no prompt (A-34).
    """
    offered = {id_: Option(id_, label) for id_, label in pending.options.items()}
    if pick.option:
        return offered.get(pick.option)
    said = fold(pick.say[: deps.budget.say_chars])
    if not said:
        return None
    meant = [option for option in offered.values() if fold(option.label) == said] or [
        one for one in offered.values() if f" {said} " in f" {fold(one.label)} "
    ]
    if len(meant) == 1:
        return meant[0]
    if pending.slot == "where" and (said == fold(deps.town.name) or deps.lexicon.find(said, ("landmark", "area", "place"))):
        return Option("said", said)
    return Option("said", said) if pending.slot == "what" and deps.lexicon.word(said, ("tag",)) else None
