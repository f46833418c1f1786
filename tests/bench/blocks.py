"""What each block of the engine costs, over the questions of the project's own cases: `python -m tests.bench.blocks [CASES.jsonl]`.

It runs over the live snapshot of `ASKSMALL_DATA_DIR` (the demo town for the default cases). CPU milliseconds a question, warm: the middle, the
99th in a hundred, and the share of the whole.
"""

import json
import os
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

NOW = "2026-12-04T18:30:00"
CASES = Path(__file__).resolve().parents[1] / "eval" / "own_a.jsonl"


@contextmanager
def timed(module: Any, name: str, into: dict[str, float], label: str) -> Iterator[None]:
    """Add the CPU time of a function to a sum while the context lasts."""
    function: Callable[..., Any] = getattr(module, name)

    def measured(*args: Any, **kwargs: Any) -> Any:
        began = time.thread_time()
        try:
            return function(*args, **kwargs)
        finally:
            into[label] += (time.thread_time() - began) * 1000

    setattr(module, name, measured)
    try:
        yield
    finally:
        setattr(module, name, function)


def measure(questions: list[str], rounds: int) -> dict[str, list[float]]:
    """CPU milliseconds of each block, one figure a question and round."""
    from contextlib import ExitStack

    from django.conf import settings

    from agent import harness
    from agent.blocks import anchors, dispatch, finalize, followup, grounding, keywords, parse
    from agent.llm.rules import RulesModel
    from agent.types import Query
    from agent.web import wiring

    now = datetime.fromisoformat(NOW).replace(tzinfo=settings.TOWN.timezone)
    blocks = [(harness, "intake", "intake"), (RulesModel, "complete", "rules model"), (parse, "read", "parse"), (anchors, "resolve", "anchors"),
              (keywords, "resolve", "keywords"), (dispatch, "plan", "dispatch"), (harness, "execute", "execute"), (followup, "open_slot", "follow-up gate"),
              (finalize, "fill", "finalize"), (grounding, "problems", "grounding")]  # fmt: skip
    figures: dict[str, list[float]] = defaultdict(list)
    for turn in range(rounds + 1):
        for text in questions:
            spent: dict[str, float] = defaultdict(float)
            with ExitStack() as stack:
                for module, name, label in blocks:
                    stack.enter_context(timed(module, name, spent, label))
                began = time.thread_time()
                list(harness.run(Query(text), wiring.deps(now)))
                spent["whole"] = (time.thread_time() - began) * 1000
            if turn:
                for label in [*(label for _, _, label in blocks), "whole"]:
                    figures[label].append(spent[label])
    return figures


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "asksmall.settings")
    import django

    django.setup()
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else CASES
    questions = [json.loads(line)["query"] for line in path.read_text(encoding="utf-8").splitlines()]
    figures = measure(questions, rounds=3)
    whole = sum(figures["whole"])
    sys.stdout.write(f"{'block':<16}{'p50 ms':>9}{'p99 ms':>9}{'share':>8}   ({len(questions)} questions, 3 rounds, load {os.getloadavg()[0]:.1f})\n")
    for label, values in figures.items():
        ordered = sorted(values)
        sys.stdout.write(f"{label:<16}{statistics.median(ordered):>9.2f}{ordered[int(len(ordered) * 0.99)]:>9.2f}{sum(values) / whole:>8.0%}\n")


if __name__ == "__main__":
    main()
