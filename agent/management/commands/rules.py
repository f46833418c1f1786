"""`manage.py rules`: each rule of docs/rules.md with the tests that prove it.

Which tests carry a rule's id is read from their source; how they ended is what `tests/rules_plugin.py` kept of their last run.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

OUTCOMES = Path(".pytest_cache/v/asksmall/rules")
RULE = re.compile(r"- ([A-Z]-\d{2}) (.+)")


@dataclass(frozen=True, slots=True)
class Rule:
    """`tests` maps a test's id, as pytest writes it without its parameters, to how it ended: passed, failed, skipped, not run."""

    id: str
    text: str
    tests: Mapping[str, str] = field(default_factory=dict)

    @property
    def proved(self) -> bool:
        endings = set(self.tests.values())
        return "passed" in endings and "failed" not in endings


def read_texts(page: str) -> dict[str, str]:
    """Rule ids to their texts, in the page's order: a list item and the indented lines that follow it."""
    texts: dict[str, str] = {}
    current = ""
    for line in page.splitlines():
        if found := RULE.fullmatch(line):
            current = found[1]
            texts[current] = found[2]
        elif current and line.startswith("  "):
            texts[current] += f" {line.strip()}"
        else:
            current = ""
    return texts


def marked(*nodes: ast.AST) -> set[str]:
    """The ids in every `pytest.mark.rule(…)` under the nodes, those of single parameters included."""
    calls = (node for root in nodes for node in ast.walk(root) if isinstance(node, ast.Call))
    return {str(ast.literal_eval(argument)) for call in calls if ast.unparse(call.func) == "pytest.mark.rule" for argument in call.args}


def marked_tests(body: list[ast.stmt], prefix: str, inherited: frozenset[str] = frozenset()) -> Iterator[tuple[str, set[str]]]:
    """Each test function under a module's or class's body with the rules that it, its class or its module names."""
    assigns = [node for node in body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"]
    above = inherited | marked(*assigns)
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from marked_tests(node.body, f"{prefix}::{node.name}", above | marked(*node.decorator_list))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield f"{prefix}::{node.name}", above | marked(*node.decorator_list)


def find_tests(root: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in sorted((root / "tests").rglob("test_*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"))
        for test, ids in marked_tests(module.body, path.relative_to(root).as_posix()):
            for rule in ids:
                found.setdefault(rule, []).append(test)
    return found


def read_rules(root: Path) -> list[Rule]:
    """The rules of `root`/docs/rules.md with their tests. A test that no run has reached yet is `not run`."""
    file = root / OUTCOMES
    outcomes: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    tests = find_tests(root)
    texts = read_texts((root / "docs" / "rules.md").read_text(encoding="utf-8"))
    return [Rule(name, text, {test: outcomes.get(test, "not run") for test in tests.get(name, [])}) for name, text in texts.items()]


class Command(BaseCommand):
    help = (
        "Print each rule of docs/rules.md with the tests that carry its id and how they ended when they last ran. "
        "Exit code 1 if a rule has no test, if one of its tests failed, or if none has passed yet; `make test` runs them all."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help='print {"rules": [{"id", "text", "tests"}]}')

    def handle(self, *, json: bool, **options: object) -> None:
        rules = read_rules(settings.BASE_DIR)
        self.stdout.write(as_json(rules) if json else as_text(rules))
        unproved = [rule.id for rule in rules if not rule.proved]
        if unproved:
            raise CommandError(f"{len(unproved)} of {len(rules)} rules are not proved: {', '.join(unproved)}. Run `make test`, then look again.")


def as_json(rules: list[Rule]) -> str:
    return json.dumps({"rules": [{"id": rule.id, "text": rule.text, "tests": [*rule.tests]} for rule in rules]}, ensure_ascii=False, indent=2)


def as_text(rules: list[Rule]) -> str:
    lines = [f"{rule.id} {rule.text}\n{said_of_tests(rule)}" for rule in rules]
    return "\n".join([*lines, f"{sum(rule.proved for rule in rules)} of {len(rules)} rules are proved."])


def said_of_tests(rule: Rule) -> str:
    return "\n".join(f"    {ending:8}{test}" for test, ending in rule.tests.items()) or "    no test carries this id"
