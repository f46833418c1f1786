"""Distances on the ground, in metres."""

from math import asin, ceil, cos, radians, sin, sqrt

from agent.types import Box, Point

EARTH_M = 6_371_008.8  # mean radius, IUGG
METRES_A_DEGREE = 111_195.0
WALK_M_A_MINUTE = 80  # an easy pace of 4.8 km/h, along the straight line


def distance_m(a: Point, b: Point) -> int:
    """Great-circle distance by the haversine formula, whole metres."""
    lat_a, lat_b = radians(a.lat), radians(b.lat)
    h = sin((lat_b - lat_a) / 2) ** 2 + cos(lat_a) * cos(lat_b) * sin(radians(b.lng - a.lng) / 2) ** 2
    return round(2 * EARTH_M * asin(min(1.0, sqrt(h))))


def walk_minutes(metres: int) -> int:
    return max(1, ceil(metres / WALK_M_A_MINUTE))


def around(point: Point, metres: float) -> Box:
    """The box that holds a circle."""
    lat = metres / METRES_A_DEGREE
    lng = lat / max(0.01, cos(radians(point.lat)))
    return Box(point.lat - lat, point.lng - lng, point.lat + lat, point.lng + lng)


def say_distance(metres: int) -> str:
    """ "210 m", "1.4 km": to the nearest 10 m, then to the nearest 100."""
    if metres < 995:
        return f"{max(10, round(metres, -1))} m"
    return f"{metres / 1000:.1f} km"
