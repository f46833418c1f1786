"""The rows of a table, CSV or XLSX: columns by their heading (`docs/importing.md` lists them), cells as text."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from agent.snapshot.names import fold
from places.importers import clean
from places.importers.prominence import is_landmark, prominence
from places.importers.rows import BadRow, ImportRefused, Names, PlaceRow, Refusal, ScoreWord
from places.importers.vocabulary import TagWord, Vocabulary
from places.models import Place, Status

COLUMNS = (
    "id", "name", "category", "area", "lat", "lng", "tags", "price", "opening_hours", "address", "postcode", "phone", "website", "description",
    "wheelchair", "status", "source", "licence", "checked_on",
)  # fmt: skip
_NAME = re.compile(r"name_([a-z]{2,3}(-[a-z0-9]{2,8})?)")
_SCORE = re.compile(r"score_(.+?)(_reason)?")

PRICES = {
    **dict.fromkeys(["free", "no charge", "0"], Place.Price.FREE),
    **dict.fromkeys(["cheap", "inexpensive", "budget", "low"], Place.Price.CHEAP),
    **dict.fromkeys(["moderate", "medium", "mid", "average"], Place.Price.MODERATE),
    **dict.fromkeys(["expensive", "high", "dear"], Place.Price.EXPENSIVE),
}
WHEELCHAIR = {
    **dict.fromkeys(["yes", "true", "step free", "full"], Place.Wheelchair.YES),
    **dict.fromkeys(["limited", "partly", "partial", "partly step free"], Place.Wheelchair.LIMITED),
    **dict.fromkeys(["no", "false", "none", "not step free"], Place.Wheelchair.NO),
}
_STATES = {fold(label): value for value, label in Place.State.choices} | {fold(value.replace("_", " ")): value for value in Place.State.values}
_STATUSES = {fold(label): value for value, label in Status.choices}


class Columns:
    """Turns the cells of a line into a place. `source` stands where the line names none."""

    def __init__(self, heading: Sequence[str], source: str, vocabulary: Vocabulary) -> None:
        self._heading = [re.sub(r"\s+", "_", clean.text(title).lower()) for title in heading]
        self._source = source
        self._vocabulary = vocabulary
        self._names = {title: match[1] for title in self._heading if (match := _NAME.fullmatch(title))}
        self._scores = [title for title in self._heading if (match := _SCORE.fullmatch(title)) and not match[2]]
        self.unknown = tuple(title for title in self._heading if title and not _known(title))
        _check_heading(self._heading)

    @property
    def width(self) -> int:
        return len(self._heading)

    def row(self, where: str, cells: Sequence[str]) -> PlaceRow | Refusal:
        """The place of a line, or why it is none."""
        given = dict(zip(self._heading, (clean.text(cell) for cell in cells), strict=False))
        try:
            self._check_width(cells)
            return self._place(where, given)
        except BadRow as error:
            return Refusal(where, given.get("id", ""), str(error))

    def _check_width(self, cells: Sequence[str]) -> None:
        if len(cells) < self.width or any(cells[self.width :]):
            raise BadRow(f"it has {len(cells)} values, and the heading has {self.width}")

    def _place(self, where: str, cells: Mapping[str, str]) -> PlaceRow:
        name = clean.fitting("name", cells["name"])
        if not name:
            raise BadRow("it has no name")
        point = _point(cells)
        area = clean.fitting("name", cells.get("area"))
        if not point and not area:
            raise BadRow("it has neither a position (lat, lng) nor an area")
        category, tags = self._tags(cells)
        source = clean.fitting("source", cells.get("source")) or self._source
        identity = cells.get("id", "")[:200] or clean.stand_in_id(name, *point.values(), area)
        fields, notes = _fields(cells)
        fields |= {"name": name} | point | (_fame(tags) if tags is not None else {})
        status = _word(cells, "status", _STATUSES | _STATES)
        if status in _STATES.values():
            fields["state"] = status
        scores = tuple(_score(cells, title) for title in self._scores if cells[title]) if self._scores else None
        kept = status if status in {Status.DRAFT, Status.WITHDRAWN} else ""
        return PlaceRow(
            where, source, identity, fields, self._other_names(cells, name), tags, category, area, scores=scores, status=kept, notes=notes
        )

    def _other_names(self, cells: Mapping[str, str], name: str) -> Names | None:
        if not self._names:
            return None
        pairs = ((clean.fitting("name", cells[title]), lang) for title, lang in self._names.items())
        return frozenset((text, lang) for text, lang in pairs if text and text != name)

    def _tags(self, cells: Mapping[str, str]) -> tuple[TagWord | None, tuple[TagWord, ...] | None]:
        """The category and all tags, the category first; None where the table speaks of neither."""
        if "category" not in cells and "tags" not in cells:
            return None, None
        main = cells.get("category", "")
        category = self._category(main) if main else None
        words = [word.strip() for word in cells.get("tags", "").split(";")]
        folded_main = fold(main)
        others = [self._tag(word, "category" if folded == folded_main else "attribute") for word in words if (folded := fold(word))]
        tags = [category, *others] if category else others
        if category and category.kind != "category":
            category = None
        return category or next((tag for tag in tags if tag.kind == "category"), None), tuple({tag.slug: tag for tag in tags}.values())

    def _category(self, word: str) -> TagWord:
        """The tag of a category's word: of a word that names what a place has ("parking"), what it is then ("car park")."""
        tag = self._tag(word, "category")
        narrower = (other for other in self._vocabulary.tags.values() if other.parent == tag.name and other.kind == "category")
        return tag if tag.kind in {"category", "topic"} else next(narrower, tag)

    def _tag(self, word: str, kind: str) -> TagWord:
        if len(word) > 80:
            raise BadRow(f"the tag {word[:40]!r}… has {len(word)} characters, and at most 80 are kept; are the tags divided by semicolons?")
        return self._vocabulary.word(word) or TagWord(word, kind)


