"""From settings to what a run may touch: the one place where the engine meets Django's configuration."""

from datetime import datetime
from functools import lru_cache
from pathlib import Path
from threading import local
from weakref import WeakKeyDictionary

from django.conf import settings

from agent.blocks.intake import normalise
from agent.deps import Deps
from agent.echo import verify as verify_echo
from agent.errors import EchoRejected, SnapshotUnavailable
from agent.llm.rules import RulesModel
from agent.retrieval.embedder import UsemEmbedder
from agent.snapshot.lexicon import Lexicon
from agent.snapshot.reader import Snapshot, verify
from agent.snapshot.store import Store
from agent.types import Budget

_thread = local()


@lru_cache(maxsize=1)
def store() -> Store:
    """The process's one store of snapshots."""
    return Store(settings.SNAPSHOT_DIR, budget().statement_s)


@lru_cache(maxsize=1)
def embedder() -> UsemEmbedder:
    return UsemEmbedder()


def budget() -> Budget:
    return Budget(floor=settings.SWITCHES.floor)


def open_file(path: Path) -> Snapshot:
    """A handle on one snapshot file, whichever is live. Raises SnapshotRefused."""
    return Snapshot(verify(path), budget().statement_s)


def lexicon_of(snapshot: Snapshot) -> Lexicon:
    """The lexicon over a handle; like the handle it belongs to one thread, and it is kept as long as the handle is."""
    lexicons: WeakKeyDictionary[Snapshot, Lexicon] = _thread.__dict__.setdefault("lexicons", WeakKeyDictionary())
    if snapshot not in lexicons:
        lexicons[snapshot] = Lexicon(snapshot.anchors)
    return lexicons[snapshot]


def echo_keys() -> tuple[str, ...]:
    """The keys that sign follow-ups: the first signs, all are good (A-38)."""
    return tuple(settings.ECHO_KEYS)


def kept_snapshot(token: str, query: str, now: datetime) -> Snapshot | None:
    """The snapshot that an echo was made on, where that is not the live one and still kept (A-35).

    Else None: the run is to be on the live one, and the engine makes it a new run where the echo is not good for that. `query` is as it was sent.
    """
    try:
        number = verify_echo(token, normalise(query), echo_keys(), now).snapshot
        return None if number == store().handle().number else store().open(number)
    except (EchoRejected, SnapshotUnavailable):
        return None


def deps(now: datetime, snapshot: Snapshot | None = None) -> Deps:
    """What one run may touch, over this thread's handle on the live snapshot. Raises SnapshotUnavailable where none is published."""
    snapshot = snapshot or store().handle()
    lexicon = lexicon_of(snapshot)
    model = RulesModel(lexicon, settings.TOWN)
    return Deps(settings.TOWN, snapshot, lexicon, now, model, embedder(), budget(), echo_keys=echo_keys())
