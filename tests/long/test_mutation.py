"""How much of a wrong program the tests would let through. A module takes from minutes to hours: `make long`, or

pytest -m long tests/long/test_mutation.py -k echo
"""

from pathlib import Path

import pytest

from asksmall.settings import BASE_DIR
from tests.long.mutants import CAUGHT, HEAD, PAGE, TESTS, Mutant, equivalents, figures, mutants_of, with_figures

LEAST = 0.85


@pytest.mark.long
@pytest.mark.parametrize("module", TESTS)
def test_the_tests_of_a_module_catch_the_mutants_of_it(module: str, tmp_path: Path):
    """Writes the module's figures into the page, good or bad. What survived and is not listed there as equivalent stands in the failure."""
    mutants = mutants_of(BASE_DIR, tmp_path, module)
    page = (BASE_DIR / PAGE).read_text(encoding="utf-8")
    known = equivalents(page)
    line, share = figures(module, mutants, known)
    (BASE_DIR / PAGE).write_text(with_figures(page, module, line), encoding="utf-8")
    left = [one for one in mutants if one.status not in CAUGHT and (module, one.function, one.new) not in known]
    assert share >= LEAST, "\n".join(f"{one.status} {one.function}: {one.old} -> {one.new}" for one in left)


def test_every_module_of_the_table_and_every_test_that_it_names_is_there():
    assert [one for module, tests in TESTS.items() for one in (module, *tests) if not list(BASE_DIR.glob(one))] == []


def test_every_block_is_in_the_table():
    blocks = {f"agent/blocks/{path.name}" for path in (BASE_DIR / "agent/blocks").glob("*.py")} - {"agent/blocks/__init__.py"}
    assert blocks - set(TESTS) == set()


def test_an_equivalent_mutant_counts_neither_for_nor_against_the_tests():
    found = [Mutant("killed", "f", "", ""), Mutant("timeout", "f", "", ""), Mutant("survived", "f", "a", "b"), Mutant("survived", "g", "a", "b|c")]
    known = equivalents("## Equivalent\n\n| `m.py` | `g` | `b&#124;c` | the same |\n")
    assert figures("m.py", found, known) == ("| `m.py` | 4 | 1 | 1 | 2 | 1 | 66.7% |", 2 / 3)


def test_new_figures_take_the_place_of_the_old_ones_and_of_not_measured_yet():
    other, same = "| `n.py` | 1 | 1 | 0 | 0 | 0 | 100.0% |", "| `m.py` | `f` | `x` | the same |"
    page = f"{HEAD}\n|---|\n| `m.py` | 1 | 1 | 0 | 0 | 0 | 100.0% |\n{other}\n| `m.py` | too slow |\n{same}\n"
    line = "| `m.py` | 2 | 1 | 0 | 1 | 0 | 50.0% |"
    assert with_figures(page, "m.py", line) == f"{HEAD}\n|---|\n{line}\n{other}\n{same}\n"
