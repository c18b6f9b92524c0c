"""Random functions of kernels: the compute file and the CoreIR compute what is defined."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from s2s.emitters.clockwork.compute import print_compute
from s2s.emitters.clockwork.coreir import print_coreir
from s2s.emitters.clockwork.memory import print_memory
from s2s.net.pipelines.arrays import widened
from s2s.net.pipelines.definitions import Direct
from s2s.net.pipelines.evaluation import Evaluation
from s2s.net.pipelines.noise import Noise
from s2s.scop.accelerator import Accelerator
from s2s.scop.compute_unit import ComputeUnit
from s2s.scop.expressions import (
    BOOL,
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
from s2s.scop.pipeline import Pipeline
from s2s.simulators.amber.execute import execute
from s2s.source.clockwork.memory_file import read_program
from s2s.transforms.clockwork.compute_units import compute_units
from tests.emitters.clockwork import coreir

U8, U16, I8, I16, U32 = (Type(c, b) for c, b in (
    ("uint", 8), ("uint", 16), ("int", 8), ("int", 16), ("uint", 32)
))  # fmt: skip
BF16 = Type("bfloat", 16)
INTEGERS = (U8, U16, I8, I16, U32)
COUNT, TAPS = 48, 3
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def _load(type_: Type, tap: int) -> Expr:
    place = Binary(INT32, "add", Variable(INT32, "i"), Const(INT32, tap))
    return Load(type_, f"in_{type_}", (place,))


@st.composite
def values(draw: st.DrawFn, type_: Type, depth: int) -> Expr:
    """An expression of a type over loads, the loop's index and literals."""
    if type_ == BOOL:
        return draw(_truths(depth))
    if depth == 0 or draw(st.integers(0, 9)) == 0:
        if draw(st.integers(0, 3)):
            return _load(type_, draw(st.integers(0, TAPS - 1)))
        if type_ == BF16:
            return Const(type_, draw(st.sampled_from([0.5, 1.0, -3.0, 0.0])))
        return Const(type_, draw(st.integers(type_.smallest, type_.largest)))
    inner = values(type_, depth - 1)
    kind = draw(st.sampled_from(("binary", "binary", "select", "cast", "shift", "unary")))
    if kind == "select":
        return Select(type_, draw(_truths(depth - 1)), draw(inner), draw(inner))
    if type_ == BF16:
        op = draw(st.sampled_from(("add", "sub", "mul", "min", "max")))
        return Binary(type_, op, draw(inner), draw(inner))
    if kind == "cast":
        source = draw(st.sampled_from((*INTEGERS, BOOL)))
        return Cast(type_, draw(values(source, depth - 1)))
    if kind == "shift":
        distance = Const(type_, draw(st.integers(0, min(type_.bits - 1, 7))))
        return Binary(type_, draw(st.sampled_from(("shl", "shr"))), draw(inner), distance)
    if kind == "unary":
        if type_ == U16 and draw(st.booleans()):
            return Call(type_, "absd", (draw(inner), draw(inner)))
        return Unary(type_, "bnot", draw(inner))
    ops = ("add", "sub", "mul", "div", "mod", "min", "max", "band", "bor", "bxor")
    return Binary(type_, draw(st.sampled_from(ops)), draw(inner), draw(inner))


@st.composite
def _truths(draw: st.DrawFn, depth: int) -> Expr:
    if depth > 0 and draw(st.booleans()):
        parts = draw(_truths(depth - 1)), draw(_truths(depth - 1))
        if draw(st.booleans()):
            return Unary(BOOL, "not", parts[0])
        return Binary(BOOL, draw(st.sampled_from(("and", "or", "eq", "ne"))), *parts)
    type_ = draw(st.sampled_from(INTEGERS))
    inner = values(type_, max(depth - 1, 0))
    return Binary(BOOL, draw(st.sampled_from(COMPARISONS)), draw(inner), draw(inner))


