"""The towns in which the tests of time words stand."""

from datetime import datetime
from zoneinfo import ZoneInfo

from agent.types import Box, Point, Town
from tests.clock import ZONE

LINDENMERE = Town("Lindenmere", ZONE, Point(54.4, -2.96), Box(54.36, -3.03, 54.44, -2.89), country="GB", subdivision="ENG")


def town(zone: str, country: str = "", lat: float = 40.0) -> Town:
    return Town("Somewhere", ZoneInfo(zone), Point(lat, 0.0), Box(lat - 1, -1.0, lat + 1, 1.0), country=country)


def wall(text: str, where: Town = LINDENMERE, fold: int = 0) -> datetime:
    """An instant by the town's wall clock: "2026-12-04 18:30"."""
    return datetime.fromisoformat(text).replace(tzinfo=where.timezone, fold=fold)
