"""What the audit adds up to (A-52): a value of plain words and numbers, the same for the terminal, JSON and the admin's charts."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDay

from audit.models import Ended, Run, RunEvent

Figures = dict[str, Any]
LOOPS = Q(ended=Ended.OK, resumes="")  # a loop is a first run with its resumes; refused and empty input is none


def measure(zone: ZoneInfo) -> Figures:
    """All figures. Rates are per 1,000 loops, times in milliseconds; None is not known. Weeks are ISO 8601's, days the town's."""
    ok = Run.objects.filter(ended=Ended.OK)
    sums = ok.aggregate(parts=Sum("parts"), unknown=Sum("unknown_parts"), tokens_in=Sum("tokens_in"), tokens_out=Sum("tokens_out"), cost=Sum("cost"))
    weeks = by_week(zone)
    loops, asked = sum(week["loops"] for week in weeks), sum(week["asked_back"] for week in weeks)
    return {
        "loops": loops,
        "asked_back": asked,
        "followups_per_1000": per_1000(asked, loops),
        "weeks": weeks,
        "parts": sums["parts"] or 0,
        "unknown_parts": sums["unknown"] or 0,
        "fallbacks": ok.filter(outcome="fallback").count(),
        "regenerated": ok.filter(regenerated=True).count(),
        "latency_ms": percentiles(ok.exclude(latency_ms=None).values_list("latency_ms", flat=True)),
        "tokens": {"in": sums["tokens_in"], "out": sums["tokens_out"]},
        "cost": sums["cost"],
        "cost_unknown": ok.filter(cost=None).count(),
        "ended": endings(Run.objects.all()),
        "unwritten": unwritten(),
    }


def per_1000(count: int, of: int) -> float | None:
    return round(1000 * count / of, 1) if of else None


def percentiles(values: Iterable[int]) -> Figures:
    """The nearest-rank median and 90th percentile."""
    found = np.fromiter(values, dtype=np.int64)
    if not found.size:
        return {"p50": None, "p90": None}
    p50, p90 = np.percentile(found, [50, 90], method="inverted_cdf")
    return {"p50": int(p50), "p90": int(p90)}


def endings(runs: QuerySet[Run]) -> dict[str, int]:
    """How many runs ended how; those that go on are `running`."""
    counts = {row["ended"]: row["count"] for row in runs.order_by().values("ended").annotate(count=Count("id"))}
    return {ended.value or "running": counts.get(ended.value, 0) for ended in Ended}


def by_week(zone: ZoneInfo) -> list[Figures]:
    """Loops, how many of them were asked back, and times, for each week that has a loop, the oldest first."""
    weeks: dict[str, list[tuple[int, int | None]]] = defaultdict(list)
    for started, asked, latency in Run.objects.filter(LOOPS).order_by("started").values_list("started", "asked_back", "latency_ms").iterator():
        weeks[week_of(started, zone)].append((asked, latency))
    return [_week(name, loops) for name, loops in sorted(weeks.items())]


def _week(name: str, loops: Sequence[tuple[int, int | None]]) -> Figures:
    asked = sum(1 for count, _ in loops if count)
    times = percentiles(latency for _, latency in loops if latency is not None)
    return {"week": name, "loops": len(loops), "asked_back": asked, "followups_per_1000": per_1000(asked, len(loops)), **times}


def week_of(moment: datetime, zone: ZoneInfo) -> str:
    year, week, _ = moment.astimezone(zone).isocalendar()
    return f"{year}-W{week:02}"


def by_day(zone: ZoneInfo, most: int = 30) -> list[Figures]:
    """Runs by outcome, the cost that is known and the repairs, for each of the last days that has a run, the oldest first."""
    days = (
        Run.objects.order_by()
        .annotate(day=TruncDay("started", tzinfo=zone))
        .values("day")
        .annotate(
            runs=Count("id"),
            answer=Count("id", filter=Q(outcome="answer")),
            followup=Count("id", filter=Q(outcome="followup")),
            fallback=Count("id", filter=Q(outcome="fallback")),
            unended=Count("id", filter=Q(outcome="")),
            regenerated=Count("id", filter=Q(regenerated=True)),
            cost=Sum("cost"),
        )
        .order_by("-day")[:most]
    )
    return [{**row, "day": f"{row['day']:%Y-%m-%d}"} for row in reversed(days)]


def unwritten() -> int:
    """How many records could not be written, as far as that could be written down later."""
    return sum(said.get("records", 0) for said in RunEvent.objects.filter(step="unwritten").values_list("said", flat=True))
