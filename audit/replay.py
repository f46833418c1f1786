"""A recorded run, asked again: on its snapshot, at its now, with its words, compared step by step."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from agent.deps import Deps
from agent.harness import run as ask
from agent.types import Query
from audit.models import Ended, Run
from audit.trail import Record, of_step


@dataclass(frozen=True, slots=True)
class Difference:
    """What the record says of a step and what the replay did; None where one of them has no such step."""

    seq: int
    recorded: Record | None
    replayed: Record | None


def find(name: str) -> Run | None:
    """A run by the id of its reply, or by the audit's own."""
    return Run.objects.filter(run=name).first() or Run.objects.filter(id=name).first()


def obstacles(run: Run) -> list[str]:
    """What was not kept, so that the run cannot be asked again; empty where it can."""
    sources = {source for said in run.events.filter(step="part").values_list("said", flat=True) for source in said.get("sources", ())}
    stands = {
        "it was asked from a session location, which is not kept": run.located,
        f"personal data in its question was masked ({', '.join(run.masked)})": bool(run.masked),
        "its question is older than the days of keeping and was blanked": run.blanked,
        "its question was too long, and was cut": run.refused == "too_long",
        "it shows rows of Google, which are not kept": "google" in sources,
        "it goes on from a follow-up, whose echo is not kept": bool(run.resumes),
        f"it has no whole record: it ended as {run.ended or 'running'}": run.ended not in {Ended.OK, Ended.REFUSED},
    }
    return [why for why, so in stands.items() if so]


def wrong_models(run: Run, deps: Deps) -> str:
    """Why these models cannot say again what the run's models said; empty where they are the same."""
    have = deps.model.name, (deps.finalizer or deps.model).name
    return "" if have == (run.resolver, run.finalizer) else f"it was answered by {run.resolver} and {run.finalizer}, here are {have[0]} and {have[1]}"


def wrong_snapshot(run: Run, deps: Deps) -> str:
    here = deps.snapshot.manifest.content_hash
    return "" if here == run.snapshot_hash else f"snapshot {run.snapshot} is another one than it was asked of (its hash is {here})"


def query_of(run: Run) -> Query:
    return Query(run.query, lang=run.lang or "en")


def now_of(run: Run, zone: ZoneInfo) -> datetime:
    return run.now.astimezone(zone)


def differences(run: Run, deps: Deps) -> list[Difference]:
    """Ask again, and compare each step's counts, rows and verdicts."""
    recorded = [{"step": one.step, "round": one.round, "said": one.said} for one in run.events.order_by("seq")]
    replayed = [of_step(step) for step in ask(query_of(run), deps)]
    longest = max(len(recorded), len(replayed))
    pairs = zip(recorded + [None] * (longest - len(recorded)), replayed + [None] * (longest - len(replayed)), strict=True)
    return [Difference(seq, before, after) for seq, (before, after) in enumerate(pairs, 1) if before != after]
