"""Questions after one named thing: "is the Mill open?", "tell me about …", "does the Swan take dogs?", or nothing but a name."""

import re
from collections.abc import Iterator, Sequence

from agent.llm.rules.reading import Reading
from agent.llm.rules.tokens import Word, text_of
from agent.llm.rules.words import CLOSE_TO, LITTLE
from agent.snapshot.lexicon import Lexicon, Name
from agent.snapshot.names import without_article
from agent.types import Shape

PLACES = ("landmark", "place", "area")
EVENTS = ("event", "festival")
_LEAD = r"^(?:(?:so|and|also|then|plus|hi|hello|hey|please|ok|sorry|excuse me|can you|could you|do you know) )*"
_ASKED: tuple[tuple[str, Shape], ...] = (
    (r"(?:is|are) (?P<name>.+?) (?:still |currently |now )?(?:open|closed|shut)(?: (?:for good|any more|anymore|now|right now|at the moment|yet))*", "when"),
    (r"(?:when|what times?|until when|till when|how long) (?:does|do|is|are|will|can|did|was|were) (?P<name>.+?) (?:be )?(?:still )?(?:open|close|shut|start|begin|end|finish)\w*(?: (?:today|now|till|until))*", "when"),
    (r"how (?:late|early) (?:is|does|are|do|will) (?P<name>.+?) (?:be |stay )?(?:open|close)\w*", "when"),
    (r"(?:what are |whats |what is |when are )?(?:the )?(?:opening |closing )?(?:hours|times) (?:of|for|at) (?P<name>.+)", "when"),
    (r"(?P<name>.+?) (?:opening hours|opening times|hours|closing time)", "when"),
    (r"(?:when|whens|what day|what date|on what day) (?:is|are|was|were|does|do|did)? ?(?:the next )?(?P<name>.+?)(?: on| take place| happen| held)?", "when"),
    (r"(?:is|are) (?P<name>.+?) (?:still )?(?:on|cancelled|postponed|happening|going ahead|sold out)", "when"),
    (r"(?:tell me|know|give me|show me)? ?(?:something |anything |more |all |info |information |details )*(?:about|on) (?P<name>.+)", "tell"),
    (r"(?:do you know|what do you know about|have you heard of|whats|what is|who is|describe|what happened to|what about|how about|anything about) (?P<name>.+)", "tell"),
    (r"(?:where is|wheres|where are|where was|where can i find|where do i find|how do i (?:find|get to|reach)|how to (?:find|get to|reach)|directions to|address of|the address of|the way to|way to|take me to|what is the address of|whats the address of|where does) (?P<name>.+?)(?: take place| held| located| situated)?", "where"),
    (r"(?:whats |what is |do you have |give me )?(?:the )?(?:phone number|phone|telephone number|number|website|web site|price|cost|contact|contacts|address) (?:of|for) (?P<name>.+)", "tell"),
    (r"(?:how do i|how can i|can i) (?:get in touch with|contact|call|ring|phone|reach) (?P<name>.+)", "tell"),
    (r"who (?:organises|organizes|organised|organized|runs|hosts|puts on|is behind|owns) (?P<name>.+)", "tell"),
    (r"how (?:much|expensive|cheap|dear|good|far|old|big|busy|quiet) (?:is|are|does|do|for) (?P<name>.+?)(?: cost)?", "tell"),
)  # fmt: skip
_AFTER: tuple[tuple[str, Shape], ...] = (  # what is asked stands behind the name, which then must be one as written
    (r"(?P<name>.+?) (?:still )?(?:open|closed|close|shut)(?: now| today)*", "when"),
    (r"(?P<name>.+?) (?:when|what time|what day|date|dates|times|start time)", "when"),
    (r"(?P<name>.+?) (?:how much|price|prices|cost|tickets?|tickets price|phone|phone number|number|website|address|menu)", "tell"),
    (r"(?P<name>.+?) (?:where|location|directions)", "where"),
)
_PATTERNS = tuple((re.compile(_LEAD + text + "$"), shape) for text, shape in _ASKED)
_PATTERNS_AFTER = tuple((re.compile(_LEAD + text + "$"), shape) for text, shape in _AFTER)
_WHETHER = tuple(
    re.compile(_LEAD + pattern + "$")
    for pattern in (
        r"(?:does|do|did) (?P<name>.+?) (?:allow|have|take|takes|accept|serve|offer|do|sell|welcome|got|provide) (?P<aspect>.+)",
        r"(?:is|are) (?P<name>.+?) (?P<aspect>(?:wheelchair accessible|accessible|step free|dog friendly|child friendly|family friendly|vegetarian|vegan|cheap|expensive|free|quiet|romantic|good for .+|suitable for .+|ok for .+))",
        r"(?:is there|are there|do they have|can i get) (?P<aspect>.+?) (?:at|in) (?P<name>.+)",
        r"(?:can|could|may) (?:an? |my |the )?(?P<aspect>wheelchairs?|buggy|buggies|prams?|pushchairs?|dogs?|kids|children|bikes?)(?: users?)? (?:get|go|come|fit|enter) (?:in|into|to|inside|on) (?P<name>.+)",
        r"(?:can|could|may) (?:i|we|you) (?:take|bring|have|get|use|buy|eat|play) (?P<aspect>.+?) (?:to|at|in|into) (?P<name>.+)",
    )
)  # fmt: skip
_COMPARED = tuple(
    re.compile(_LEAD + pattern + "$")
    for pattern in (
        r"(?:compare|difference between|whats the difference between) (?P<one>.+) (?:and|with|to|or|versus|vs) (?P<two>.+?)(?: (?:for|by) (?P<aspect>.+))?",
        r"(?P<one>.+) (?:or|versus|vs) (?P<two>.+?) which (?:one )?(?:is|has|would be) (?P<aspect>.+)",
        r"which (?:one )?(?:is|has) (?P<aspect>.+?) (?P<one>(?:the )?\S.*?) or (?P<two>.+)",
    )
)
_BE = re.compile(r"^(?:is|are|was) (.+)$")
_STATES = frozenset("open opened closed shut still on off cancelled postponed there".split())  # asked with a time, and read by the patterns above
_POLITE = re.compile(_LEAD)
_TAIL = re.compile(r" (?:please|thanks|thank you|cheers|now|right now|today|tonight|currently|at the moment)$")


