"""Random typed expressions: the emitted C against the definitions of the operators."""

from __future__ import annotations

import random

import numpy as np
import pytest

from s2s.net.pipelines.arrays import Array, Values, dtype
from s2s.net.pipelines.definitions import Direct
from s2s.scop.expressions import (
    BOOL,
    FLOAT32,
    INT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Type,
    Unary,
    Variable,
)
from s2s.scop.nest import Argument, Block, Dimension, For, Nest, Store, Tensor
from s2s.scop.pipeline import Definition, Func, Image, Pipeline, StageSchedule
from tests.emitters.c.nests.compiled import run

COUNT = 67
TYPES = [
    *(Type("uint", b) for b in (8, 16, 32, 64)),
    *(Type("int", b) for b in (8, 16, 32, 64)),
    FLOAT32,
]
PER_TYPE = 12


class Generator:
    """Draws expressions over inputs ``a.u8``, ``b.u8``, ``a.i16``... at ``x``."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def expression(self, type: Type, depth: int) -> Expr:
        if depth <= 0 or self.random.random() < 0.1:
            return self.leaf(type)
        choice = self.random.random()
        if choice < 0.15:
            return self.converted(type, depth)
        if choice < 0.3:
            test = self.condition(depth - 1)
            arms = (self.expression(type, depth - 1), self.expression(type, depth - 1))
            return Select(type, test, *arms)
        if type.is_float:
            return self.float_operation(type, depth)
        if choice < 0.5 and type.bits < 64:
            return self.fixed_point(type, depth)
        return self.integer_operation(type, depth)

    def leaf(self, type: Type) -> Expr:
        if self.random.random() < 0.3:
            if type.is_float:
                return Const(type, self.random.choice([0.5, 1.0, -2.25, 3.0, 1e-3]))
            choices = [0, 1, 2, 3, 7, 16, type.largest, type.smallest]
            return Const(type, self.random.choice(choices if type.wraps else choices[:6]))
        return Load(type, f"{self.random.choice('ab')}.{type}", (Variable(INT32, "x"),))

    def converted(self, type: Type, depth: int) -> Expr:
        sources = [t for t in TYPES if t != type]
        if type.is_float:
            sources = [t for t in sources if t.bits <= 32]
        else:
            sources = [t for t in sources if not t.is_float]
        value = self.expression(self.random.choice(sources), depth - 1)
        if type.is_integer and self.random.random() < 0.3:
            return Call(type, "saturating_cast", (value,))
        return Cast(type, value)

    def condition(self, depth: int) -> Expr:
        type = self.random.choice(TYPES)
        op = self.random.choice(["lt", "le", "gt", "ge", "eq", "ne"])
        test: Expr = Binary(BOOL, op, self.expression(type, depth), self.expression(type, depth))
        if self.random.random() < 0.2:
            test = Unary(BOOL, "not", test)
        if self.random.random() < 0.3:
            test = Binary(BOOL, self.random.choice(["and", "or"]), test, self.condition(0))
        return test

    def float_operation(self, type: Type, depth: int) -> Expr:
        if self.random.random() < 0.3:
            name = self.random.choice(
                ["sqrt", "floor", "ceil", "round", "trunc", "abs", "exp", "log"]
            )
            return Call(type, name, (self.expression(type, depth - 1),))
        op = self.random.choice(["add", "sub", "mul", "div", "min", "max"])
        return Binary(type, op, self.expression(type, depth - 1), self.expression(type, depth - 1))

    def integer_operation(self, type: Type, depth: int) -> Expr:
        left = self.expression(type, depth - 1)
        if self.random.random() < 0.2:
            divisor = self.random.choice([1, 2, 3, 5, 8, 100])
            return Binary(type, self.random.choice(["div", "mod"]), left, Const(type, divisor))
        if self.random.random() < 0.1:
            distance = Const(type, self.random.randrange(min(type.bits, 8)))
            return Binary(type, "shr" if not type.wraps else self.shift(), left, distance)
        ops = ["min", "max", "band", "bor", "bxor", "div", "mod"]
        if type.wraps:
            ops += ["add", "sub", "mul"] * 2
        elif self.random.random() < 0.2:
            return Unary(type, "bnot", left)
        return Binary(type, self.random.choice(ops), left, self.expression(type, depth - 1))

    def shift(self) -> str:
        return self.random.choice(["shl", "shr"])

    def fixed_point(self, type: Type, depth: int) -> Expr:
        a, b = self.expression(type, depth - 1), self.expression(type, depth - 1)
        names = ["halving_add", "rounding_halving_add", "saturating_add", "saturating_sub"]
        choice = self.random.random()
        if choice < 0.6:
            return Call(type, self.random.choice([*names, "halving_sub"]), (a, b))
        unsigned = Type("uint", type.bits)
        if choice < 0.7 and type == unsigned:
            signed = Type("int", type.bits)
            parts = (self.expression(signed, depth - 1), self.expression(signed, depth - 1))
            return Call(type, "absd", parts)
        if choice < 0.8:
            distance = Const(unsigned, self.random.randrange(type.bits))
            name = self.random.choice(["mul_shift_right", "rounding_mul_shift_right"])
            return Call(type, name, (a, b, distance))
        if choice < 0.9:
            distance = Const(unsigned, self.random.randrange(type.bits))
            return Call(type, "rounding_shift_right", (a, distance))
        narrow = self.random.choice([t for t in TYPES if t.code == "uint" and t.bits <= 32])
        return Call(type, "lerp", (a, b, self.expression(narrow, depth - 1)))


def inputs(seed: int) -> dict[str, Array]:
    """Values of all sizes, the ends of the range among them."""
    random = np.random.default_rng(seed)
    found = {}
    for type in TYPES:
        for letter in "ab":
            if type.is_float:
                values: Values = random.normal(0, 100, COUNT).astype(np.float32)
            else:
                values = random.integers(type.smallest, type.largest, COUNT, dtype(type), True)
                values[:4] = [type.smallest, type.largest, 0, 1]
                values >>= random.integers(0, type.bits, COUNT).astype(dtype(type))
            found[f"{letter}.{type}"] = Array(values, (0,))
    return found


def pipeline(exprs: list[Expr]) -> Pipeline:
    funcs = {
        f"f{k}": Func(
            f"f{k}",
            ["x"],
            [e.type],
            Definition([Variable(INT32, "x")], [e], [], None, StageSchedule()),
        )
        for k, e in enumerate(exprs)
    }
    images = {f"{c}.{t}": Image(f"{c}.{t}", t, 1) for t in TYPES for c in "ab"}
    return Pipeline("many", list(funcs), funcs, images, {})


def nest(exprs: list[Expr], kind: str) -> Nest:
    line = (Dimension(Const(INT32, 0), Const(INT32, COUNT)),)
    images = [Tensor(f"{c}.{t}", (t,), line) for t in TYPES for c in "ab"]
    x = Variable(INT32, "x")
    loops = [
        For("x", Const(INT32, 0), Const(INT32, COUNT), kind, Store(f"f{k}", (x,), (e,)), var="x")
        for k, e in enumerate(exprs)
    ]
    return Nest(
        "many",
        (
            *(Argument(t.name, t, t.types[0]) for t in images),
            *(
                Argument(f"f{k}", Tensor(f"f{k}", (e.type,), line), e.type, output=True)
                for k, e in enumerate(exprs)
            ),
        ),
        Block(tuple(loops)),
    )


@pytest.mark.parametrize("kind", ["serial", "vectorized"])
@pytest.mark.parametrize("type", TYPES, ids=str)
def test_random_expressions(type: Type, kind: str) -> None:
    generator = Generator(TYPES.index(type) + 100 * (kind == "serial"))
    exprs = [generator.expression(type, 4) for _ in range(PER_TYPE)]
    data = inputs(7)
    results = run(nest(exprs, kind), data)
    direct = Direct(pipeline(exprs), data)
    for k, (expr, result) in enumerate(zip(exprs, results, strict=True)):
        wanted = direct.output(f"f{k}", (0,), (COUNT,))[0].values
        same = (wanted == result[0].values) | (
            (wanted != wanted) & (result[0].values != result[0].values)
        )
        assert same.all(), (
            f"{expr}\n{np.flatnonzero(~same)}\n{wanted[~same]}\n{result[0].values[~same]}"
        )
