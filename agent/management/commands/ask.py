"""`ask`: one answer in the terminal."""

import json
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from agent.errors import AskError
from agent.harness import run
from agent.types import Event, Part, Point, Query, Reply
from agent.web import wiring
from audit.recorder import recorder


class Command(BaseCommand):
    help = 'Ask the town one question of at most 140 characters, for example: python manage.py ask "quiet cafe near the lake?"'

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("query", help="the question, in quotes")
        parser.add_argument("--json", action="store_true", help="print the whole reply as JSON")
        parser.add_argument("--now", metavar="ISO", help="ask as if it were then, in the town's time zone where it names none")
        parser.add_argument("--at", metavar="LAT,LNG", help="where the asker stands; it is kept nowhere")
        parser.add_argument("--model", choices=["rules"], default="rules", help="which model answers")
        parser.add_argument("--snapshot", metavar="FILE", type=Path, help="ask this snapshot file in place of the live one")
        parser.add_argument("--trace", action="store_true", help="print each step as it is done")

    def handle(self, **options) -> None:
        query = Query(options["query"], read_point(options["at"]))
        try:
            snapshot = wiring.open_file(options["snapshot"]) if options["snapshot"] else None
            deps = wiring.deps(read_now(options["now"]), snapshot)
            for step in recorder().recorded(run(query, deps), query, deps, "terminal"):
                self._show(step, options)
        except AskError as error:
            raise CommandError(str(error)) from error

    def _show(self, step: Event | Part | Reply, options: dict) -> None:
        if isinstance(step, Event) and options["trace"]:
            self.stderr.write(f"{step.step:<9} round {step.round} {json.dumps(dict(step.counts))}")
        elif isinstance(step, Reply) and options["json"]:
            self.stdout.write(json.dumps(step.body, ensure_ascii=False, indent=2))
        elif isinstance(step, Reply):
            for part in step.parts:
                self.stdout.write(part.text)


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
