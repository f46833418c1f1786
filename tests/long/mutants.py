"""Mutation testing with mutmut: each module is mutated in a copy of the last commit and run against the tests that are about it.

What mutmut does not change: values of a module outside its functions, and functions with a decorator (`property`, `lru_cache`).
"""

import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

# Without the tests of grounding, which take most of the time and are about what comes after the blocks.
ENGINE = ("tests/agent/blocks/test_[!g]*.py", "tests/agent/test_harness.py", "tests/agent/test_followups*.py")
TESTS: dict[str, tuple[str, ...]] = {
    "agent/llm/rounds.py": ("tests/agent/llm/test_rounds.py",),
    "agent/echo.py": ("tests/agent/test_echo.py",),
    **{f"agent/blocks/{name}.py": ENGINE for name in "dispatch parse intake finalize followup anchors keywords execute reply".split()},
    "agent/blocks/grounding/*.py": ("tests/agent/blocks/test_grounding*.py",),
}
PAGE = Path("docs/mutation.md")
HEAD = "| module | mutants | killed | timed out | survived | of these equivalent | killed of the others |"
CAUGHT = ("caught by type check", "killed", "suspicious", "timeout")  # suspicious: the mutant ended the test process

# The limit of a mutant is 2 × (its tests' time + 10 s) of CPU time; a hypothesis test draws the same examples for each mutant.
CONFIG = """
[tool.mutmut]
source_paths = ["agent", "asksmall", "audit", "festivals", "places"]
also_copy = ["docs", "manage.py", "requirements", "town.toml"]
timeout_constant = 10.0
timeout_multiplier = 1.0
pytest_add_cli_args = ["--hypothesis-seed=1", "-p", "tests.long.forked"]
"""


class Mutant(NamedTuple):
    """One change: the function it is in as mutmut names it, the lines it took away and those it put there, without outer white space."""

    status: str
    function: str
    old: str
    new: str


def copy_of_the_last_commit(project: Path, folder: Path, module: str) -> None:
    """Only what is committed: a figure belongs to a commit, and nobody's work is mutated."""
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=project, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as tar:
        tar.extractall(folder, filter="data")
    tests = [str(path.relative_to(folder)) for pattern in TESTS[module] for path in sorted(folder.glob(pattern))]
    with (folder / "pyproject.toml").open("a") as config:
        config.write(f'{CONFIG}only_mutate = ["{module}"]\npytest_add_cli_args_test_selection = {tests}\n')


def run_mutmut(folder: Path, *words: str) -> str:
    """What it printed. One process at a time, after everybody else's. Raises AssertionError with the end of its output when it fails."""
    done = subprocess.run(["nice", "-n", "19", sys.executable, "-m", "mutmut", *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


def mutants_of(project: Path, folder: Path, module: str) -> list[Mutant]:
    """Every mutant of a module, in `folder`, which is empty; those that were not caught with what they changed."""
    copy_of_the_last_commit(project, folder, module)
    run_mutmut(folder, "run", "--max-children", "1")
    listed = [line.strip().rpartition(": ") for line in run_mutmut(folder, "results", "--all", "true").splitlines()]
    return [_mutant(folder, name, status) for name, _, status in listed if name]


def _mutant(folder: Path, name: str, status: str) -> Mutant:
    function = name.partition("__mutmut_")[0].rpartition(".")[2]
    if status in CAUGHT:
        return Mutant(status, function, "", "")
    lines = [line for line in run_mutmut(folder, "show", name).splitlines() if not line.startswith(("---", "+++"))]
    old, new = (" ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+")
    return Mutant(status, function, old, new)


def equivalents(page: str) -> set[tuple[str, str, str]]:
    """Module, function and new text of every mutant that the page lists as equivalent; a bar in a cell is written `&#124;`."""
    rows = [line.strip("| ").split(" | ") for line in page.partition("## Equivalent")[2].splitlines() if line.startswith("| `")]
    return {(row[0].strip("`"), row[1].strip("`"), row[2].strip("`").replace("&#124;", "|")) for row in rows}


def figures(module: str, mutants: list[Mutant], known: set[tuple[str, str, str]]) -> tuple[str, float]:
    """The line of a module in the page's table, and the share that was caught of the mutants that are not equivalent."""
    survived = [one for one in mutants if one.status not in CAUGHT]
    same = [one for one in survived if (module, one.function, one.new) in known]
    late = sum(one.status == "timeout" for one in mutants)
    caught = len(mutants) - len(survived)
    share = caught / (len(mutants) - len(same))
    return f"| `{module}` | {len(mutants)} | {caught - late} | {late} | {len(survived)} | {len(same)} | {share:.1%} |", share


def with_figures(page: str, module: str, line: str) -> str:
    """The page with the module's line put in, in the place of an older one and of "not measured yet"; its equivalent mutants stay."""
    mine = f"| `{module}` | "
    kept = [row for row in page.splitlines() if not row.startswith(mine) or row.startswith(f"{mine}`")]
    kept.insert(kept.index(HEAD) + 2, line)
    return "\n".join(kept) + "\n"
