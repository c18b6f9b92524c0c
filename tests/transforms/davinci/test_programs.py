"""Programs of all variants compute what pooling is, and nothing is wrong with them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from s2s.scop.cce import Operand, Place, Program, calls
from s2s.scop.pooling import Axis, Kind, Mask, Pooling
from s2s.simulators.davinci.machine import load
from s2s.transforms.davinci.backward import MERGES, make_backward
from s2s.transforms.davinci.choose import make
from s2s.transforms.davinci.cost import estimate
from s2s.transforms.davinci.errors import Unmappable
from s2s.transforms.davinci.forward import make_forward
from s2s.transforms.davinci.planes import transfer
from s2s.transforms.davinci.tiles import SIZES
from s2s.transforms.davinci.vectors import Code, at
from s2s.transforms.davinci.ways import WAYS
from tests.thorough import count
from tests.transforms.davinci.host import Job, count_equal
from tests.transforms.davinci.references import (
    backward,
    counts,
    forward,
    outputs,
    result,
    run,
    within,
)

EXAMPLES = count("S2S_POOLINGS", 4, 20)
"""Random shapes of each test, each in all variants: a pooling forward, and one backward."""
SEED = os.environ.get("S2S_SEED")
"""For other shapes than always: a long run in parts, each of which prints (-s) what it had."""


@st.composite
def axes(draw: st.DrawFn) -> Axis:
    kernel, stride = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    dilation = draw(st.sampled_from([1, 1, 2, 3]))
    before, after = draw(st.integers(0, kernel)), draw(st.integers(0, kernel))
    reach = (kernel - 1) * dilation + 1
    size = draw(st.integers(max(1, reach - before - after), 28))
    count = (size + before + after - reach) // stride + 1
    return Axis(size, kernel, stride, before, draw(st.integers(max(1, count - 1), count)), dilation)


@st.composite
def poolings(draw: st.DrawFn) -> Pooling:
    kind = draw(st.sampled_from(list(Kind)))
    mask = draw(st.sampled_from(list(Mask))) if kind is Kind.MAX else Mask.NONE
    batches, channels = (draw(st.integers(1, 2)),), draw(st.integers(1, 70))
    divisor = draw(st.sampled_from([None, 0, 7]))
    found = Pooling(
        "pool", kind, False, batches, channels, draw(axes()), draw(axes()), mask, divisor
    )
    least = draw(st.sampled_from([found.least, 0.0, -1.25])) if mask is Mask.NONE else found.least
    return replace(found, least=least)


def numbers(shape: tuple[int, ...], seed: int, *, special: bool = False) -> np.ndarray:
    """Random halves, many of them equal; ``special``: with infinities and what is no number."""
    random = np.random.default_rng(seed)
    values = (random.integers(-9, 9, shape) / 4).astype(np.float16)
    if special:
        for value in (np.inf, -np.inf, np.nan, -0.0, 65504):
            values[random.random(shape) < 0.02] = value
    return values


def arrays_of(pooling: Pooling, seed: int, *, special: bool = False) -> dict[str, np.ndarray]:
    y, x = pooling.y, pooling.x
    found = {"counts": np.repeat(counts(pooling)[:, :, None], 16, 2)}
    if pooling.backward:
        found["gradients"] = numbers((pooling.planes, y.count, x.count, 16), seed)
        extents = (pooling.planes, y.kernel * x.kernel, y.count, x.count, 16)
        found["masks"] = np.random.default_rng(seed).integers(0, 2, extents).astype(np.float16)
    else:
        found["image"] = numbers((pooling.planes, y.size, x.size, 16), seed, special=special)
    return found


BUFFERS = st.sampled_from([SIZES["ub"], 16384, 6144])
"""Bytes of the unified buffer: in small ones planes are in strips, and windows in parts."""


def programs(
    pooling: Pooling, make: Callable[[Pooling, str, int], Program], variants: Iterable[str], ub: int
) -> Iterator[tuple[str, Program]]:
    """Each variant that there is, without those of windows in so many parts that nobody waits."""
    for variant in variants:
        try:
            program = make(pooling, variant, ub)
        except Unmappable:
            continue
        if sum(1 for _ in calls(program.body)) <= LONGEST:
            yield variant, program


LONGEST = 8000
"""Instructions of a program's text."""


def rows_of(program: Program) -> int:
    """Rows of windows in a tile."""
    match = re.search(r"tiles of (\d+) rows", program.about[0])
    return int(match[1]) if match else 1


NUMBERS = {name: number.value for name, number in load("ascend910-documented").numbers.items()}


def each(check: Callable[..., None], *drawn: st.SearchStrategy[Any]) -> None:
    """Call ``check`` with as many random examples as are asked for."""
    every = settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True)
    (seed(int(SEED)) if SEED else lambda test: test)(every(given(*drawn)(check)))()