def _accelerator(exprs: list[Expr]) -> Accelerator:
    """A loop whose operations have these values, each an output of its own."""

    def tensor(name: str, type_: Type, size: int) -> Tensor:
        return Tensor(name, (type_,), (Dimension(Const(INT32, 0), Const(INT32, size)),))

    types = (*INTEGERS, BF16)
    inputs = [tensor(f"in_{t}", t, COUNT + TAPS - 1) for t in types]
    outputs = [tensor(f"out{k}", e.type, COUNT) for k, e in enumerate(exprs)]
    stores = [
        Store(o.name, (Variable(INT32, "i"),), (e,)) for o, e in zip(outputs, exprs, strict=True)
    ]
    loop = For("i", Const(INT32, 0), Const(INT32, COUNT), "serial", Block(tuple(stores)))
    arguments = [Argument(t.name, t, t.types[0]) for t in inputs]
    arguments += [Argument(t.name, t, t.types[0], output=True) for t in outputs]
    return Accelerator(Nest("kernels", tuple(arguments), loop))


def _words(unit: ComputeUnit, arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The values of a unit's words, by the names of its variables."""
    found = {name: np.arange(COUNT) for name in unit.indices}
    for operand in unit.operands:
        loads = [w for w in _loads(unit, operand.buffer)]
        for word, tap in zip(operand.words, loads, strict=True):
            found[word] = arrays[operand.buffer][tap : tap + COUNT]
    return found


def _loads(unit: ComputeUnit, buffer: str) -> list[int]:
    return TAPS_OF[unit.name, buffer]


TAPS_OF: dict[tuple[str, str], list[int]] = {}


def _bits(values_: NDArray[Any], width: int) -> NDArray[Any]:
    return values_.astype(np.int64) & ((1 << width) - 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kernels")


@settings(
    phases=(Phase.generate,),
    max_examples=2,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(
    st.lists(
        st.sampled_from((*INTEGERS, BOOL, BF16)).flatmap(lambda t: values(t, 4)),
        min_size=20,
        max_size=20,
    )
)
def test_files_compute_what_is_defined(folder: Path, exprs: list[Expr]) -> None:
    accelerator = _accelerator(exprs)
    units = compute_units(accelerator)
    TAPS_OF.clear()
    for operation in accelerator.operations:
        for load in operation.loads:
            tap = load.subscripts[0]
            assert isinstance(tap, Binary)
            assert isinstance(tap.right, Const)
            own = TAPS_OF.setdefault((operation.function, load.tensor), [])
            own.append(int(tap.right.value))
    memory, compute = folder / "kernels_memory.cpp", folder / "kernels_compute.h"
    memory.write_text(print_memory(accelerator))
    compute.write_text(print_compute(units))
    modules = json.loads(print_coreir(units))["namespaces"]["global"]["modules"]
    program = read_program(str(memory))
    raw = {
        f"in_{t}": Noise(t, (0,), (COUNT + TAPS - 1,), 7 + k).bits()
        for k, t in enumerate((*INTEGERS, BF16))
    }
    parts = [np.zeros(0, np.uint32)]
    for name in program.inputs:
        if name in program.boxes:
            box = program.boxes[name]
            part = raw[name][box.minima[0] : box.minima[0] + box.extents[0]]
            parts.append(_bits(part, program.width(name)).astype(np.uint32))
    made = execute(program, str(compute), None, np.concatenate(parts)).words
    arrays = {n: widened(v) if n == f"in_{BF16}" else v for n, v in raw.items()}
    known = Direct(Pipeline("none", [], {}, {}, {}), {})
    first = program.count(program.inputs)
    for k, unit in enumerate(units):
        words = _words(unit, arrays)
        value = Evaluation(known, words).value(unit.typed)
        result = np.broadcast_to(np.asarray(value), (COUNT,))
        if unit.typed.type == BF16:
            expected = result.astype(np.float32).view(np.uint32) >> 16
        else:
            expected = _bits(result, unit.typed.type.bits)
        box = program.boxes[f"out{k}"]
        word_of = made[box.first - first : box.first - first + COUNT]
        assert np.array_equal(word_of, expected), (str(unit.typed), word_of, expected)
        if "float" not in json.dumps(modules[unit.name]):
            ports = {
                f"in{n}_{o.buffer}.{j}": _bits(
                    words[w], 1 if o.type == BOOL else max(16, o.type.bits)
                )
                for n, o in enumerate(unit.operands)
                for j, w in enumerate(o.words)
            }
            word = np.broadcast_to(coreir.evaluate(modules[unit.name], ports), (COUNT,))
            assert np.array_equal(_bits(word, unit.typed.type.bits), expected), str(unit.typed)
