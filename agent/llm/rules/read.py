"""Reading one clause: its shape, where it looks from, what it wants and what it does not want."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.llm.rules.tokens import Word, text_of
from agent.llm.rules.where import KNOWN, find_where, named
from agent.llm.rules.words import ACT_OF, ACT_PHRASES, DETERMINERS, HAS, LITTLE, NEAREST, NUMBERS, PRICES, SOFT
from agent.snapshot.lexicon import Lexicon
from agent.snapshot.names import without_article
from agent.types import Shape

_ASKED = (  # how people ask after one named thing, and the shape they want
    (re.compile(r"^(?:so |and |also |hi |hello )*(?:is|are) (?P<name>.+) (?:still |currently )?(?:open|closed)\b(?! air)"), "when"),
    (re.compile(r"^(?:so |and |also )*(?:when|what time|what times|until when|till when|how long) (?:does|do|is|are|will|can) (?P<name>.+) (?:be )?(?:still )?(?:open|close|shut)\w*\b"), "when"),
    (re.compile(r"^(?:and |also )*how (?:late|early) (?:is|does|are|do|will) (?P<name>.+) (?:be |stay )?(?:open|close)\w*\b"), "when"),
    (re.compile(r"^(?:what are |whats |what is )?(?:the )?(?:opening |closing )?(?:hours|times) (?:of|for|at) (?P<name>.+)$"), "when"),
    (re.compile(r"^(?P<name>.+?) (?:opening hours|opening times|hours|closing time)$"), "when"),
    (re.compile(r"^(?:can you |could you |please )*(?:tell me |know |give me )?(?:something |anything |more |all |info |information |details )*(?:about|on) (?P<name>.+)$"), "tell"),
    (re.compile(r"^(?:do you know|what do you know about|have you heard of|whats|what is|describe) (?P<name>.+)$"), "tell"),
    (re.compile(r"^(?:and |also |hi |hello )*(?:where is|wheres|where are|where can i find|how do i (?:find|get to|reach)|how to (?:find|get to|reach)|directions to|address of|way to|take me to|what is the address of) (?P<name>.+)$"), "where"),
    (re.compile(r"^(?:whats |what is )?(?:the )?(?:phone number|phone|telephone number|number|website|price) (?:of|for) (?P<name>.+)$"), "tell"),
    (re.compile(r"^(?:is|are) (?P<name>.+?) (?:wheelchair accessible|accessible|step free|expensive|cheap)$"), "yes_no"),
)  # fmt: skip
_POLITE = re.compile(
    r"^(?:please|hi|hello|hey|ok|so|and|also|thanks|good morning|good evening|good afternoon|could you|can you|kindly|tell me|do you know) "
)
_TAIL = re.compile(r" (?:please|thanks|thank you|cheers|now|right now|today|tonight|currently|at the moment)$")
_NOT_NEEDED = re.compile(r"\b(?:i )?(?:dont|do not|doesnt|does not|wont) (?:really )?(?:need|want|mind|care)\b.*?(?=\bbut\b|$)")
_NOT = re.compile(r"\b(?:anything but|everything but|but not|not|without|except(?: for)?|other than|but no|no|nothing)\b")
_OPEN = re.compile(
    r"\b(?:open (?:right )?now|(?:is |are )?(?:still|currently|now) open|open (?:at the moment|at this hour|today)|open right away|opened now|right now)\b"
)
_NOW = ("", "now", "right now", "at the moment")


@dataclass(frozen=True, slots=True)
class Reading:
    """What one clause asks. `names` are named places; `keywords` and `without` are phrases; `wanted` says it in the resident's words."""

    what: str
    where: str | None = "city"
    inside: bool = False
    shape: Shape = "some"
    names: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    order_by: str = ""
    open_at: str = ""
    nearest: bool = False
    limit: int = 5
    kinds: frozenset[str] = field(default_factory=frozenset)


def read(words: Sequence[Word], number: int, lexicon: Lexicon, town: str) -> Reading:
    """Read a clause: first as a question after a named place, then as a search."""
    return _asked_by_name(words, lexicon) or _search(words, number, lexicon, town)


