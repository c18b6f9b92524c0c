"""Whatever is mapped computes what the contraction says: random programs, layouts and schedules.

The simulator runs the text; it knows nothing of contractions.
"""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from s2s.scop.contraction import Contraction
from s2s.scop.layouts import Axis, Tiled
from s2s.transforms.aie.compile import compile_contraction
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.mapping import Mapping
from tests.simulators.aie.simulated import simulate
from tests.transforms.aie.contractions import contraction, expected, random_inputs
from tests.transforms.aie.random_kernels import contractions, mappings, size_of

DATAPATHS = {8: (16, 8), 16: (16, 2), 32: (8, 1)}
MIXED = {(8, 16): (16, 2), (16, 8): (16, 4), (16, 32): (8, 1), (32, 16): (8, 2), (32, 8): (8, 2)}
quickly = settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


@pytest.mark.parametrize("bits", [8, 16, 32])
@quickly
@given(st.data())
def test_values(bits: int, data: st.DataObject) -> None:
    of = data.draw(contractions(bits))
    check(of, data.draw(mappings(of, *DATAPATHS[bits])), data)


@pytest.mark.parametrize("widths", MIXED)
@settings(quickly, max_examples=7)
@given(st.data())
def test_values_of_mixed_widths(widths: tuple[int, int], data: st.DataObject) -> None:
    of = data.draw(contractions(*widths))
    check(of, data.draw(mappings(of, *MIXED[widths])), data)


def test_what_is_loaded_over_stays_in_the_loop() -> None:
    """Three rows in the two halves of one register, none of which the loop over k moves."""
    of = contraction(
        {"k": 2, "y": 2, "x": 2, "R": 2},
        ({"x": 1}, {"y": 1}, {"k": 1}),
        ({"x": 1, "r": 1}, {"y": 2}),
        ({"r": 1}, {"k": 1}),
    )
    image = Tiled((Axis(0, 1, 3), Axis(1, 1, 2), Axis(1, 2, 16)))
    output = Tiled((Axis(0, 1, 2), Axis(2, 1, 2), Axis(1, 1, 16)))
    mapping = Mapping(
        "y", jam=(("x", 2),), order=("y", "x", "k"), image=image, output=output, pointers=1,
        streamed=False,
    )  # fmt: skip
    kernel = compile_contraction(of, mapping).kernel
    inputs = random_inputs(of, 0)
    np.testing.assert_array_equal(simulate(kernel, inputs), expected(of, inputs))


def check(of: Contraction, mapping: Mapping, data: st.DataObject) -> None:
    assume(size_of(of, mapping) <= 60)
    try:
        kernel = compile_contraction(of, mapping).kernel
    except Unmappable as refused:
        assert refused.reason
        assume(False)
    inputs = random_inputs(of, data.draw(st.integers(0, 99)))
    np.testing.assert_array_equal(simulate(kernel, inputs), expected(of, inputs))
