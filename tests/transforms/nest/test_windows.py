"""What neighbouring lanes compute alike is computed once for each place, with the same values."""

from __future__ import annotations

import re

import pytest

from tests.transforms.nest.small_generators import checked

_SUMS = """
    f(x, y) = input(x, y) * input(x, y + 1) + cast<{type}>(x) * input(x + 2, y) / 3;
    g(x, y) = cast<{type}>(0);
    g(x, y) += f(x + r.x, y + r.y);
    h(x, y) = (f(x - 1, y) - f(x, y)) * f(x + 1, y);
    output(x, y) = h(x, y) + g(x, y) * (f(x, y) + f(x + 3, y));
    g.compute_at(output, x).vectorize(x, 8);
    g.update().reorder(x, r.x, r.y).vectorize(x, 8).unroll(r.x).unroll(r.y);
    h.compute_root().vectorize(x, 8);
    output.vectorize(x, 8);
"""


@pytest.mark.parametrize("extents", [(700, 2), (83, 3)])
@pytest.mark.parametrize("type", ["int16_t", "float"])
def test_values_of_windows(type: str, extents: tuple[int, int]) -> None:
    text = checked(_SUMS.format(type=type), type, extents)
    assert (
        len(re.findall(r"window_\d\[\d+\]( __attribute__|;)", text)) >= 4
    )  # a row of g's each, and h's


_APART = """
    f(x, y) = input(x, y) * input(x, y) * 3 - input(x, y + 1) / 2;
    output(x, y) = f(x, y) + f(x + 2, y) + f(x + 4, y);
    output.vectorize(x, 8);
"""
_CHEAP = """
    f(x, y) = input(x, y) * 2;
    output(x, y) = f(x, y) + f(x + 1, y) + f(x + 2, y);
    output.vectorize(x, 8);
"""
_WRITTEN = """
    output(x, y) = input(x, y);
    Expr left = output(x, y), right = input(x + 1, y);
    output(x, y) += left * left * 3 - left / 2 + (right * 3 - right / 2);
    output.vectorize(x, 8);
    output.update().vectorize(x, 8);
"""
_SHORT = """
    f(x, y) = input(x, y) * input(x, y) * 3 - input(x, y + 1) / 2;
    g(x, y) = f(x, y) + f(x + 1, y) + f(x + 2, y);
    output(x, y) = g(x, y) + g(x + 1, y);
    output.vectorize(x, 8);
    g.compute_at(output, x).vectorize(x, 8);
"""


@pytest.mark.parametrize("body", [_APART, _CHEAP, _WRITTEN, _SHORT])
def test_what_gains_nothing_stays(body: str) -> None:
    assert "window" not in checked(body, "uint8_t", (64, 2))
