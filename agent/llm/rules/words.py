"""The English that the rules model knows: little words and how people ask. No town's words are here; those come from the snapshot."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that carry no constraint: articles, pronouns, helpers, and the verbs of asking.
LITTLE = _set("""
a an the this that these those some any all each every other another such what whats which who whom whose where wheres when how why
i im id ive ill me my mine we us our were you your he she it its they them their theres there here
am is are was be been being do does did done doing dont doesnt didnt have has had having can cant could couldnt will wont would wouldnt shall should may might must
and or but so if then than because as of at by for from in into on onto to up with within about around near nearby next over under off out off between along across through
please thanks thank cheers hi hello hey greetings good morning afternoon evening night dear sorry excuse yes no not ok okay well just also too really very quite rather most more much many lot lots few
find finding found look looking search searching seek need needs needing want wants wanting like likes love get getting give go going goes come coming take tell show know suggest suggestion suggestions recommend
recommendation recommendations help advise visit visiting try trying book booking plan planning serve serves serving served offer offers offering include includes including included provide provides
sell sells have has located location locate situated called named there maybe perhaps possibly possible kindly
somewhere anywhere something anything someone place places spot spots option options choice choices idea ideas one ones thing things kind kinds sort sorts type types
today now right currently moment still open opened opening closed close closing
near nearest closest nearer closer far walk walking distance away minute minutes
hear listen watch see enjoy stuff taking takes took place list lists listed listing name names check checking held holding attend happens happen people person machine search searching somebody everyone local locally current myself
thats whats lets theyre youre weve ive itll thatll
town city village area areas part parts side sides end district quarter neighbourhood neighborhood region centre center
price prices priced pricing range budget cost costs rating rated star stars
what which trip holiday vacation day days week weekend tonight tomorrow time times hour hours
wonder wondering wondered interested interest prefer preferably prefers hankering fancy craving mood starving hungry thirsty feel feeling ask asking hope sure
food foods meal meals dish dishes cuisine cuisines bite eat eating dine dining drink drinks drinking stay staying sleep
""")

# Praise and padding: true of nothing in particular, so no constraint.
SOFT = _set("""
nice good great best better lovely pretty decent proper real authentic local lovely little small big cool fun amazing awesome excellent perfect fine favourite favorite popular famous well-known top live
yummy tasty delicious wonderful beautiful charming traditional typical special different new old nearby available suitable reasonable reasonably affordable-ish definitely absolutely actual actually
super quick quickly easy handy convenient own particular certain single whole entire general various several couple pair two three four five
reliable safe clean fresh friendly welcoming cute neat fantastic brilliant superb outstanding highly recommended
""")

DETERMINERS = _set("a an the some any another that this which what more other one two three four five my our your")

# Words behind which a thing must have what follows.
HAS = _set(
    "bring bringing hire hiring rent renting buy buying borrow takes accepts accept allow allows welcome welcomes serve serves serving served services with has have having offer offers offering include includes including sell sells selling does"
)

PRICES = {
    "cheap": "cheap", "cheaply": "cheap", "cheaper": "cheap", "cheapest": "cheap", "inexpensive": "cheap", "affordable": "cheap", "budget": "cheap", "economical": "cheap",
    "moderate": "moderate", "moderately": "moderate", "midrange": "moderate", "mid-range": "moderate",
    "expensive": "expensive", "pricey": "expensive", "pricy": "expensive", "upmarket": "expensive", "upscale": "expensive", "posh": "expensive", "luxury": "expensive", "luxurious": "expensive",
    "free": "free", "lowest": "cheap",
}  # fmt: skip

NEAREST = _set("nearest closest")
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "couple": 2}

# Prepositions that name a place to look from; those of the second list only where what follows is a name of the town.
CLOSE_TO = ("within walking distance of", "walking distance from", "not far from", "in front of", "close to", "close by", "closest to", "nearest to", "next to", "near to", "nearby to",
            "near", "around", "round", "beside", "opposite", "behind", "outside")  # fmt: skip
INSIDE = ("in", "at", "on", "by", "to", "from", "inside", "into", "within", "along", "across from")

POINTING = _set("me here us there it them")
COMPASS = {
    "eastern": "east",
    "western": "west",
    "northern": "north",
    "southern": "south",
    "center": "centre",
    "central": "centre",
    "downtown": "centre",
}
SIDES = _set("part side area end district quarter neighbourhood neighborhood region zone")

# What may follow "in" and is no place.
NO_PLACE = _set("""
advance total general particular fact case order time hurry mind need search person cash english french summer winter spring autumn fall january february march april may june july august september
october november december monday tuesday wednesday thursday friday saturday sunday morning afternoon evening night minutes hours days weeks budget price cheap moderate expensive range style world
foot sale offer duty call monday mondays saturdays sundays tonight holiday weekend weekends budget table menu
""")

ALSO = _set("also plus then additionally")
PRONOUNS = _set("it there them that")

# Words for a thing that say nothing beside what it serves or sells: "pizza place", "pizza shops".
BROAD = _set("shop shops store stores place places joint joints house houses spot spots outlet outlets")

# What one does somewhere, and the kinds of place for it, by the names that a town may have for them.
ACTS = _set("eat eats eating dine dining food meal meals bite lunch dinner drink drinks drinking stay staying sleep sleeping room rooms")
ACT_PHRASES = {
    "eat": ("place to eat", "somewhere to eat", "restaurant"),
    "drink": ("place to drink", "somewhere to drink", "bar", "pub"),
    "stay": ("accommodation", "place to stay", "hotel"),
}
ACT_OF = dict.fromkeys(_set("eat eats eating dine dining food foods meal meals dish dishes cuisine bite lunch dinner hungry starving peckish"), "eat") | dict.fromkeys(
    _set("drink drinks drinking thirsty"), "drink") | dict.fromkeys(_set("stay staying sleep sleeping room rooms bed beds overnight"), "stay")  # fmt: skip