def _known(title: str) -> bool:
    return title in COLUMNS or bool(_NAME.fullmatch(title)) or bool(_SCORE.fullmatch(title))


def _check_heading(heading: Sequence[str]) -> None:
    lacking = [title for title in ("name",) if title not in heading]
    if lacking or not ({"lat", "lng"} <= set(heading) or "area" in heading):
        found = ", ".join(heading)[:120]
        raise ImportRefused(f"line 1 must name the columns: name, and lat and lng or area, are needed; it has {found!r}")
    twice = [title for title in heading if title and heading.count(title) > 1]
    if twice:
        raise ImportRefused(f"line 1 names the column {twice[0]!r} twice")


def _point(cells: Mapping[str, str]) -> dict[str, float]:
    if not cells.get("lat") and not cells.get("lng"):
        return {}
    return {axis: clean.degrees(cells.get(axis), axis) for axis in ("lat", "lng")}


def _fields(cells: Mapping[str, str]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The plain fields that the table has a column for, and what is to be noted."""
    fields: dict[str, Any] = {key: cells[key] for key in ("description", "opening_hours") if key in cells}
    fields |= {key: clean.fitting(key, cells[key]) for key in ("address", "postcode", "phone", "licence") if key in cells}
    fields |= {key: _word(cells, key, words) for key, words in (("price", PRICES), ("wheelchair", WHEELCHAIR)) if key in cells}
    note = ""
    if "website" in cells:
        fields["website"], note = clean.website(cells["website"])
    if "checked_on" in cells:
        fields["checked_on"] = _day(cells["checked_on"])
    return fields, (note,) if note else ()


def _word(cells: Mapping[str, str], column: str, words: Mapping[str, str]) -> str:
    said = cells.get(column, "")
    if said and fold(said) not in words:
        raise BadRow(f"{column} is {said[:40]!r}, and may be {', '.join(words)}")
    return str(words[fold(said)]) if said else ""


def _day(said: str) -> date | None:
    try:
        return date.fromisoformat(said[:10]) if said else None
    except ValueError:
        raise BadRow(f"checked_on is {said[:40]!r}, and must be a date like 2026-05-31") from None


def _score(cells: Mapping[str, str], title: str) -> ScoreWord:
    try:
        value = Decimal(cells[title].replace(",", "."))
        good = value.is_finite() and 0 <= value <= 10
    except InvalidOperation:
        good = False
    if not good:
        raise BadRow(f"{title} is {cells[title][:20]!r}, and must be a number from 0 to 10")
    reason = cells.get(f"{title}_reason", "")
    if len(reason) > 300:
        raise BadRow(f"{title}_reason has {len(reason)} characters, and at most 300 are kept; shorten it")
    return ScoreWord(title.removeprefix("score_").replace("_", " "), value.quantize(Decimal("0.1")), reason)


def _fame(tags: Sequence[TagWord]) -> dict[str, Any]:
    known = prominence((tag.name for tag in tags), frozenset(), {})
    return {"prominence": known, "landmark": is_landmark(known)}
