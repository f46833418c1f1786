"""What is masked of a question, what is left as it was, and what no form gives away."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.masking import Masked, mask
from audit.recording import keep_text


@pytest.mark.rule("A-53")
@pytest.mark.parametrize(
    ("text", "kind", "kept"),
    [
        ("write to ann.o'leary+x@post.example.org please", "email", "write to ann.o'[email] please"),
        ("ann@bücher.example knows a cafe?", "email", "[email] knows a cafe?"),
        ("ann (at) post.example", "email", "[email]"),
        ("cafe for ann@post.example?", "email", "cafe for [email]?"),
        ("ann\u200b@post.example", "email", "[email]"),
        ("call +44 20 7946 0018 for pizza", "phone", "call [phone] for pizza"),
        ("020 7946 0018 pizza", "phone", "[phone] pizza"),
        ("(555) 123-4567 pizza", "phone", "[phone] pizza"),
        ("555-123-4567", "phone", "[phone]"),
        ("+49 (0) 171/1234567", "phone", "[phone]"),
        ("+33.6.12.34.56.78", "phone", "[phone]"),
        ("０２０ ７９４６ ００１８", "phone", "[phone]"),
        ("07946000188 text me", "phone", "[phone] text me"),
        ("pay with 4111 1111 1111 1111", "card", "pay with [card]"),
        ("5500-0055-5555-5559", "card", "[card]"),
        ("378282246310005 for dinner", "card", "[card] for dinner"),
        ("GB82 WEST 1234 5698 7654 32", "iban", "[iban]"),
        ("pay DE89370400440532013000 now", "iban", "pay [iban] now"),
        ("my ip is 203.0.113.7.", "ip", "my ip is [ip]."),
        ("2001:db8::ff00:42:8329 is me", "ip", "[ip] is me"),
        ("I am at 54.40123, -2.96123", "coordinates", "I am at [coordinates]"),
        ("54.4012 -2.9612 cafe", "coordinates", "[coordinates] cafe"),
        ("54.4012° N, 2.9612° W cafe", "coordinates", "[coordinates] cafe"),
        ("54°24′05″N 2°57′40″W", "coordinates", "[coordinates]"),
        ("booking 1234 5678 9012", "number", "booking [number]"),
        ("AT61 1904 3002 3457 3201 then cafe", "iban", "[iban] then cafe"),
        ("my number 123456789012345678", "number", "my number [number]"),
    ],
)
def test_personal_data_is_masked(text, kind, kept):
    assert mask(text) == Masked(kept, (kind,))


@pytest.mark.parametrize(
    "text",
    [
        "quiet cafe near the lake?",
        "open 19:00-21:30 on Friday?",
        "what is on 2026-12-04?",
        "events 04-12-2026 to 06.12.2026",
        "between 5 and 10 pounds at No. 17 or 23/24",
        "Café 2000 on 4th of July 1776",
        "flat 12, 221b Baker Street",
        "cost 12.50, 13.75?",
        "A1 to M6 junction 36",
        "Café « Ŀ'Ancre » — l’été",
        "at 7 @ the pier",
        "10:30:15 at the Clock",
    ],
)
def test_what_is_no_personal_data_stays_as_it_was(text):
    assert mask(text) == Masked(text)


@pytest.mark.parametrize("text", ["my name is Ann O'Leary", "I live at 12 Mill Lane", "call oh two oh seven nine four six", "code 482913"])
def test_what_has_no_form_of_its_own_is_not_caught_as_the_guide_says(text):
    assert mask(text) == Masked(text)


def test_several_kinds_are_each_masked():
    assert mask("ann@post.example or +44 20 7946 0018") == Masked("[email] or [phone]", ("email", "phone"))


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=140))
def test_any_text_can_be_masked_and_masked_again_without_change(text):
    once = mask(text)
    assert mask(once.text).text == once.text


def test_hostile_text_takes_no_long_time():
    for text in ("1 " * 500, "a@" * 500, "1." * 500, ":" * 1000, "1,234 " * 160, "DE12" + " 1" * 480, "+" + "(" * 900):
        began = time.process_time()
        mask(text)
        assert time.process_time() - began < 0.5


@pytest.mark.rule("A-53")
def test_a_question_is_masked_before_it_is_cut_so_that_no_half_of_it_stays():
    assert keep_text("x" * 130 + " ann@post.example", 140) == Masked("x" * 130 + " [email]", ("email",))
    assert keep_text("x" * 135 + " ann@post.example", 140) == Masked("x" * 135 + " [ema", ("email",))


def test_what_no_database_can_hold_is_replaced_and_said():
    assert keep_text("cafe\0 \ud800", 140) == Masked("cafe\ufffd ?", ("unreadable",))
