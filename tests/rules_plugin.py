"""Keeps how each test that carries a rule's id ended, for `manage.py rules`.

A run replaces what was kept of the tests it reached and leaves the rest, so partial runs add up. A test with parameters
counts once, and as failed if one of its cases did. Kept in pytest's own cache folder.
"""

from collections.abc import Iterator

import pytest

KEY = "asksmall/rules"
WORST_FIRST = ("failed", "passed", "skipped")
ended: dict[str, set[str]] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if next(item.iter_markers("rule"), None) and (report.when == "call" or report.outcome != "passed"):
        ended.setdefault(item.nodeid.partition("[")[0], set()).add(report.outcome)
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    cache = session.config.cache
    kept = cache.get(KEY, {})
    worst = {test: next(outcome for outcome in WORST_FIRST if outcome in outcomes) for test, outcomes in ended.items()}
    if worst:
        cache.set(KEY, kept | worst)
