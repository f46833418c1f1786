"""Events: whether a clause asks what is on, and which tool tells."""

import re
from collections.abc import Sequence

from agent.llm.rules.marks import Mark, mark
from agent.llm.rules.named import find
from agent.llm.rules.reading import Reading
from agent.llm.rules.search import negated, wanted
from agent.llm.rules.tokens import Word, text_of
from agent.llm.rules.where import find_where
from agent.llm.rules.words import ACT_OF, CLOSE_TO
from agent.snapshot.lexicon import Lexicon
from agent.snapshot.names import fold

_ON = re.compile(
    r"\b(?:whats|what is|what are|what else is|whats there|anything|something|things|stuff) (?:to do|on|happening|going on|playing|showing|scheduled)\b"
    r"|\b(?:showing|on at|tickets?|events?|happenings?|happening|programme|program|line ?up|listings?|gigs?|whats there to do)\b"
)
_DO = re.compile(r"\b(?:what|where|things) (?:can|could|should|do|shall|to) ?(?:i|we|you|people)? (?:do|go|see)\b")
_FESTIVAL = re.compile(r"\b(?:festivals?|fetes?|fairs?|carnivals?)\b")
_PROGRAMME = re.compile(
    r"^(?:(?:whats|what is|show me|tell me) )?(?:the )?(?:programme|program|line ?up|schedule|events|whats on|what is on|on) (?:of|for|at|in|during) (?:the )?(?P<name>.+)$"
)
_NOISE = frozenset(
    "events event happenings happening going things thing something anything on playing showing scheduled programme program lineup listings listing gig gigs show stuff ticket tickets much".split()
)


def events(clause: Sequence[Word], words: Sequence[Word], when: str, number: int, lexicon: Lexicon, town: str) -> Reading | None:
    """Read a clause as a question about what is on, if it is one; `words` are the clause's without its time words."""
    text = text_of(words)
    if reading := _programme(text, when, lexicon):
        return reading
    where = find_where(words, number, lexicon, town)
    left = [word for at, word in enumerate(words) if at not in where.taken]
    without, left = negated(left, lexicon)
    own = _NOISE | frozenset(fold(town).split())
    marks = mark([word.text for word in left], lexicon, own)
    kinds = any(one.kind == "tag" and lexicon.counts(one.tag)[0] for one in marks)
    said = {word.text for word in clause}
    only_when = (
        bool(when) and where.phrase == "city" and all(one.kind == "little" for one in marks) and not said & {"open", "nearest", "closest", *ACT_OF}
    )
    asked = bool(only_when or _ON.search(text_of(clause)) or (_DO.search(text_of(clause)) and not kinds))
    festival = bool(_FESTIVAL.search(text))
    if not (asked or festival or _dated(marks, bool(when), lexicon) or _titled(marks, lexicon)):
        return None
    keywords = wanted(left, lexicon, own)[0] + [one.text for one in marks if one.kind == "score"]
    keywords = [phrase for phrase in keywords or _other_words(marks, asked=asked) if not (festival and _FESTIVAL.fullmatch(phrase))]
    near = where.phrase not in (None, "city") and not where.inside
    tool = "find_festivals" if festival and not asked else "events_near" if near or where.phrase is None else "events_when"
    return Reading(
        what=" ".join(keywords) or ("festivals" if festival else "events"),
        where=where.phrase,
        category="festival",
        tool=tool,
        keywords=tuple(keywords),
        without=tuple(without),
        when=when,
    )


def _programme(text: str, when: str, lexicon: Lexicon) -> Reading | None:
    """ "Programme of the River Days"."""
    found = _PROGRAMME.match(text)
    hits = find(found["name"], lexicon) if found else ()
    if not found or not hits or hits[0].kind != "festival":
        return None
    return Reading(found["name"], "city", "some", "festival", "festival_programme", names=(found["name"],), when=when)


def _dated(marks: Sequence[Mark], timed: bool, lexicon: Lexicon) -> bool:
    """Whether what is asked for is a thing that happens: borne by events alone, or by events too where a time is said."""
    kinds = [lexicon.counts(one.tag) for one in marks if one.kind == "tag"]
    return any(events and (timed or not places) for places, events in kinds) and all(events for _, events in kinds)


def _titled(marks: Sequence[Mark], lexicon: Lexicon) -> bool:
    """Whether words that are no kind of place are words of an event's or a festival's name."""
    if any(one.tag_kind == "category" for one in marks) or not any(one.kind == "other" for one in marks):
        return False
    words = " ".join(one.text for one in marks if one.kind in ("other", "tag")).split()
    kind = len(words) == 1 and lexicon.holding(words, ("tag",))
    return not kind and bool(lexicon.holding(words, ("event", "festival")))


def _other_words(marks: Sequence[Mark], *, asked: bool) -> list[str]:
    """Words of titles, where no kind is named: "dog show", "lantern events"."""
    others = [one.text for one in marks if one.kind == "other" and one.text not in CLOSE_TO]
    return [" ".join(others)] if others and (asked or len(others) < 5) else []
