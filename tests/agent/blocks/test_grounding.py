from random import Random

import pytest

from agent.llm.scripted import ScriptedModel
from tests.agent.blocks.lies import KINDS
from tests.agent.blocks.told_town import SCENES, composed, reply_to, told_town
from tests.agent.blocks.true_sentences import true_sentences
from tests.engine import ask, final, part, with_model

SEEDS = 100


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    return told_town(tmp_path_factory.mktemp("told"))


@pytest.fixture(scope="module")
def own_words(told):
    """What the harness itself says in each scene."""
    return {scene: composed(told, scene)["parts"][0]["text"] for scene in SCENES}


def said(told, scene, text, rows=("r1",)):
    """What is shown where a model says a sentence."""
    named = tuple(row for row in rows if f"{{{row}.name}}" in text)
    return reply_to(told, scene, part(1, text, rows, named))["parts"][0]["text"]


@pytest.mark.rule("A-42", "A-43")
@pytest.mark.fault("FL25", "FL26")
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_of_lie_reaches_a_reply(told, own_words, kind):
    for seed in range(SEEDS):
        scene, lie = KINDS[kind](Random(seed))
        assert reply_to(told, scene, lie)["parts"][0]["text"] == own_words[scene], lie


def test_the_harness_has_a_whole_answer_of_its_own_in_every_scene(own_words):
    assert [scene for scene, text in own_words.items() if "doesn’t know" in text] == []


@pytest.mark.rule("A-42")
def test_true_sentences_are_shown_as_the_model_wrote_them(told, own_words):
    told_truly = list(true_sentences())
    refused = [text for scene, text, rows in told_truly if said(told, scene, text, rows) == own_words[scene]]
    assert len(told_truly) == 300
    assert len(refused) <= 9, refused


@pytest.mark.rule("A-43")
def test_a_lie_is_asked_for_once_more_with_the_word_and_the_reason(told):
    query, resolved = SCENES["museum"]
    model = ScriptedModel(resolved, final(part(1, "{r1.name} is haunted.", ("r1",))), final(part(1, "{r1.name} is free.", ("r1",))))
    reply = ask(with_model(told, model), query)
    assert reply["parts"][0]["text"] == "Boat Museum is free."
    assert model.turns[-1].rejected == ("the word 'haunted' is in no fact",)


@pytest.mark.rule("A-42")
@pytest.mark.parametrize(
    ("scene", "text"),
    [
        ("told", "{r1.name} closes at five in the afternoon."),
        ("told", "{r1.name} closes at 5 pm."),
        ("told", "{r1.name} closes at 17.00."),
        ("near", "{r1.name} is sixty metres from the Clock Tower."),
        ("near", "{r1.name} is 0.06 km from the Clock Tower."),
        ("concert", "{r1.name} costs 12 pounds."),
        ("concert", "{r1.name} costs twelve pounds."),
        ("concert", "{r1.name} is on 2026-06-05."),
        ("concert", "{r1.name} is on June 5th at 20:00."),
    ],
)
def test_a_figure_is_compared_in_its_normal_form(told, own_words, scene, text):
    assert said(told, scene, text) != own_words[scene]


@pytest.mark.rule("A-42")
def test_what_was_typed_may_be_repeated_and_not_asserted(told, own_words):
    assert said(told, "museum", "For a rainy birthday, try {r1.name}.") == "For a rainy birthday, try Boat Museum."
    assert said(told, "museum", "{r1.name} is for a rainy birthday.") == own_words["museum"]


@pytest.mark.rule("A-42")
@pytest.mark.parametrize("name", ["The Blue Door Café", "the blue door cafe", "THE BLUE DOOR CAFÉ", "Blue Door Cafe\u0301", "The Blue‑Door Café"])
def test_a_name_is_known_after_folding(told, own_words, name):
    assert said(told, "told", f"{name} is in {{r1.area}}.") == f"{name} is in Old Town."


