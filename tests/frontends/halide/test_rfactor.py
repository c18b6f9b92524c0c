"""rfactor changes how a value is reduced, not the value; the nests are those of Halide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from s2s.frontends.halide.schedule import FuncDirectives, LoopVar, begin
from s2s.net.pipelines.arrays import Array
from s2s.net.pipelines.definitions import Direct
from s2s.scop.errors import Illegal
from s2s.scop.expressions import BOOL, INT32, Binary, Const, Expr, Load, Select, Variable
from s2s.scop.pipeline import Definition, Func, ReductionVariable, StageSchedule
from tests.frontends.halide.oracle import needs_wheel
from tests.frontends.halide.twin import Tree, Twin
from tests.transforms.halide.test_against_halide_schedules import halide, same_nest

X, RX, RY = ("var", "x"), ("var", "r.x"), ("var", "r.y")
OWN: Tree = ("load", "f", X)
INPUT: Tree = ("load", "in", RX, RY)
INPUT_X: Tree = ("load", "in", ("add", RX, X), RY)

Directive = tuple[Any, ...]

UPDATES: dict[str, tuple[list[Tree], Tree]] = {
    "sum": ([X], ("add", OWN, INPUT_X)),
    "maximum": ([X], ("max", INPUT, OWN)),
    "product": ([X], ("mul", OWN, ("add", INPUT_X, ("const", 1)))),
    "histogram": (
        [("mod", INPUT, ("const", 10))],
        ("add", ("load", "f", ("mod", INPUT, ("const", 10))), ("const", 1)),
    ),
}
SPLITS: dict[str, list[Directive]] = {
    "none": [],
    "inner": [("split", "r.x", "ro", "ri", 3)],
    "both": [("split", "r.x", "ro", "ri", 4), ("split", "r.y", "rs", "rt", 2)],
    "twice": [("split", "r.x", "ro", "rq", 4), ("split", "rq", "rp", "ri", 3)],
    "fused": [("fuse", "r.x", "r.y", "rf"), ("split", "rf", "ro", "ri", 7)],
    "renamed": [("rename", "r.x", "ro")],
}


def twin(update: str, where: bool, real: Any = None) -> Twin:
    made = Twin(real)
    made.image("in", 2)
    made.define("f", ["x"], ("const", 2))
    made.rdom("r", (0, 10), (1, 5))
    if where:
        made.where("r", ("lt", ("add", RX, RY), ("const", 9)))
    made.update("f", *UPDATES[update], "r")
    return made


def values(made: Twin, *outputs: str) -> np.ndarray[Any, Any]:
    random = np.random.default_rng(3)
    image = Array(random.integers(0, 50, (12, 40), dtype=np.int32), (0, 0))
    return Direct(made.pipeline(*outputs), {"in": image}).output("f", (0,), (12,))[0].values


def preserved(splits: str) -> str:
    return {"none": "r.y"}.get(splits, "ro")


def factored(update: str, splits: str, where: bool, real: Any = None) -> Twin:
    made = twin(update, where, real)
    for directive in [*SPLITS[splits], ("rfactor", preserved(splits), "u", "w")]:
        verdicts = made.directive("f", 1, *directive)
        assert not any(verdicts), verdicts
    return made


@pytest.mark.parametrize("where", [False, True], ids=["all", "where"])
@pytest.mark.parametrize("splits", SPLITS)
@pytest.mark.parametrize("update", UPDATES)
def test_same_values(update: str, splits: str, where: bool) -> None:
    reference = values(twin(update, where), "f")
    result = values(factored(update, splits, where), "f")
    assert np.array_equal(reference, result)


@needs_wheel
@pytest.mark.parametrize("where", [False, True], ids=["all", "where"])
@pytest.mark.parametrize("splits", SPLITS)
@pytest.mark.parametrize("update", UPDATES)
def test_same_nest_as_halide(update: str, splits: str, where: bool) -> None:
    tries = (factored(update, splits, where, halide()) for _ in range(9))
    made = next(m for m in tries if not m.renamed)
    made.directive("w", 0, "compute_root")
    made.directive("w", 1, "parallel", "u")
    assert same_nest(made, "f", f"{update} {splits} {where}")


def test_not_associative() -> None:
    made = Twin()
    made.image("in", 2)
    made.define("f", ["x"], ("const", 2))
    made.rdom("r", (0, 10), (1, 5))
    made.update("f", [X], ("sub", INPUT, OWN), "r")
    with pytest.raises(Illegal, match="associative"):
        FuncDirectives(made.program, made.our("f")).stage(1).rfactor(
            [(LoopVar("r$x", True), LoopVar("u"))]
        )


def load(name: str, component: int, *subscripts: Expr) -> Expr:
    return Load(INT32, name, tuple(subscripts), component)


def least_with_its_place() -> Twin:
    """f() = (least value of the input's first ten columns, its column)."""
    made = Twin()
    made.image("in", 2)
    func = Func("f", [], [INT32, INT32])
    made.program.funcs["f"] = func
    start: list[Expr] = [Const(INT32, 1000), Const(INT32, -1)]
    func.definition = Definition([], start, [], None, StageSchedule())
    begin(func, func.definition)
    column, row = Variable(INT32, "r$x"), Variable(INT32, "r$y")
    value = Load(INT32, "in", (column, row))
    rvars = [
        ReductionVariable("r$x", Const(INT32, 0), Const(INT32, 10)),
        ReductionVariable("r$y", Const(INT32, 0), Const(INT32, 1)),
    ]
    kept = Binary(BOOL, "lt", load("f", 0), value)
    smaller = Binary(INT32, "min", load("f", 0), value)
    place = Select(INT32, kept, load("f", 1), column)
    func.updates.append(Definition([], [smaller, place], rvars, None, StageSchedule()))
    begin(func, func.updates[0])
    return made


def pair(made: Twin, image: Sequence[int]) -> list[int]:
    data = Array(np.array([image], dtype=np.int32), (0, 0))
    found = Direct(made.pipeline("f"), {"in": data}).output("f", (), ())
    return [int(c.values.item()) for c in found]


def test_pair() -> None:
    image = [9, 4, 8, 3, 7, 5, 9, 6, 8, 7, 0, 0]
    made = least_with_its_place()
    assert pair(made, image) == [3, 3]
    update = FuncDirectives(made.program, made.our("f")).stage(1)
    ro, ri = LoopVar("ro", True), LoopVar("ri", True)
    update.split(LoopVar("r$x", True), ro, ri, 4).rfactor([(ro, LoopVar("u"))])
    assert pair(made, image) == [3, 3]
