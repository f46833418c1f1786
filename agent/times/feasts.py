"""Days with a name: those that are asked for everywhere, and the public holidays of the town's country."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

import holidays
from dateutil.easter import easter

from agent.snapshot.names import fold
from agent.times.stretch import DAY

NAMED_YEARS = range(2022, 2028)  # a country's holidays are called by the names that they bear in these years

_OF = r"(?:,? (?:in |of )?(?P<year>(?:19|20)\d\d|(?:this|next|last) year)\b)?"
Feast = Callable[[int], tuple[date, int] | None]  # a year to the first day and the number of days, or None where there is none


def _fixed(month: int, day: int, number: int = 1) -> Feast:
    return lambda year: (date(year, month, day), number)


def _easter(offset: int, number: int = 1) -> Feast:
    return lambda year: (easter(year) + DAY * offset, number)


def _nth(nth: int, weekday: int, month: int, after: int = 0, number: int = 1) -> Feast:
    """The nth weekday (Monday is 0) of a month, plus some days."""

    def feast(year: int) -> tuple[date, int]:
        first = date(year, month, 1)
        return first + DAY * ((weekday - first.weekday()) % 7 + 7 * (nth - 1) + after), number

    return feast


_EVERYWHERE: Mapping[str, Feast] = {
    "christmas": _fixed(12, 24, 3),
    "christmas eve": _fixed(12, 24),
    "christmas day": _fixed(12, 25),
    "boxing day": _fixed(12, 26),
    "new years eve|new year eve|nye|hogmanay": _fixed(12, 31),
    "new years day|new year day|new years|new year": _fixed(1, 1),
    "epiphany|twelfth night": _fixed(1, 6),
    "burns night": _fixed(1, 25),
    "valentines day|valentine day|valentines|saint valentines day": _fixed(2, 14),
    "saint davids day": _fixed(3, 1),
    "saint patricks day|saint paddys day|paddys day": _fixed(3, 17),
    "april fools day|april fools": _fixed(4, 1),
    "saint georges day": _fixed(4, 23),
    "may day": _fixed(5, 1),
    "midsummer day|midsummers day|midsummer night": _fixed(6, 24),
    "halloween|hallowe en": _fixed(10, 31),
    "all saints day|all saints": _fixed(11, 1),
    "all souls day|all souls": _fixed(11, 2),
    "bonfire night|guy fawkes night|guy fawkes": _fixed(11, 5),
    "remembrance day|armistice day|veterans day|veteran day": _fixed(11, 11),
    "saint andrews day": _fixed(11, 30),
    "saint nicholas day": _fixed(12, 6),
    "pancake day|shrove tuesday|mardi gras": _easter(-47),
    "ash wednesday": _easter(-46),
    "palm sunday": _easter(-7),
    "maundy thursday": _easter(-3),
    "good friday": _easter(-2),
    "easter weekend": _easter(-2, 4),
    "easter|easter sunday": _easter(0),
    "easter monday": _easter(1),
    "ascension day": _easter(39),
    "pentecost|whit sunday|whitsun": _easter(49),
    "mothering sunday": _easter(-21),
    "summer solstice|midsummer": _fixed(6, 21),
    "winter solstice": _fixed(12, 21),
    "groundhog day": _fixed(2, 2),
    "thanksgiving day|thanksgiving": _nth(4, 3, 11),
    "black friday": _nth(4, 3, 11, 1),
    "fathers day": _nth(3, 6, 6),
    "mothers day": _nth(2, 6, 5),
}
_MOVING = {  # feasts of other calendars: Singapore keeps them all, under the names on the left
    "chinese new year": "chinese new year|lunar new year|chinese new years|chinese lunar new year",
    "eid al fitr": "eid al fitr|eid ul fitr|eid",
    "eid al adha": "eid al adha|eid ul adha",
    "diwali": "diwali|deepavali",
    "vesak day": "vesak|vesak day",
}
_ELSEWHERE: Mapping[str, dict[str, Feast]] = {  # the same name on another day
    "GB": {"mothers day": _easter(-21), "remembrance sunday": _nth(2, 6, 11)},
    "IE": {"mothers day": _easter(-21)},
    "AU": {"fathers day": _nth(1, 6, 9)},
    "NZ": {"fathers day": _nth(1, 6, 9)},
    "CA": {"thanksgiving": _nth(2, 0, 10), "thanksgiving day": _nth(2, 0, 10)},
}


@dataclass(frozen=True, slots=True)
class Calendar:
    """The feasts of a country and a part of it, each by its folded name, the pattern that finds them in a line, and the words they begin with."""

    feasts: Mapping[str, Feast]
    pattern: re.Pattern[str]
    words: frozenset[str]


@lru_cache(maxsize=16)
def calendar(country: str, subdivision: str) -> Calendar:
    """The calendar of a country and a part of it, by their ISO 3166 codes; of an unknown one what is asked for everywhere."""
    everywhere = {name: feast for names, feast in _EVERYWHERE.items() for name in names.split("|")}
    moving = {name: _listed("SG", "", theirs) for theirs, names in _MOVING.items() for name in names.split("|")}
    named = everywhere | moving | _public(country, subdivision) | _ELSEWHERE.get(country, {})
    names = "|".join(re.escape(name) for name in sorted(named, key=len, reverse=True))
    return Calendar(
        named,
        re.compile(rf"(?P<prep>(?:on|at|over|for|during|around) )?(?:the )?(?:(?P<which>this|next|last|past|previous) )?(?P<name>{names})\b{_OF}"),
        frozenset(name.split()[0] for name in named),
    )


def _public(country: str, subdivision: str) -> dict[str, Feast]:
    """The public holidays of a country, or none for a country that nobody keeps a list of."""
    names = {fold(name) for year in NAMED_YEARS for names in _calendar(country, subdivision, year).values() for name in names}
    return {name: _listed(country, subdivision, name) for name in names if name and not name[0].isdigit()}


def public_holidays(country: str, subdivision: str, year: int) -> tuple[date, ...]:
    """The days of a year on which the country, or the part of it, has a public holiday."""
    return tuple(sorted(_calendar(country, subdivision, year)))


def _listed(country: str, subdivision: str, name: str) -> Feast:
    def feast(year: int) -> tuple[date, int] | None:
        dates = sorted(day for day, names in _calendar(country, subdivision, year).items() if name in map(fold, names))
        if not dates:
            return None
        return dates[0], next((number for number, day in enumerate(dates) if day != dates[0] + DAY * number), len(dates))

    return feast


@lru_cache(maxsize=256)
def _calendar(country: str, subdivision: str, year: int) -> Mapping[date, tuple[str, ...]]:
    """A year's public holidays with their names in English and in the country's own words, substitutes aside."""
    named: dict[date, tuple[str, ...]] = {}
    try:
        kinds = {"en_US", getattr(holidays, country).default_language or "en_US"} if country else set()
        listed = [holidays.country_holidays(country, subdiv=subdivision or None, years=year, language=language) for language in sorted(kinds)]
    except (NotImplementedError, AttributeError):
        return {}
    for day, names in (item for calendar in listed for item in calendar.items()):
        if day.year == year:
            named[day] = named.get(day, ()) + tuple(name for name in names.split("; ") if "(" not in name)
    return {day: names for day, names in named.items() if names}
