"""Asks without end in processes that are killed: `python -m tests.audit.asker FOLDER KILLS`.

It says `start QUESTION` when a run's first step was handed on, and `reply QUESTION` when its reply was. Two processes ask at a time, so
that two write into one file.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path


def main(folder: Path, kills: int) -> None:
    import django

    os.environ |= {"DJANGO_SETTINGS_MODULE": "asksmall.settings", "ASKSMALL_DATA_DIR": str(folder)}
    django.setup()
    from tests.audit.asking import ask_on
    from tests.rows import build

    build(folder / "snapshots")
    draw = random.Random(kills)
    for _ in range(kills // 2):
        askers = [os.fork() or ask_on(folder / "snapshots") for _ in range(2)]
        time.sleep(draw.uniform(0.1, 0.4))
        for asker in askers:
            os.kill(asker, signal.SIGKILL)
            os.waitpid(asker, 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