def asked_by_name(words: Sequence[Word], lexicon: Lexicon) -> Reading | None:
    """A reading of a question after a named thing, if the clause is one."""
    text = _TAIL.sub("", text_of(words))
    if not text:
        return None
    if reading := _compared(text, lexicon):
        return reading
    for name, shape, aspect in (*_names(text, lexicon), *_is_it(text, lexicon)):
        if reading := _named(name, shape, aspect, lexicon):
            return reading
    bare = _POLITE.sub("", text)
    for name, area in ((bare, ""), *_inside(bare)):
        if reading := _bare(name, area, lexicon):
            return reading
    return None


def _names(text: str, lexicon: Lexicon) -> Iterator[tuple[str, Shape, str]]:
    for pattern in _WHETHER:
        if found := pattern.match(text):
            yield found["name"], "yes_no", found["aspect"]
    for known, shape in _PATTERNS:
        if found := known.match(text):
            yield found["name"], shape, ""
    for known, shape in _PATTERNS_AFTER:
        if (found := known.match(text)) and lexicon.exact(without_article(found["name"]), (*PLACES, *EVENTS)):
            yield found["name"], shape, ""


def _is_it(text: str, lexicon: Lexicon) -> Iterator[tuple[str, Shape, str]]:
    """ "Is the Swan cash only?": the longest name after the verb, and what is left is the aspect."""
    found = _BE.match(text)
    words = found[1].split() if found else []
    for end in range(len(words) - 1, 0, -1):
        if words[end] not in _STATES and lexicon.exact(without_article(" ".join(words[:end])), (*PLACES, *EVENTS)):
            yield " ".join(words[:end]), "yes_no", " ".join(words[end:])


def _compared(text: str, lexicon: Lexicon) -> Reading | None:
    """Two named places side by side, by a score where one is asked for."""
    for pattern in _COMPARED:
        found = pattern.match(text)
        if not found:
            continue
        for aspect, one in _shorter(found["aspect"] or "", found["one"]):
            names = (without_article(one), without_article(found["two"]))
            if all(lexicon.exact(name, PLACES) or find(name, lexicon) for name in names):
                score = next((name for word in aspect.split() for name in [lexicon.score(word)] if name), "") or lexicon.score(aspect)
                return Reading(" and ".join(names), "city", "compare", "place", "compare_places", names=names, order_by=score, aspect=aspect)
    return None


