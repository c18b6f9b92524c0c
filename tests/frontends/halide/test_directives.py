"""The scheduling directives on one stage: loops, splits, refusals."""

import pytest

from s2s.frontends.halide.schedule import FuncDirectives, LoopVar, Program, Stage, begin
from s2s.scop.errors import Illegal
from s2s.scop.expressions import BOOL, INT32, Binary, Const, Expr, Load, Variable
from s2s.scop.pipeline import (
    Definition,
    ForKind,
    Func,
    ReductionVariable,
    StageSchedule,
    TailStrategy,
)
from s2s.source import Span

X, Y, XO, XI, YI, Z = (LoopVar(n) for n in ("x", "y", "xo", "xi", "yi", "z"))
R, S = LoopVar("r$x", True), LoopVar("r$y", True)


def var(name: str) -> Expr:
    return Variable(INT32, name)


def int32(value: int) -> Expr:
    return Const(INT32, value)


def own(*subscripts: Expr) -> Expr:
    return Load(INT32, "f", subscripts)


def function(*updates: tuple[list[Expr], Expr]) -> FuncDirectives:
    """f(x, y) = 0 with updates over r$x and r$y."""
    program = Program()
    func = Func(program.unique("f"), ["x", "y"], [INT32])
    program.funcs[func.name] = func
    func.definition = Definition(
        [var("x"), var("y")], [int32(0)], [], None, StageSchedule(), at=Span(0, 1)
    )
    begin(func, func.definition)
    for args, value in updates:
        rvars = [ReductionVariable(n, int32(0), int32(10)) for n in ("r$x", "r$y")]
        definition = Definition(args, [value], rvars, None, StageSchedule())
        func.updates.append(definition)
        begin(func, definition)
    return FuncDirectives(program, func)


def scan() -> FuncDirectives:
    """An update that must keep its order: f(x, y) = f(x, y) * 2 + r$x + r$y."""
    doubled = Binary(INT32, "mul", own(var("x"), var("y")), int32(2))
    inputs = Binary(INT32, "add", var("r$x"), var("r$y"))
    return function(([var("x"), var("y")], Binary(INT32, "add", doubled, inputs)))


def total() -> FuncDirectives:
    inputs = Binary(INT32, "add", var("r$x"), var("r$y"))
    value = Binary(INT32, "add", own(var("x"), var("y")), inputs)
    return function(([var("x"), var("y")], value))


def loops(stage: Stage) -> list[str]:
    return [d.name for d in stage.dims]


def test_loops_of_definitions() -> None:
    directives = total()
    assert loops(directives.stage()) == ["x", "y", "__outermost"]
    update = directives.stage(1)
    assert loops(update) == ["r$x", "r$y", "x", "y", "__outermost"]
    assert [(d.reduction, d.pure) for d in update.dims[:3]] == [
        (True, False),
        (True, False),
        (False, True),
    ]


def test_split_names_and_order() -> None:
    stage = function().stage().split(X, XO, XI, 8)
    assert loops(stage) == ["x.xi", "x.xo", "y", "__outermost"]
    stage.split(XO, X, Z, 2)
    assert loops(stage) == ["x.xi", "x.xo.z", "x.xo.x", "y", "__outermost"]


def test_tile() -> None:
    stage = function().stage().tile([X, Y], [X, Y], [XI, YI], [8, 4])
    assert loops(stage) == ["x.xi", "y.yi", "x.x", "y.y", "__outermost"]


def test_fuse_and_rename() -> None:
    stage = function().stage().fuse(X, Y, Z)
    assert loops(stage) == ["x.z", "__outermost"]
    stage.rename(Z, XO)
    assert loops(stage) == ["x.z.xo", "__outermost"]
    assert stage.schedule.splits[-1].old == "x.z.xo"


def test_auto_tails() -> None:
    stage = function().stage().vectorize(X, 8).unroll(X, 4).split(X, XO, XI, 16)
    tails = [s.tail for s in stage.schedule.splits]
    assert tails == [TailStrategy.SHIFT_INWARDS, TailStrategy.ROUND_UP, TailStrategy.SHIFT_INWARDS]
    update = total().stage(1).split(X, XO, XI, 8).split(XI, Z, LoopVar("v"), 3)
    update.split(R, LoopVar("ro", True), LoopVar("ri", True), 2)
    tails = [s.tail for s in update.schedule.splits]
    assert tails == [
        TailStrategy.ROUND_UP,
        TailStrategy.GUARD_WITH_IF,
        TailStrategy.GUARD_WITH_IF,
    ]


@pytest.mark.parametrize("tail", [TailStrategy.SHIFT_INWARDS, TailStrategy.ROUND_UP])
def test_tails_that_change_the_meaning(tail: TailStrategy) -> None:
    ro, ri = LoopVar("ro", True), LoopVar("ri", True)
    with pytest.raises(Illegal, match="each value once"):
        total().stage(1).split(R, ro, ri, 4, tail)


def test_names_in_use() -> None:
    with pytest.raises(Illegal, match="there is a loop 'y' already") as caught:
        function().stage().split(X, Y, XI, 8, at=Span(3, 9))
    assert caught.value.at == Span(3, 9)
    with pytest.raises(Illegal, match="no loop 'z'"):
        function().stage().split(Z, XO, XI, 8)
    with pytest.raises(Illegal, match="has the name of the Var"):
        function().stage().parallel(LoopVar("x", True))


def test_order_of_reductions() -> None:
    total().stage(1).reorder([S, R])
    with pytest.raises(Illegal, match="may change the meaning"):
        scan().stage(1).reorder([S, R])
    assert loops(scan().stage(1).reorder([X, R])) == ["x", "r$y", "r$x", "y", "__outermost"]


def test_races() -> None:
    with pytest.raises(Illegal, match="race"):
        total().stage(1).parallel(R)
    assert total().stage(1).atomic().parallel(R).dims[0].kind is ForKind.PARALLEL
    with pytest.raises(Illegal, match="associative"):
        scan().stage(1).atomic().vectorize(S)
    scan().stage(1).allow_race_conditions().vectorize(S)


def test_pure_reduction_variable() -> None:
    rows = function(([var("r$x"), var("r$y")], var("r$y")))
    update = rows.stage(1).parallel(S).vectorize(R)
    assert [d.kind for d in update.dims] == [
        ForKind.VECTORIZED,
        ForKind.PARALLEL,
        ForKind.SERIAL,
    ]


def test_outermost_stays() -> None:
    with pytest.raises(Illegal, match="outermost"):
        function().stage().reorder([LoopVar("__outermost"), X])


def test_specialization_has_its_own_schedule() -> None:
    stage = function().stage().split(X, XO, XI, 4)
    with pytest.raises(Illegal, match="bool"):
        stage.specialize(var("n"))
    wide = Binary(BOOL, "gt", var("n"), int32(100))
    special = stage.specialize(wide).vectorize(XI)
    assert special.dims[0].kind is ForKind.VECTORIZED
    assert stage.dims[0].kind is ForKind.SERIAL
    assert stage.specialize(wide).definition is special.definition
    stage.specialize_fail("too narrow")
    with pytest.raises(Illegal, match="after specialize_fail"):
        stage.specialize(Binary(BOOL, "gt", var("n"), int32(50)))
