from pathlib import Path

from agent.harness import run
from agent.types import Query
from agent.web import wiring
from agent.web.examples import examples
from tests.rows import DAILY, NOW, build, place


def made(file: Path) -> tuple[str, ...]:
    return examples(wiring.open_file(file))


def test_they_are_made_of_the_kinds_areas_and_landmarks_of_the_snapshot(tmp_path):
    assert made(build(tmp_path)) == (
        "Is there a cafe near Clock Tower?",
        "Which museum is open now?",
        "Is there a restaurant in Harbour?",
        "Where is Clock Tower?",
    )


def test_each_of_them_has_an_answer(tmp_path):
    snapshot = wiring.open_file(build(tmp_path))
    for text in examples(snapshot):
        *_, reply = run(Query(text), wiring.deps(NOW, snapshot))
        assert (text, reply.outcome) == (text, "answer")


def test_kinds_that_keep_hours_go_before_kinds_that_there_are_more_of(tmp_path):
    benches = [place(f"museum-{number}", category="museum") for number in range(9)]
    assert made(build(tmp_path, places=[*benches, place("inn", category="restaurant", hours=DAILY)])) == (
        "Which museum is open now?",
        "Is there a restaurant in Old Town?",
    )


def test_places_of_no_kind_and_no_fame_make_none(tmp_path):
    assert made(build(tmp_path, places=[place("somewhere")])) == ()
