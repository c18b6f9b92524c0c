"""Outputs begin and end where brute force over the accesses says that they may."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.driver.output_region import Asked, choose_regions
from s2s.frontends.halide.evaluate import evaluate
from s2s.source.diagnostics import UserError
from s2s.transforms.halide import lower
from s2s.transforms.halide.signature import given_bounds

PROGRAM = """\
#include "Halide.h"
using namespace Halide;
class Gather : public Generator<Gather> {{
public:
    Input<Buffer<uint8_t, 1>> input{{"input"}};
    Output<Buffer<uint8_t, 1>> output{{"output"}};
    void generate() {{
        Var x{{"x"}};
        Expr place = {factor} * x / {divisor};
        output(x) = input(place + {first}) + input(place + {second});
    }}
}};
HALIDE_REGISTER_GENERATOR(Gather, gather)
"""


@settings(max_examples=12)
@given(
    factor=st.integers(1, 3),
    divisor=st.integers(1, 3),
    first=st.integers(-6, 6),
    second=st.integers(-6, 6),
    low=st.integers(-5, 5),
    size=st.integers(8, 40),
)
def test_one_dimension(
    factor: int, divisor: int, first: int, second: int, low: int, size: int
) -> None:
    text = PROGRAM.format(factor=factor, divisor=divisor, first=first, second=second)
    pipeline = evaluate("gather.cpp", text.encode())

    def fits(x: int) -> bool:
        places = (factor * x // divisor + offset for offset in (first, second))
        return all(low <= place < low + size for place in places)

    known = given_bounds(pipeline, {}, strided=True)
    needs = lower(pipeline, strided=True).needs
    asked = Asked({"input": ((low, size),)}, {}, {})
    possible = [x for x in range(3 * (low + size + 7)) if fits(x)]
    if not possible:
        with pytest.raises(UserError, match="too small in dimension 0"):
            choose_regions(pipeline, needs, known, asked)
        return
    ((start, count),) = choose_regions(pipeline, needs, known, asked)["output"]
    assert start == possible[0]
    assert count == len(possible)
