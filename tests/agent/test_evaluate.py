import pytest

from agent.evaluate import failures


def reply(*parts, outcome="answer", **more):
    return {"outcome": outcome, "refused": None, "parts": list(parts), "meta": {"model_calls": 2, "calls": [{"tool": "find_places"}]}, **more}


def part(*names, number=1, kind="recommend", status="answered", state="open", anchor=None, flag=None):
    rows = [
        {
            "name": name,
            "id": f"place:{name.lower()}",
            "reason": {"text": "cafe"},
            "open": {"state": state, "text": ""},
            "when": {"flag": flag} if flag else None,
        }
        for name in names
    ]
    return {"question": number, "kind": kind, "status": status, "recommends": rows, "anchor": anchor}


@pytest.mark.parametrize(
    ("expect", "holds"),
    [
        ({"outcome": "answer"}, True),
        ({"outcome": "fallback"}, False),
        ({"outcome_in": ["answer", "followup"]}, True),
        ({"parts": 1}, True),
        ({"parts": 2}, False),
        ({"only": [["Café", "Mill", "Pier"]]}, True),
        ({"only": [["Café"]]}, False),
        ({"any_of": [["CAFE\u0301"]]}, True),
        ({"any_of": [["Pier"]]}, False),
        ({"all_of": [["Mill", "place:café"]]}, True),
        ({"all_of": [["Mill", "Pier"]]}, False),
        ({"none_of": [["Pier"]]}, True),
        ({"none_of": [["Mill"]]}, False),
        ({"first": [["Café"]]}, True),
        ({"first": [["Mill"]]}, False),
        ({"recommends_none": True}, False),
        ({"open": ["open"]}, True),
        ({"open": ["closed"]}, False),
        ({"tools": ["find_places"]}, True),
        ({"tools": ["places_near"]}, False),
        ({"max_model_calls": 2}, True),
        ({"max_model_calls": 1}, False),
        ({"unknown": [1]}, False),
        ({"tags": [["cafe"]]}, True),
        ({"where": [["landmark", "Old Pier"]]}, True),
        ({"where": [{"rung": "area"}]}, False),
        ({"flag": ["today"]}, False),
    ],
)
def test_a_case_passes_when_all_that_it_names_holds(expect, holds):
    told = reply(part("Café", "Mill", anchor={"rung": "landmark", "name": "old pier"}))
    assert (not failures(expect, told)) == holds


def test_nothing_recommended_is_not_any_of_something():
    assert failures({"any_of": [["Mill"]]}, reply(part(status="unknown"))) == ["any_of: part 1 recommends nothing"]
    assert failures({"only": [["Mill"]]}, reply(part(status="unknown"))) == []


def test_an_expectation_that_nobody_knows_is_an_error_and_no_pass():
    with pytest.raises(ValueError, match="unknown expectation 'colour'"):
        failures({"colour": "red"}, reply(part("Mill")))
