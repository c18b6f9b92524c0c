"""What is printed for an accelerator is read back as that accelerator."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from s2s.emitters.clockwork.compute import print_compute
from s2s.emitters.clockwork.memory import print_memory
from s2s.frontends.clockwork.accelerator import accelerator_of
from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.expressions import (
    BOOL,
    INT32,
    Binary,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Type,
    Unary,
    Variable,
    walk,
)
from s2s.scop.nest import Argument, Dimension, Nest, Store, Tensor
from s2s.scop.normal_form import normalized
from s2s.source.clockwork.memory_file import read_program
from s2s.source.clockwork.signatures import read_compute_file
from s2s.transforms.clockwork.compute_units import compute_units
from tests.transforms.clockwork import programs
from tests.transforms.clockwork.pipelines import pipelines

TYPES = [Type(code, bits) for code in ("int", "uint") for bits in (8, 16, 32)]


def read_back(accelerator: Accelerator, folder: Path) -> Accelerator:
    memory, compute = folder / "x_memory.cpp", folder / "x_compute.h"
    memory.write_text(print_memory(accelerator))
    compute.write_text(print_compute(compute_units(accelerator)))
    return accelerator_of(read_program(str(memory)), read_compute_file(str(compute)))


def structure(accelerator: Accelerator) -> object:
    """All but the values: they may be other trees for the same functions."""
    tensors = accelerator.tensors
    return (
        accelerator.name,
        (accelerator.inputs, accelerator.outputs),
        {name: tensors[name].types for name in tensors},
        [
            (
                operation.name,
                accelerator.operations[0].function == operation.function,
                [(loop.name, low, n) for loop, low, n in zip(
                    operation.loops, operation.minima, operation.extents, strict=True)],
                (operation.store.tensor, tuple(map(normalized, operation.store.subscripts))),
                accelerator.latencies.get(operation.name, 0),
                [loop.name in accelerator.coarse for loop in operation.loops],
            )
            for operation in accelerator.operations
        ],
    )  # fmt: skip


def value_of(expr: Expr, seed: int, known: dict[Expr, int]) -> int:
    """A value as Halide defines it, of words that depend on the element alone."""
    if expr in known:
        return known[expr]
    parts = [] if isinstance(expr, Load) else [value_of(e, seed, known) for e in expr.operands]
    match expr:
        case Const(_, int() as number):
            found = number
        case Variable(_, name):
            found = Random(f"{seed} {name}").randrange(100)
        case Load(kind, name, subscripts):
            places = [str(normalized(s)) for s in subscripts]
            word = Random(f"{seed} {name} {places}")
            few = [kind.smallest, kind.largest, 0, 1, kind.wrap(word.randrange(1 << kind.bits))]
            found = word.choice(few)
        case Cast(kind):
            found = kind.wrap(parts[0])
        case Unary(kind, "not"):
            found = 1 - parts[0]
        case Unary(kind, "bnot"):
            found = kind.wrap(~parts[0])
        case Select():
            found = parts[1] if parts[0] else parts[2]
        case Binary(kind, op):
            found = kind.wrap(combined(op, *parts)) if kind != BOOL else combined(op, *parts)
        case _:
            raise AssertionError(expr)
    known[expr] = found
    return found


def combined(op: str, a: int, b: int) -> int:
    if op in ("div", "mod"):
        size = abs(b) or 1
        quotient = (a // size) * (1 if b > 0 else -1)
        return (quotient if op == "div" else a % size) if b else 0
    return int({
        "add": a + b, "sub": a - b, "mul": a * b, "min": min(a, b), "max": max(a, b),
        "eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b,
        "and": a and b, "or": a or b, "band": a & b, "bor": a | b, "bxor": a ^ b,
        "shl": a << (b & 63), "shr": a >> (b & 63),
    }[op])  # fmt: skip


def places(operation: Operation) -> set[object]:
    return {(x.tensor, tuple(map(normalized, x.subscripts))) for x in operation.loads}


def is_same(one: Accelerator, other: Accelerator) -> None:
    assert structure(one) == structure(other)
    for a, b in zip(one.operations, other.operations, strict=True):
        # A function may be simpler than the value that it was printed from.
        assert places(b) <= places(a)
        assert set(b.indices) <= set(a.indices)
        for seed in range(20):
            assert value_of(a.value, seed, {}) == value_of(b.value, seed, {}), (a.value, b.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: programs.cascade(coarse=frozenset({"conv1_y"}), latencies={"op_hcompute_conv1": 2}),
        lambda: programs.pyramid(32),
        lambda: programs.product(16),
        lambda: programs.chain("lanes", ["a", "b"], [(9, 3), (7, 2)], [1, 3], 4),
    ],
    ids=["cascade", "pyramid", "product", "lanes"],
)
def test_programs_are_read_back(make: object, tmp_path: Path) -> None:
    accelerator = make()  # type: ignore[operator]
    is_same(accelerator, read_back(accelerator, tmp_path))


SETTINGS = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@given(pipelines())
@SETTINGS
def test_random_pipelines_are_read_back(tmp_path: Path, accelerator: Accelerator) -> None:
    is_same(accelerator, read_back(accelerator, tmp_path))


@st.composite
def values(draw: st.DrawFn, kind: Type, depth: int) -> Expr:
    """Values of a type: words, an index, literals, everything that integers have."""
    if depth == 0:
        leaf = draw(st.integers(0, 3))
        if leaf == 0:
            return Const(kind, draw(st.integers(max(kind.smallest, -9), min(kind.largest, 200))))
        if leaf == 1:
            return Cast(kind, Variable(INT32, "x")) if kind != INT32 else Variable(INT32, "x")
        source = draw(st.sampled_from(TYPES))
        at = Binary(INT32, "add", Variable(INT32, "x"), Const(INT32, draw(st.integers(0, 2))))
        word = Load(source, f"in_{source}", (at,))
        return word if source == kind else Cast(kind, word)
    inner = values(kind, depth - 1)
    choice = draw(st.integers(0, 5))
    if choice == 0:
        other = draw(st.sampled_from(TYPES))
        return Cast(kind, draw(values(other, depth - 1))) if other != kind else draw(inner)
    if choice == 1:
        op = draw(st.sampled_from(["lt", "le", "eq", "ne", "gt", "ge"]))
        other = draw(st.sampled_from(TYPES))
        sides = draw(values(other, depth - 1)), draw(values(other, depth - 1))
        return Select(kind, Binary(BOOL, op, *sides), draw(inner), draw(inner))
    if choice == 2:
        op = draw(st.sampled_from(["div", "mod"]))
        by = Const(kind, draw(st.sampled_from([1, 2, 3, 7, 16, 100])))
        return Binary(kind, op, draw(inner), by)
    if choice == 3:
        op = draw(st.sampled_from(["shr", "shl"] if kind.wraps else ["shr"]))
        return Binary(kind, op, draw(inner), Const(kind, draw(st.integers(0, kind.bits - 1))))
    wrapping = ["add", "sub", "mul"] if kind.wraps else []
    op = draw(st.sampled_from([*wrapping, "min", "max", "band", "bor", "bxor"]))
    return Binary(kind, op, draw(inner), draw(inner))


@st.composite
def kernels(draw: st.DrawFn) -> Accelerator:
    kind = draw(st.sampled_from(TYPES))
    value = draw(values(kind, draw(st.integers(1, 4))))
    loads = _loads(value)
    sides = (Dimension(Const(INT32, 0), Const(INT32, 10)),)
    words = sorted({(x.tensor, x.type) for x in loads}, key=lambda pair: pair[0])
    tensors = [Tensor(name, (of,), sides) for name, of in words]
    out = Tensor("out", (kind,), (Dimension(Const(INT32, 0), Const(INT32, 8)),))
    body = programs.loops(["x"], [8], Store("out", (Variable(INT32, "x"),), (value,)))
    arguments = [Argument(t.name, t, t.types[0]) for t in tensors]
    return Accelerator(Nest("kernel", (*arguments, Argument("out", out, kind, output=True)), body))


def _loads(value: Expr) -> set[Load]:
    return {e for e in walk(value) if isinstance(e, Load)}


@given(kernels())
@settings(SETTINGS, max_examples=80)
def test_random_functions_are_read_back(tmp_path: Path, accelerator: Accelerator) -> None:
    text = print_compute(compute_units(accelerator))
    assume(not re.search(r"return \W*\d", text))  # a literal does not say of which type it is
    is_same(accelerator, read_back(accelerator, tmp_path))


def test_a_sign_that_is_lost_on_the_way(tmp_path: Path) -> None:
    """A minimum of signed bytes as unsigned words is none of signed bytes."""
    byte, word = Type("int", 8), Type("uint", 16)
    load = Load(byte, "in", (Variable(INT32, "x"),))
    value = Cast(byte, Binary(word, "min", Const(word, 0), Cast(word, load)))
    _is_read_back(byte, value, tmp_path)


def test_bits_that_are_lost_on_the_way(tmp_path: Path) -> None:
    """A byte of a word may be negative where the word is not."""
    byte = Type("int", 8)
    load = Load(INT32, "in", (Variable(INT32, "x"),))
    condition = Binary(BOOL, "lt", Const(byte, 0), Cast(byte, load))
    _is_read_back(INT32, Select(byte, condition, Const(byte, 0), Const(byte, 1)), tmp_path)


def _is_read_back(of: Type, value: Expr, folder: Path) -> None:
    sides = (Dimension(Const(INT32, 0), Const(INT32, 8)),)
    image, out = Tensor("in", (of,), sides), Tensor("out", (value.type,), sides)
    body = programs.loops(["x"], [8], Store("out", (Variable(INT32, "x"),), (value,)))
    arguments = (Argument("in", image, of), Argument("out", out, value.type, output=True))
    accelerator = Accelerator(Nest("kernel", arguments, body))
    is_same(accelerator, read_back(accelerator, folder))
