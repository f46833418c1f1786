"""Takes personal data out of a question before it is kept (A-53).

It knows e-mail addresses, IBANs, card numbers, telephone numbers, IP addresses and coordinates by their form. It cannot know names,
street addresses, numbers written as words, or anything that has the form of ordinary words.
"""

import ipaddress
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212"), "-")
_SEP = r"[ .\-/()]"


@dataclass(frozen=True, slots=True)
class Masked:
    """The text with each piece replaced by its kind in brackets, and the kinds in the order of the alphabet."""

    text: str
    kinds: tuple[str, ...] = ()


def mask(text: str) -> Masked:
    """Mask a question. Text without personal data comes back as it was; text with some is also folded (NFKC, plain dashes, nothing hidden)."""
    clean = _HIDDEN.sub("", unicodedata.normalize("NFKC", text)).translate(_DASHES)
    kinds = []
    for kind, pattern, holds in _KINDS:
        replaced = pattern.sub(lambda found, kind=kind, holds=holds: _replace(found[0], kind, holds), clean)
        if replaced != clean:
            kinds.append(kind)
            clean = replaced
    return Masked(clean, tuple(sorted(kinds))) if kinds else Masked(text)


def _replace(found: str, kind: str, holds: Callable[[str], bool]) -> str:
    """What was found, or as many of its groups as pass the check, by the kind: a word may follow a number as if it were its last group."""
    ends = [len(found), *(gap.start() for gap in reversed(list(re.finditer(r"[ -]", found))))]
    end = next((end for end in ends if holds(found[:end])), None)
    return found if end is None else f"[{kind}]{found[end:]}"


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


def _is_iban(text: str) -> bool:
    """ISO 13616: the country and check digits go to the end, letters count from 10, and the whole is 1 modulo 97."""
    compact = re.sub(r"[\s-]", "", text).upper()
    return len(compact) >= 15 and int("".join(str(int(char, 36)) for char in compact[4:] + compact[:4])) % 97 == 1


def _is_card(text: str) -> bool:
    """ISO/IEC 7812: the digits pass Luhn's check."""
    digits = [int(char) for char in _digits(text)]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return 13 <= len(digits) <= 19 and (sum(doubled) + sum(digits[-1::-2])) % 10 == 0


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text.rstrip(".:"))
    except ValueError:
        return False
    return True


def _is_phone(text: str) -> bool:
    """E.164 has at most 15 digits; fewer than 7 is a price, a year or a time. A date is none."""
    return 7 <= len(_digits(text)) <= 15 and not re.fullmatch(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}", text.strip(" .-/()"))


def _always(_text: str) -> bool:
    return True


# In this order: what is longer and surer goes first.
_KINDS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    ("email", re.compile(r"[\w.+%-]+\s?(?:@|\(at\)|\[at\])\s?[\w-]+(?:\.[\w-]+)+", re.IGNORECASE), _always),
    ("iban", re.compile(r"\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Z0-9])", re.IGNORECASE), _is_iban),
    ("card", re.compile(r"(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)"), _is_card),
    (
        "ip",
        re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)|(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])", re.IGNORECASE),
        _is_address,
    ),
    (
        "coordinates",
        re.compile(
            r"[+-]?\d{1,3}[.,]\d{3,}(?:\s?°)?(?:\s?[NSEW]\b)?\s?[,; /]\s?[+-]?\d{1,3}[.,]\d{3,}(?:\s?°)?(?:\s?[NSEW]\b)?"
            r"|\d{1,3}\s?°\s?\d{1,2}\s?['′’][^,;]{0,12}?[NSEW]\b(?:\s?[,; ]?\s?\d{1,3}\s?°\s?\d{1,2}\s?['′’][^,;]{0,12}?[NSEW]\b)?",
            re.IGNORECASE,
        ),
        _always,
    ),
    (
        "phone",
        re.compile(
            rf"(?<![\w.:])(?:(?:\+|\(\+|00|\(?0)\d*(?:{_SEP}{{0,2}}\d){{5,14}}|\(?\d{{3}}\)?[ .-]?\d{{3}}[ .-]\d{{4}}|\d{{3}}[ -]\d{{4}}|\d{{7,15}})(?![\w:]|\.\d)"
        ),
        _is_phone,
    ),
    ("number", re.compile(r"(?<!\d)\d(?:[ -]?\d){8,}(?!\d)"), lambda text: len(_digits(text)) > 8),
)
