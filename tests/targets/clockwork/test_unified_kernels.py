"""Kernels that differ in constants and operations, shared: executed beside those that are not."""

from __future__ import annotations

import shutil
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.scop.accelerator import Accelerator
from s2s.scop.expressions import Binary, Expr
from s2s.scop.netlist import Kernel
from s2s.transforms.clockwork.unify_kernels import unify_kernels
from tests.targets.clockwork.test_random_access import files_of, run
from tests.transforms.clockwork.programs import (
    U16,
    accelerator,
    load,
    number,
    plus,
    stage,
    tensor,
)

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

OPERATIONS = ("add", "sub", "max", "bxor")
SHARED = {"op_hcompute_first": "op_hcompute_second"}


def filtered(source: str, weights: tuple[int, ...], op: str, y: Expr, x: Expr) -> Expr:
    """A weighted sum of a window of 2 x 2; products with 1 are no products, as in extraction."""
    found: Expr | None = None
    for k, weight in enumerate(weights):
        term: Expr = load(source, plus(x, k % 2), plus(y, k // 2))
        term = term if weight == 1 else Binary(U16, "mul", number(weight, U16), term)
        found = term if found is None else Binary(U16, op if k == 3 else "add", found, term)
    assert found is not None
    return found


def filters(
    rows: int,
    columns: int,
    weights: tuple[tuple[int, ...], ...],
    ops: tuple[str, str],
    by_line: bool,
) -> Accelerator:
    """Two filters, one after the other."""
    sizes = [(rows - k, columns - k) for k in range(3)]
    names = ["input", "copied", "first", "second"]
    body = [stage("copied", sizes[0], lambda y, x: load("input", x, y))]
    for k in (1, 2):
        made = partial(filtered, names[k], weights[k - 1], ops[k - 1])
        body.append(stage(names[k + 1], sizes[k], made))
    tensors = [tensor(n, s[::-1]) for n, s in zip(names[1:], sizes, strict=True)]
    stream = tensor("input", sizes[0][::-1])
    coarse = frozenset(f"{name}_y" for name in names[1:]) if by_line else frozenset()
    return accelerator("filters", [stream], tensors[-1:], tensors[:-1], body, coarse=coarse)


def result(program: Accelerator, picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    _, files = files_of(program)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text)
        return run(Path(folder), "filters", picture, check=True, shape=size)


def shared(program: Accelerator) -> Accelerator:
    nest = unify_kernels(program.nest, SHARED)
    return Accelerator(nest, program.coarse, SHARED)


@settings(max_examples=3, deadline=None)
@given(
    st.integers(4, 6),
    st.integers(4, 8),
    st.tuples(*2 * [st.tuples(*4 * [st.integers(1, 9)])]),
    st.tuples(*2 * [st.sampled_from(OPERATIONS)]),
    st.booleans(),
    st.integers(0, 1 << 20),
)
def test_random_filters(
    rows: int,
    columns: int,
    weights: tuple[tuple[int, ...], tuple[int, ...]],
    ops: tuple[str, str],
    by_line: bool,
    seed: int,
) -> None:
    alone = filters(rows, columns, weights, ops, by_line)
    picture = np.random.default_rng(seed).integers(0, 1 << 16, (rows, columns))
    size = rows - 2, columns - 2
    wanted = result(alone, picture, size)
    assert np.array_equal(result(shared(alone), picture, size), wanted)


def test_what_it_takes() -> None:
    """Six products of which four have other constants: four choices, and who asks."""
    alone = filters(6, 8, ((2, 3, 4, 5), (2, 7, 1, 9)), ("add", "sub"), True)
    compiled, _ = files_of(shared(alone))
    kernels = {i.function: i for i in compiled.netlist.instances.values() if isinstance(i, Kernel)}
    both = kernels["hcompute_second"]
    assert [use.operation for use in both.uses] == ["op_hcompute_first", "op_hcompute_second"]
    # Four products, two sums, a sum and a difference, four choices (of the last operation, too).
    assert both.pes == 4 + 4 + 4 + 1
    assert both.indices == ("first_user",)


def test_equal_kernels_stay() -> None:
    alone = filters(6, 8, 2 * ((2, 3, 4, 5),), ("add", "add"), True)
    assert unify_kernels(alone.nest, SHARED) is alone.nest


def test_other_operands_stay() -> None:
    """A value of fewer words is no other choice of the same."""
    alone = filters(6, 8, ((2, 3, 4, 5), (2, 3, 4)), ("add", "add"), True)
    assert unify_kernels(alone.nest, SHARED) is alone.nest
