"""Marking: what each run of words in a clause is, by the town's vocabulary and the little English that the rules model knows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.llm.rules.words import ACT_OF, BROAD, HAS, LITTLE, PRICES, SOFT
from agent.snapshot.lexicon import Lexicon, Name


@dataclass(frozen=True, slots=True)
class Mark:
    """A run of words. `kind`: tag, score, price, has (what follows is a condition), little, soft, or other (nobody here knows it)."""

    text: str
    kind: str
    tag_kind: str = ""  # category, cuisine, attribute, topic
    tag: int = 0


def mark(texts: Sequence[str], lexicon: Lexicon, own: frozenset[str]) -> list[Mark]:
    """The marks of a clause's folded words. `own` are the words of the town's name, which say nothing here."""
    marks: list[Mark] = []
    at = 0
    while at < len(texts):
        word = texts[at]
        end, hits = lexicon.longest(texts, at, ("tag", "score"), typos=word not in LITTLE | SOFT | own and word not in PRICES)
        literal = end == at + 1 and word in PRICES and hits and hits[0].kind == "score"
        if hits and not literal and not (end == at + 1 and _weak(word)):
            marks.append(_of(" ".join(texts[at:end]), hits[0], lexicon))
            at = end
        else:
            marks.append(Mark(word, _plain(word, own)))
            at += 1
    return _weigh(marks)


def _of(phrase: str, hit: Name, lexicon: Lexicon) -> Mark:
    return Mark(phrase, hit.kind, lexicon.tag_kind(hit), hit.ref)


def _plain(word: str, own: frozenset[str]) -> str:
    if word in HAS:
        return "has"
    if word in PRICES:
        return "price"
    if word in LITTLE or word in own or word.isdigit():
        return "little"
    return "soft" if word in SOFT else "other"


def _weak(word: str) -> bool:
    """A little word that is also a tag's synonym counts as the tag only when it says what one does there."""
    return word in LITTLE and word not in ACT_OF and word != "town"


def _weigh(marks: list[Mark]) -> list[Mark]:
    """ "Italian food" asks for Italian, "free wifi" for wifi: a weak word beside a strong one is dropped."""
    strong = any(one.kind == "tag" and one.text not in ACT_OF for one in marks)
    around = zip([Mark("", ""), *marks], marks, [*marks, Mark("", "")][1:], strict=False)
    return [replace(one, kind="little") if _dropped(before, one, after, strong=strong) else one for before, one, after in around]


def _dropped(before: Mark, one: Mark, after: Mark, *, strong: bool) -> bool:
    act = one.kind == "tag" and one.text in ACT_OF and strong
    broad = one.kind == "tag" and one.text in BROAD and before.tag_kind == "cuisine"
    return act or broad or (one.text == "free" and one.kind == "price" and after.tag_kind == "attribute")
