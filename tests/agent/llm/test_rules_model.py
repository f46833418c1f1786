import pytest

from agent.llm.rules.split import split
from agent.llm.rules.tokens import text_of, words_of
from tests.engine import TOWN, ask, names


def clauses(deps, query):
    return [text_of(clause) for clause in split(words_of(query), deps.lexicon)]


def reading(deps, query):
    (one,) = deps.model.readings(query)
    return one


@pytest.mark.rule("A-05")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("a museum and a cafe near it", ["a museum", "a cafe near it"]),
        ("cafe near the clock tower. any restaurant in the harbour?", ["cafe near the clock tower", "any restaurant in the harbour"]),
        ("museum, also a restaurant by the harbour", ["museum", "a restaurant by the harbour"]),
        ("cafe with wifi and internet", ["cafe with wifi and internet"]),
        ("I want a cafe. It should have wifi.", ["i want a cafe it should have wifi"]),
        ("a cafe. The cafe should be in the harbour", ["a cafe should be in the harbour"]),
        ("a museum but not a gallery", ["a museum but not a gallery"]),
        ("museum, cafe and restaurant", ["museum", "cafe", "restaurant"]),
        ("tell me about the blue door and is the mill cafe open?", ["tell me about the blue door", "is the mill cafe open"]),
    ],
)
def test_a_query_is_split_where_a_new_subject_begins(town, query, expected):
    assert clauses(town, query) == expected


@pytest.mark.rule("A-08")
@pytest.mark.parametrize(
    ("query", "shape", "tool"),
    [
        ("nearest cafe to the clock tower", "closest", "places_near"),
        ("is the blue door open?", "when", "place_details"),
        ("when does Mill Cafe close", "when", "place_details"),
        ("where is the clock tower", "where", "place_details"),
        ("tell me about the clock", "tell", "place_details"),
        ("does the blue door have wifi?", "yes_no", "place_details"),
        ("compare the blue door and mill cafe for quiet", "compare", "compare_places"),
        ("which is quieter the blue door or mill cafe", "compare", "compare_places"),
        ("a cafe", "some", "find_places"),
        ("what's on tonight?", "some", "events_when"),
        ("when is the opening concert", "when", "event_details"),
        ("tell me about River Days", "tell", "festival_details"),
        ("programme of the regatta", "some", "festival_programme"),
        ("Mill Cafe", "tell", "place_details"),
    ],
)
def test_a_clause_has_the_shape_and_the_tool_that_it_asks_for(town, query, shape, tool):
    one = reading(town, query)
    assert (one.shape, one.tool) == (shape, tool)


@pytest.mark.rule("A-09")
@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("cafe near the clock tower", "the clock tower"),
        ("cafe in Old Town", "old town"),
        ("cafe on the old town side", "the old town"),
        ("cafe in town", "city"),
        ("cafe in Lindenmere", "city"),
        ("best cafe", "city"),
        ("cafe nearby", None),
        ("cafe near me", None),
        ("any cafe in my area", None),
        ("cafe in Chicago", "chicago"),
        ("cafe near the moon base", "moon base"),
        ("cafe in december", "city"),
    ],
)
def test_where_is_a_name_the_town_or_nothing_for_words_that_point(town, query, where):
    assert reading(town, query).where == where


@pytest.mark.rule("A-07")
def test_a_pronoun_becomes_the_question_before(town):
    assert [one.where for one in town.model.readings("a museum and a cafe near it")] == ["city", "near Q1"]
    assert [one.where for one in town.model.readings("a museum, then a restaurant around there")] == ["city", "near Q1"]


@pytest.mark.parametrize(
    ("query", "keywords", "without", "order_by"),
    [
        ("I'd like a nice little cafe please", ("cafe",), (), ""),
        ("quietest cafe", ("cafe",), (), "quiet"),
        ("cheap cafes", ("cheap", "cafes"), (), ""),
        ("moderately priced restaurant", ("moderate", "restaurant"), (), ""),
        ("somewhere to eat but not a cafe", ("somewhere to eat",), ("cafe",), ""),
        ("museum without wifi", ("museum",), ("wifi",), ""),
        ("cafe with free wifi", ("cafe", "wifi"), (), ""),
        ("a purple cafe", ("cafe", "purple"), (), ""),
        ("restaurant serving moon cheese", ("restaurant", "moon cheese"), (), ""),
        ("restuarant", ("restuarant",), (), ""),
    ],
)
def test_a_clause_is_read_into_what_is_wanted_and_what_is_not(town, query, keywords, without, order_by):
    one = reading(town, query)
    assert (sorted(one.keywords), one.without, one.order_by) == (sorted(keywords), without, order_by)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("resturant", "L'Ancre d'Or"),
        ("lancre dor", "L'Ancre d'Or"),
        ("L’ANCRE D’OR", "L'Ancre d'Or"),
        ("blue door", "The Blue Door Café"),
        ("Clock Towre", "Clock Tower"),
    ],
)
def test_a_name_or_a_kind_is_found_however_it_is_written(town, query, first):
    assert names(ask(town, f"tell me about {query}" if query != "resturant" else query)["parts"][0])[0] == first


@pytest.mark.parametrize(
    ("query", "when"),
    [
        ("cafe open now", "now"),
        ("is the blue door open on sunday", "on sunday"),
        ("cafe still open at 9 pm", "at 9 pm"),
        ("concert tonight", "tonight"),
    ],
)
def test_time_words_are_handed_on_as_they_were_typed(town, query, when):
    assert reading(town, query).when == when


def test_open_then_lists_what_is_open_then_and_says_when_it_closes(town):
    assert names(ask(town, "cafe open at 10 tomorrow")["parts"][0]) == ["The Blue Door Café"]
    told = ask(town, "cafe open at 3 tomorrow morning")["parts"][0]
    assert "The Blue Door Café" not in names(told)
    assert "Hours not confirmed" in told["text"] or "hours not confirmed" in told["text"]


def test_the_same_question_has_the_same_answer(town):
    answers = [ask(town, "quiet cafe near the clock tower and a museum")["parts"] for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]


def test_the_model_knows_no_word_of_this_town():
    import agent.llm.rules.words as english

    listed = " ".join(str(value) for name, value in vars(english).items() if not name.startswith("__"))
    assert TOWN.name.casefold() not in listed.casefold()
