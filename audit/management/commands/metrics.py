"""`metrics`: the figures of the audit."""

import json

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from audit.metrics import Figures, measure


class Command(BaseCommand):
    help = "Print how often Small asked back, did not know, repaired itself, how fast it was and what it cost, from the record of runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")

    def handle(self, **options) -> None:
        try:
            figures = measure(settings.TOWN.timezone)
        except DatabaseError as error:
            raise CommandError(f"the audit cannot be read ({error}). It makes its tables when the first question is asked: ask one.") from error
        self.stdout.write(json.dumps(figures, indent=2) if options["json"] else "\n".join(lines(figures)))


def lines(figures: Figures) -> list[str]:
    """The figures in words; a dash is not known."""
    times, tokens, ended = figures["latency_ms"], figures["tokens"], figures["ended"]
    return [
        f"Follow-ups      {known(figures['followups_per_1000'])} of 1,000 loops ({figures['asked_back']} of {figures['loops']})",
        *(f"  {week['week']}      {known(week['followups_per_1000'])} ({week['asked_back']} of {week['loops']})" for week in figures["weeks"]),
        f"Did not know    {figures['unknown_parts']} of {figures['parts']} parts; {figures['fallbacks']} runs with no answer",
        f"Repaired        {figures['regenerated']} runs",
        f"Latency         {known(times['p50'])} ms in the middle, {known(times['p90'])} ms for the slowest tenth",
        f"Tokens          {known(tokens['in'])} in, {known(tokens['out'])} out",
        f"Cost            {known(figures['cost'])}; not known for {figures['cost_unknown']} runs",
        f"Ended           {', '.join(f'{count} {name}' for name, count in ended.items())}",
        f"Not written     {figures['unwritten']} records",
    ]


def known(value: float | None) -> str:
    return "—" if value is None else str(value)