def _asked_by_name(words: Sequence[Word], lexicon: Lexicon) -> Reading | None:
    """ "Is the Mill open?", "tell me about …", or nothing but a name."""
    text = text_of(words)
    for form in (text, _POLITE.sub("", text)):
        for pattern, shape in _ASKED:
            found = pattern.search(form)
            if found and (reading := _named(found["name"], shape, text, lexicon)):
                return reading
    bare = _TAIL.sub("", _POLITE.sub("", text))
    if lexicon.exact(bare, KNOWN) and not lexicon.word(bare, ("tag",)):
        return Reading(bare, "city", shape="tell", names=(bare,))
    return None


def _named(name: str, shape: str, text: str, lexicon: Lexicon) -> Reading | None:
    """A reading of a question after a name, if it is one: not "the nearest …", not a kind of place that only is no name."""
    name = _TAIL.sub("", name)
    first = name.split()[0]
    if first in ("there", "it") or {"nearest", "closest"} & set(name.split()):
        return None
    known = named(name, lexicon) or lexicon.close(name, KNOWN)
    if not known and not _looks_like_name(name, lexicon):
        return None
    now = "now" if shape == "when" and _OPEN.search(text) else ""
    return Reading(name, "city", shape=shape, names=(name,), open_at=now)  # type: ignore[arg-type]


def _looks_like_name(name: str, lexicon: Lexicon) -> bool:
    """Whether an unknown name may still be one: part of a known name, or with no word that is a tag or a preposition."""
    words = [word for word in without_article(name).split() if word not in LITTLE]
    return bool(words and lexicon.holding(words, KNOWN))


def _search(words: Sequence[Word], number: int, lexicon: Lexicon, town: str) -> Reading:
    """A search: anchor, openness, negations, then what is left as keywords."""
    where = find_where(words, number, lexicon, town)
    left = [word for at, word in enumerate(words) if at not in where.taken]
    open_at, left = _cut(left, _OPEN)
    _, left = _cut(left, _NOT_NEEDED)
    without, left = _negated(left, lexicon)
    texts = [word.text for word in words]
    nearest = bool(NEAREST & set(texts))
    limit = _limit(texts) if nearest else 5
    keywords, order_by = _wanted(left, lexicon, town)
    what = " ".join(keywords) or "places"
    shape: Shape = "closest" if nearest else "some"
    return Reading(what, where.phrase, where.inside, shape, (), tuple(keywords), tuple(without), order_by, "now" if open_at else "", nearest, limit)


def _cut(words: Sequence[Word], pattern: re.Pattern[str]) -> tuple[str, list[Word]]:
    """Take the words that a pattern matches out of a clause; what was taken, and the rest."""
    text = text_of(words)
    found = pattern.search(text)
    if not found:
        return "", list(words)
    first = len(text[: found.start()].split())
    last = first + len(found[0].split())
    return found[0], [word for at, word in enumerate(words) if not first <= at < last]


def _negated(words: Sequence[Word], lexicon: Lexicon) -> tuple[list[str], list[Word]]:
    """What is not wanted: the tags that follow a "not", joined by and, or, or a comma."""
    text = text_of(words)
    found = _NOT.search(text)
    if not found:
        return [], list(words)
    first = len(text[: found.start()].split())
    at = first + len(found[0].split())
    refused: list[str] = []
    texts = [word.text for word in words]
    while at < len(texts):
        end, hits = lexicon.longest(texts, at, ("tag",))
        if hits:
            refused.append(" ".join(texts[at:end]))
            at = end
        elif texts[at] in DETERMINERS or texts[at] in ("or", "and", "food", "too", "in"):
            at += 1
        else:
            break
    return (refused, [*words[:first], *words[at:]]) if refused else ([], list(words))


def _limit(texts: Sequence[str]) -> int:
    """How many "the two closest" are; 3 where no number is said, so that a shut door is not the end."""
    for at, text in enumerate(texts):
        if text in NUMBERS and text != "one" and not (at + 1 < len(texts) and texts[at + 1] in ("star", "stars", "hour", "hours")):
            return NUMBERS[text]
    return 3


