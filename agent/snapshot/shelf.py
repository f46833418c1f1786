"""The folder of the published snapshots: `smallplaces-<n>.db` files, and `current`, a symbolic link to the live one.

A link is read in one system call and replaced by one rename, so a reader always sees a whole pointer, and a rollback copies nothing.
"""

import os
import re
from pathlib import Path

CURRENT = "current"
_NAME = re.compile(r"smallplaces-([1-9][0-9]{0,8})\.db")


def path_of(folder: Path, number: int) -> Path:
    return folder / f"smallplaces-{number}.db"


def number_of(name: str) -> int | None:
    """The number in a snapshot file's name, or None where the name is another file's."""
    found = _NAME.fullmatch(name)
    return int(found[1]) if found else None


def numbers(folder: Path) -> list[int]:
    """The snapshots that are there, newest first; none where the folder is missing."""
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return []
    return sorted((number for number in map(number_of, names) if number), reverse=True)


def current(folder: Path) -> int | None:
    """The number that `current` points to, or None where nothing was published."""
    try:
        return number_of((folder / CURRENT).readlink().name)
    except OSError:
        return None


def point(folder: Path, number: int) -> None:
    """Let `current` point to a snapshot, in one rename, and make it last."""
    beside = folder / f".{CURRENT}-{os.getpid()}"
    beside.unlink(missing_ok=True)
    beside.symlink_to(path_of(folder, number).name)
    beside.replace(folder / CURRENT)
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Make the folder's own entries last (a rename is not on the disk before this)."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
