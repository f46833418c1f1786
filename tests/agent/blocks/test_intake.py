import json

import pytest

from agent.blocks.intake import intake, normalise
from agent.errors import Refused
from agent.types import Budget
from tests.engine import ask

BUDGET = Budget()


@pytest.mark.rule("A-01")
@pytest.mark.parametrize(
    "text",
    ["x" * 140, "  " + "x" * 140 + "\n", "e\u0301" * 140, "🙂" * 140],
    ids=["letters", "outer white space", "combining accents count once after NFC", "emoji"],
)
def test_140_code_points_after_nfc_and_trimming_are_let_in(text):
    assert len(intake(text, BUDGET)) == 140


@pytest.mark.rule("A-01", "A-02")
@pytest.mark.parametrize(
    "text", ["x" * 141, "🙂" * 141, "q\u0323\u0307" * 71, "x" * 140 + "\x00"], ids=["letters", "emoji", "marks that do not compose", "NUL"]
)
def test_one_more_is_refused_even_from_python(text):
    with pytest.raises(Refused) as refused:
        intake(text, BUDGET)
    assert refused.value.why == "too_long"


@pytest.mark.rule("A-02")
def test_a_longer_query_reaches_no_model_and_no_table(town):
    reply = ask(town, "cafe " * 40)
    assert (reply["outcome"], reply["refused"], reply["meta"]["model_calls"], reply["meta"]["calls"]) == ("fallback", "too_long", 0, [])


@pytest.mark.rule("A-03")
@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b\u200d", "\x00"])
def test_an_empty_query_gets_a_friendly_prompt_and_no_model_call(town, text):
    reply = ask(town, text)
    assert (reply["outcome"], reply["refused"], reply["meta"]["model_calls"], reply["meta"]["cost"]) == ("fallback", "empty", 0, 0)
    assert reply["parts"][0]["text"].startswith("Ask me something about the town")


def test_control_characters_and_direction_marks_are_taken_out_of_a_query():
    assert intake("cafe\x07 near\u202e the lake", BUDGET) == "cafe  near  the lake"


@pytest.mark.parametrize("char", ["\x07", "\u202e", "\ud800", "\u2028", "\u2029"], ids=["Cc", "Cf", "Cs", "Zl", "Zp"])
def test_each_kind_of_control_character_becomes_a_space(char):
    assert normalise(f" e\u0301{char}x ") == "\u00e9 x"


def test_joiners_stay_within_a_query_and_are_no_query_of_their_own():
    assert intake("a\u200cb\u200dc", BUDGET) == "a\u200cb\u200dc"
    for text in ("\u200c", "\u200d", "\u200c \u200d"):
        with pytest.raises(Refused, match="Ask me something") as refused:
            intake(text, BUDGET)
        assert refused.value.why == "empty"


@pytest.mark.rule("A-02")
def test_a_query_that_is_too_long_is_told_the_limit():
    with pytest.raises(Refused) as refused:
        intake("x" * 141, BUDGET)
    assert str(refused.value) == "That is longer than 140 characters. Please say it shorter."


@pytest.mark.fault("FI1")
@pytest.mark.parametrize("text", ["cafe \ud800 near", "cafe\x00", "\u202ecafe", "x" * 1_000_000, "e\u0301" * 141, "🙂" * 141])
def test_a_hostile_text_ends_in_a_reply_that_json_can_hold(town, text):
    reply = ask(town, text)
    assert reply["outcome"] in ("answer", "followup", "fallback")
    assert json.loads(json.dumps(reply).encode("utf-8"))["meta"]["model_calls"] == (0 if reply["refused"] else reply["meta"]["model_calls"])


def test_a_single_letter_is_a_query():
    assert intake("X", BUDGET) == "X"