def _wanted(words: Sequence[Word], lexicon: Lexicon, town: str) -> tuple[list[str], str]:
    """The phrases that a thing must be or have, and the score to order by. Unknown words count where they stand before a kind or behind "with" (A-13)."""
    texts = [word.text for word in words]
    own = frozenset(town.casefold().split())
    marks = _mark(texts, lexicon, own)
    keywords = [PRICES.get(text, text) for text, kind in marks if kind in ("tag", "price")]
    if not any(kind == "tag" for _, kind in marks):
        keywords = _acts(texts, lexicon) + keywords
    order = next((text for text, kind in marks if kind == "score"), "")
    unknown = _unknown(marks)
    if not any(kind in ("tag", "unknown-only") for _, kind in marks) and not unknown:
        unknown = _subject(marks)
    return [*keywords, *unknown], order


def _acts(texts: Sequence[str], lexicon: Lexicon) -> list[str]:
    """ "Somewhere to eat", where no kind of place is named: the town's own word for it."""
    act = next((ACT_OF[text] for text in texts if text in ACT_OF), "")
    return [next((phrase for phrase in ACT_PHRASES[act] if lexicon.word(phrase, ("tag",))), act)] if act else []


def _mark(texts: Sequence[str], lexicon: Lexicon, own: frozenset[str]) -> list[tuple[str, str]]:
    """Each run of words with its kind: tag, score, price, little, soft, has, or other."""
    marks: list[tuple[str, str]] = []
    at = 0
    while at < len(texts):
        word = texts[at]
        end, hits = lexicon.longest(texts, at, ("tag", "score"), typos=word not in LITTLE | SOFT | own and word not in PRICES)
        if hits and not (end == at + 1 and _weak(word)):
            phrase = " ".join(texts[at:end])
            marks.append((hits[0].text if hits[0].kind == "score" else phrase, hits[0].kind))
            at = end
            continue
        if word in HAS:
            kind = "has"
        elif word in PRICES:
            kind = "price"
        elif word in LITTLE or word in own or word.isdigit():
            kind = "little"
        else:
            kind = "soft" if word in SOFT else "other"
        marks.append((word, kind))
        at += 1
    return _weigh(marks)


def _weak(word: str) -> bool:
    """A little word that is also a tag's synonym counts as the tag only when it says what one does there."""
    return word in LITTLE and word not in ACT_OF and word != "town"


def _weigh(marks: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """ "Italian food" asks for Italian, "free wifi" for wifi: a weak word beside a strong one is dropped."""
    strong = any(kind == "tag" and text not in ACT_OF for text, kind in marks)
    out = []
    for at, (text, kind) in enumerate(marks):
        after = marks[at + 1][1] if at + 1 < len(marks) else ""
        if (kind == "tag" and text in ACT_OF and strong) or (kind == "price" and text == "free" and after == "tag"):
            out.append((text, "little"))
        else:
            out.append((text, kind))
    return out


def _unknown(marks: Sequence[tuple[str, str]]) -> list[str]:
    """Words nobody here knows, where they are a condition: just before a kind ("llama farm"), or behind "with", "serving"."""
    found: list[str] = []
    run: list[str] = []
    has = False
    for text, kind in [*marks, ("", "end")]:
        if kind == "other":
            run.append(text)
            continue
        if run and (kind == "tag" or has or (kind == "little" and text in ("food", "cuisine", "dishes", "restaurants", "place"))):
            found.append(" ".join(run))
        run = []
        has = kind == "has" or (has and (kind in ("soft", "price") or text in DETERMINERS))
    return found


def _subject(marks: Sequence[tuple[str, str]]) -> list[str]:
    """Where no kind is known at all, the first run of content words is what is asked for."""
    run: list[str] = []
    for text, kind in marks:
        if kind == "other":
            run.append(text)
        elif run and kind != "soft":
            break
    return [" ".join(run)] if run else []
