"""The instant at which tests stand still: a Friday evening in Advent, in the demo town's zone (winter time, so UTC)."""

from datetime import datetime
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("Europe/London")
NOW = datetime(2026, 12, 4, 18, 30, tzinfo=ZONE)