def _shorter(aspect: str, name: str) -> Iterator[tuple[str, str]]:
    """The ways to part "quieter the crooked billet" into what is asked and the name."""
    words = f"{aspect} {name}".split() if aspect and name else name.split()
    yield aspect, name
    for at in range(1, len(words)):
        yield " ".join(words[:at]), " ".join(words[at:])


def _named(name: str, shape: Shape, aspect: str, lexicon: Lexicon) -> Reading | None:
    """The thing that a name is: a place, an event, a festival. Not "the nearest …", and not a kind of thing alone."""
    name = _TAIL.sub("", name)
    first = name.split()[0]
    if first in ("there", "it", *CLOSE_TO) or {"nearest", "closest"} & set(name.split()):
        return None
    for form, area in ((name, ""), *_inside(name)):
        hits = () if form.startswith(("a ", "an ", "any ")) and not lexicon.exact(form, PLACES) else find(form, lexicon)
        if hits and hits[0].kind in EVENTS:
            tool = "festival_details" if hits[0].kind == "festival" else "event_details"
            return Reading(form, area or "city", shape, "festival", tool, names=(form,), aspect=aspect)
        if hits and not (aspect and hits[0].kind == "area"):
            return Reading(form, area or "city", shape, "place", "place_details", names=(form,), aspect=aspect)
    return None


def _inside(name: str) -> list[tuple[str, str]]:
    """ "The Swan in Westerby" as the name and the area that tells it from its namesake."""
    found = re.match(r"^(.+) (?:in|at|on|by) (.+)$", name)
    return [(found[1], found[2])] if found else []


def find(name: str, lexicon: Lexicon) -> tuple[Name, ...]:
    """What a name most likely is: as written, without its article, a part of one, or with typos; a kind alone ("the library") is no name."""
    bare = without_article(name)
    exact = lexicon.exact(name, (*PLACES, *EVENTS)) + (lexicon.exact(bare, (*PLACES, *EVENTS)) if bare not in (*LITTLE, name) else ())
    if exact or lexicon.word(bare, ("tag",), typos=False):
        return tuple(sorted(exact, key=lambda hit: hit.kind == "festival"))  # what is a day of it as well is asked for as that day
    typos = lexicon.close(name, (*PLACES, *EVENTS)) or lexicon.close(bare, (*PLACES, *EVENTS))
    telling = any(len(word) > 3 and word not in LITTLE for word in bare.split()) and not name.startswith(("a ", "an ", "any ", "some "))
    return typos or (lexicon.holding(bare.split(), (*PLACES, *EVENTS)) if telling else ())


def _bare(name: str, area: str, lexicon: Lexicon) -> Reading | None:
    """Nothing but a name: as written, or a telling part of one; a word that is also a kind of thing is read as the kind."""
    kind = lexicon.word(name, ("tag", "score"), typos=False)
    hits = tuple(sorted(lexicon.exact(name, EVENTS), key=lambda hit: hit.kind == "festival")) or lexicon.exact(name, PLACES)
    if hits and kind and (" " not in name or hits[0].kind in PLACES):
        return None
    words = name.split()
    known = len(words) == 1 and lexicon.holding(words, ("tag",))
    telling = not known and 1 <= len(words) <= 4 and all(word not in LITTLE for word in words) and max(map(len, words)) > 3
    if not hits and not kind and telling and not any(lexicon.word(word, ("tag", "score")) for word in words):
        hits = lexicon.holding(words, (*PLACES, *EVENTS) if len(words) > 1 else PLACES)
        hits = hits if len({(hit.kind, hit.ref) for hit in hits}) == 1 else ()
    if not hits:
        return None
    tool = {"event": "event_details", "festival": "festival_details"}.get(hits[0].kind, "place_details")
    named = name if lexicon.exact(name, (hits[0].kind,)) else hits[0].text
    return Reading(named, area or "city", "tell", "festival" if hits[0].kind in EVENTS else "place", tool, names=(named,))
