"""Lowered pipelines as a whole: arguments, memory, loops with constant extents, refusals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from s2s.driver.pipeline_proof import prove
from s2s.frontends.halide.evaluate import evaluate
from s2s.net.pipelines.arrays import Array
from s2s.net.pipelines.definitions import Direct
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Const
from s2s.scop.nest import Allocate, For, Nest, walk
from s2s.scop.pipeline import TailStrategy
from s2s.transforms.halide import lower
from s2s.transforms.halide.initial import initial_nest
from tests.emitters.c.nests.compiled import run
from tests.frontends.halide.twin import Twin
from tests.transforms.halide.lowered_by_halide import program
from tests.transforms.halide.schedules import CASES, SIZE
from tests.transforms.halide.sliding_programs import Refused, SlidingProgram


def _inputs(nest: Nest) -> dict[str, Array]:
    """Data of just the regions that a nest needs."""
    random = np.random.default_rng(1)
    found = {}
    for argument in nest.arguments:
        if argument.tensor is not None and not argument.output:
            sides = [(d.minimum, d.extent) for d in argument.tensor.dimensions]
            numbers = [
                (int(low.value), int(extent.value))
                for low, extent in sides
                if isinstance(low, Const) and isinstance(extent, Const)
            ]
            shape = tuple(extent for _, extent in reversed(numbers))
            values = random.integers(-50, 50, shape, np.int32)
            found[argument.name] = Array(values, tuple(low for low, _ in numbers))
    return found


def _check_values(twin: Twin, output: str, nest: Nest) -> None:
    inputs = _inputs(nest)
    (((got,),)) = run(nest, inputs)
    (wanted,) = Direct(twin.pipeline(output), inputs).output(output, got.minima, got.extents)
    assert np.array_equal(got.values, wanted.values)


@pytest.mark.parametrize("name", CASES)
def test_schedules_keep_the_values(name: str) -> None:
    made = program(name)
    assert made is not None
    twin, output, size = made
    _check_values(twin, output, lower(twin.pipeline(output), {output: size}))


def test_the_region_of_an_input_is_what_is_needed() -> None:
    made = program("slide_two")
    assert made is not None
    twin, output, _ = made
    nest = lower(twin.pipeline(output), {output: SIZE})
    (image,) = (a.tensor for a in nest.arguments if a.name == "in")
    assert image is not None
    sides = [(d.minimum, d.extent) for d in image.dimensions]
    assert [[e.value for e in side if isinstance(e, Const)] for side in sides] == [
        [-3, 26],
        [-3, 20],
    ]


PREDICATED = Path(__file__).with_name("lower.cpp").read_bytes()


@pytest.mark.parametrize(("width", "needed"), [(33, 44), (37, 44), (100, 108)])
def test_loops_inside_of_a_split_do_not_reach_beyond_its_last_part(width: int, needed: int) -> None:
    """The wheel asks for the same: an inner loop ends where it does in its outer iteration."""
    nest = lower(evaluate("predicated.cpp", PREDICATED), {"out": (width, 23)})
    (image,) = (a.tensor for a in nest.arguments if a.name == "in")
    assert image is not None
    assert [d.extent.value for d in image.dimensions if isinstance(d.extent, Const)] == [needed, 24]


def test_sizes_left_out_are_arguments() -> None:
    made = program("row_by_row")
    assert made is not None
    twin, output, _ = made
    nest = lower(twin.pipeline(output))
    scalars = [a.name for a in nest.arguments if a.tensor is None]
    assert scalars == ["g.extent.0", "g.extent.1"]


def test_unrolled_loops_run_to_a_constant_bound() -> None:
    twin = Twin()
    out = CASES["row_by_row"](twin)
    twin.directive("g", 0, "split", "y", "yo", "yi", 4, TailStrategy.GUARD_WITH_IF)
    twin.directive("f", 0, "compute_at", "g", "yo")
    twin.directive("f", 0, "unroll", "y")
    nest = lower(twin.pipeline(out), {out: SIZE})
    (loop,) = (n for n in walk(nest.body) if isinstance(n, For) and n.kind == "unrolled")
    assert isinstance(loop.extent, Const) and loop.extent.value == 6
    _check_values(twin, out, nest)


def test_a_loop_without_a_bound_cannot_be_unrolled() -> None:
    twin = Twin()
    out = CASES["root"](twin)
    twin.directive("f", 0, "unroll", "y")
    with pytest.raises(Illegal, match="extent is not a constant"):
        lower(twin.pipeline(out))
    assert lower(twin.pipeline(out), {out: SIZE})


def test_memory_is_folded_to_a_ring() -> None:
    made = program("slide_rows")
    assert made is not None
    twin, output, size = made
    nest = lower(twin.pipeline(output), {output: size})
    (tensor,) = (n.tensor for n in walk(nest.body) if isinstance(n, Allocate))
    folds = [d.fold for d in tensor.dimensions]
    assert folds[0] is None and isinstance(folds[1], Const) and folds[1].value == 4


def test_wrong_number_of_sizes() -> None:
    made = program("root")
    assert made is not None
    twin, output, _ = made
    with pytest.raises(Illegal, match="2 dimensions"):
        lower(twin.pipeline(output), {output: (3,)})


@pytest.mark.parametrize("seed", range(20))
def test_random_windows_keep_the_values(seed: int) -> None:
    """Schedules that are proved give the values of the definitions."""
    size = (11, 9)
    try:
        made = SlidingProgram(seed)
        nest = lower(made.twin.pipeline(made.output), {made.output: size})
    except (Refused, Illegal):
        pytest.skip("refused")
    initial = initial_nest(made.twin.pipeline(made.output))
    if prove(nest, initial.funcs).wrong:
        pytest.skip("Halide's rules allow it, the proof does not")
    _check_values(made.twin, made.output, nest)
