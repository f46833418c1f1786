"""What our own rules do not know: parsedatetime's reading, for words that it understands from the first to the last (record 0050)."""

import re
from datetime import date, datetime, timedelta
from functools import cache

import parsedatetime

from agent.times.stretch import Stretch, days
from agent.times.words import MONTHS

_LANGUAGE = "en_GB"  # of its words alone: figures are read by our own rules


@cache
def _reader() -> parsedatetime.Calendar:
    return parsedatetime.Calendar(parsedatetime.Constants(_LANGUAGE, usePyICU=False), version=parsedatetime.VERSION_CONTEXT_STYLE)


_OURS = re.compile(rf"\d[/.:-]\d|{'|'.join(MONTHS)}")  # for a date that does not exist parsedatetime would read this machine's clock


def read_others(words: str, now: datetime) -> Stretch | None:
    """The day or the minute that words mean at a wall-clock time, or None where they hold anything but time words."""
    if _OURS.search(words):
        return None
    try:
        found = _reader().nlp(words, sourceTime=now.timetuple())
    except (ValueError, OverflowError, TypeError, AttributeError, IndexError, KeyError):  # it raises all of these on text that is no time
        return None
    if not found or len(found) != 1 or found[0][4].strip() != words.strip():
        return None
    then, known = found[0][0], found[0][1]
    if not isinstance(then, datetime) or not date.min < then.date() < date.max:
        return None
    return (
        days(then.date())
        if known.hasDate and not known.hasTime
        else Stretch(then.replace(second=0), then.replace(second=0) + timedelta(minutes=1), "minute")
    )
