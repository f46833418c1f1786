"""`ask`: one answer in the terminal, and the answer to what is asked back."""

import json
import shlex
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from agent.echo import LIFE_S
from agent.errors import AskError
from agent.harness import run
from agent.snapshot.reader import Snapshot
from agent.types import Event, Part, Pick, Point, Query, Reply, Resume
from agent.web import wiring
from audit.recorder import recorder

ANEW = "The follow-up was not taken up ({why}), so the whole question is asked anew."
LIFE_MINUTES = LIFE_S // 60


class Command(BaseCommand):
    help = 'Ask the town one question of at most 140 characters, for example: python manage.py ask "quiet cafe near the lake?"'

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("query", help="the question, in quotes")
        parser.add_argument("--json", action="store_true", help="print the whole reply as JSON")
        parser.add_argument("--now", metavar="ISO", help="ask as if it were then, in the town's time zone where it names none")
        parser.add_argument("--at", metavar="LAT,LNG", help="where the asker stands; it is kept nowhere")
        parser.add_argument("--model", choices=["rules"], default="rules", help="which model answers")
        parser.add_argument("--snapshot", metavar="FILE", type=Path, help="ask this snapshot file in place of the live one")
        parser.add_argument("--resume", metavar="ECHO", help="answer what was asked back: the echo that was printed with it")
        parser.add_argument("--pick", metavar="Q=OPTION", action="append", default=[], help="with --resume: the option picked for question Q")
        parser.add_argument("--say", metavar="Q=WORDS", action="append", default=[], help="with --resume: words in place of an option of question Q")
        parser.add_argument("--trace", action="store_true", help="print each step as it is done")

    def handle(self, **options) -> None:
        query, now = Query(options["query"], read_point(options["at"])), read_now(options["now"])
        resumed = read_resume(options["resume"], options["pick"], options["say"], wiring.budget().say_chars)
        try:
            deps = wiring.deps(now, choose_snapshot(options["snapshot"], query, resumed, now))
            for step in recorder().recorded(run(query, deps, resumed), query, deps, "terminal", resumed):
                self._show(step, options)
        except AskError as error:
            raise CommandError(str(error)) from error

    def _show(self, step: Event | Part | Reply, options: dict) -> None:
        if isinstance(step, Event) and options["trace"]:
            self.stderr.write(f"{step.step:<9} round {step.round} {json.dumps(dict(step.counts))}")
        if isinstance(step, Event) and "rejected" in step.counts:
            self.stderr.write(ANEW.format(why=step.counts["rejected"]))
        if isinstance(step, Reply) and options["json"]:
            self.stdout.write(json.dumps(step.body, ensure_ascii=False, indent=2))
        elif isinstance(step, Reply):
            self._tell(step, options)

    def _tell(self, reply: Reply, options: dict) -> None:
        for part in reply.parts:
            self.stdout.write(part.text)
            for line in choices_of(reply, part.question):
                self.stdout.write(line)
        if reply.body["echo"]:
            self.stdout.write(go_on(reply, options))


def choices_of(reply: Reply, question: int) -> Iterator[str]:
    """A question's options, numbered, each with what picks it."""
    for asked in reply.body["followups"]:
        if asked["question"] == question:
            for number, option in enumerate(asked["options"], start=1):
                picked = f"{question}={option['id']}"
                yield f"  {number}. {option['label']}    --pick {shlex.quote(picked)}"
            yield f"  or in your own words    --say '{question}=…'"


def go_on(reply: Reply, options: dict) -> str:
    """The command that answers what is asked back; what was given for this run is given again, since an echo holds no position and no clock."""
    given = [word for name in ("now", "at", "snapshot") if options[name] for word in (f"--{name}", str(options[name]))]
    picks = [word for asked in reply.body["followups"] for word in ("--pick", f"{asked['question']}={asked['options'][0]['id']}")]
    words = ["python", "manage.py", "ask", reply.body["query"], *given, "--resume", reply.body["echo"], *picks]
    return f"Answer within {LIFE_MINUTES} minutes, for example:\n  {shlex.join(words)}"


def choose_snapshot(file: Path | None, query: Query, resumed: Resume | None, now: datetime) -> Snapshot | None:
    """The file that was named, else the snapshot that the echo was made on while it is kept, else None for the live one."""
    if file:
        return wiring.open_file(file)
    return wiring.kept_snapshot(resumed.token, query.text, now) if resumed else None


def read_resume(token: str | None, picks: list[str], says: list[str], most: int) -> Resume | None:
    """`--resume` with its `--pick` and `--say`; `most` is how many characters may be said."""
    if token is None:
        if picks or says:
            raise CommandError("--pick and --say answer what was asked back: give the echo that was printed with it, as --resume ECHO")
        return None
    read = [Pick(number, option=option) for number, option in map(read_pick, picks)] + [
        Pick(number, say=said) for number, said in map(read_pick, says)
    ]
    numbers = [pick.question for pick in read]
    if twice := next((number for number in numbers if numbers.count(number) > 1), None):
        raise CommandError(f"question {twice} is answered twice; give one --pick or one --say for it")
    if any(len(pick.say) > most for pick in read):
        raise CommandError(f"--say takes at most {most} characters; please say it shorter")
    return Resume(token, tuple(read))


def read_pick(text: str) -> tuple[int, str]:
    """`2=area:harbour` as the question's number and what is picked or said."""
    number, _, picked = text.partition("=")
    if not (number.strip().isdecimal() and len(number) < 4 and picked.strip()):
        raise CommandError(f"{text!r} is no answer; it looks like 2=area:harbour, with the number of the question first")
    return int(number), picked.strip()


def read_now(text: str | None) -> datetime:
    """`--now` as an aware instant; the clock where none is given."""
    if not text:
        return datetime.now(settings.TOWN.timezone)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"--now is {text!r}; it looks like 2026-12-04T18:30") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=settings.TOWN.timezone)


def read_point(text: str | None) -> Point | None:
    """`--at` as a point."""
    if not text:
        return None
    try:
        lat, lng = (float(part) for part in text.split(","))
    except ValueError as error:
        raise CommandError(f"--at is {text!r}; it looks like 54.40,-2.96") from error
    if not (-90 <= lat <= 90 and -180 <= lng <= 180):
        raise CommandError("--at is LAT,LNG in degrees, latitude first")
    return Point(lat, lng)
