"""Finding time words in a question, and reading what they mean."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from agent.times import stretch
from agent.times.days import Ground
from agent.times.edges import When, when_at
from agent.times.feasts import calendar
from agent.times.others import read_others
from agent.times.starts import starts
from agent.times.stretch import Frame
from agent.times.tokens import Line, line_of
from agent.types import Town, Window

_MAY_FOLLOW = frozenset(
    "in at near by and or to until for with please from around then is are on of what whats where which who any anywhere somewhere i we "
    "can could do does the my close next nearby thanks - but that within not if there ?".split()
)


class Spoken(Protocol):
    """A folded word of a question with the chunk of text that it stands in, as the rules model keeps them."""

    @property
    def text(self) -> str: ...
    @property
    def raw(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Spot:
    """Where time words stand: the first word and the one after the last, and the words as they were typed."""

    first: int
    end: int
    words: str


def find_when(words: Sequence[Spoken], town: Town) -> tuple[Spot, ...]:
    """The time words of a question, in order. Several spots of one question belong together: joined by spaces `read_when` reads them.

    A word that means other things too ("may", "sun", "second", a bare number) counts only where its neighbours say that it is a time.
    """
    chunks, firsts = _chunks(words)
    line = line_of(chunks)
    spots = []
    for start, when in _found(Ground(line.text, calendar(town.country, town.subdivision))):
        first, end = line.span(start, when.end)
        spots.append(Spot(firsts[first], firsts[end], " ".join(chunks[first:end]).strip(" .,;:?!()")))
    return tuple(spots)


def read_when(words: str, now: datetime, town: Town) -> Window | None:
    """What time words mean at `now` (aware, in any zone); None where they mean nothing.

    The words are taken to speak of a time, so that a bare "7" or "may" is read too. The window is not cut at `now`: "today" is the whole day.
    """
    line = line_of(words.split())
    frame = Frame(now.astimezone(town.timezone).replace(tzinfo=None), town)
    try:
        read = _read(line, frame)
        return stretch.window(read, town, words) if read else None
    except (ValueError, OverflowError):  # a date that no calendar has: year 0, 99999 weeks on
        return None


def _chunks(words: Sequence[Spoken]) -> tuple[list[str], list[int]]:
    """The chunks of text that words stand in, and the number of each one's first word, and of all words."""
    chunks: list[str] = []
    firsts: list[int] = []
    for number, word in enumerate(words):
        if number and chunks[-1] == word.raw and word.text != word.raw:
            continue
        chunks.append(word.raw)
        firsts.append(number)
    return chunks, [*firsts, len(words)]


def _found(ground: Ground) -> Iterator[tuple[int, When]]:
    """Every time that is surely one, from left to right, none over another."""
    after = 0
    for start in starts(ground.text, ground.calendar):
        when = when_at(ground, start) if start >= after else None
        if when and when.sure and not (when.closed and not _may_end(ground.text, when.end)):
            yield start, when
            after = when.end


def _may_end(text: str, at: int) -> bool:
    following = text[at + 1 :].split(" ", 1)[0]
    return not following or following in _MAY_FOLLOW


def _read(line: Line, frame: Frame) -> stretch.Stretch | None:
    ground = Ground(line.text, calendar(frame.town.country, frame.town.subdivision), loose=True)
    whens = [when for start in starts(line.text, ground.calendar) if (when := when_at(ground, start))]
    longest = max(whens, key=lambda when: when.end - when.start, default=None)
    if longest and longest.end - longest.start == len(line.text):
        return longest.read(frame)
    return read_others(line.text, frame.now) or (longest.read(frame) if longest else None)
