from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from audit.metrics import by_day, measure, percentiles
from audit.models import Run, RunEvent
from tests.clock import NOW, ZONE

ids = count()


def kept(ended="ok", outcome="answer", started=NOW, **more) -> Run:
    """A run of the audit."""
    values = {"door": "web", "process": "here|1|1", "now": NOW, "snapshot": 1, "resolver": "rules", "finalizer": "rules", "parts": 1}
    return Run.objects.create(id=f"run{next(ids)}", started=started, ended=ended, outcome=outcome, **values | more)


@pytest.mark.usefixtures("audit_file")
class TestFigures:
    @pytest.mark.rule("A-52")
    def test_a_loop_is_a_first_run_with_its_resumes_and_refused_input_is_none(self):
        kept(outcome="followup", asked_back=1, echo="x")
        kept(resumes="x")
        kept(resumes="x", outcome="followup", asked_back=1)
        for _ in range(7):
            kept()
        kept(ended="refused", outcome="fallback", refused="empty")
        for ended in ("lost", "aborted", "error", ""):
            kept(ended=ended, outcome="")
        figures = measure(ZONE)
        assert (figures["loops"], figures["asked_back"], figures["followups_per_1000"]) == (8, 1, 125.0)
        assert figures["ended"] == {"running": 1, "ok": 10, "refused": 1, "aborted": 1, "lost": 1, "error": 1}

    @pytest.mark.rule("A-52")
    def test_the_rate_is_shown_with_its_trend_by_week_of_the_town(self):
        kept(started=datetime(2026, 11, 29, 23, 59, 59, tzinfo=ZONE), asked_back=1, latency_ms=10)
        kept(started=datetime(2026, 11, 30, tzinfo=ZONE), latency_ms=30)
        kept(started=NOW, asked_back=2, latency_ms=20)
        assert measure(ZONE)["weeks"] == [
            {"week": "2026-W48", "loops": 1, "asked_back": 1, "followups_per_1000": 1000.0, "p50": 10, "p90": 10},
            {"week": "2026-W49", "loops": 2, "asked_back": 1, "followups_per_1000": 500.0, "p50": 20, "p90": 30},
        ]

    @pytest.mark.fault("FA5")
    def test_the_hour_that_comes_twice_and_the_leap_day_fall_on_their_own_days(self):
        twice = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
        kept(started=twice)
        kept(started=twice + timedelta(hours=1))
        kept(started=datetime(2028, 2, 29, 23, 59, 59, tzinfo=ZONE))
        assert [(day["day"], day["runs"]) for day in by_day(ZONE)] == [("2026-10-25", 2), ("2028-02-29", 1)]

    def test_what_nobody_told_is_not_known_and_never_nothing(self):
        kept(cost=None, tokens_in=None)
        figures = measure(ZONE)
        assert (figures["cost"], figures["cost_unknown"], figures["tokens"]) == (None, 1, {"in": None, "out": None})
        kept(cost=0.25, tokens_in=100, tokens_out=20)
        figures = measure(ZONE)
        assert (figures["cost"], figures["cost_unknown"], figures["tokens"]) == (0.25, 1, {"in": 100, "out": 20})

    def test_what_was_not_known_what_was_repaired_and_what_was_not_written_are_counted(self):
        kept(parts=3, unknown_parts=2, regenerated=True)
        kept(outcome="fallback", unknown_parts=1)
        RunEvent.objects.create(run_id="none", seq=0, step="unwritten", ms=0, said={"records": 4})
        figures = measure(ZONE)
        assert (figures["parts"], figures["unknown_parts"], figures["fallbacks"], figures["regenerated"], figures["unwritten"]) == (4, 3, 1, 1, 4)

    def test_nothing_yet_is_no_rate(self):
        figures = measure(ZONE)
        assert (figures["followups_per_1000"], figures["latency_ms"], figures["weeks"]) == (None, {"p50": None, "p90": None}, [])


def test_percentiles_are_values_that_were_measured():
    assert percentiles(range(1, 101)) == {"p50": 50, "p90": 90}
    assert percentiles([7]) == {"p50": 7, "p90": 7}
