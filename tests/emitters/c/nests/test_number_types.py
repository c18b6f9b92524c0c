"""float16, bfloat16, random numbers, bits: the wheel is what they must equal."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from s2s.emitters.c.nests import emit
from s2s.emitters.c.nests.expressions import Writer
from s2s.emitters.c.nests.helpers import helper_texts
from s2s.frontends.halide.evaluate import evaluate
from s2s.net.pipelines.arrays import Array, dtype
from s2s.scop.expressions import FLOAT32, Call, Variable
from s2s.scop.pipeline import Pipeline
from s2s.transforms.halide.lower import lower
from s2s.transforms.nest.prepare import prepare
from tests.emitters.c.nests.compiled import QUICK, library, together
from tests.emitters.c.nests.compiled import run as run_compiled
from tests.frontends.halide.oracle import Job, build, needs_wheel, run

SOURCE = Path(__file__).parent / "number_types.cpp"
EXTENTS = (37, 11)
NAMES = (
    "whole_numbers",
    "random_numbers",
    "random_updates",
    "half_values",
    "half_functions",
    "brain_values",
)


@cache
def image(name: str) -> NDArray[Any]:
    """What the generators read: numbers of all sizes, also subnormal ones."""
    random = np.random.default_rng(7)
    shape = (EXTENTS[1] + 2, EXTENTS[0] + 2)
    if name.startswith(("random", "whole")):
        return random.integers(0, 256, shape).astype(np.uint8)
    values = random.normal(0, 1, shape) * 2.0 ** random.integers(-18, 8, shape)
    if name.startswith("half"):
        return values.astype(np.float16)
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


@cache
def compiled() -> None:
    """One call of the compiler for all."""
    made = [emit(prepare(lower(evaluated(name), sizes()))).source for name in NAMES]
    together(made, QUICK, "gcc")


@cache
def evaluated(name: str) -> Pipeline:
    return evaluate(str(SOURCE), SOURCE.read_bytes(), generator=name)


def sizes() -> dict[str, tuple[int, ...]]:
    return {"output": EXTENTS, "input": (EXTENTS[0] + 2, EXTENTS[1] + 2)}


@cache
def ours(name: str) -> NDArray[Any]:
    compiled()
    nest = lower(evaluated(name), sizes())
    ((found,),) = run_compiled(nest, {"input": Array(image(name), (0, 0))}, flags=QUICK)
    return found.values


@cache
def theirs() -> dict[str, NDArray[Any]]:
    jobs = []
    for name in NAMES:
        (type_,) = evaluated(name).funcs["output"].types
        inputs = {"input": Array(image(name), (0, 0))}
        jobs.append(Job(name, inputs, [([dtype(type_)], (0, 0), EXTENTS)]))
    answers = run(build([SOURCE]), jobs)
    assert not [a.error for a in answers if a.error]
    return {n: a.outputs[0][0].values for n, a in zip(NAMES, answers, strict=True)}


@needs_wheel
@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_halide(name: str) -> None:
    found, wanted = ours(name), theirs()[name]
    assert np.array_equal(found, wanted, equal_nan=found.dtype.kind == "f")


def test_random_floats_fill_the_unit_interval() -> None:
    values = ours("random_numbers")
    assert 0 <= values.min() < 0.15
    assert 0.8 < values.max() < 1
    assert len(np.unique(values)) > 0.9 * values.size


def test_half_arithmetic_is_rounded_after_each_operation() -> None:
    data = image("half_values")
    a, b = data[:-2, :-2], data[1:-1, 1:-1]
    one, three = np.float16(1), np.float16(3)
    with np.errstate(all="ignore"):
        wanted = np.where(a < b, (a * b + a) / (abs(b) + one), np.minimum(a - b * three, one))
    assert np.array_equal(ours("half_values"), wanted)


CONVERSIONS = Path(__file__).with_name("number_types.c").read_text()


@cache
def conversions() -> ctypes.CDLL:
    names = ["s2s_from_float16", "s2s_to_float16", "s2s_odd_float", "s2s_to_bfloat16"]
    heads = "".join(f"#include <{h}.h>\n" for h in ("stdint", "string", "math"))
    return library(heads + "".join(helper_texts(names)) + CONVERSIONS, QUICK)


def converted(name: str, values: NDArray[Any], to: Any) -> NDArray[Any]:
    made: NDArray[Any] = np.zeros(values.shape, to)
    getattr(conversions(), name)(
        values.ctypes.data_as(ctypes.c_void_p), made.ctypes.data_as(ctypes.c_void_p), values.size
    )
    return made


def test_every_half_has_its_value() -> None:
    halves = np.arange(1 << 16, dtype=np.uint16)
    wanted = halves.view(np.float16).astype(np.float32)
    assert np.array_equal(converted("widen", halves, np.float32), wanted, equal_nan=True)


def test_floats_round_to_the_nearest_half() -> None:
    random = np.random.default_rng(1)
    bits = random.integers(0, 1 << 32, 200_000, dtype=np.uint32)
    near = random.normal(0, 1, 200_000) * 2.0 ** random.integers(-30, 18, 200_000)
    # Halfway between two halves, and the float next to it on either side.
    ties: NDArray[Any] = np.arange(1 << 15, dtype=np.uint16).view(np.float16).astype(np.float32)
    ties = ties[np.isfinite(ties)]
    ties = ties[:-1] + (ties[1:] - ties[:-1]) / 2
    around = [
        ties,
        np.nextafter(ties, np.float32(np.inf)),
        -ties,
        np.nextafter(ties, np.float32(0)),
    ]
    values = np.concatenate([bits.view(np.float32), near.astype(np.float32), *around])
    with np.errstate(all="ignore"):
        wanted = values.astype(np.float16)
    found = converted("narrow", values, np.uint16).view(np.float16)
    assert np.array_equal(found, wanted, equal_nan=True)


def test_doubles_round_once() -> None:
    random = np.random.default_rng(2)
    ties: NDArray[Any] = np.arange(1 << 15, dtype=np.uint16).view(np.float16).astype(np.float64)
    ties = ties[np.isfinite(ties)]
    ties = ties[:-1] + (ties[1:] - ties[:-1]) / 2
    values = np.concatenate([ties * (1 + s * 2.0**-40) for s in (-1, 0, 1)])
    values = np.concatenate([values, -values, random.normal(0, 1e5, 1000), [0.0, np.inf, 1e300]])
    with np.errstate(all="ignore"):
        wanted = values.astype(np.float16)
    assert np.array_equal(converted("twice", values, np.uint16).view(np.float16), wanted)


def test_floats_round_to_the_nearest_brain_float() -> None:
    bits = np.random.default_rng(3).integers(0, 1 << 32, 100_000, dtype=np.uint32)
    bits[:1000] = bits[:1000] & 0xFFFF0000 | 0x8000
    values = bits.view(np.float32)
    found = converted("brain", values, np.uint16).astype(np.uint32) << 16
    back = found.view(np.float32)
    low, high = (bits & 0xFFFF0000).view(np.float32), ((bits >> 16) + 1 << 16).view(np.float32)
    finite = np.isfinite(values)
    with np.errstate(all="ignore"):
        wide = values.astype(np.float64)
        below, above = abs(wide - low), abs(high - wide)
        even = np.where(bits >> 16 & 1, high, low)
    nearest = np.where(below < above, low, np.where(above < below, high, even))
    usual = finite & np.isfinite(high)
    assert np.array_equal(back[usual], nearest[usual])
    assert np.isnan(back[np.isnan(values)]).all()


def test_fast_inverses_are_near() -> None:
    writer = Writer(variable=str, load=lambda load: "")
    x = Variable(FLOAT32, "x")
    found = [writer.text(Call(FLOAT32, n, (x,))) for n in ("fast_inverse", "fast_inverse_sqrt")]
    assert found == ["1.0f / x", "1.0f / sqrtf(x)"]
    assert writer.text(Call(FLOAT32, "fma", (x, x, x))) == "fmaf(x, x, x)"
