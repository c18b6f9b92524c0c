"""Addresses and iterations as loops: quotients that do not begin at a whole stretch, parities."""

from __future__ import annotations

from itertools import product

import islpy as isl
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from s2s.transforms.clockwork.addresses import _parts
from s2s.transforms.clockwork.controllers import BOXES, boxes


@given(st.integers(1, 20), st.integers(1, 5), st.integers(0, 9), st.integers(-3, 3))
def test_quotients_are_loops(count: int, divisor: int, offset: int, weight: int) -> None:
    axis = weight * ((np.arange(count) + offset) // divisor - offset // divisor)
    found: dict[int, int] = {}
    for first, loops in _parts(axis):
        for counters in product(*(range(extent) for extent, _, _ in loops)):
            at = first + sum(k * step for k, (_, step, _) in zip(counters, loops, strict=True))
            assert at not in found
            moved = sum(k * place for k, (_, _, place) in zip(counters, loops, strict=True))
            found[at] = int(axis[first]) + moved
    assert [found[k] for k in range(count)] == list(axis)


def test_a_parity_that_chooses_an_iteration_is_boxes() -> None:
    text = (
        "{ S[x, r] : 1 <= x <= 11 and 0 <= r <= 2 and (x + r) mod 2 = 0 and 0 <= x + r - 3 <= 9 }"
    )
    iterations = isl.Set(text)
    found = boxes(iterations, (0, 0))
    assert len(found) <= BOXES
    covered = [
        tuple(f + s * k for f, s, k in zip(box.first, box.step, counters, strict=True))
        for box in found
        for counters in product(*map(range, box.count))
    ]
    assert len(covered) == len(set(covered))
    for point in product(range(13), range(4)):
        is_there = isl.Set(f"{{ S[{point[0]}, {point[1]}] }}").is_subset(iterations)
        assert (point in covered) == is_there
