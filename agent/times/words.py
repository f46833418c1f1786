"""The time words of English, and how people shorten and misspell them."""

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")

_UNITS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth".split()
_ORDINALS += "sixteenth seventeenth eighteenth nineteenth twentieth".split()


def _ordinal(number: int) -> str:
    return f"{number}{'th' if 10 < number < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


NUMBERS = (
    {word: str(number) for number, word in enumerate(_UNITS, start=1)}
    | {word: str(number) for word, number in zip(("twenty", "thirty", "forty", "fifty"), (20, 30, 40, 50), strict=True)}
    | {word: _ordinal(number) for number, word in enumerate(_ORDINALS, start=1)}
    | {"thirtieth": "30th"}
)

_VARIANTS = {
    "tomorrow": "tomorow tommorow tommorrow tomorro tmrw tmrow tmr tmw tomoz 2moro 2morrow",
    "tonight": "tonite tonigt tonght 2nite 2night tonihgt",
    "today": "2day todays todya",
    "yesterday": "yesterdays yday",
    "tuesday": "tue tues tuesdy",
    "wednesday": "weds wednsday wensday wendesday",
    "thursday": "thu thur thurs thrusday thursdy",
    "friday": "fri firday",
    "saturday": "saterday satuday saturdy",
    "january": "janurary januray",
    "february": "feb febuary feburary",
    "april": "apr",
    "july": "jul",
    "august": "aug",
    "september": "sep sept septemer",
    "october": "oct",
    "november": "nov",
    "december": "dec decmber",
    "christmas": "xmas chrismas christams",
    "weekend": "wkend wknd weeknd",
    "year": "yr yrs years",
    "month": "months mth mths",
    "week": "weeks wk wks",
    "fortnight": "fortnights",
    "day": "days",
    "hour": "hours hr hrs h",
    "minute": "minutes min mins",
    "morning": "mornings morningish",
    "afternoon": "afternoons afternoonish arvo",
    "evening": "evenings eveningish",
    "night": "nights nite",
    "noon": "noonish",
    "lunchtime": "lunchtimes lunchtimeish",
    "until": "till til",
    "autumn": "fall",
    "saint": "st",
    "through": "thru",
    "at": "@",
    "now": "atm",
}
ALIASES = {variant: word for word, variants in _VARIANTS.items() for variant in variants.split()}
