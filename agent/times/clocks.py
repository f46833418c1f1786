"""The times of a day: what is said of an hour, and the parts that a day falls into."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent.times.say import NIGHT_ENDS

Strength = Literal["sure", "closed", "weak"]  # certain; certain unless more of a name follows; a time only beside other time words

HOUR = 60
DAY = 24 * HOUR


@dataclass(frozen=True, slots=True)
class Clock:
    """Minutes from midnight, `end` exclusive; past 1440 it is the night after. `vague`: nobody said whether morning or afternoon."""

    start: int
    end: int
    vague: bool = False

    @property
    def moment(self) -> bool:
        return self.end - self.start <= 1


PARTS = {
    "early morning": Clock(5 * HOUR, 9 * HOUR),
    "late morning": Clock(10 * HOUR, 12 * HOUR),
    "mid morning": Clock(9 * HOUR, 11 * HOUR),
    "early hour of the morning": Clock(0, 6 * HOUR),
    "early hour": Clock(0, 6 * HOUR),
    "morning": Clock(6 * HOUR, 12 * HOUR),
    "breakfast time": Clock(7 * HOUR, 10 * HOUR),
    "early afternoon": Clock(12 * HOUR, 15 * HOUR),
    "late afternoon": Clock(15 * HOUR, 18 * HOUR),
    "mid afternoon": Clock(14 * HOUR, 16 * HOUR),
    "afternoon": Clock(12 * HOUR, 18 * HOUR),
    "lunchtime": Clock(12 * HOUR, 14 * HOUR),
    "lunch time": Clock(12 * HOUR, 14 * HOUR),
    "lunch": Clock(12 * HOUR, 14 * HOUR),
    "teatime": Clock(15 * HOUR, 18 * HOUR),
    "tea time": Clock(15 * HOUR, 18 * HOUR),
    "dinner time": Clock(18 * HOUR, 21 * HOUR),
    "early evening": Clock(17 * HOUR, 20 * HOUR),
    "late evening": Clock(21 * HOUR, DAY),
    "evening": Clock(17 * HOUR, DAY),
    "late night": Clock(22 * HOUR, DAY + NIGHT_ENDS * HOUR),
    "late at night": Clock(22 * HOUR, DAY + NIGHT_ENDS * HOUR),
    "late": Clock(22 * HOUR, DAY + NIGHT_ENDS * HOUR),
    "night": Clock(17 * HOUR, DAY + NIGHT_ENDS * HOUR),
    "daytime": Clock(9 * HOUR, 17 * HOUR),
    "until late": Clock(22 * HOUR, DAY + NIGHT_ENDS * HOUR),
    "all day long": Clock(0, DAY),
    "all day": Clock(0, DAY),
    "pm": Clock(12 * HOUR, DAY),
    "am": Clock(0, 12 * HOUR),
}
WHOLE_DAY = Clock(0, DAY)
AFTER = {
    "work": Clock(17 * HOUR, 21 * HOUR),
    "school": Clock(15 * HOUR, 18 * HOUR),
    "lunch": Clock(13 * HOUR, 17 * HOUR),
    "dinner": Clock(20 * HOUR, DAY),
}
NOON, MIDNIGHT = Clock(12 * HOUR, 12 * HOUR + 1), Clock(DAY, DAY + 1)
_PART_WORDS = "|".join(sorted(PARTS, key=len, reverse=True))

_HALF = r"(?P<half>[ap] ?m)\b"
_FORMS: Sequence[tuple[str, Strength]] = (
    (r"(?P<h>[01]?\d|2[0-4])(?:[: ](?P<m>[0-5]\d)| (?:oh|o|0) (?P<m1>\d))?(?: oclock)?(?: ish)? " + _HALF, "sure"),
    (r"(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d)\b", "sure"),
    (r"(?P<h>[01]?\d|2[0-4]) (?P<oclock>oclock)\b", "sure"),
    (r"(?P<h>[01]?\d|2[0-4]) (?:oh|o|0) (?P<m1>\d)\b", "sure"),
    (r"half (?:past )?(?P<half_past>)(?P<h>\d|1[0-2])\b(?: oclock)?(?: " + _HALF + ")?", "sure"),
    (r"(?:a )?(?P<past>quarter|[1-5]?\d)(?: minute)? past (?P<h>[01]?\d|2[0-4])\b(?: oclock| hour)?(?: " + _HALF + ")?", "sure"),
    (r"(?:a )?(?P<to>quarter|[1-5]?\d(?= minute)|5|10|20|25)(?: minute)? to (?P<h>\d|1[0-2])\b(?: oclock)?(?: " + _HALF + ")?", "closed"),
    (r"(?:the )?(?P<noon>noon|midday)\b|(?P<midnight>midnight)\b", "closed"),
    (r"(?:a )?(?P<past>quarter|[1-5]?\d|half)(?: minute)? past (?P<noon>noon|midday)\b", "sure"),
    (r"(?:a )?(?P<to>quarter|[1-5]?\d)(?: minute)? to (?P<noon>noon|midday)\b", "sure"),
    (r"(?P<h>1?\d|2[0-3]) hour\b", "weak"),
    (r"(?P<h>[01]?\d|2[0-3]) ?(?P<m>[0-5]\d)\b(?![/.:])", "weak"),
    (r"(?P<h>\d|1\d|2[0-4])\b(?![/.:]| (?:minute|hour|day|week|month|year|star|people|for))", "weak"),
)
_COMPILED = tuple((re.compile(form), strength) for form, strength in _FORMS)
_PART = re.compile(
    rf"(?:(?:in |at |during )?(?:the |this )|in |at |during |this )?(?P<part>{_PART_WORDS})\b|(?:straight |right )?after (?P<after>work|school|lunch|dinner)\b"
)
_NO_PART = re.compile(r"(?:the |this )?lunch")
_STRONG_PART = re.compile(r"until late|(?:in|during|this) |at night|lunch ?time|tea ?time|daytime|late at night")
_NOT_PART = re.compile(r"(?:in |at )?(?:am|pm)\b|at (?:lunch|evening|morning|all|late)\b|this (?:pm|am|all|late|lunch)\b")
_FROM = re.compile(r"(?:(?:in )?between |from |(?:later than|after) (?=.* before ))?")
_BETWEEN = re.compile(r"(?: but before| and before)? (?:(?:to|until|and|-|before|through)(?: before)? )?")


def time_at(text: str, at: int, *, ranged: bool = False) -> tuple[int, Clock, Strength] | None:
    """The time that stands at a place of a line: where it ends, what it is, and how sure that is (a bare number may be anything).

    `ranged`: a range was begun ("from 10 to 11"), so that "10 to 11" is no time.
    """
    for form, strength in _COMPILED:
        found = form.match(text, at)
        if found and not (ranged and "to" in found.groupdict()):
            clock = _clock(found)
            return None if clock is None else (found.end(), clock, strength)
    return None


def part_at(text: str, at: int) -> tuple[int, Clock, Strength] | None:
    """The part of a day that stands at a place of a line, as `time_at`; "evening" alone is weak, "in the evening" is sure."""
    found = _PART.match(text, at)
    if not found or _NO_PART.fullmatch(found[0]):
        return None
    if found["after"]:
        return found.end(), AFTER[found["after"]], "sure"
    sure = (_STRONG_PART.match(found[0]) and not _NOT_PART.match(found[0])) or (found["part"] == "late" and text[:at].endswith("open "))
    return found.end(), PARTS[found["part"]], "sure" if sure else "weak"


def _clock(found: re.Match[str]) -> Clock | None:
    said = found.groupdict()
    if said.get("midnight"):
        return MIDNIGHT
    shift = _shift(said)
    if said.get("noon"):
        return Clock(NOON.start + shift, NOON.end + shift)
    hour = int(said["h"])
    minute = hour * HOUR + int(said.get("m") or said.get("m1") or 0) + shift
    if hour > 12 or (said["h"].startswith("0") and not said.get("half")):
        return Clock(minute, minute + 1)
    half = (said.get("half") or "")[:1]
    if half:
        minute += (half == "p" and hour < 12) * 12 * HOUR - (half == "a" and hour == 12) * 12 * HOUR
    return Clock(minute, minute + 1, vague=not half) if minute >= 0 else None


def _shift(said: dict[str, str | None]) -> int:
    """The minutes past or to the hour."""
    if said.get("half_past") is not None:
        return 30
    fractions = {"quarter": 15, "half": 30}
    for way, sign in (("past", 1), ("to", -1)):
        if number := said.get(way):
            return sign * fractions.get(number, 0) or sign * int(number)
    return 0


def times_at(text: str, at: int) -> tuple[int, Clock, Strength] | None:
    """Two times with a word between ("9:30 till 11", "3-5pm"), as one stretch; None where there is but one."""
    lead = _FROM.match(text, at)
    first = time_at(text, lead.end(), ranged=lead.end() > at) if lead else None
    between = first and _BETWEEN.match(text, first[0])
    second = between and time_at(text, between.end())
    if not first or not between or not second or (between[0] == " " and "weak" in (first[2], second[2])):
        return None
    strength: Strength = min(first[2], second[2], "closed" if lead and lead[0] else "weak", key=("sure", "closed", "weak").index)
    return second[0], joined(first[1], second[1]), strength


def joined(first: Clock, second: Clock) -> Clock:
    """The stretch from one time to the next: "11-2pm" begins before noon, "10 to 1" ends after it."""
    if second.vague or not first.vague:
        start, ends = first.start, (second.start, second.start + DAY // 2, second.start + DAY) if second.vague else (second.start, second.start + DAY)
        return Clock(start, next((end for end in ends if end > start), start + HOUR), first.vague)
    starts = [start for start in (first.start, first.start + DAY // 2) if start < second.start]
    return Clock(max(starts), second.start) if starts else Clock(first.start, second.start + DAY)


def settled(clock: Clock, part: Clock | None, after: int | None) -> Clock:
    """A clock whose half of the day is known: by the part that was said; else 1 to 6 are afternoon, and 7 to 12 are today the next
    after a minute, on another day the morning. A time that is not vague may still be of the night after ("tonight at 1am").
    """
    start = clock.start
    if part:
        halves = (0, DAY // 2, DAY) if clock.vague else (0, DAY)
        start = next((start + half for half in halves if part.start <= start + half < part.end), start)
    elif clock.vague and (clock.start < 7 * HOUR or (after is not None and clock.start <= after and clock.start < NOON.start)):
        start += DAY // 2
    return replace(clock, start=start, end=start + clock.end - clock.start, vague=False)
