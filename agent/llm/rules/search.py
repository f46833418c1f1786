"""Searches: where a clause looks from, whether open, what is wanted and what is not."""

import re
from collections.abc import Sequence

from agent.llm.rules.marks import Mark, mark
from agent.llm.rules.reading import Reading
from agent.llm.rules.tokens import Word, text_of
from agent.llm.rules.where import Where, find_where
from agent.llm.rules.words import ACT_OF, ACT_PHRASES, DETERMINERS, NEAREST, NUMBERS, PRICES
from agent.snapshot.lexicon import Lexicon
from agent.snapshot.names import fold

_NOT_NEEDED = re.compile(r"\b(?:i )?(?:dont|do not|doesnt|does not|wont) (?:really )?(?:need|want|mind|care)\b.*?(?=\bbut\b|$)")
_NOT = re.compile(
    r"\b(?:isnt|arent|(?:is |are )?not (?:so|too|very|that)|anything but|everything but|but not|not|without|except(?: for)?|other than|but no|no|nothing)\b"
)
_OPEN = re.compile(
    r"\b(?:open (?:right )?now|(?:is |are )?(?:still|currently|now) open|open (?:at the moment|at this hour|today)|open right away|opened now|right now|(?:is|are) open|thats open|open)\b"
)
_NOT_DEAR = re.compile(r"\b(?:(?:thats |which |that )?(?:is |are )?(?:isnt|arent|not) (?:so |too |very |that )?(?:expensive|pricey|dear|posh))\b")
_SERVED = ("food", "cuisine", "dishes", "restaurants", "place")


def search(words: Sequence[Word], when: str, number: int, lexicon: Lexicon, town: str) -> Reading:
    """Read a clause, its time words taken out already, as a search for places."""
    where = find_where(words, number, lexicon, town)
    left = [word for at, word in enumerate(words) if at not in where.taken]
    opened, left = ("", left) if _open_thing(left, lexicon) else _cut(left, _OPEN)
    _, left = _cut(left, _NOT_NEEDED)
    dear, left = _cut(left, _NOT_DEAR)
    without, left = negated(left, lexicon)
    nearest = bool(NEAREST & {word.text for word in words})
    keywords, order_by = wanted(left, lexicon, frozenset(fold(town).split()))
    return Reading(
        what=" ".join(keywords) or "places",
        where=where.phrase,
        shape="closest" if nearest else "some",
        tool="places_near" if nearest or _near_area(where, order_by, lexicon) else "find_places",
        keywords=(*keywords, *(("cheap or moderate",) if dear else ())),
        without=tuple(without),
        order_by="" if nearest else order_by,
        when=when or ("now" if opened else ""),
        limit=_limit([word.text for word in words]) if nearest else 5,
    )


