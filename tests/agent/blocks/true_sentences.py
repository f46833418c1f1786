"""Three hundred true sentences about the town of `told_town`, as a model may write them: slots and free words, in many ways.

A sentence rests on the rows whose slots stand in it; where it has none, or rests on more, the rows stand after a bar.
"""

import re
from collections.abc import Iterator, Mapping

_ROW = re.compile(r"\{(r\d+)\.")


def true_sentences() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each as its scene, its text and the rows that it rests on."""
    for scene, lines in SENTENCES.items():
        for line in filter(None, map(str.strip, lines.splitlines())):
            text, _, rows = line.partition(" | ")
            yield scene, text, tuple(rows.split(",")) if rows else tuple(dict.fromkeys(_ROW.findall(text)))


SENTENCES: Mapping[str, str] = {
    "quiet": """
        {r1.name} is the quietest, at {r1.quiet}.
        {r1.name} scores {r1.quiet} for quiet.
        {r1.name} in {r1.area} scores 9 of 10 for quiet.
        For a quiet cafe near the clock tower, try {r1.name} in {r1.area}.
        The quietest cafe near the Clock Tower is {r1.name}, {r1.distance} away.
        {r1.name} is {r1.distance} from {r1.anchor}, about {r1.walk} on foot.
        {r2.name} is closer: {r2.distance} from the Clock Tower, with {r2.quiet} for quiet.
        {r2.name} scores 8.5 out of 10 for quiet and is only {r2.distance} away.
        Also {r2.name} ({r2.quiet}) and {r3.name} ({r3.quiet}).
        If you want somewhere quiet, {r1.name} scores nine out of ten.
        {r1.name} is a peaceful cafe in the Harbour, 1.2 km from the Clock Tower.
        {r1.name} is 1200 metres from the Clock Tower.
        {r1.name} is a 16-minute walk from the Clock Tower.
        {r2.name} is a minute’s walk from the Clock Tower.
        {r3.name} is two minutes from the Clock Tower on foot.
        {r2.name} is 60 metres from the Clock Tower and closes at 5 pm.
        {r1.name} is {r1.hours}.
        You could try {r2.name}: it is quiet ({r2.quiet}) and cheap.
        {r3.name} has a garden and scores {r3.quiet} for quiet.
        {r1.name} and {r2.name} are both quiet.
        {r1.name}: {r1.reason}, {r1.hours}.
        {r2.name} is open now and closes at 17:00.
        The first of them, {r1.name}, is in {r1.area}. | r1
        {r1.name} has the highest score for quiet, 9 of 10.
        It scores 9/10 for quiet. | r1
        That is 3 of 3. | r1,r2,r3
        Small knows three: {r1.name}, {r2.name} and {r3.name}.
        As for a quiet place, {r2.name} is calm, at {r2.quiet}.
        {r2.name}, a quiet cafe at 4 Quay Street, is step-free.
        {r1.name} is expensive, but it is the quietest.
        """,
    "near": """
        The nearest is {r1.name}, {r1.distance} from {r1.anchor}.
        {r1.name} is the closest cafe to the Clock Tower, 60 m away.
        The nearest cafe to the Clock Tower is {r1.name}.
        {r1.name} is just {r1.distance} from the Clock Tower.
        {r1.name} is near the Clock Tower, in the Old Town.
        {r1.name} and {r2.name} are both in the Old Town.
        {r1.name} and {r2.name} are near the Clock Tower.
        {r3.name} is further, {r3.distance} away in {r3.area}. | r3
        Next comes {r2.name}, {r2.distance} away, and then {r3.name}.
        {r2.name} is 80 m from the Clock Tower (2 min on foot).
        {r2.name} is eighty metres away.
        {r3.name} is 1.2 kilometres from there.
        {r3.name} is sixteen minutes on foot.
        {r3.name} is 1.2 km away, in the Harbour.
        It is a walk of {r1.walk} from the Clock Tower. | r1
        You can walk from the Clock Tower to {r1.name} in a minute.
        Two cafes are in the Old Town: {r1.name} and {r2.name}.
        There are three cafes: {r1.name}, {r2.name} and {r3.name}.
        {r1.name}, {r2.name} and {r3.name} are cafes.
        {r1.name} ({r1.distance}), {r2.name} ({r2.distance}) and {r3.name} ({r3.distance}).
        {r1.name} is cheap, {r2.name} is moderate and {r3.name} is expensive.
        {r1.name} is open; {r2.name}: {r2.hours}.
        {r1.name} is cheap and has wifi.
        {r2.name} has a garden and moderate prices.
        {r2.name} is good value, at 9 of 10.
        {r3.name} is in the Harbour and open until 5 pm.
        {r1.name} has wifi, while {r2.name} has a garden.
        {r1.name} is step-free and {r2.name} is partly step-free.
        You asked for cafes near the clock tower: {r1.name} is {r1.distance} away.
        Here are three, the nearest first: {r1.name}, {r2.name}, {r3.name}.
        """,
    "told": """
        {r1.name} is a cafe in {r1.area}, at {r1.address}.
        {r1.name} is a coffee house at 4 Quay Street.
        The Blue Door Café is in the Old Town. | r1
        Blue Door Café is cheap and step-free. | r1
        THE BLUE DOOR CAFE is in {r1.area}.
        {r1.name} has wifi and is step-free.
        {r1.name} has internet. | r1
        {r1.name} offers wifi.
        It has wifi. | r1
        It is cheap, with {r1.tags}.
        It is wheelchair accessible. | r1
        It is suitable for wheelchairs. | r1
        {r1.name} is open until 5 pm.
        {r1.name} is open and closes at five in the afternoon.
        {r1.name} is open now, and it closes at 17:00.
        It closes at 5 o’clock. | r1
        It is open till five. | r1
        {r1.name} closes at 5 p.m. today.
        You can call {r1.name} on {r1.phone}.
        Its phone number is +44 1539 555010. | r1
        Phone: +44 1539 555 010. | r1
        Its website is {r1.website}. | r1
        See https://bluedoor.example for more. | r1
        The website is bluedoor.example. | r1
        {r1.name} scores 8.5 of 10 for quiet and 7 of 10 for value.
        Quiet {r1.quiet}, value {r1.value}. | r1
        {r1.name} is good value and quiet.
        It scores seven out of ten for value. | r1
        {r1.name} is an affordable cafe.
        {r1.name} is inexpensive.
        {r1.name} is low-priced, not expensive.
        {r1.name} is not expensive.
        {r1.name} is not closed.
        {r1.name} is located at 4 Quay Street, LN1 2AB.
        You will find {r1.name} at {r1.address}, in {r1.area}.
        The address is {r1.address}. | r1
        At 4 Quay Street you will find {r1.name}.
        In the Old Town there is {r1.name}, a {r1.category} with {r1.tags}.
        {r1.name}, {r1.address}: {r1.category}, {r1.price}; {r1.hours}.
        This is a tea room in the Old Town. | r1
        {r1.name} serves food. | r1
        Prices are low. | r1
        Yes, {r1.name} is {r1.wheelchair}.
        Yes. {r1.name} has wifi.
        Whether it has parking, Small does not know. | r1
        {r1.name} is in Lindenmere.
        """,
    "pier": """
        {r1.name} is the only cafe in the Harbour that Small knows.
        There is one: {r1.name}, in {r1.area}.
        {r1.name} in {r1.area} is open and closes at 17:00.
        In the Harbour, {r1.name} is a quiet cafe, at 9 of 10.
        {r1.name} is expensive.
        {r1.name} is a pricey cafe in the Harbour.
        {r1.name} has high prices.
        {r1.name} is quiet, with nine of ten.
        For a cafe in the harbour, go to {r1.name}.
        The one cafe there is {r1.name}, {r1.hours}.
        You can go to {r1.name}; it is open till 5 pm.
        {r1.name} is a peaceful place.
        {r1.name}, in the harbour area, scores {r1.quiet} for quiet.
        {r1.name} is not cheap.
        {r1.name} isn’t cheap, but it is quiet.
        {r1.name}, open now, is in {r1.location}.
        It is open now. | r1
        It closes in the afternoon, at 5. | r1
        A calm cafe in the Harbour is {r1.name}.
        Since you asked for a cafe in the harbour: {r1.name}.
        """,
    "eat": """
        {r1.name} is a French restaurant in {r1.area}.
        {r1.name} in the Harbour is French and expensive.
        {r2.name} is an Italian restaurant in {r2.area}.
        {r2.name} serves Italian food at moderate prices.
        {r2.name} offers pasta.
        For dinner, try {r1.name} or {r2.name}.
        If you want somewhere for dinner, {r2.name} is in the Old Town.
        {r2.name} is moderately priced and dog friendly.
        {r2.name} is mid-priced, and dogs are welcome. | r2
        {r1.name} is not step-free.
        {r1.name}: {r1.tags}, {r1.price}, {r1.wheelchair}.
        {r1.name} is at 9 Mole Lane, in the Harbour.
        L’Ancre d’Or is a restaurant at {r1.address}.
        {r1.name} is French, {r2.name} is Italian.
        {r1.name} is expensive, while {r2.name} is moderate.
        Its hours are not confirmed. | r1
        {r1.name}: hours not confirmed.
        The hours of {r1.name} are not known.
        {r1.name} and {r2.name} are restaurants.
        There are two restaurants: {r1.name} and {r2.name}.
        Both {r1.name} and {r2.name} are restaurants.
        {r2.name} closes at 17:00. | r2
        {r2.name} is open until five in the afternoon.
        {r2.name} scores {r2.quiet} for quiet.
        {r2.name} scores only 3 of 10 for quiet.
        {r1.name} is an expensive place for French food.
        {r2.name} has moderate prices, and its kitchen is Italian. | r2
        That is 2 of 2. | r1,r2
        Italian food is to be had at {r2.name}, in {r2.area}.
        {r1.name} is in {r1.area} and {r2.name} is in {r2.area}.
        """,
    "museum": """
        {r1.name} is a museum in {r1.area}.
        {r1.name} is a museum in the Harbour.
        {r1.name} is free.
        Entry to {r1.name} is free.
        {r1.name} is free of charge.
        The Boat Museum in the Harbour is free. | r1
        Try {r1.name} in {r1.area}, a {r1.category}.
        For a rainy birthday, there is {r1.name} in {r1.area}.
        If you are looking for a museum, {r1.name} is in {r1.location}.
        {r1.name} is the only museum that Small knows.
        Small knows one museum: {r1.name}.
        There is one museum, {r1.name}.
        The hours of {r1.name} are not confirmed.
        {r1.name} is in {r1.area}; its hours are not confirmed.
        {r1.name} is a gallery in the harbour area.
        You can visit {r1.name}, a free museum in {r1.area}.
        In the Harbour you will find {r1.name}, which is free.
        One option is {r1.name}.
        I suggest {r1.name}, a museum in the Harbour.
        It costs nothing. | r1
        """,
    "pub": """
        {r1.name} is a pub in the Old Town.
        {r1.name} is a cheap pub with a garden.
        {r1.name} has a beer garden, and dogs are welcome.
        {r1.name} is dog friendly.
        {r1.name} is a bar at 12 Mill Brow.
        Dogs are welcome at {r1.name}.
        The Crooked Billet scores 8 of 10 for value. | r1
        {r1.name} gets {r1.value} for value.
        It is good value, at eight of ten. | r1
        It has a garden. | r1
        It is an inn in {r1.area}. | r1
        It is at {r1.address}. | r1
        {r1.name} has low prices and a garden.
        With {r1.tags}, {r1.name} is a pub in {r1.area}.
        {r1.name} is a budget pub.
        You can bring your dog: dogs welcome at {r1.name}.
        {r1.name}, 12 Mill Brow, Old Town: hours not confirmed.
        When it is open is not known. | r1
        Its opening hours are not known. | r1
        {r1.name} serves food and drink. | r1
        """,
    "week": """
        {r1.name} is on {r1.when}, at {r1.venue}.
        {r1.name} is tomorrow evening at The Crooked Billet.
        {r1.name} is on Tuesday at 8 pm.
        {r1.name} is on Tuesday 2 June at 20:00.
        {r1.name} takes place tomorrow evening at eight.
        {r2.name} is on Friday, {r2.time}, at {r2.location}.
        {r2.name} is on Friday 5 June at the Clock Tower.
        {r2.name} starts at 8 pm on Friday.
        {r2.name} begins at eight in the evening.
        {r2.name} costs £12. | r2
        {r2.name} costs twelve pounds.
        {r2.name} costs {r2.price} and is part of {r2.festival}.
        {r1.name} is free.
        {r1.name} is free; {r2.name} costs {r2.price}.
        {r1.name} and {r2.name} are in the Old Town.
        This week there is {r1.name}, {r1.date}, and {r2.name}, {r2.date}.
        On Tuesday there is {r1.name}, and on Friday {r2.name}.
        On 2 June there is {r1.name}, on 5 June {r2.name}.
        {r1.name} runs from 8 pm to 10 pm.
        {r2.name} runs until 11 pm.
        {r1.name} is every Tuesday.
        {r1.name} happens weekly, every Tuesday.
        Two are on this week: {r1.name} and {r2.name}.
        {r2.name} has live music. | r2
        Music: {r2.name}, Friday at 8 pm, Clock Tower.
        {r2.name} is for those 16 and over.
        Tomorrow evening there is {r1.name}, {r1.time} to {r1.until}.
        The first is {r1.name}, tomorrow evening.
        {r2.name}, part of River Days, is on Friday.
        {r1.name} is on 2026-06-02.
        """,
    "quiz": """
        {r1.name} is {r1.when}.
        {r1.name} is every Tuesday at 8 pm.
        {r1.name} is on Tuesdays at The Crooked Billet.
        {r1.name} is tomorrow, from 8 pm to 10 pm.
        The next {r1.name} is on Tuesday 2 June.
        It is at eight in the evening. | r1
        It ends at 10 pm. | r1
        It is free. | r1
        It is in the Old Town. | r1
        After that it is on 9 June and 16 June. | r1
        Other dates are {r1.next_dates}. | r1
        {r1.name}: {r1.repeats}, {r1.time}, {r1.venue}.
        It starts at 20:00 and ends at 22:00. | r1
        {r1.name} is held at {r1.venue}, in {r1.area}.
        When you ask for the quiz: it is {r1.date}. | r1
        {r1.name} takes place tomorrow at 8 o’clock.
        It costs nothing. | r1
        Entry is free. | r1
        The quiz is at {r1.venue}. | r1
        {r1.name}, {r1.date}, {r1.time}, free.
        """,
    "concert": """
        {r1.name} is on Friday 5 June 2026 at 8 pm.
        {r1.name} is at the Clock Tower on Friday.
        {r1.name} is on {r1.date} at {r1.time}.
        It is part of {r1.festival}. | r1
        It is part of River Days. | r1
        Tickets cost £12. | r1
        Tickets are 12 pounds. | r1
        It costs twelve pounds. | r1
        It costs less than £20. | r1
        The price is {r1.price}. | r1
        It is for people {r1.age}. | r1
        It is for ages 16 and over. | r1
        It ends at 11 pm. | r1
        It lasts from eight to eleven in the evening. | r1
        {r1.name} is a music event in the Old Town.
        {r1.name} takes place at {r1.venue}, {r1.area}, {r1.when}.
        On the 5th of June there is {r1.name}.
        On June 5th there is {r1.name} at 8 p.m.
        {r1.name}: Friday, 20:00 to 23:00.
        Fri 5 Jun, 8:00 pm: {r1.name}.
        """,
    "parade": """
        {r1.name} is cancelled.
        {r1.name} is cancelled because of {r1.note}.
        {r1.name} is cancelled: {r1.note}.
        {r1.name} was to be on Saturday, but it is cancelled.
        {r1.name} on {r1.date} is cancelled.
        {r1.name}, part of {r1.festival}, is cancelled.
        The {r1.name} of River Days has been cancelled.
        {r1.name} is {r1.state}: it was to be {r1.when}.
        Sorry, {r1.name} is cancelled.
        It is cancelled. | r1
        """,
    "days": """
        {r1.name} is on {r1.date}.
        {r1.name} is in {r1.location} on Friday.
        {r1.name} is on Friday 5 June.
        {r1.name} marks {r1.marks}.
        It marks the opening of the canal. | r1
        {r1.name} is organised by {r1.organiser}.
        It is organised by the Lindenmere Boat Club. | r1
        Tickets are {r1.tickets}. | r1
        Tickets cost £5 a day. | r1
        A day costs five pounds. | r1
        {r1.name} is a festival with music.
        {r1.name} has music. | r1
        The festival is in the Harbour, on Friday. | r1
        {r1.name} takes place in the Harbour on 5 June.
        {r1.name}: {r1.when}, {r1.location}; tickets {r1.tickets}.
        You asked about river days: it is {r1.when}. | r1
        River Days is a music festival in the Harbour. | r1
        It starts on Friday. | r1
        It is on June 5. | r1
        {r1.name} is held in {r1.location} and costs {r1.tickets}.
        {r1.name}, organised by {r1.organiser}, is on Friday.
        The organiser is {r1.organiser}. | r1
        The organiser of {r1.name} is Lindenmere Boat Club.
        {r1.name} begins on {r1.date}, in {r1.location}.
        """,
}
