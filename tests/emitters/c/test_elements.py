"""Subscripts of elements before a loop's start have one constant."""

import pytest

from s2s.emitters.c.elements import fold_constants


@pytest.mark.parametrize(
    ("printed", "folded"),
    [
        ("(long)(256 * t + 1) - 1", "256 * t"),
        ("(long)(256 * t + 2) - 1", "(long)(256 * t + 1)"),
        ("(long)(256 * t + 1) - 3", "(long)(256 * t) - 2"),
        ("(long)(t + 1) - 1", "t"),
        ("i * n + (long)(8 * t + 1) - 1", "i * n + (long)(8 * t)"),
        ("(long)(8 * t + 1) - 1 + k", "(long)(8 * t) + k"),
        ("n * (long)(8 * t + 1) - 1", "n * (long)(8 * t + 1) - 1"),
        ("(long)(8 * t + 1) - 1 * n", "(long)(8 * t + 1) - 1 * n"),
        ("(long)(8 * t + 1) - 10L", "(long)(8 * t + 1) - 10L"),
        ("(long)(a ? 1 : t + 1) - 1", "(long)(a ? 1 : t + 1) - 1"),
        ("m - (long)(8 * t + 1) - 1", "m - (long)(8 * t + 1) - 1"),
    ],
)
def test_constants_of_start_and_distance_are_one(printed: str, folded: str) -> None:
    assert fold_constants(printed) == folded
