"""Which process a run belongs to, so that one that died can be told from one that is still at work."""

import os
import platform
from functools import cache
from pathlib import Path

_PROC = Path("/proc")


def this_process() -> str:
    """`machine|pid|began`: a process id alone is used again."""
    return f"{_machine()}|{os.getpid()}|{_began(os.getpid())}"


def is_dead(process: str) -> bool | None:
    """Whether a process of this machine is gone; None for one of another machine, or of this one before it was started anew."""
    machine, pid, began = process.rsplit("|", 2)
    return None if machine != _machine() else _began(int(pid)) != began


@cache
def _machine() -> str:
    """The boot of the kernel and the process namespace, since a container counts its processes by itself; without Linux the host's name."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot}:{(_PROC / 'self/ns/pid').readlink()}"
    except OSError:
        return platform.node()[:100]


def _began(pid: int) -> str:
    """When a process began, in clock ticks since the boot (proc(5), field 22 of `stat`); empty for one that is gone."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return "" if _PROC.joinpath("self").exists() or not _answers(pid) else "alive"
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] in {"Z", "X"} else fields[19]


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
