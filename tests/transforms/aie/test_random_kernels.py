"""Whatever is mapped computes what the contraction says: random programs, layouts and schedules.

The simulator runs the text; it knows nothing of contractions.
"""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from s2s.scop.contraction import Contraction
from s2s.transforms.aie.compile import compile_contraction
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.mapping import Mapping
from tests.simulators.aie.simulated import simulate
from tests.transforms.aie.contractions import expected, random_inputs
from tests.transforms.aie.random_kernels import contractions, mappings, size_of

DATAPATHS = {8: (16, 8), 16: (16, 2), 32: (8, 1)}
MIXED = {(8, 16): (16, 2), (16, 8): (16, 4), (16, 32): (8, 1), (32, 16): (8, 2), (32, 8): (8, 2)}
quickly = settings(
    max_examples=100,
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
@settings(quickly, max_examples=10)
@given(st.data())
def test_values_of_mixed_widths(widths: tuple[int, int], data: st.DataObject) -> None:
    of = data.draw(contractions(*widths))
    check(of, data.draw(mappings(of, *MIXED[widths])), data)


def check(of: Contraction, mapping: Mapping, data: st.DataObject) -> None:
    assume(size_of(of, mapping) <= 60)
    try:
        kernel = compile_contraction(of, mapping).kernel
    except Unmappable as refused:
        assert refused.reason
        assume(False)
    inputs = random_inputs(of, data.draw(st.integers(0, 99)))
    np.testing.assert_array_equal(simulate(kernel, inputs), expected(of, inputs))
