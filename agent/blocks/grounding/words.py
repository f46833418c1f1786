"""The closed vocabulary of free words: those that say nothing of a place, and those whose truth a row's facts decide.

A word that is neither here, nor of the town, nor in a fact of a cited row is refused, whatever it means. All are folded (`agent.snapshot.names`).
"""

from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that hold a sentence together and claim nothing.
PLAIN = _words("""
a an the this that these those it its they their them he she we us you your i me my who whom whose which what where when while as than there here
and or but also then because since if though although however with within of to from for in on at by into onto along about via
is are be been being am has have do can could must im youll youre its thats theres theyre
lets let need want wanted prefer prefers ask asks asked look looks looking search searching find finds found
see go goes going come comes coming get gets try tries trying visit visits visiting choose choice consider suggest suggests recommend option options pick
know knows known
called named name names known located situated set based sits lies lie stands stand
offer offers offering offered provide provides providing provided serve serves serving served sell sells selling give gives has having includes including
place places spot spots venue venues establishment establishments somewhere anywhere something one ones thing things kind sort type types style styled
area district part town side address addresses street road location locations
site website web page phone telephone call reach contact tel details detail information info
score scores scored scoring rate rated rating ratings get gets star stars customer customers review reviews point points mark
price prices priced pricing cost costs costing pay pays range ranges ranging bracket category entry entrance admission ticket tickets
way walk walks walking foot away distance just simply even still yet please
take place start starts starting begin begins beginning end ends ending lasts
date dates day days time times hour hours minute minutes edition
either other some any much many very quite rather really
available also besides plus among between upon after before during until till up out inside
order tend tends considered mood got received boasts boasting down right bit slightly rank satisfaction
features featuring environment atmosphere setting
made make makes making use using enjoy bring join people person those age ages aged years
yes sorry ok hello hi thanks instead maybe perhaps example instance
been youd id ill ive think whether then
""")  # fmt: skip

# Words of food and of events: plain beside a word that is true of the row, or of what the row is.
SOFT = _words(
    "food foods dish dishes cuisine cuisines menu meal meals eat eats eating dining diner dine kitchen lunch drink drinks eatery experience"
)
OF_EVENTS = _words("event events programme festival festivals")
HAPPENS = _words("happen happens held run runs running take takes taking hold holds")
PAST = _words("was were had")
NEEDS: Mapping[str, str] = {"organised": "organiser", "organiser": "organiser", "marks": "marks", "celebrates": "marks"}  # a fact beside the word
# Where a slot may stand after these words, and which.
FITS: Mapping[str, frozenset[str]] = {
    "until": _words("until time hours"),
    "till": _words("until time hours"),
    "by": _words("organiser venue location address area anchor name"),
    "cost": _words("price tickets"),
    "costs": _words("price tickets"),
    "pay": _words("price tickets"),
    "marks": _words("marks"),
    "celebrates": _words("marks"),
}
ELLIPSES = (
    "so is",
    "so are",
    "so does",
    "so do",
    "so has",
    "as is",
    "as are",
    "as does",
    "as do",
    "as has",
)  # they say of one what is said of another
PLAIN_PHRASES = (
    "phone number",
    "telephone number",
    "as well",
    "for more",
    "more details",
    "would like",
    "you like",
    "so that",
    "that is so",
    "you will",
    "you may",
)

NEGATIONS = _words(
    "not no never none nothing nobody nor neither without cannot cant isnt arent wasnt werent doesnt dont didnt hasnt havent wont wouldnt shouldnt couldnt non hardly barely "
    "scarcely except lacks lack lacking minus outside"
)
BE = _words("is are was were be being a an the it and both very somewhere something quite rather really also or as")
BUT = _words("and but while whereas though although")
FROM = _words("from near nearby of to around by beside close closest nearest off")
COUNTED = _words("people person places ones things customers")
AT_TIME = _words("at until till from to by after before and between")

# Superlatives and universals need a basis; what has none here is refused as an unknown word.
NEAREST = _words("nearest closest")
TOPMOST = _words("best most highest top")
UNIVERSALS = _words("all only both every each always first")

# Words for a grade, and what they are said of.
GRADES: Mapping[str, str] = {
    word: grade
    for grade, words in {
        "low": "low lower poor poorly",
        "middle": "moderate moderately medium mid middle average reasonable reasonably fair fairly decent",
        "high": "high higher highly premium excellent",
    }.items()
    for word in words.split()
}
OF_PRICE = _words("price prices priced pricing cost costs charge charges range bracket")
OF_SCORE = _words("score scores scored rating ratings rated rate rates review reviews rank ranked customer customers")
PRICES: Mapping[str, str] = {
    phrase: level
    for level, phrases in {
        "free": "free,free of charge,costs nothing,cost nothing,no charge",
        "cheap": "cheap,cheaply,inexpensive,affordable,budget,low cost,low priced",
        "moderate": "moderate prices,moderately priced,mid priced,medium priced,mid range,average priced",
        "expensive": "expensive,pricey,dear,costly,upmarket,high priced,high end",
    }.items()
    for phrase in phrases.split(",")
}
GRADE_OF_PRICE = {"low": "cheap", "middle": "moderate", "high": "expensive"}

OPEN = _words("open opens opening")
CLOSED = _words("closed closes closing shut shuts")
ALWAYS_OPEN = ("all day and night", "all night", "all day")
ACCESS = _words("wheelchair wheelchairs accessible accessibility stepfree disabled")
ACCESS_PHRASES = ("step free", "wheelchair accessible", "suitable for wheelchairs", "good for wheelchairs", "accessible")
NEAR: Mapping[str, int] = {"near": 1500, "nearby": 1500, "close": 1000, "beside": 100, "next": 100}  # metres at most
MONTHS = _words(
    "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec"
)
WEEKDAYS = _words(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue wed thu fri sat sun"
)
TIMES = MONTHS - {"may", "mar", "sun"} | WEEKDAYS - {"sun", "sat"} | _words(
    "today tonight tomorrow yesterday now currently weekend weekends week weeks weekly weekday weekdays month months monthly daily year yearly"
    " morning mornings afternoon afternoons evening evenings night nights nightly later earlier soon ago"
)  # fmt: skip
STATES = _words("cancelled canceled postponed scheduled moved")
NOT_KNOWN = ("not known", "not confirmed", "unknown", "unconfirmed", "small does not know", "that small knows", "small knows")
LEADS = ("for ", "if ", "since ", "as ", "looking for ", "you asked ", "you ask ", "you want ", "when you ", "to find ", "because ", "in search of ")
