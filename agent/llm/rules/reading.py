"""What one clause asks, once it is read."""

from dataclasses import dataclass

from agent.types import Category, Shape


@dataclass(frozen=True, slots=True)
class Reading:
    """`names` are named things; `keywords` and `without` are phrases; `aspect` is what is asked of a named thing ("dogs"); `when` are time words."""

    what: str
    where: str | None = "city"
    shape: Shape = "some"
    category: Category = "place"
    tool: str = "find_places"
    names: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    order_by: str = ""
    when: str = ""
    limit: int = 5
    aspect: str = ""
