"""What the documents and the house rules say is held true here."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command, get_commands

from agent.management.commands.rules import find_tests, read_texts
from agent.types import Town
from asksmall.settings import BASE_DIR, Switches

OUR_APPS = {"agent", "asksmall", "audit", "festivals", "places"}
COMMANDS = sorted(name for name, app in get_commands().items() if app in OUR_APPS)
LATER_RULES = re.compile(r"A-(0[1-9]|[1-4]\d|5[0-8])|B-(0[1-9]|1\d|2[01])|[C-Z]-\d\d")


def tracked(*patterns: str) -> list[Path]:
    """The files that are in the project, new ones included, ignored ones not."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns], cwd=BASE_DIR, capture_output=True, text=True, check=True
    )
    return [path for line in listed.stdout.splitlines() if (path := BASE_DIR / line).is_file()]


def sources() -> list[Path]:
    return [path for path in tracked("*.py") if "migrations" not in path.parts]


def text_of(name: str) -> str:
    return (BASE_DIR / name).read_text(encoding="utf-8")


def first_table(page: str) -> list[str]:
    return [line for line in page.partition("\n## ")[0].splitlines() if line.startswith("| `")]


def said_default(value: object) -> str:
    if isinstance(value, Path):
        value = value.relative_to(BASE_DIR)
    return f"`{str(value).lower() if isinstance(value, bool) else value}`" if value != "" else "empty"


def test_the_table_of_settings_holds_every_switch_and_nothing_else():
    fields = Switches.model_fields.values()
    assert first_table(text_of("docs/settings.md")) == [
        f"| `{field.alias}` | {said_default(field.default)} | {field.description} |" for field in fields
    ]


def test_the_table_of_the_town_file_holds_every_key_and_nothing_else():
    section = text_of("docs/operators.md").partition("## The town file")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert rows == [*Town.__dataclass_fields__]


def test_the_list_of_commands_holds_every_command_and_nothing_else():
    assert sorted(re.findall(r"^## `(\w+)", text_of("docs/commands.md"), re.MULTILINE)) == COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_says_what_it_does(name: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        call_command(name, "--help", stdout=StringIO())
    assert ended.value.code == 0
    assert re.search(r"\n\n\S.{30,}", capsys.readouterr().out)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_of_a_command_is_explained(name: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        call_command(name, "--help", stdout=StringIO())
    page = text_of("docs/commands.md").partition(f"## `{name}")[2].partition("\n## ")[0]
    djangos = {"--help", "--version", "--verbosity", "--settings", "--pythonpath", "--traceback", "--no-color", "--force-color", "--skip-checks"}
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", capsys.readouterr().out)) - djangos
    assert [option for option in sorted(options) if option not in page] == []


def test_every_rule_that_a_test_names_is_a_rule():
    known = read_texts(text_of("docs/rules.md"))
    assert [rule for rule in sorted(find_tests(BASE_DIR)) if rule not in known and not LATER_RULES.fullmatch(rule)] == []


def test_every_page_that_is_named_exists():
    names = re.compile(r"\bdocs/[\w/-]+\.md")
    files = tracked("*.md", "*.py", "*.toml", "Makefile")
    assert [(path.name, name) for path in files for name in names.findall(path.read_text(encoding="utf-8")) if not (BASE_DIR / name).exists()] == []


def test_every_make_command_that_a_page_names_is_in_the_makefile():
    targets = set(re.findall(r"^(\w+):", text_of("Makefile"), re.MULTILINE))
    named = {name for page in tracked("*.md") for name in re.findall(r"`make (\w+)`", page.read_text(encoding="utf-8"))}
    assert named - targets == set()


def test_every_link_between_pages_leads_somewhere():
    link = re.compile(r"\]\((?!https?:)([^)#]+)")
    assert [
        (page.name, to) for page in tracked("*.md") for to in link.findall(page.read_text(encoding="utf-8")) if not (page.parent / to).exists()
    ] == []


def test_every_source_file_that_the_picture_of_the_house_names_exists():
    names = re.findall(r"`([\w/]+/[\w/]*(?:\.py|\.toml|/))`", text_of("docs/house.md"))
    assert len(names) > 20
    assert [name for name in names if not (BASE_DIR / name).exists()] == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements/uv.txt"])
def test_the_locks_hold_hashes_for_everything_and_no_address(name: str):
    lock = text_of(name)
    pins = re.split(r"\n(?=\S)", lock.strip())
    assert [pin.splitlines()[0] for pin in pins if not re.match(r"[\w.-]+==\S+", pin) or "--hash=sha256:" not in pin] == []
    assert "://" not in lock


def asked_libraries() -> list[str]:
    """The names in pyproject.toml: what runs, what is optional, what builds and tests."""
    project = tomllib.loads(text_of("pyproject.toml"))
    groups = [project["project"]["dependencies"], *project["project"]["optional-dependencies"].values(), *project["dependency-groups"].values()]
    return [re.split(r"[^\w-]", line)[0] for group in groups for line in group]


def test_the_lock_names_every_library_that_the_project_asks_for():
    pinned = set(re.findall(r"^([\w.-]+)==", text_of("requirements.lock"), re.MULTILINE))
    assert [name for name in asked_libraries() if name not in pinned] == []


def test_the_table_of_libraries_names_every_library_that_the_project_asks_for():
    pages = "".join(path.read_text(encoding="utf-8") for path in tracked("docs/decisions/*.md"))
    assert [name for name in asked_libraries() if f"`{name}`" not in pages] == []


def test_nothing_in_the_project_names_a_package_registry_or_a_place_of_one_machine():
    parts = ("pypi" + ".org", "pythonhosted" + ".org", "registry.npmjs" + ".org", "npm" + "mirror", "index" + "-url =", "/work" + "/", "/root" + "/")
    texts = ((path, path.read_text(encoding="utf-8", errors="replace")) for path in tracked())
    assert [(path.name, part) for path, text in texts for part in parts if part in text] == []


def functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{path.relative_to(BASE_DIR)}:{node.name}", node.end_lineno - node.lineno + 1


def test_no_function_is_longer_than_sixty_lines():
    assert [(name, lines) for path in sources() for name, lines in functions(path) if lines > 60] == []


def test_no_file_is_longer_than_four_hundred_lines():
    long = ((path.relative_to(BASE_DIR).as_posix(), len(path.read_text(encoding="utf-8").splitlines())) for path in sources())
    assert [(name, lines) for name, lines in long if lines > 400] == []


def test_only_commands_print():
    prints = re.compile(r"^\s*print\(", re.MULTILINE)
    files = [path for path in sources() if not {"tests", "commands"} & set(path.parts)]
    assert [path.name for path in files if prints.search(path.read_text(encoding="utf-8"))] == []


def test_tests_mirror_the_source():
    """A test file under tests/<app>/ stands where the module, or the package, that it is about stands."""
    mirrored = [path.relative_to(BASE_DIR / "tests") for path in tracked("tests/*.py") if path.relative_to(BASE_DIR / "tests").parts[0] in OUR_APPS]
    assert [str(path) for path in mirrored if not (BASE_DIR / path.parent).is_dir() and path.name.startswith("test_")] == []
