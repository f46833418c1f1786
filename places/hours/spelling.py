"""Common spellings of opening hours, brought to those of the specification. A rule stands here only if it cannot make a closed hour open."""

import re
import unicodedata

_DAY = r"(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH)"
_ALWAYS = re.compile(r"(?:24x7|24 ?h|24 hours|open 24 hours|always open)", re.IGNORECASE)
_TWELVE_HOURS = re.compile(r"\b(1[0-2]|0?[1-9])(?::([0-5]\d))? ?([ap])\.?m\b\.?", re.IGNORECASE)
_DAY_NAME = re.compile(
    r"\b(?:(mo)n(?:day)?|(tu)e(?:s(?:day)?)?|(we)d(?:nesday)?|(th)u(?:r(?:s(?:day)?)?)?|(fr)i(?:day)?|(sa)t(?:urday)?|(su)n(?:day)?)\b(?!\.)",
    re.IGNORECASE,
)
_MONTH_NAME = re.compile(
    r"\b(?:(jan)uary|(feb)ruary|(mar)ch|(apr)il|(jun)e|(jul)y|(aug)ust|(sep)t(?:ember)?|(oct)ober|(nov)ember|(dec)ember)\b", re.IGNORECASE
)
_COMMA = re.compile(r"([^\s,;|]+) ?, ")
_RULE_ENDS = re.compile(r'(?::\d\d|[+)"/]|off|closed|open|unknown|sunrise|sunset|dawn|dusk|24/7)$', re.IGNORECASE)
_REPLACED = (
    (re.compile(r'"[^"]*"'), '"?"'),  # the words of a comment are nobody's rule
    (re.compile("[\u2010-\u2015\u2212~]"), "-"),
    (re.compile(r"(?<=[:\d]\d|[a-z]m) ?\b(?:to|till?|until|through|bis|à)\b ?(?=\d)"), "-"),
    (re.compile(r"\b(?:daily|every ?day)\b(?= ?\d)", re.IGNORECASE), "Mo-Su"),
    (re.compile(rf"\b({_DAY})(?=\d{{1,2}}:)"), r"\1 "),
    (re.compile(rf"\b({_DAY}) ?: "), r"\1 "),
    (re.compile(r" ?\|\| ?"), " || "),
    (re.compile(rf"\b({_DAY}) ?- ?(?={_DAY}\b)"), r"\1-"),
)


def tidy(text: str) -> str:
    """The text as the specification spells it, as far as that is plain; what is not plain is left as it is."""
    text = " ".join(unicodedata.normalize("NFKC", text).split()).strip("; ")
    if _ALWAYS.fullmatch(text):
        return "24/7"
    text = _MONTH_NAME.sub(_short_name, _DAY_NAME.sub(_short_name, text))
    for pattern, replacement in _REPLACED:
        text = pattern.sub(replacement, text)
    return _COMMA.sub(_list_comma, _TWELVE_HOURS.sub(_twenty_four_hours, text))


def _short_name(found: re.Match[str]) -> str:
    return next(filter(None, found.groups())).title()


def _twenty_four_hours(found: re.Match[str]) -> str:
    hour = int(found[1]) % 12 + (12 if found[3].lower() == "p" else 0)
    return f"{hour:02}:{found[2] or '00'}"


def _list_comma(found: re.Match[str]) -> str:
    """A comma ends a rule only after a time or a state: "Mo, Tu 10:00-18:00" is one rule, not an open Monday and another rule."""
    return f"{found[1]}, " if _RULE_ENDS.search(found[1]) else f"{found[1]},"
