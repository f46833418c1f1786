"""Figures in a text, in normal form: 19:00, 7 pm and seven in the evening are one time; 1.4 km and 1400 m are one distance; ten is 10."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Literal

Kind = Literal["mail", "web", "phone", "date", "money", "share", "distance", "clock", "span", "percent", "number"]

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_WORDS = {word: float(n) for n, word in enumerate(_UNITS)} | {word: 10.0 * n for n, word in enumerate(_TENS, start=2)}
_WORDS |= {"hundred": 100.0, "dozen": 12.0, "dozens": 24.0, "thousand": 1000.0}
_N = rf"(?:\d+(?:[.,]\d+)*|(?:a )?(?:hundred|dozen|thousand)|(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_UNITS[1:10])}))?|dozens|{'|'.join(reversed(_UNITS))})"
_MONTH = r"(?P<{0}>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:\.|(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)\b)?"
_DAY = r"(?P<{0}>\d{{1,2}})(?:st|nd|rd|th)?"
_YEAR = r"(?:,? (?P<{0}>\d{{4}}))?"
_WEEKDAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]* "
_LESS, _MORE, _ABOUT = "less than|under|below|up to|at most|no more than", "more than|over|above|from|at least", "about|around|roughly|nearly|almost"
_METRES = {"k": 1000.0, "m": 1.0, "mi": 1609.344, "y": 0.9144, "f": 0.3048}
_MINUTES = {"s": 1 / 60, "mi": 1.0, "h": 60.0, "d": 1440.0, "w": 10_080.0, "mo": 43_830.0, "y": 525_960.0}
_PARTS_OF_DAY = {"morning": "am", "afternoon": "pm", "evening": "pm", "night": "pm"}


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. `value` by kind: money and distance (low, high) in the unit's hundredths and in metres; clock the minutes of the day that it may
    be; date (year or 0, month or 0, day); share (part, whole); span minutes; else the number. `unit` is a currency, or what a mail or a web address says.
    """

    kind: Kind
    value: tuple[float, ...]
    start: int
    end: int
    unit: str = ""


_PATTERNS: tuple[tuple[Kind, str], ...] = (
    ("mail", r"[^\s@,;()]+@[^\s@,;()]+[^\s@,;().]"),
    ("web", r"(?:[a-z]+://|www\.)[^\s,;()]*[^\s,;().]|\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b(?:/[^\s,;()]*[^\s,;().])?"),
    ("date", rf"\b{_DAY.format('d1')} ?[-–] ?(?:{_WEEKDAY})?{_DAY.format('d2')} {_MONTH.format('m1')}{_YEAR.format('y1')}"),
    ("date", rf"\b{_DAY.format('d3')} (?:of )?{_MONTH.format('m3')}{_YEAR.format('y3')}"),
    ("date", rf"\b{_MONTH.format('m4')} (?:the )?{_DAY.format('d4')}\b(?![:.]\d| ?[ap]\.?m\b){_YEAR.format('y4')}"),
    ("date", r"\b(?P<y5>\d{4})-(?P<m5>\d\d)-(?P<d5>\d\d)\b|\b(?P<d6>\d{1,2})/(?P<m6>\d{1,2})(?:/(?P<y6>\d{2,4}))?\b(?<!/10)(?<!/5)"),
    ("date", r"\bthe (?P<d7>\d{1,2})(?:st|nd|rd|th)\b"),
    ("phone", r"\+?\d[\d ()/.-]{5,}\d(?!\d*[.,:]?\d)"),
    ("money", (rf"(?:(?P<less>{_LESS}) |(?P<more>{_MORE}) |(?P<about>{_ABOUT}) )?(?:(?P<cur>[£€$]) ?(?P<low>\d+(?:[.,]\d+)?)(?: ?[-–] ?[£€$]? ?(?P<high>\d+(?:[.,]\d+)?))?"
              rf"|(?P<amount>{_N})(?: ?[-–] ?(?P<amount2>{_N}))? ?(?P<unit>pounds?|pound|quid|euros?|dollars?|gbp|eur|usd|pence|cents|[£€])(?![a-z]))")),
    ("share", rf"\b(?P<part>{_N}) ?(?:/|out of|of) ?(?P<whole>{_N})\b|\b(?P<stars>{_N})[- ]stars?\b"),
    ("distance", rf"(?:\b(?P<near>{_ABOUT}) )?\b(?:(?P<d>{_N})|(?P<half>half an?)|(?P<an>an?))[- ]?(?P<du>km|kms|kilomet(?:re|er)s?|m|met(?:re|er)s?|miles?|mi|yards?|feet|ft)\b"),
    ("clock", r"\b(?P<h>\d{1,2})[:.](?P<min>[0-5]\d)(?! ?[%\d])(?: ?(?P<half1>[ap])\.?m\b\.?)?"),
    ("clock", rf"\b(?:(?P<past>half|quarter) (?P<side>past|to) )?(?P<h2>{_N})(?: ?(?P<half2>[ap])\.?m\b| (?P<clock>o['’]?clock)(?: (?:in the|at) (?P<part2>morning|afternoon|evening|night))?| (?:in the|at) (?P<part3>morning|afternoon|evening|night))"),
    ("clock", rf"\b(?P<past2>half|quarter) (?P<side2>past|to) (?P<h3>{_N})\b|\b(?P<word>noon|midday|midnight)\b"),
    ("span", (rf"\b(?:(?P<s>{_N})|(?P<shalf>half an|a quarter of an)|(?P<san>an?))[- ](?P<su>seconds?|min|mins|minutes?|minute['’]s|hours?|hrs?|days?|weeks?|months?|years?)\b"
             r"|\b(?P<s2>\d+)(?P<su2>min|h|hrs)\b")),
    ("percent", rf"\b(?P<pc>{_N}) ?(?:%|per ?cent\b)"),
    ("number", rf"(?<![\w.])(?P<n>{_N})(?![\w]|[.,]\d)"),
)  # fmt: skip


