"""Functions of 64-bit integers, for which no wider type exists, against unlimited integers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2s.frontends.halide.evaluate import evaluate
from s2s.net.pipelines.arrays import Array
from s2s.source.diagnostics import UserError
from s2s.transforms.halide.lower import lower
from tests.emitters.c.nests.compiled import QUICK, run

_SOURCE = Path(__file__).with_name("full_width.cpp").read_text()
_COUNT = 200


def _shifted(value: int, by: int) -> int:
    """To nearest, halves up; a negative distance is one to the left."""
    if by <= 0:
        return value << -by
    return (value + (1 << (by - 1))) >> by


EXACT: dict[str, Callable[[int, int], int]] = {
    "halving_add(a, b)": lambda a, b: (a + b) >> 1,
    "halving_sub(a, b)": lambda a, b: (a - b) >> 1,
    "rounding_halving_add(a, b)": lambda a, b: (a + b + 1) >> 1,
    "rounding_shift_right(a, b & 63)": lambda a, b: _shifted(a, b & 63),
    "rounding_shift_left(a, b & 63)": lambda a, b: a << (b & 63),
    "rounding_shift_right(a, cast<int64_t>(b & 63) - 32)": lambda a, b: _shifted(a, (b & 63) - 32),
    "rounding_shift_left(a, cast<int64_t>(b & 63) - 32)": lambda a, b: _shifted(a, 32 - (b & 63)),
    "cast(a.type(), absd(a, b))": lambda a, b: abs(a - b),
}
LIMITED: dict[str, Callable[[int, int], int]] = {
    "saturating_add(a, b)": lambda a, b: a + b,
    "saturating_sub(a, b)": lambda a, b: a - b,
}


def _data(signed: bool) -> dict[str, Array]:
    limits: np.iinfo[Any] = np.iinfo(np.int64 if signed else np.uint64)
    special = [limits.min, limits.max, 0, 1, 2, limits.max - 1, limits.min + 1, limits.max // 2, 99]
    random = np.random.default_rng(11)
    names = ("input", "other")
    found = {n: random.integers(limits.min, limits.max, _COUNT, limits.dtype, True) for n in names}
    for place, (a, b) in enumerate((a, b) for a in special for b in special):
        found["input"][place], found["other"][place] = a, b
    return {name: Array(values, (0,)) for name, values in found.items()}


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("function", [*EXACT, *LIMITED])
def test_values_are_those_of_unlimited_integers(function: str, signed: bool) -> None:
    text = _SOURCE.replace("TYPE", "int64_t" if signed else "uint64_t")
    pipeline = evaluate("g.cpp", text.replace("FUNCTION", function).encode())
    data = _data(signed)
    nest = lower(pipeline, dict.fromkeys(("output", "input", "other"), (_COUNT,)))
    low = -(1 << 63) if signed else 0
    exact = {**EXACT, **LIMITED}[function]
    pairs = zip(data["input"].values.tolist(), data["other"].values.tolist(), strict=True)
    wanted = [exact(a, b) for a, b in pairs]
    if function in LIMITED:
        wanted = [min(max(value, low), low + (1 << 64) - 1) for value in wanted]
    wanted = [(value - low) % (1 << 64) + low for value in wanted]
    assert run(nest, data, flags=QUICK)[0][0].values.tolist() == wanted


@pytest.mark.parametrize(
    "function",
    ["mul_shift_right(a, b, 3)", "rounding_mul_shift_right(a, b, 3)", "widening_mul(a, b)"],
)
def test_what_needs_wider_integers_is_refused_at_its_line(function: str) -> None:
    text = _SOURCE.replace("TYPE", "int64_t").replace("FUNCTION", function)
    with pytest.raises(UserError) as refused:
        evaluate("g.cpp", text.encode())
    location = refused.value.diagnostics[0].location
    assert location is not None
    assert location.line == text[: text.index(function)].count("\n") + 1
