"""A sentence of a model cut into pieces, each of which is a slot, a name, a figure, a word of the closed vocabulary, or a stranger."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agent.blocks.grounding import words as known
from agent.blocks.grounding.figures import Figure, figures
from agent.blocks.grounding.told import Told, forms
from agent.snapshot.lexicon import Lexicon, Name, singular
from agent.snapshot.names import fold

SLOT = re.compile(r"\{(r\d+)\.(\w+)\}")
_FIRST = 0xE000  # private letters stand for the slots while a sentence is cut up
_TOKEN = re.compile(r"[\ue000-\uf8ff]|[^\W_]+(?:['’‘][^\W_]+)*|[^\s]")
_JOINTS = frozenset("-–.'’‘/")
_KINDS = ("tag", "score", "area", "place", "landmark", "festival", "event")
_NAMES = frozenset(("place", "landmark", "festival", "event"))
_LONGEST = 6
_ORDER = ("name", "where", "fact", "open", "price", "access", "unsure", "town", "anchor", "plain", "stranger")
_SETS = (
    ("negation", known.NEGATIONS), ("nearest", known.NEAREST), ("top", known.TOPMOST), ("universal", known.UNIVERSALS), ("open", known.OPEN), ("closed", known.CLOSED),
    ("access", known.ACCESS), ("grade", frozenset(known.GRADES)), ("near", frozenset(known.NEAR)), ("time", known.TIMES), ("state", known.STATES), ("soft", known.SOFT),
    ("festive", known.OF_EVENTS), ("happens", known.HAPPENS), ("past", known.PAST), ("needs", frozenset(known.NEEDS)), ("plain", known.PLAIN),
)  # fmt: skip
_WORD_KINDS = {word: kind for kind, listed in reversed(_SETS) for word in listed}
_FIXED = (
    *((phrase, "price") for phrase in known.PRICES),
    *((phrase, "access") for phrase in known.ACCESS_PHRASES),
    *((phrase, "unsure") for phrase in known.NOT_KNOWN),
    *((phrase, "open") for phrase in known.ALWAYS_OPEN),
    *((phrase, "plain") for phrase in known.PLAIN_PHRASES),
    *((phrase, "stranger") for phrase in known.ELLIPSES),
)


@dataclass(frozen=True, slots=True)
class Piece:
    """`rows` are those whose name, slot or fact it is, `slot` the fact's name, `hits` what the town calls so."""

    kind: str
    text: str
    folded: str = ""
    rows: frozenset[str] = frozenset()
    slot: str = ""
    figure: Figure | None = None
    hits: tuple[Name, ...] = ()


class _Token(NamedTuple):
    start: int
    end: int
    text: str
    folded: str


class _Phrase(NamedTuple):
    words: tuple[str, ...]
    kind: str
    slot: str
    rows: frozenset[str]


Phrases = dict[str, list[_Phrase]]


def phrases_of(rows: Sequence[Told], anchor: str, town: str) -> Phrases:
    """What the rows, the anchor and the town are called, by first word and longest first."""
    found: dict[tuple[str, str], tuple[str, set[str]]] = {}
    for row in rows:
        for phrase, slot in [*((name, "name") for name in row.names), *row.phrases.items()]:
            kind = "name" if slot == "name" else "fact" if slot in _SPOKEN else "where"
            if slot not in ("category", "tags") and not (kind == "fact" and (phrase in known.PRICES or phrase in known.GRADES)):
                found.setdefault((phrase, kind), (slot, set()))[1].add(row.row.id)
    for name, kind in ((anchor, "anchor"), (town, "town")):
        for form in forms(name):
            found.setdefault((form, kind), (kind, set()))
    return _table([(phrase, kind, slot, frozenset(ids)) for (phrase, kind), (slot, ids) in found.items()])


def _table(found: Iterable[tuple[str, str, str, frozenset[str]]]) -> Phrases:
    table: Phrases = {}
    cut = (_Phrase(tuple(phrase.split()), kind, slot, rows) for phrase, kind, slot, rows in found if phrase)
    for phrase in sorted(cut, key=lambda one: (-len(one.words), _ORDER.index(one.kind))):
        table.setdefault(phrase.words[0], []).append(phrase)
    return table


_ALWAYS = _table([(phrase, kind, kind, frozenset()) for phrase, kind in _FIXED])
_SPOKEN = frozenset(("tickets", "marks", "organiser", "note", "access", "age", "repeats", "state", "price", "wheelchair"))