@pytest.mark.rule("A-42")
def test_a_word_is_true_of_a_row_that_the_sentence_cites_or_not_at_all(told, own_words):
    assert said(told, "eat", "{r1.name} is French.") == "L'Ancre d'Or is French."
    assert said(told, "eat", "{r2.name} is French.", ("r2",)) == own_words["eat"]


@pytest.mark.rule("A-42")
def test_a_synonym_or_an_ancestor_of_a_tag_is_true_where_the_tag_is(told):
    assert said(told, "told", "{r1.name} is a coffee house with internet.") == "The Blue Door Café is a coffee house with internet."
    assert said(told, "told", "{r1.name} serves food.") == "The Blue Door Café serves food."


@pytest.mark.rule("A-42")
def test_a_description_is_prose_of_others_and_never_shown_as_ours(told, own_words):
    assert said(told, "quiet", "{r3.name} is here: {r3.description}", ("r3",)) == own_words["quiet"]
    assert said(told, "quiet", "{r3.name} is an old corn mill.", ("r3",)) == own_words["quiet"]


@pytest.mark.rule("A-42")
@pytest.mark.parametrize(
    ("scene", "text"),
    [
        ("told", "{r1.name} has no {r1.tags}."),
        ("told", "{r1.name} closes at {r1.phone}."),
        ("told", "{r1.name} is open until {r1.value}."),
        ("told", "{r1.name} costs {r1.value}."),
        ("told", "{r1.name} is open tomorrow."),
        ("told", "{r1.name} is open every day."),
        ("told", "{r1.name} is small."),
        ("told", "{r1.name} used to be cheap."),
        ("told", "{r1.name} had wifi."),
        ("told", "{r1.name} might have wifi."),
        ("told", "{r1.name} is hardly open."),
        ("told", "For free wifi, try {r1.name}."),
        ("told", "{r1.name} has poor reviews."),
        ("told", "{r1.name} is run by people you know."),
        ("eat", "{r2.name} is Italian, as is {r1.name}."),
        ("eat", "{r2.name} is Italian, also {r1.name}."),
        ("eat", "{r2.name} is dog friendly, and so is {r1.name}."),
        ("eat", "{r1.name} is like {r2.name}."),
        ("eat", "{r1.name} and {r2.name} are open."),
        ("week", "{r2.name} is on Friday, and {r1.name}."),
        ("week", "{r1.name} is on Tuesday 5 June."),
        ("week", "{r2.name} ends at 8 pm."),
        ("concert", "{r1.name} is not for people 16 and over."),
        ("concert", "{r1.name} costs £12 per hour."),
        ("days", "{r1.name} is organised by you."),
        ("days", "{r1.name} is organised by {r1.marks}."),
        ("museum", "{r1.name} takes place in {r1.area}."),
        ("museum", "For a museum that is closed, try {r1.name}."),
        ("parade", "{r1.name} has been cancelled, but happens on Saturday."),
        ("near", "{r1.name} is 60 m from Mill Cafe."),
        ("near", "{r1.name} is in the Clock Tower."),
        ("told", "{r1.name} is open to 5 people."),
        ("told", "{r1.name} will have wifi."),
        ("told", "{r1.name} should be open."),
        ("told", "{r1.name} opened at 5 pm."),
        ("told", "{r1.name} closes at 5 am."),
        ("told", "{r1.name} is in London."),
        ("eat", "{r2.name} is in the Old Town, French and expensive, with {r1.name} in the Harbour."),
        ("eat", "{r1.name} (Italian) and {r2.name} (French)."),
        ("near", "{r2.name} is 60 m away, {r1.name} is 80 m away."),
        ("week", "Tomorrow evening: {r2.name}."),
        ("concert", "{r1.name} is sold out."),
        ("quiet", "{r1.name} (8.5 of 10), {r2.name} (9 of 10)."),
    ],
)
def test_a_true_word_in_an_untrue_place_is_refused(told, own_words, scene, text):
    rows = tuple(row for row in ("r1", "r2", "r3") if f"{{{row}." in text)
    assert said(told, scene, text, rows) == own_words[scene]
