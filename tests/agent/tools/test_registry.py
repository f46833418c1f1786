import pytest

from agent.blocks import execute  # noqa: F401 (registers every tool)
from agent.errors import ToolRefused
from agent.llm.rules.model import TAKES
from agent.tools.registry import TOOLS


@pytest.mark.rule("A-20")
def test_each_tool_has_its_id_its_category_a_description_and_a_schema():
    known = {tool.id: (name, tool.category) for name, tool in TOOLS.items()}
    assert known["P1"] == ("find_places", "place")
    assert known["P2"] == ("place_details", "place")
    assert known["P4"] == ("places_near", "place")
    for tool in TOOLS.values():
        assert {"P": "place", "F": "festival"}[tool.id[0]] == tool.category
        assert tool.description
        assert tool.schema()["additionalProperties"] is False


@pytest.mark.rule("A-20")
def test_a_schema_is_what_the_function_takes():
    assert TOOLS["find_places"].schema() == {
        "type": "object",
        "properties": {
            "keywords": {"type": "array", "items": {"type": "string", "maxLength": 140}, "maxItems": 6},
            "order_by": {"type": "string", "maxLength": 140},
            "open_at": {"type": "string", "maxLength": 140},
            "limit": {"type": "integer", "minimum": 1, "maximum": 5},
            "without": {"type": "array", "items": {"type": "string", "maxLength": 140}, "maxItems": 6},
        },
        "additionalProperties": False,
    }


def test_the_rules_model_knows_what_each_tool_takes():
    assert {name: set(takes) for name, takes in TAKES.items() if name in TOOLS} == {
        name: set(tool.parameters) for name, tool in TOOLS.items() if name in TAKES
    }


@pytest.mark.parametrize(("args", "says"), [({"limit": 9}, "'limit' must be"), ({"where": "x"}, "find_places takes no 'where'; it takes keywords")])
def test_an_argument_off_the_schema_is_refused_by_name(args, says):
    with pytest.raises(ToolRefused, match=says):
        TOOLS["find_places"].check(args)