def read(template: str, phrases: Phrases, lexicon: Lexicon) -> list[Piece]:
    """The pieces of a sentence whose slots still stand in it (NFC, plain letters only)."""
    slots: list[tuple[str, str]] = []
    text = SLOT.sub(lambda slot: f" {chr(_FIRST + _keep(slots, slot))} ", template)
    tokens = [_Token(match.start(), match.end(), match[0], fold(match[0])) for match in _TOKEN.finditer(text)]
    starts = {figure.start: figure for figure in figures(text)}
    pieces: list[Piece] = []
    at = 0
    while at < len(tokens):
        if _FIRST <= ord(tokens[at].text[0]) <= 0xF8FF:
            row, fact = slots[ord(tokens[at].text[0]) - _FIRST]
            pieces.append(Piece("name" if fact == "name" else "slot", f"{{{row}.{fact}}}", rows=frozenset((row,)), slot=fact))
            at += 1
            continue
        end, piece = _longest(tokens, at, text, phrases, starts, lexicon)
        if tokens[at].folded in known.PLAIN and end > at + 1 and _longest(tokens, at + 1, text, phrases, starts, lexicon)[0] > end:
            end, piece = at + 1, _word(tokens[at], first=at == 0)  # "the Clock" does not end within "the Clock Tower"
        pieces.append(piece)
        at = end
    return pieces


def _longest(tokens: Sequence[_Token], at: int, text: str, phrases: Phrases, starts: dict[int, Figure], lexicon: Lexicon) -> tuple[int, Piece]:
    """The reading of a token that reaches farthest; of equals the first."""
    return max(_readings(tokens, at, text, phrases, starts, lexicon), key=lambda reading: reading[0])


def _keep(slots: list[tuple[str, str]], slot: re.Match[str]) -> int:
    slots.append((slot[1], slot[2]))
    return len(slots) - 1


def _readings(
    tokens: Sequence[_Token], at: int, text: str, phrases: Phrases, starts: dict[int, Figure], lexicon: Lexicon
) -> Iterator[tuple[int, Piece]]:
    """What may begin at a token, each with the token after it; of equally long ones the first counts."""
    token = tokens[at]
    for table in (phrases, _ALWAYS):
        for phrase in table.get(token.folded, ()):
            if end := _runs(tokens, at, phrase.words):
                yield end, Piece(phrase.kind, text[token.start : tokens[end - 1].end], " ".join(phrase.words), phrase.rows, phrase.slot)
                break
    figure = starts.get(token.start)
    if figure and not (figure.kind == "number" and token.folded == "one"):
        after = next((later for later in range(at + 1, len(tokens)) if tokens[later].start >= figure.end), len(tokens))
        yield after, Piece("figure", text[figure.start : figure.end], token.folded, figure=figure)
    yield from _terms(tokens, at, text, lexicon)
    yield at + 1, _word(token, first=at == 0)


def _runs(tokens: Sequence[_Token], at: int, words: Sequence[str]) -> int:
    """The token after a run of just these words, joints between them left out; 0 where they do not stand there."""
    for word in words:
        while at < len(tokens) and not tokens[at].folded and tokens[at].text in _JOINTS:
            at += 1
        if at == len(tokens) or tokens[at].folded != word:
            return 0
        at += 1
    return at


def _terms(tokens: Sequence[_Token], at: int, text: str, lexicon: Lexicon) -> Iterator[tuple[int, Piece]]:
    """The longest run that the town has a word or a name for. Plain words alone are no name unless they are written as one."""
    if not tokens[at].folded:
        return
    run: list[str] = []
    best: tuple[int, Piece] | None = None
    named = meant = False
    for end in range(at, min(len(tokens), at + 2 * _LONGEST)):
        token = tokens[end]
        if not token.folded:
            if token.text in _JOINTS:
                continue
            break
        run.append(token.folded)
        named = named or (end > 0 and token.text[0].isupper())
        meant = meant or _WORD_KINDS.get(token.folded) != "plain"
        if len(run) > _LONGEST:
            break
        if (meant or (named and len(run) > 1)) and (hits := _hits(run, lexicon, names=(named and meant) or (named and len(run) > 1))):
            best = end + 1, Piece("term", text[tokens[at].start : token.end], " ".join(run), hits=hits)
    if best:
        yield best


def _hits(run: Sequence[str], lexicon: Lexicon, *, names: bool) -> tuple[Name, ...]:
    head = " ".join(run[:-1])
    for last in (run[-1], *singular(run[-1])):
        hits = lexicon.exact(f"{head} {last}".strip(), _KINDS)
        if kept := tuple(hit for hit in hits if names or hit.kind not in _NAMES):
            return kept
    return ()


def _word(token: _Token, *, first: bool) -> Piece:
    if not token.folded:
        return Piece("mark", token.text)
    if token.folded == "yes":
        return Piece("yes", token.text, "yes")
    kind = _WORD_KINDS.get(token.folded, "stranger")
    name = kind == "stranger" and token.text[0].isupper() and not first
    return Piece(kind, token.text, token.folded, slot="name" if name else "")
