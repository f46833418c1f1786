"""Time words inside a question: found where they are, and not found where a word only looks like one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.llm.rules.tokens import words_of
from agent.times import find_when, read_when
from tests.agent.times.towns import LINDENMERE, wall
from tests.clock import NOW


def found(question: str) -> list[str]:
    return [spot.words for spot in find_when(words_of(question), LINDENMERE)]


@pytest.mark.parametrize(
    "question,words",
    [
        ("what's on tonight near the pier", ["tonight"]),
        ("Is the mill open at 11 on Sunday?", ["at 11 on Sunday"]),
        ("anything in the first week of december", ["in the first week of december"]),
        ("jazz after work", ["after work"]),
        ("which pubs are still open late", ["late"]),
        ("a cafe for breakfast tomorrow morning", ["tomorrow morning"]),
        ("live music this weekend", ["this weekend"]),
        ("anything on the 15th?", ["on the 15th"]),
        ("what's on at christmas", ["at christmas"]),
        ("fireworks on new year's eve", ["on new year's eve"]),
        ("events between 5 and 8 pm on saturday, near the lake", ["between 5 and 8 pm on saturday"]),
        ("open until 11pm", ["until 11pm"]),
        ("who opens before 8", ["before 8"]),
        ("what is on 15/12", ["on 15/12"]),
        ("concerts in january near the river", ["in january"]),
        ("Anything for kids on Sat afternoon?", ["on Sat afternoon"]),
        ("where can I eat at midnight", ["at midnight"]),
        ("a bar that is open right now", ["right now"]),
        ("food at half past nine tonight", ["at half past nine tonight"]),
        ("what's on from Friday to Sunday", ["from Friday to Sunday"]),
        ("jazz tonight near the pier at 8", ["tonight", "at 8"]),
        ("the last friday of january", ["the last friday of january"]),
        ("something fun to do for March 12th", ["for March 12th"]),
        ("is it open on bank holiday monday", ["on bank holiday monday"]),
        ("shows in the next two weeks", ["in the next two weeks"]),
        ("table for 2 tonight", ["tonight"]),
        ("a good one tomorrow", ["tomorrow"]),
        ("8:30 pm, is anything on?", ["8:30 pm"]),
        ("mother's day lunch", ["mother's day"]),
        ("was there a concert last week", ["last week"]),
        ("what is on friday and saturday near the lake", ["on friday and saturday"]),
        ("open between 3 and 5", ["between 3 and 5"]),
        ("jazz on weekends", ["on weekends"]),
    ],
)
def test_time_words_are_found_as_they_were_typed(question, words):
    assert found(question) == words


@pytest.mark.parametrize(
    "question",
    """second hand shop|may I bring a dog|a march museum|sun terrace|fry up|sat nav|open air cinema|last orders|now where is the pier|second floor
    |the 2nd floor bar|table for two at the pier|5 star hotel|4/5 stars|in 5 minutes walk|within 10 minutes of the station|late bar|day trip
    |good night out|night club|evening classes|morning coffee|sunday roast|friday street|june's cafe|april cottage|august restaurant
    |where can i sit in the sun|all day breakfast|half price|quarter pounder|the noon gun|midnight feast|1/2 pint|1st class|first aid|last bus
    |next to the church|next door|autumn leaves cafe|spring rolls|spring water|winter garden|summer house|the monday club|12 bar blues|7 eleven
    |route 66|bus 10|at 24 mill lane|by 3 bridges|studio 54|the hour glass|happy hour|day spa|week old puppies|my 2 year old|from 5 to 12 year olds
    |easter egg hunt|halloween party|christmas market|weekend break|cheap eats for 4 people|boxing club|is there a may tree|can i park for 2 hours
    |within 5 minutes|1 or 2 people|march to the sea|late lunch|early doors|wed fest|mon ami bistro|jan's bakery|open 24/7|open 24 hours
    |the year of the rat|a place for the day|mid century shop|past the bridge|before the bridge|after sun lotion|from the pier to the mill
    |over the moon|how long is the queue|one of the best|second to none|at last a good pub|in season|a minute away|half a pint|two for one""".split(
        "|"
    ),
)
def test_words_that_only_look_like_a_time_are_left_alone(question):
    assert found(question.strip()) == []


def test_a_spot_says_which_words_it_covers():
    words = words_of("Is it open at 8:30, on Sunday?")
    (spot,) = find_when(words, LINDENMERE)
    assert [word.text for word in words[spot.first : spot.end]] == ["at", "8", "30", "on", "sunday"]


def test_spots_of_one_question_are_read_together():
    words = " ".join(found("jazz tonight near the pier at 8"))
    window = read_when(words, NOW, LINDENMERE)
    assert window is not None
    assert (window.start, window.instant) == (wall("2026-12-04 20:00"), True)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=140))
def test_no_question_is_too_odd_to_be_searched(text):
    words = words_of(text)
    spots = find_when(words, LINDENMERE)
    assert all(0 <= spot.first < spot.end <= len(words) for spot in spots)
