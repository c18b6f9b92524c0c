"""Pipelines of stencils with schedules that try bounds inference, sliding window and folding."""

from __future__ import annotations

from collections.abc import Callable

from s2s.scop.pipeline import TailStrategy
from tests.frontends.halide.twin import Tree, Twin

SIZE = (20, 14)
_NEAR = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)]

CASES: dict[str, Callable[[Twin], str]] = {}
"""By name: what builds the program; it gives the output's name. ``in`` is the only image."""


def _case(build: Callable[[Twin], str]) -> Callable[[Twin], str]:
    CASES[build.__name__.strip("_")] = build
    return build


def _var(name: str) -> Tree:
    return ("var", name)


def _moved(tree: Tree, by: int) -> Tree:
    op = "add" if by >= 0 else "sub"
    return (op, tree, ("const", abs(by)))


def _near(source: str) -> Tree:
    total: Tree | None = None
    for x, y in _NEAR:
        load = ("load", source, _moved(_var("x"), x), _moved(_var("y"), y))
        total = load if total is None else ("add", total, load)
    assert total is not None
    return total


def _chain(twin: Twin, count: int) -> str:
    """Stencils f, g, h... of each other; the last one's name."""
    twin.image("in", 2)
    source = "in"
    for name in "fgh"[:count]:
        twin.define(name, ["x", "y"], _near(source))
        source = name
    return source


def _slide(twin: Twin, func: str, consumer: str, loop: str, store: str | None = None) -> None:
    if store is None:
        twin.directive(func, 0, "store_root")
    else:
        twin.directive(func, 0, "store_at", consumer, store)
    twin.directive(func, 0, "compute_at", consumer, loop)


@_case
def _root(twin: Twin) -> str:
    out = _chain(twin, 2)
    twin.directive("f", 0, "compute_root")
    return out


@_case
def _row_by_row(twin: Twin) -> str:
    out = _chain(twin, 2)
    twin.directive("f", 0, "compute_at", "g", "y")
    return out


@_case
def _tiles(twin: Twin) -> str:
    out = _chain(twin, 2)
    twin.directive("g", 0, "tile", "x", "y", "xo", "yo", "xi", "yi", 8, 4)
    twin.directive("g", 0, "vectorize", "xi", 4)
    twin.directive("g", 0, "parallel", "yo")
    twin.directive("f", 0, "compute_at", "g", "xo")
    twin.directive("f", 0, "vectorize", "x", 4)
    return out


@_case
def _slide_rows(twin: Twin) -> str:
    out = _chain(twin, 2)
    _slide(twin, "f", "g", "y")
    return out


@_case
def _slide_columns(twin: Twin) -> str:
    out = _chain(twin, 2)
    _slide(twin, "f", "g", "x")
    return out


@_case
def _slide_two(twin: Twin) -> str:
    out = _chain(twin, 3)
    _slide(twin, "f", "h", "y")
    _slide(twin, "g", "h", "y")
    return out


@_case
def _slide_in_sliding(twin: Twin) -> str:
    out = _chain(twin, 3)
    _slide(twin, "f", "g", "y")
    _slide(twin, "g", "h", "y")
    return out


@_case
def _slide_in_strips(twin: Twin) -> str:
    out = _chain(twin, 2)
    twin.directive("g", 0, "split", "y", "yo", "yi", 4)
    twin.directive("g", 0, "parallel", "yo")
    _slide(twin, "f", "g", "yi", "yo")
    twin.directive("f", 0, "vectorize", "x", 4)
    return out


@_case
def _slide_two_in_strips(twin: Twin) -> str:
    out = _chain(twin, 3)
    twin.directive("h", 0, "split", "y", "yo", "yi", 3)
    _slide(twin, "f", "h", "yi", "yo")
    _slide(twin, "g", "h", "yi", "yo")
    return out


@_case
def _slide_under_guard(twin: Twin) -> str:
    out = _chain(twin, 2)
    twin.directive("g", 0, "split", "y", "yo", "yi", 4, TailStrategy.GUARD_WITH_IF)
    _slide(twin, "f", "g", "yi", "yo")
    return out


@_case
def _slide_unrolled(twin: Twin) -> str:
    out = _chain(twin, 2)
    twin.directive("g", 0, "unroll", "y", 2)
    _slide(twin, "f", "g", "y")
    return out


@_case
def _slide_downsampled(twin: Twin) -> str:
    twin.image("in", 2)
    twin.define("f", ["x", "y"], _near("in"))
    x, y = (("mul", _var(v), ("const", 2)) for v in "xy")
    far = ("load", "f", _moved(x, 1), _moved(y, 3))
    twin.define("g", ["x", "y"], ("add", ("load", "f", x, y), far))
    _slide(twin, "f", "g", "y")
    return "g"


@_case
def _slide_upsampled(twin: Twin) -> str:
    twin.image("in", 2)
    twin.define("f", ["x", "y"], _near("in"))
    here, there = (tuple(("div", _moved(_var(v), by), ("const", 2)) for v in "xy") for by in (0, 1))
    twin.define("g", ["x", "y"], ("add", ("load", "f", *here), ("load", "f", *there)))
    _slide(twin, "f", "g", "y")
    return "g"


@_case
def _slide_with_update(twin: Twin) -> str:
    twin.image("in", 2)
    twin.rdom("r", (0, 3))
    twin.define("f", ["x", "y"], ("const", 0))
    x, y = _var("x"), _var("y")
    loaded = ("load", "in", ("add", x, _var("r.x")), y)
    twin.update("f", [x, y], ("add", ("load", "f", x, y), loaded), "r")
    twin.define("g", ["x", "y"], _near("f"))
    _slide(twin, "f", "g", "y")
    return "g"


@_case
def _fold_as_asked(twin: Twin) -> str:
    out = _chain(twin, 2)
    _slide(twin, "f", "g", "y")
    twin.directive("f", 0, "fold_storage", "y", 5)
    return out


@_case
def _bounded(twin: Twin) -> str:
    out = _chain(twin, 2)
    twin.directive("f", 0, "compute_at", "g", "y")
    twin.directive("g", 0, "bound", "x", 0, 20)
    return out


@_case
def _aligned(twin: Twin) -> str:
    out = _chain(twin, 2)
    twin.directive("f", 0, "compute_at", "g", "y")
    twin.directive("f", 0, "align_bounds", "x", 4, 1)
    return out
