from itertools import pairwise

from audit.charts import HEIGHT, WIDTH, chart, charts
from audit.metrics import percentiles

ROWS = [{"day": "Monday", "a": 2, "b": 2}, {"day": "Tuesday", "a": 1, "b": None}]
SERIES = {"a": "apples", "b": "pears"}


def test_stacked_bars_stand_on_each_other_and_the_tallest_column_fills_the_height():
    bars = chart("Fruit", "day", ROWS, SERIES, stacked=True).bars
    assert [(bar.y, bar.height, bar.kind) for bar in bars] == [(HEIGHT / 2, HEIGHT / 2, 0), (0, HEIGHT / 2, 1), (HEIGHT * 3 / 4, HEIGHT / 4, 0)]


def test_bars_side_by_side_do_not_overlap_and_stay_inside():
    bars = chart("Fruit", "day", ROWS, SERIES).bars
    assert all(one.x + one.width <= two.x + 0.01 for one, two in pairwise(bars))
    assert bars[-1].x + bars[-1].width <= WIDTH


def test_the_table_says_what_the_bars_show_and_a_dash_where_it_is_not_known():
    drawn = chart("Fruit", "day", ROWS, SERIES)
    assert (drawn.head, drawn.rows) == (("day", "apples", "pears"), (("Monday", 2, 2), ("Tuesday", 1, "—")))
    assert (drawn.first, drawn.last, drawn.top) == ("Monday", "Tuesday", 2)


def test_with_nothing_there_is_nothing_to_draw():
    none = percentiles([])
    drawn = charts({"weeks": [], "latency_ms": none}, [])
    assert [(one.bars, one.rows, one.first) for one in drawn] == [((), (), "")] * 5
