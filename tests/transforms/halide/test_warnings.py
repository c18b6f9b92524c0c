"""Schedules that can be carried out but look like mistakes."""

from s2s.transforms.halide.initial import initial_nest
from s2s.transforms.halide.remarks import warnings
from tests.frontends.halide.twin import Twin
from tests.transforms.halide.test_initial_nest import blur


def said(twin: Twin) -> list[str]:
    return [text for text, _ in warnings(initial_nest(twin.pipeline("g")).funcs)]


def test_nothing_to_say() -> None:
    assert said(blur()) == []


def test_forgotten_update() -> None:
    twin = blur()
    twin.directive("g", 0, "parallel", "y")
    (text,) = said(twin)
    assert "g.update(0) has no schedule" in text
    twin.directive("g", 1, "reorder", "r.x", "r.y")
    assert said(twin) == []


def test_split_of_what_is_inline() -> None:
    twin = blur()
    twin.directive("f", 0, "split", "x", "xo", "xi", 4)
    (text,) = said(twin)
    assert "f is computed inline: it has no loop 'x'" in text
    twin.directive("f", 0, "compute_root")
    assert said(twin) == []