def say(shapes: set[Any], kernels: int, what: str) -> None:
    print(f"{what}: {len(shapes)} shapes, {kernels} kernels by g++ as well")


def test_forward_is_what_numpy_and_the_host_compute(tmp_path: Path) -> None:
    shapes: set[Pooling] = set()
    jobs: list[Job] = []

    def check(pooling: Pooling, seed: int, special: bool, ub: int) -> None:
        arrays = arrays_of(pooling, seed, special=special)
        for variant, program in programs(pooling, make_forward, WAYS, ub):
            done = run(program, arrays)
            order = "xy" if variant.startswith("xy") else "yx"
            with np.errstate(all="ignore"):
                wanted, masks = forward(pooling, arrays["image"], order)
            assert not done.findings.found, (variant, done.findings.found)
            assert estimate(program, NUMBERS) == pytest.approx(done.cycles, 1e-5)
            found = result(done, "windows", wanted.shape)
            assert np.array_equal(found, wanted, equal_nan=True), variant
            if pooling.mask is not Mask.NONE:
                assert np.array_equal(result(done, "masks", masks.shape), masks), variant
            if not special:
                image = arrays["image"].astype(np.float32)
                exact, absolute = (forward(pooling, one)[0] for one in (image, np.abs(image)))
                bound = 0 if pooling.kind is Kind.MAX else absolute
                assert within(pooling, found, exact, bound * np.ones_like(exact)), variant
            shapes.add(pooling)
            jobs.append(Job(program, arrays, outputs(done, program)))

    each(check, poolings(), st.integers(0, 1000), st.booleans(), BUFFERS)
    say(shapes, count_equal(tmp_path, jobs), "forward")


def test_backward_is_what_numpy_and_the_host_compute(tmp_path: Path) -> None:
    shapes: set[Pooling] = set()
    jobs: list[Job] = []

    def check(drawn: Pooling, seed: int, ub: int) -> None:
        pooling = replace(drawn, backward=True, mask=Mask.NONE)
        arrays = arrays_of(pooling, seed)
        masks = arrays["masks"] if pooling.kind is Kind.MAX else None
        single = arrays["gradients"].astype(np.float32)
        exact, absolute = (backward(pooling, one, masks, 1) for one in (single, np.abs(single)))
        for variant, program in programs(pooling, make_backward, MERGES, ub):
            done = run(program, arrays)
            wanted = backward(pooling, arrays["gradients"], masks, rows_of(program))
            assert not done.findings.found, (variant, done.findings.found)
            assert estimate(program, NUMBERS) == pytest.approx(done.cycles, 1e-5)
            found = result(done, "image", wanted.shape)
            assert np.array_equal(found, wanted), variant
            assert within(pooling, found, exact, absolute), variant
            shapes.add(pooling)
            jobs.append(Job(program, arrays, outputs(done, program)))

    each(check, poolings(), st.integers(0, 1000), BUFFERS)
    say(shapes, count_equal(tmp_path, jobs), "backward")


@pytest.mark.parametrize("variant", ["im2col", "expansion"])
@pytest.mark.parametrize("divisor", [None, 0])
def test_sums_in_single_precision_are_rounded_once(variant: str, divisor: float | None) -> None:
    y, x = Axis(15, 7, 3, 1, 4), Axis(17, 6, 4, 2, 4)
    pooling = Pooling("pool", Kind.AVERAGE, False, (1,), 20, y, x, Mask.NONE, divisor)
    image = np.random.default_rng(8).normal(50, 20, (2, 15, 17, 16)).astype(np.float16)
    for ub in (SIZES["ub"], 12288):
        program = make_forward(pooling, variant, ub, single=True)
        done = run(program, {"image": image, "counts": arrays_of(pooling, 0)["counts"]})
        assert not done.findings.found
        wanted = sums(pooling, image.astype(np.float64)) / counts(pooling)[None, :, :, None]
        found = result(done, "windows", wanted.shape)
        # Half a unit in the last place, and a little for the sum in single precision.
        assert (np.abs(found - wanted) <= 0.502 * np.spacing(found)).all()


def sums(pooling: Pooling, image: np.ndarray) -> np.ndarray:
    y, x = pooling.y, pooling.x
    found = np.zeros((len(image), y.count, x.count, 16))
    for oy, ox in np.ndindex(y.count, x.count):
        top, left = oy * y.stride - y.before, ox * x.stride - x.before
        window = image[:, max(0, top) : top + y.kernel, max(0, left) : left + x.kernel]
        found[:, oy, ox] = window.sum((1, 2))
    return found


def test_backward_has_no_sums_in_single_precision() -> None:
    axis = Axis(8, 2, 2, 0, 4)
    pooling = Pooling("pool", Kind.SUM, True, (1,), 16, axis, axis)
    with pytest.raises(Unmappable, match="sums are in half precision"):
        make(pooling, "standard", single=True)


