"""Parts of longer times, numbers of days, seasons, and the vague ones."""

from datetime import timedelta

from agent.times import stretch
from agent.times.days.table import LAST, NEXT, NUMBER, ORD, THIS, UNIT, WHICH, YEAR, Match, Table, shift
from agent.times.stretch import DAY, Frame, Stretch, between, days, length, weekend
from agent.times.words import WEEKDAYS

RULES = Table()

_AWAY = r"(?! (?:walk|drive|away|on foot|of|from (?!now|today)|by|or less))"

# Parts of a longer time


@RULES.rule(r"(?:at |in |towards )?(?:the )?(?P<part>beginning|start|end|middle|mid|early|late)(?: of)?(?: around)?", goes_on=True)
def _part(found: Match, _frame: Frame, whole: Stretch) -> Stretch | None:
    """The first, middle or last part: three days of a week, ten of a month, a third of a year or of anything else."""
    length = (whole.end.date() - whole.first).days
    size = {"week": 3, "month": 10}.get(whole.grain, max(1, length // 3))
    if found["part"] in ("beginning", "start", "early"):
        return days(whole.first, size)
    if found["part"] in ("end", "late"):
        return days(whole.end.date() - DAY * size, size)
    return days(whole.first + DAY * ((length - size) // 2), size)


@RULES.rule(
    rf"(?:on |in |over |for )?(?:the )?(?P<nth>\d\d?{ORD}|last)(?P<last> last| to last)? (?P<unit>week ?end|day|week|{'|'.join(WEEKDAYS)})(?: of| in| after)?(?: the)?",
    goes_on=True,
)
def _nth(found: Match, _frame: Frame, whole: Stretch) -> Stretch | None:
    """ "First week of", "last friday in", "third tuesday after", "second last week of" a longer time. The first week are its first seven days."""
    nth = 1 if found["nth"] == "last" else int(found["nth"].rstrip("stndrh"))
    backwards = found["nth"] == "last" or bool(found["last"])
    end, unit = whole.end.date(), found["unit"].replace("week end", "weekend")
    first = end if " after" in found[0] else whole.first
    if unit in ("day", "week"):
        size = 1 if unit == "day" else 7
        start = end - DAY * size * nth if backwards else first + DAY * size * (nth - 1)
        one: Stretch = days(start, size, "day" if unit == "day" else "week")
    else:
        weekday = WEEKDAYS.index("saturday" if unit == "weekend" else unit)
        start = (
            end - DAY - DAY * ((end - DAY).weekday() - weekday) % (7 * DAY) - 7 * DAY * (nth - 1)
            if backwards
            else first + DAY * ((weekday - first.weekday()) % 7 + 7 * (nth - 1))
        )
        one = weekend(start) if unit == "weekend" else days(start)
    return one if " after" in found[0] or (one.start < whole.end and one.end > whole.start) else None


# Numbers of days


def _count(said: str) -> float:
    if said[0].isdigit():
        return int(said.split(".", maxsplit=1)[0].split(maxsplit=1)[0]) + (0 if said.isdigit() else 0.5)
    words = {"a": 1, "an": 1, "couple": 2, "few": 3, "several": 4}
    return words.get(said.removeprefix("a ").removesuffix(" of"), 0.5)


@RULES.rule(rf"(?:in |within |over |for )?(?:the )?(?:next|coming|upcoming|following) {NUMBER} {UNIT}", long=True)
@RULES.rule(rf"{NUMBER} (?:upcoming|coming) {UNIT}", long=True)
@RULES.rule(rf"within (?:the )?{NUMBER} (?P<unit>day|week|fortnight|month|year)\b", long=True)
@RULES.rule(rf"within (?:the )?{NUMBER} (?P<unit>minute|hour)\b", weak=True, long=True)
def _ahead_for(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return length(frame, _count(found["number"]), found["unit"])


@RULES.rule(rf"(?:in |over |for )?(?:the )?(?:last|past|previous) {NUMBER} {UNIT}", long=True)
def _back_for(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return length(frame, -_count(found["number"]), found["unit"])


@RULES.rule(rf"in (?:about |around )?{NUMBER}(?: more)? {UNIT}(?: time)?{_AWAY}")
@RULES.rule(rf"{NUMBER} {UNIT} (?:from (?:right )?now|from today|hence|later)")
def _in(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _away(frame, _count(found["number"]), found["unit"])


@RULES.rule(r"(?:in )?(?P<hours>\d\d?|an) hour(?: and)? (?P<minutes>\d\d?) minute(?: from now| time)?(?! (?:walk|drive|away))", long=True)
def _in_hours_and_minutes(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    hours = 1 if found["hours"] == "an" else int(found["hours"])
    return _away(frame, hours * 60 + int(found["minutes"]), "minute")


@RULES.rule(rf"{NUMBER} {UNIT} (?:ago|back)")
def _ago(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _away(frame, -_count(found["number"]), found["unit"])


@RULES.rule(r"in (?:about )?(?:(?:a |1 |(?P<three>3 ))?(?P<quarter>quarter)s?(?: of)?(?: an?)?|(?P<a>[13])/(?P<b>[24])(?: of)?(?: an)?) hour")
def _in_part_of_hour(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    quarters = 3 if found["three"] else 1
    return _away(frame, quarters / 4 if found["quarter"] else int(found["a"]) / int(found["b"]), "hour")


def _away(frame: Frame, number: float, unit: str) -> Stretch | None:
    if unit in ("minute", "hour"):
        then = frame.later(number * (60 if unit == "hour" else 1))
        return Stretch(then, then + timedelta(minutes=1), "minute")
    if number == int(number):
        return days(stretch.add(frame.today, int(number), unit))
    halves = {"week": 3, "month": 15, "year": 182}
    return days(frame.today + DAY * halves.get(unit, 1))


@RULES.rule(rf"{NUMBER} (?P<unit>day|week|month|year) (?P<way>after|before)", goes_on=True)
def _beside(found: Match, _frame: Frame, whole: Stretch) -> Stretch | None:
    number = int(_count(found["number"])) * (1 if found["way"] == "after" else -1)
    return days(stretch.add(whole.first, number, found["unit"]))


@RULES.rule(rf"{NUMBER} (?P<unit>day|week|fortnight|month|year)(?: on| from)?", goes_on=True)
def _on_from(found: Match, _frame: Frame, whole: Stretch) -> Stretch | None:
    """ "A week on friday", "three days from tomorrow"."""
    return days(stretch.add(whole.first, int(_count(found["number"])), found["unit"])) if whole.grain == "day" else None


@RULES.rule(r"(?:the )?(?P<eve>day|night|evening) (?P<way>after|before)", goes_on=True)
def _day_beside(found: Match, _frame: Frame, whole: Stretch) -> Stretch:
    return days(whole.end.date() if found["way"] == "after" else whole.first - DAY)


# Seasons, and the vague ones

_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}


def _season(year: int, start: int, south: bool) -> Stretch:
    """Three whole months, as weather services count them; in the south half a year on."""
    first = stretch.month(year, start + (6 if south else 0))
    return between(first.first, stretch.month(year, start + (8 if south else 2)).end.date())


@RULES.rule(rf"(?:in |during |over |for )(?:the |this )?(?P<season>spring|summer|autumn|winter){YEAR}", closed=True, rolls=True, long=True)
@RULES.rule(rf"(?:the )?{WHICH} (?P<season>spring|summer|autumn|winter)(?P<year>)", closed=True, long=True)
@RULES.rule(rf"(?:the )?(?P<season>spring|summer|autumn|winter){YEAR}", weak=True, rolls=True, long=True)
def _season_named(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    start = _SEASONS[found["season"]]
    if found["year"]:
        return _season(int(found["year"]), start, frame.south)
    near = [_season(frame.today.year + further, start, frame.south) for further in (-2, -1, 0, 1, 2)]
    which = shift(found.groupdict().get("which") or "this")
    if which < 0:
        return [one for one in near if one.end <= frame.now][-1]
    return next(one for one in near if (one.start > frame.now if which else one.end > frame.now))


@RULES.rule(rf"(?:the )?(?P<which>{THIS}|{NEXT}|{LAST}) seasons?", closed=True, long=True)
def _season_beside(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    year, month = frame.today.year, frame.today.month
    first = stretch.month(year, month - month % 3 + 3 * shift(found["which"])).first
    return between(first, stretch.month(first.year, first.month + 2).end.date())


@RULES.rule(
    r"right now|just now|now(?! (?:where|what|which|who|how|is|are|then|and|that|can|i|tell|show|find)\b)|currently|at the moment|at this (?:time|moment|hour)|as soon as possible|asap|straight away"
)
def _now(_found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return Stretch(frame.now, frame.now + timedelta(minutes=1), "minute")


@RULES.rule(r"soon|(?:in|over) the (?:near future|coming days|next days)|these days", closed=True, long=True)
def _soon(_found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return Stretch(frame.now, days(frame.today, 8).end)
