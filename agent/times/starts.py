"""Where a time may start, found by looking at each word once: most questions have no time in them, and no rule is tried on those."""

from collections.abc import Iterator

from agent.times.feasts import Calendar
from agent.times.words import MONTHS, WEEKDAYS

_HEARTS = (
    frozenset(WEEKDAYS + MONTHS)
    | frozenset(f"{weekday}s" for weekday in WEEKDAYS)
    | frozenset(
        "mon wed sat sun jan mar jun today tonight tomorrow overmorrow yesterday day week weekend fortnight month year hour minute "
        "weekends season seasons spring summer autumn winter morning afternoon evening night breakfast lunch lunchtime tea teatime dinner daytime late "
        "noon midday midnight oclock work school now currently moment time possible asap straight soon future holiday holidays".split()
    )
)
_LEADS = frozenset(
    "a about after again all an and any anytime approximately around as at before beginning between bank by coming couple current during each "
    "early earlier end every few first following for from half half in just last later long mid middle near next no not of on over past previous "
    "public quarter rest right several since some start starting than the these this through throughout to towards until up upcoming within".split()
)


def starts(text: str, calendar: Calendar) -> Iterator[int]:
    """The places at which a time may start, from left to right: time words, and the small words that lead to one."""
    waiting: list[int] = []
    at = 0
    for word in text.split(" "):
        if word in _HEARTS or word[:1].isdigit() or word in calendar.words:
            yield from waiting
            yield at
            waiting = []
        elif word in _LEADS:
            waiting.append(at)
        else:
            waiting = []
        at += len(word) + 1
