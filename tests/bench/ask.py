"""How long one `ask` takes in process, over the live snapshot of `ASKSMALL_DATA_DIR`: `python -m tests.bench.ask [--rounds 5] [--seed 1]`.

Sixty questions a round, made from the snapshot's own names: near, named, typo, area, city-wide, two questions, open now. No question comes twice, so
only what a process keeps is warm: the connections, the embedder, the town's tags. The measure is CPU time, which others on the machine do not change much.
"""

import argparse
import json
import os
import random
import resource
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from agent.deps import Deps
from agent.harness import run
from agent.snapshot.names import fold
from agent.snapshot.reader import SqlRow
from agent.types import Query, Reply

NOON = datetime(2026, 12, 4, 12, 0)  # noqa: DTZ001 - wall time of the town, on a Friday
MIB = 1 << 20
MIX = {"near": 10, "named": 8, "typo": 8, "area": 8, "city-wide": 10, "two questions": 8, "open now": 8}


@dataclass(frozen=True)
class Questions:
    """Questions that a resident may ask, of the places, areas and tags that a snapshot has; a tag comes as often as places bear it."""

    deps: Deps
    dice: random.Random

    def round(self) -> Iterator[tuple[str, str]]:
        """Sixty pairs of a kind of question and its words."""
        for kind, times in MIX.items():
            for _ in range(times):
                yield kind, self.ask(kind)[: self.deps.budget.query_chars]

    def ask(self, kind: str) -> str:
        place, other, tag, area = self.place(), self.place(), self.tag(), self.area()
        forms: Mapping[str, tuple[str, ...]] = {
            "near": (f"a {tag} near {place}", f"where is the nearest {tag} to {place}?", f"quiet {tag} near {place}"),
            "named": (f"when is {place} open?", f"tell me about {place}", f"where is {place}?"),
            "typo": (
                f"where is {misspelt(place, self.dice)}?",
                f"a {tag} near {misspelt(place, self.dice)}",
                f"a {misspelt(tag, self.dice)} in {area}",
            ),
            "area": (f"a {tag} in {area}", f"is there a quiet {tag} in {area}?", f"cheap {tag} in {area}"),
            "city-wide": (f"{tag}", f"the quietest {tag}", f"cheap {tag} with {self.tag()}", f"any {tag} but not {self.tag()}"),
            "two questions": (f"a {tag} near {place} and a {self.tag()} near {other}?", f"when is {place} open? And a {tag} in {area}?"),
            "open now": (f"a {tag} open now near {place}", f"is {place} open now?", f"{tag} in {area} open now", f"{tag} open now"),
        }
        return self.dice.choice(forms[kind])

    def place(self) -> str:
        return str(self.any_row("place")["name"])

    def area(self) -> str:
        return str(self.any_row("area")["name"])

    def tag(self) -> str:
        """A tag of any place."""
        place = self.any_row("place")["id"]
        found = self.deps.snapshot.places.rows("SELECT t.name FROM place_tag AS pt JOIN tag AS t ON t.id = pt.tag WHERE pt.place = ?", (place,))
        return str(self.dice.choice(found)["name"])

    def any_row(self, table: str) -> SqlRow:
        last = self.deps.snapshot.places.rows(f"SELECT max(id) FROM {table}")[0][0]
        return self.deps.snapshot.places.rows(f"SELECT id, name FROM {table} WHERE id = ?", (self.dice.randint(1, last),))[0]


def misspelt(name: str, dice: random.Random) -> str:
    """A name with two letters swapped, one left out or one doubled; its first letter stays."""
    at = dice.randrange(1, len(name) - 1)
    return dice.choice((name[:at] + name[at + 1] + name[at] + name[at + 2 :], name[:at] + name[at + 1 :], name[:at] + name[at] + name[at:]))


def cpu_ms(deps: Deps, text: str) -> tuple[float, Reply]:
    """CPU milliseconds of one answer, and the answer."""
    began = time.process_time()
    *_, reply = run(Query(text), deps)
    spent = 1000 * (time.process_time() - began)
    assert isinstance(reply, Reply)
    return spent, reply


def lookup_ms(deps: Deps, name: str) -> float:
    """CPU milliseconds of looking for a misspelt name among all the names of the town."""
    began = time.process_time()
    deps.lexicon.close(fold(name), ("place", "landmark"))
    return 1000 * (time.process_time() - began)


def measure(deps: Deps, rounds: int, seed: int) -> dict[str, object]:
    """Milliseconds of CPU time by kind of question and of all, how many answers were cut short, and the memory of this process."""
    questions = Questions(deps, random.Random(seed))
    for _, text in questions.round():
        cpu_ms(deps, text)
    spent: dict[str, list[float]] = defaultdict(list)
    outcomes: dict[str, int] = defaultdict(int)
    slowest = (0.0, "")
    for _ in range(rounds):
        for kind, text in questions.round():
            took, reply = cpu_ms(deps, text)
            spent[kind].append(took)
            outcomes["too slow" if any("TooSlow" in part.text for part in reply.parts) else reply.outcome] += 1
            slowest = max(slowest, (took, text))
    every = [took for times in spent.values() for took in times]
    return {
        "goal": "one ask",
        "places": deps.snapshot.manifest.counts["place"],
        "questions": len(every),
        "cpu_ms": {kind: percentiles(times) for kind, times in (*spent.items(), ("all", every))},
        "typo_lookup_ms": percentiles([lookup_ms(deps, misspelt(questions.place(), questions.dice)) for _ in range(200)]),
        "outcomes": dict(outcomes),
        "slowest": {"cpu_ms": round(slowest[0], 2), "query": slowest[1]},
        "resident_mib": round(resident() / MIB),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "load": os.getloadavg()[0],
    }


def percentiles(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {"p50": round(statistics.median(ordered), 2), "p99": round(ordered[int(0.99 * (len(ordered) - 1))], 2), "most": round(ordered[-1], 2)}


def resident() -> int:
    """Bytes of this process that are in memory now, by proc(5)."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of sixty questions (default 5)")
    parser.add_argument("--seed", type=int, default=1, help="another seed asks other questions (default 1)")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "asksmall.settings")
    import django

    django.setup()
    from agent.web import wiring

    deps = wiring.deps(NOON)
    deps = replace(deps, now=NOON.replace(tzinfo=deps.town.timezone))
    print(json.dumps(measure(deps, options.rounds, options.seed), indent=2))  # noqa: T201


if __name__ == "__main__":
    main()
