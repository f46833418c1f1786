"""Splitting: which questions a query holds. A part is a question of its own when it names a subject of its own."""

import re
from collections.abc import Collection, Sequence

from agent.llm.rules.tokens import Word, text_of
from agent.llm.rules.words import ACTS, ALSO, CLOSE_TO, HAS, LITTLE, SOFT
from agent.snapshot.lexicon import Lexicon

_JOINS = frozenset({"and", "or", *ALSO})
_OPENERS = frozenset(
    "a an any some is are where which what when how who nearest closest looking need want find somewhere anywhere tell show the i im can could".split()
)
_UNKNOWN = re.compile(
    r"^(?:is there |are there |where is |wheres |where can i find )?(?:an?|any|the nearest|the closest|nearest|closest) (\w+)"
)  # a kind nobody here knows
_IN = re.compile(r" (?:in|by|at) (?!all |least |the moment |home |once )")
_COMPARES = ("compare ", "difference between ", "whats the difference ")
_AGAIN = re.compile(r"^(the [a-z]+(?: [a-z]+)?) (?:should|must|needs|has to)\b")
_NOT = ("not", "but not", "anything but", "without", "except", "no", "but no", "other than")
_CUES = (
    "open",
    "hours",
    "tell me about",
    "where is",
    "wheres",
    "how do i",
    "how late",
    "when does",
    "whats on",
    "whats going on",
    "is happening",
    "whats happening",
)
_CONTINUES = re.compile(  # what goes on about the thing before
    r"^(?:(?:it|they|that|which|should|must|with|itll|itd|id prefer|preferably|ideally)\b|(?:i|we|id|ill) (?:(?:dont|do not|would|also|definitely|really|just|only) )*"
    r"(?:need|want|prefer|like|use|would like) (?:it|them|to|free)\b|(?:i|we) (?:dont|do not) (?:need|want|mind|care)\b|(?:i|we) use\b|the [a-z ]+ (?:should|must|needs|has to)\b)"
)


def split(words: Sequence[Word], lexicon: Lexicon) -> list[tuple[Word, ...]]:
    """The clauses of a query, each with what belongs to it, in the order asked."""
    clauses: list[list[Word]] = []
    for segment, joint in _segments(words, lexicon):
        if clauses and not _starts(clauses[-1], segment, joint, lexicon):
            joined = [Word(joint, joint)] if joint in ("and", "or") else []
            clauses[-1] += joined + segment[_said_again(segment) :]
        else:
            clauses.append(list(segment))
    return [tuple(clause) for clause in clauses]


def _segments(words: Sequence[Word], lexicon: Lexicon) -> list[tuple[list[Word], str]]:
    """Runs of words between possible joints, with the joint before each: ".", ",", "and", "or", "also". Names of two words and more are never cut."""
    inside = _inside_names(words, lexicon)
    runs: list[tuple[list[Word], str]] = [([], ".")]
    for at, word in enumerate(words):
        if word.text in _JOINS and at not in inside:
            joint = "also" if word.text in ALSO else word.text
            if runs[-1][0]:
                runs.append(([], joint))
            elif joint == "also" or runs[-1][1] == ",":
                runs[-1] = ([], runs[-1][1] if runs[-1][1] == "." else joint)
            continue
        runs[-1][0].append(word)
        if word.ends and at + 1 not in inside:
            runs.append(([], word.ends))
    return [run for run in runs if run[0]]


def _inside_names(words: Sequence[Word], lexicon: Lexicon) -> set[int]:
    """Positions within a name of several words, where no joint may be."""
    inside: set[int] = set()
    at = 0
    texts = [word.text for word in words]
    while at < len(words):
        for end in range(min(len(words), at + 10), at + 1, -1):
            joined = set(texts[at:end]) & _JOINS or any(word.ends for word in words[at : end - 1])
            if joined and lexicon.exact(" ".join(texts[at:end]), ("landmark", "area", "place", "festival", "tag")):
                inside |= set(range(at + 1, end))
                at = end - 1
                break
        at += 1
    return inside


def _starts(before: Sequence[Word], segment: Sequence[Word], joint: str, lexicon: Lexicon) -> bool:
    """Whether a segment is a question of its own beside what came before."""
    text = text_of(segment)
    if joint == "or" or text.startswith(tuple(f"{cue} " for cue in _NOT)) or _CONTINUES.match(text):
        return False
    if text_of(before).startswith(_COMPARES) or not (has_subject(before, lexicon) and has_subject(segment, lexicon)):
        return False
    if joint in (".", "also"):
        return True
    opener = segment[0].text in _OPENERS
    listed = _in_a_list(before) and not opener
    return not listed and (
        opener or _bare(segment, lexicon) or _anchored(segment) or (_anchored(before) and has_subject(segment, lexicon, ("category",)))
    )


def _bare(segment: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether a segment is nothing but a kind of thing: "a library, a museum, park and pub"."""
    return any(lexicon.tag_kind(hit) == "category" for hit in lexicon.word(text_of(segment), ("tag",))[:1])


def _said_again(segment: Sequence[Word]) -> int:
    """How many words at the start of a segment only name the thing before again: "the hotel should …"."""
    found = _AGAIN.match(text_of(segment))
    return len(found[1].split()) if found else 0


def has_subject(words: Sequence[Word], lexicon: Lexicon, kinds: Collection[str] = ("category", "cuisine", "topic")) -> bool:
    """Whether words name a kind of thing to find, or ask after a named one; what a thing has or is like is no subject."""
    text = f" {text_of(words)} "
    if any(f" {cue} " in text for cue in _CUES):
        return True
    at, texts = 0, [word.text for word in words]
    while at < len(texts) and texts[at] not in ("with", "includes", "including"):
        end, hits = lexicon.longest(texts, at, ("tag",))
        little = end == at + 1 and texts[at] in LITTLE - ACTS | SOFT
        if hits and not little and lexicon.tag_kind(hits[0]) in kinds:
            return True
        at = max(end, at + 1)
    stranger = _UNKNOWN.match(text.strip())
    return bool(set(texts) & ACTS) or (stranger is not None and stranger[1] not in LITTLE | SOFT and not stranger[1].isdigit())


def _in_a_list(words: Sequence[Word]) -> bool:
    """Whether words end in a list of what a thing has: "a hotel with parking"."""
    texts = [word.text for word in words]
    last = max((at for at, text in enumerate(texts) if text in HAS), default=-1)
    return last >= 0 and not _anchored(words[last:])


def _anchored(words: Sequence[Word]) -> bool:
    text = f" {text_of(words)} "
    return any(f" {cue} " in text for cue in CLOSE_TO) or bool(_IN.search(text))
