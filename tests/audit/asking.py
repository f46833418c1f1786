"""What an asker of `tests/audit/asker.py` does until it is killed; a module of its own, since Django has to be set up before it is read."""

import os
import uuid
from pathlib import Path
from typing import NoReturn

from agent.deps import Deps
from agent.harness import run
from agent.llm.rules import RulesModel
from agent.snapshot.lexicon import Lexicon
from agent.snapshot.store import Store
from agent.types import Query, Reply
from audit.recorder import recorder
from tests.engine import TOWN, SameWords
from tests.rows import NOW

LETTERS = str.maketrans("0123456789", "ghijklmnop")


def ask_on(folder: Path) -> NoReturn:
    snapshot = Store(folder).handle()
    lexicon = Lexicon(snapshot.anchors)
    town = Deps(TOWN, snapshot, lexicon, NOW, RulesModel(lexicon, TOWN), SameWords())
    while True:
        ask(town)


def ask(town: Deps) -> None:
    """Each line it says is written at once and whole. Each question is another one, by letters: a number would be masked."""
    query = Query(f"quiet cafe in Old Town {uuid.uuid4().hex.translate(LETTERS)}")
    for at, step in enumerate(recorder().recorded(run(query, town), query, town, "terminal")):
        if at == 0:
            os.write(1, f"start {query.text}\n".encode())
        if isinstance(step, Reply):
            os.write(1, f"reply {query.text}\n".encode())