def number(text: str) -> float:
    """A number in figures or in words: "1,200", "8.5", "twenty-five", "a dozen"."""
    text = text.lower().removeprefix("a ")
    if text[0].isdigit():
        grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text)
        whole, _, rest = (text.replace(",", "") if grouped else text.replace(",", ".")).partition(".")
        return float(f"{whole}.{rest.replace('.', '') or 0}")
    return sum(_WORDS[word] for word in re.split("[- ]", text))


def _date(found: dict[str, str]) -> list[tuple[float, ...]]:
    month = next((found[key] for key in found if key[0] == "m"), "0").lower()
    numeral = float(_MONTHS.index(month[:3]) + 1) if month[:3] in _MONTHS else float(month)
    year = float(next((found[key] for key in found if key[0] == "y"), 0))
    return [(year + 2000 * (0 < year < 100), numeral, float(found[key])) for key in found if key[0] == "d"]


def _money(found: dict[str, str]) -> list[tuple[float, ...]]:
    low = number(found.get("low") or found["amount"])
    high = number(found[key]) if (key := next((key for key in ("high", "amount2") if key in found), "")) else low
    if "less" in found:
        return [(0, low - 0.001)]
    if "more" in found:
        return [(low + 0.001, inf)]
    return [(low * 0.85, high * 1.15) if "about" in found else (low, high)]


def _share(found: dict[str, str]) -> list[tuple[float, ...]]:
    return [(number(found["stars"]), 5.0)] if "stars" in found else [(number(found["part"]), number(found["whole"]))]


def _distance(found: dict[str, str]) -> list[tuple[float, ...]]:
    unit = found["du"].lower()
    one = _METRES["mi" if unit.startswith("mi") else unit[0]]
    metres = (number(found["d"]) if "d" in found else 0.5 if "half" in found else 1.0) * one
    slack = 0.15 if "near" in found else 0.03
    return [(metres * (1 - slack), metres * (1 + slack))]


def _clock(found: dict[str, str]) -> list[tuple[float, ...]]:
    if word := found.get("word"):
        return [(0.0,) if word.lower() == "midnight" else (720.0,)]
    hour = number(next(found[key] for key in ("h", "h2", "h3") if key in found))
    part = next((found[key].lower() for key in ("part2", "part3") if key in found), "")
    half = next((found[key].lower() for key in ("half1", "half2") if key in found), _PARTS_OF_DAY.get(part, "")[:1])
    minute = float(found.get("min", 0)) + _past(found)
    if part == "night" and (hour < 5 or hour == 12):
        half = "a"
    if half:
        return [((hour % 12 * 60 + 720 * (half == "p") + minute) % 1440,)]
    return [(hour * 60 + minute,)] if "min" in found else [clock_hours(hour, minute)]


def _past(found: dict[str, str]) -> float:
    past, side = found.get("past") or found.get("past2"), found.get("side") or found.get("side2")
    return {None: 0.0, "half": 30.0, "quarter": 15.0}[past and past.lower()] * (-1 if side == "to" else 1)


def clock_hours(hour: float, minute: float = 0) -> tuple[float, ...]:
    """The minutes of the day that an hour without its half may be."""
    first = (hour * 60 + minute) % 1440
    return (first, (first + 720) % 1440) if hour <= 12 else (first,)


