"""`evaluate`: run cases over the live snapshot and say what held."""

import json
from collections import defaultdict
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from agent.errors import AskError
from agent.evaluate import failures
from agent.harness import run
from agent.management.commands.ask import read_now
from agent.types import Point, Query, Reply
from agent.web import wiring


class Command(BaseCommand):
    help = "Run evaluation cases (one JSON object a line) over the live snapshot, and print a score per kind and each miss."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("cases", type=Path, help="the file of cases, as docs/evaluation.md describes")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")
        parser.add_argument("--model", choices=["rules"], default="rules", help="which model answers")
        parser.add_argument("--replies", type=Path, metavar="OUT", help="write each reply here, one JSON object a line")

    def handle(self, **options) -> None:
        kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        misses, replies = [], []
        for case in read_cases(options["cases"]):
            reply = answer(case)
            replies.append({"id": case["id"], "reply": reply})
            try:
                why = failures(case["expect"], reply)
            except ValueError as error:
                raise CommandError(f"case {case['id']}: {error}") from error
            kind = kinds[case.get("kind") or str(case["id"]).partition("-")[0]]
            kind[0] += not why
            kind[1] += 1
            if why:
                misses.append({"id": case["id"], "query": case["query"], "why": why})
        if options["replies"]:
            options["replies"].write_text("".join(json.dumps(reply, ensure_ascii=False) + "\n" for reply in replies), encoding="utf-8")
        self._print(dict(kinds), misses, as_json=options["json"])

    def _print(self, kinds: dict[str, list[int]], misses: list[dict], *, as_json: bool) -> None:
        cases = sum(kind[1] for kind in kinds.values())
        passed = cases - len(misses)
        score = round(passed / cases, 4)
        if as_json:
            self.stdout.write(
                json.dumps({"cases": cases, "passed": passed, "score": score, "kinds": kinds, "misses": misses}, ensure_ascii=False, indent=2)
            )
            return
        for miss in misses:
            self.stdout.write(f"miss {miss['id']}: {miss['query']}\n     {'; '.join(miss['why'])}")
        for kind, (good, total) in sorted(kinds.items()):
            self.stdout.write(f"{kind:<12} {good:>4} of {total}")
        self.stdout.write(f"{'all':<12} {passed:>4} of {cases}, {score:.1%}")


def read_cases(path: Path) -> list[dict]:
    """The cases of a file. Raises CommandError with the line that is none."""
    cases = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read as UTF-8 text: {error}") from error
    for number, line in enumerate(lines, start=1):
        try:
            case = json.loads(line)
            cases.append(
                {
                    "id": case["id"],
                    "query": case["query"],
                    "now": case.get("now"),
                    "at": case.get("at"),
                    "expect": case["expect"],
                    "kind": case.get("kind"),
                }
            )
        except (ValueError, KeyError, TypeError) as error:
            raise CommandError(f"{path}, line {number}: a case is a JSON object with id, query, now and expect ({error})") from error
    if not cases:
        raise CommandError(f"{path} holds no cases")
    return cases


def answer(case: dict) -> dict:
    """The reply to one case, at its own instant and place."""
    at = Point(*case["at"]) if case["at"] else None
    try:
        steps = list(run(Query(case["query"], at), wiring.deps(read_now(case["now"]))))
    except AskError as error:
        raise CommandError(str(error)) from error
    assert isinstance(steps[-1], Reply)  # noqa: S101
    return dict(steps[-1].body)