def _open_thing(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether "open" is part of what is looked for: "an open fire", "open air"."""
    texts = [word.text for word in words]
    return any(text == "open" and lexicon.word(" ".join(texts[at : at + 2]), ("tag",), typos=False) for at, text in enumerate(texts[:-1]))


def _near_area(where: Where, order_by: str, lexicon: Lexicon) -> bool:
    """Whether "near" an area is asked, which is a matter of distance, and not "in" it."""
    return not where.inside and not order_by and bool(where.phrase) and bool(lexicon.exact(fold(where.phrase or ""), ("area",)))


def _cut(words: Sequence[Word], pattern: re.Pattern[str]) -> tuple[str, list[Word]]:
    """Take the words that a pattern matches out of a clause; what was taken, and the rest."""
    text = text_of(words)
    found = pattern.search(text)
    if not found:
        return "", list(words)
    first = len(text[: found.start()].split())
    last = first + len(found[0].split())
    return found[0], [word for at, word in enumerate(words) if not first <= at < last]


def negated(words: Sequence[Word], lexicon: Lexicon) -> tuple[list[str], list[Word]]:
    """What is not wanted: the kinds, or the names, that follow a "not", joined by and, or, or a comma."""
    text = text_of(words)
    found = _NOT.search(text)
    if not found:
        return [], list(words)
    first = len(text[: found.start()].split())
    at = first + len(found[0].split())
    refused: list[str] = []
    texts = [word.text for word in words]
    while at < len(texts):
        end = _refused(texts, at, lexicon)
        if end > at:
            refused.append(" ".join(texts[at:end]))
            at = end
        elif texts[at] in DETERMINERS or texts[at] in ("or", "and", "food", "too", "in"):
            at += 1
        else:
            break
    return (refused, [*words[:first], *words[at:]]) if refused else ([], list(words))


def _refused(texts: Sequence[str], at: int, lexicon: Lexicon) -> int:
    """Where a refused kind or name that begins at a word ends."""
    end, hits = lexicon.longest(texts, at, ("tag", "score"))
    if hits:
        return end
    return next((stop for stop in range(min(len(texts), at + 6), at, -1) if lexicon.find(" ".join(texts[at:stop]), ("landmark", "place"))), at)


def _limit(texts: Sequence[str]) -> int:
    """How many "the two closest" are; 3 where no number is said, so that a shut door is not the end."""
    for at, text in enumerate(texts):
        if text in NUMBERS and text != "one" and not (at + 1 < len(texts) and texts[at + 1] in ("star", "stars", "hour", "hours")):
            return NUMBERS[text]
    return 3


def wanted(words: Sequence[Word], lexicon: Lexicon, own: frozenset[str]) -> tuple[list[str], str]:
    """The phrases that a thing must be or have, and the score to order by. `own` are words that say nothing here."""
    texts = [word.text for word in words]
    marks = _having(mark(texts, lexicon, own), lexicon)
    keywords = [PRICES.get(one.text, one.text) for one in marks if one.kind in ("tag", "price")]
    if not any(one.kind == "tag" for one in marks):
        keywords = _acts(texts, lexicon) + keywords
    order_by = next((lexicon.score(one.text) for one in marks if one.kind == "score"), "")
    kind = any(one.tag_kind in ("category", "cuisine", "topic") for one in marks)
    unknown = _conditions(marks) or ([] if kind else _subject(marks, lexicon, alone=not keywords and not order_by))
    return [*keywords, *unknown], order_by


def _having(marks: Sequence[Mark], lexicon: Lexicon) -> list[Mark]:
    """ "A pub with a garden" wants the pub garden, not a park: behind "with", a kind is read together with the kind before it, where the town has a word for both."""
    head, has, out = "", False, []
    for one in marks:
        both = lexicon.word(f"{head} {one.text}", ("tag",), typos=False) if has and head and one.tag_kind == "category" else ()
        out.append(Mark(f"{head} {one.text}", "tag", lexicon.tag_kind(both[0]), both[0].ref) if both else one)
        head = head or (one.text if one.tag_kind == "category" else "")
        has = one.kind == "has" or one.text in ("with", "has") or (has and one.kind in ("little", "soft"))
    return out


def _acts(texts: Sequence[str], lexicon: Lexicon) -> list[str]:
    """ "Somewhere to eat", where no kind of place is named: the town's own word for it."""
    act = next((ACT_OF[text] for text in texts if text in ACT_OF), "")
    return [next((phrase for phrase in ACT_PHRASES[act] if lexicon.word(phrase, ("tag",))), act)] if act else []


def _conditions(marks: Sequence[Mark]) -> list[str]:
    """Words nobody here knows, where they are a condition (A-13): just before a kind ("llama farm"), or behind "with", "serving"."""
    found: list[str] = []
    run: list[str] = []
    has = False
    for one in (*marks, Mark("", "end")):
        if one.kind == "other":
            run.append(one.text)
            continue
        if run and (one.kind == "tag" or has or (one.kind == "little" and one.text in _SERVED)):
            found.append(" ".join(run))
        run = []
        has = one.kind == "has" or (has and (one.kind in ("soft", "price") or one.text in DETERMINERS))
    return found


def _subject(marks: Sequence[Mark], lexicon: Lexicon, *, alone: bool) -> list[str]:
    """Where no kind is named, the longest run of content words that some kind's words hold ("tea" of "tea room"); where there is nothing else, the first run."""
    runs: list[list[str]] = [[]]
    for one in marks:
        if one.kind == "other":
            runs[-1].append(one.text)
        elif runs[-1] and one.kind != "soft":
            runs.append([])
    runs = [run for run in runs if run]
    held = max((run for run in runs if lexicon.holding(run, ("tag",))), key=len, default=runs[0] if runs and alone else None)
    return [" ".join(held)] if held else []