@pytest.mark.parametrize("variant", MERGES)
def test_small_buffers_make_small_tiles_that_carry_lines(variant: str) -> None:
    axis = Axis(40, 5, 2, 2, 20)
    pooling = Pooling("pool", Kind.MAX, True, (1,), 16, axis, axis)
    arrays = arrays_of(pooling, 3)
    program = make_backward(pooling, variant, ub=49152)
    rows = rows_of(program)
    assert rows < 5
    wanted = backward(pooling, arrays["gradients"], arrays["masks"], rows)
    assert np.array_equal(result(run(program, arrays), "image", wanted.shape), wanted)


def test_what_does_not_fit_says_how_much_it_needs() -> None:
    whole = Axis(300, 300, 1, 0, 1)
    pooling = Pooling("pool", Kind.MAX, False, (1,), 16, whole, whole, Mask.ALL)
    with pytest.raises(Unmappable, match=r"one row of windows needs \d+ bytes"):
        make_forward(pooling, "standard")


@pytest.mark.parametrize("variant", WAYS)
def test_wide_rows_are_cut_into_strips(variant: str) -> None:
    wide = Axis(900, 3, 2, 0, 449)
    pooling = Pooling("pool", Kind.MAX, False, (1,), 16, Axis(3, 3, 2, 0, 1), wide)
    arrays = arrays_of(pooling, 5)
    program = make_forward(pooling, variant, 24576)
    assert re.search(r" in \d+ strips", program.about[0])
    done = run(program, arrays)
    wanted = forward(pooling, arrays["image"])[0]
    assert not done.findings.found
    assert np.array_equal(result(done, "windows", wanted.shape), wanted)


@pytest.mark.parametrize("backward", [False, True])
def test_a_window_that_does_not_fit_is_taken_in_parts(backward: bool) -> None:
    y, x = Axis(20, 20, 1, 0, 1), Axis(30, 30, 1, 0, 1)
    pooling = Pooling("pool", Kind.SUM, backward, (1,), 16, y, x)
    program = (make_backward if backward else make_forward)(pooling, "block-stride", 8192)
    assert "parts of windows" in program.about[0]
    values = np.zeros((1, 20, 30, 16), np.float16)
    values[0, ::10, ::10] = 3
    gradients = np.full((1, 1, 1, 16), 7, np.float16)
    done = run(program, {"image": values, "gradients": gradients})
    assert not done.findings.found
    shape = (20 * 30 * 16,) if backward else (16,)
    assert (result(done, pooling.output, shape) == (7 if backward else 18)).all()


def number_of(operand: Operand) -> int:
    """A constant, or the place in an array."""
    number = operand.offset if isinstance(operand, Place) else operand
    assert not isinstance(number, str)
    return number.constant


def test_a_transfer_has_so_many_bursts_and_gaps_so_long() -> None:
    for bursts, gaps in ((5000, (1, 0)), (3, (70000, 2)), (5000, (0, 0))):
        code = Code()
        transfer(code, "copy_gm_to_ubuf", at("to"), at("of"), bursts, 20, gaps)
        copied = set()
        for one, _ in calls(code.body):
            to, of = (number_of(operand) // 16 for operand in one.operands[:2])
            count, length, gap_of, gap_to = map(number_of, one.operands[3:])
            assert count <= 4095 and max(gap_of, gap_to) <= 65535
            for k in range(count):
                first = of + k * (length + gap_of), to + k * (length + gap_to)
                copied |= {(first[0] + j, first[1] + j) for j in range(length)}
        wanted = {
            (k * (20 + gaps[0]) + j, k * (20 + gaps[1]) + j)
            for k in range(bursts) for j in range(20)
        }  # fmt: skip
        assert copied == wanted


def test_a_tile_of_nothing_but_padding_has_no_image() -> None:
    y, x = Axis(7, 4, 1, 4, 9), Axis(39, 1, 1, 1, 40)
    pooling = Pooling("pool", Kind.SUM, False, (1,), 20, y, x)
    arrays = arrays_of(pooling, 7)
    done = run(make_forward(pooling, "im2col", 8192), arrays)
    assert not done.findings.found
    wanted = forward(pooling, arrays["image"])[0]
    assert np.array_equal(result(done, "windows", wanted.shape), wanted)


def test_windows_that_are_all_padding_have_the_lowest_value() -> None:
    axis = Axis(3, 2, 2, 2, 3)
    pooling = Pooling("pool", Kind.MAX, False, (1,), 16, axis, axis)
    image = np.full((1, 3, 3, 16), -np.inf, np.float16)
    for variant in WAYS:
        done = run(make_forward(pooling, variant), {"image": image})
        assert (result(done, "windows", (9 * 16,)) == np.float16(-65504)).all(), variant
