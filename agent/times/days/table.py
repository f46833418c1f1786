"""The table that rules of days are entered in, and the pieces of patterns that several rooms of rules share."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from agent.times.stretch import Frame, Stretch
from agent.times.words import MONTHS, WEEKDAYS

Match = re.Match[str]
Build = Callable[[Match, Frame, Stretch], Stretch | None]

M = rf"(?P<month>{'|'.join(MONTHS)})\b"
WD = rf"(?P<weekday>{'|'.join(WEEKDAYS)})"
SHORT = {"mon": "monday", "wed": "wednesday", "sat": "saturday", "sun": "sunday", "jan": "january", "mar": "march", "jun": "june"}
D = r"(?P<day>0?[1-9]|[12]\d|3[01])"
ORD = r"(?:st|nd|rd|th)"
YEAR = r"(?:,? (?:of |in )?(?P<year>(?:19|20)\d\d)\b)?"
NEXT = r"(?:next|(?:up)?coming|following)"
LAST = r"(?:last|previous|past)"
THIS = r"(?:this|current)"
WHICH = rf"(?P<which>{THIS}|{NEXT}|{LAST})"
NUMBER = r"(?P<number>\d{1,3}(?:\.5| and an? half)?|an?|(?:a )?couple(?: of)?|(?:a )?few|several|half an?|half)"
UNIT = r"(?P<unit>minute|hour|day|week|fortnight|month|year)\b"


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and the days it stands for. What the marks mean is said at `Table.rule` and `agent.times.days.Days`."""

    pattern: re.Pattern[str]
    build: Build
    weak: bool
    closed: bool
    goes_on: bool
    rolls: bool
    long: bool


class Table(list[Rule]):
    """The rules of one room."""

    def rule(
        self, pattern: str, *, weak: bool = False, closed: bool = False, goes_on: bool = False, rolls: bool = False, long: bool = False
    ) -> Callable[[Build], Build]:
        """Enter a function. It takes the match, the frame, and, where the rule `goes_on`, the other days that must follow the pattern."""

        def enter(build: Build) -> Build:
            self.append(Rule(re.compile(rf"(?:{pattern})(?![a-z0-9])"), build, weak, closed, goes_on, rolls, long))
            return build

        return enter


def weekday_of(found: Match) -> int:
    """The weekday that a pattern with WD found; Monday is 0."""
    said = found["weekday"]
    return WEEKDAYS.index(SHORT.get(said, said))


def shift(which: str) -> int:
    """1 for next, -1 for last, 0 for this."""
    return 1 if re.match(NEXT, which) else -1 if re.match(LAST, which) else 0