def _span(found: dict[str, str]) -> list[tuple[float, ...]]:
    unit = (found.get("su") or found["su2"]).lower()
    one = _MINUTES["mo" if unit.startswith("mo") else "mi" if unit.startswith("mi") else unit[0]]
    if counted := found.get("s") or found.get("s2"):
        return [(number(counted) * one,)]
    return [({"half an": 0.5, "a quarter of an": 0.25}.get(found.get("shalf", "").lower(), 1.0) * one,)]


def _one(found: dict[str, str]) -> list[tuple[float, ...]]:
    return [(number(next(iter(found.values()))),)]


_READ: dict[Kind, Callable[[dict[str, str]], list[tuple[float, ...]]]] = {
    "date": _date, "money": _money, "share": _share, "distance": _distance, "clock": _clock, "span": _span, "percent": _one, "number": _one,
}  # fmt: skip
_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PATTERNS)
_MAYBE = re.compile(
    rf"\d|@|\.\w|\b(?:{'|'.join([*_WORDS, 'half', 'quarter', 'noon', 'midday', 'midnight'])})\b|\ban? (?:min|hour|mile|kilo|day|week|month|year)",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def figures(text: str) -> tuple[Figure, ...]:
    """All figures of a text in order, none inside another; `start` and `end` are places in the text."""
    if not _MAYBE.search(text):
        return ()
    taken = bytearray(len(text))
    found: list[Figure] = []
    for kind, pattern in _COMPILED:
        for match in pattern.finditer(text):
            if not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = b"x" * (match.end() - match.start())
                found += _figures(kind, match)
    return tuple(sorted(found, key=lambda figure: figure.start))


def _figures(kind: Kind, match: re.Match[str]) -> Iterator[Figure]:
    start, end = match.span()
    text = match[0].lower()
    if kind in ("mail", "web"):
        yield Figure(kind, (), start, end, re.sub(r"^(?:https?://)?(?:www\.)?|/+$", "", text))
        return
    if kind == "phone":
        yield Figure(kind, (), start, end, re.sub(r"\D", "", text))
        return
    named = {key: value for key, value in match.groupdict().items() if value is not None}
    unit = _currency(named.get("cur") or named.get("unit", "")) if kind == "money" else ""
    for value in _READ[kind](named):
        yield Figure(kind, tuple(part / 100 for part in value) if unit.endswith("/100") else value, start, end, unit.removesuffix("/100"))


def _currency(word: str) -> str:
    word = word.lower()
    if word.startswith("pence"):
        return "£/100"
    return "£" if word[0] in "£pqg" else "€" if word[0] == "€" or word.startswith("eu") else "$"


def says(claim: Figure, fact: Figure) -> bool:
    """Whether a figure that is claimed is what a fact's figure says."""
    return claim.kind == fact.kind and _SAYS.get(claim.kind, _equal)(claim, fact)


def _equal(claim: Figure, fact: Figure) -> bool:
    return (claim.value, claim.unit) == (fact.value, fact.unit)


def _same_phone(claim: Figure, fact: Figure) -> bool:
    """With or without the country's own prefix."""
    short = claim.unit.lstrip("0")
    return claim.unit == fact.unit or (len(short) >= 8 and fact.unit.endswith(short))


def _same_amount(claim: Figure, fact: Figure) -> bool:
    return claim.unit == fact.unit and _within(claim.value, fact.value)


def _same_length(claim: Figure, fact: Figure) -> bool:
    return claim.value[0] <= sum(fact.value) / 2 <= claim.value[1]


def _same_day(claim: Figure, fact: Figure) -> bool:
    """A claim may leave out the year, or the month as well."""
    return all(said in (0, known) for said, known in zip(claim.value, fact.value, strict=True))


def _same_time(claim: Figure, fact: Figure) -> bool:
    return bool(set(claim.value) & set(fact.value))


_SAYS: dict[str, Callable[[Figure, Figure], bool]] = {
    "phone": _same_phone, "money": _same_amount, "distance": _same_length, "date": _same_day, "clock": _same_time,
}  # fmt: skip


def _within(claim: tuple[float, ...], fact: tuple[float, ...]) -> bool:
    """An amount is the fact's own, or a bound or a rough figure that the fact keeps; a range is not made out of one price."""
    bound = claim[0] == 0 or claim[1] == inf
    top = fact[1] - 0.01 * (fact[0] < fact[1])  # "under £25" may be said of £20 to 25
    rough = abs(claim[0] / 0.85 - claim[1] / 1.15) < 0.01
    return claim == fact or ((bound or rough) and claim[0] <= fact[0] and top <= claim[1])
