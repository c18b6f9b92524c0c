"""Scalars that conditions set for what is behind them begin with zero, and no others."""

from __future__ import annotations

import pytest

from s2s.emitters.c.blocks import parse
from s2s.emitters.c.first_values import with_first_values

GUARDED = ["for (long i = 0; i < n; i++) {", "if (n >= 2) {", "x = i;", "}", "b[x] = 1;", "}"]
SIDES = ["if (i > 0) {", "x = i - 1;", "} else if (n > 1) {", "x = n - 1;", "}", "b[i] = a[x];"]
ALONE = ["if (first <= last) {", "for (int i = first; i <= last; i++) {", "x = i;", "b[x] = 1;",
         "}", "}"]  # fmt: skip
PLAIN = ["for (long i = 0; i < n; i++) {", "x = i;", "if (n >= 2) {", "b[x] = 1;", "}", "}"]
OTHERS = ["if (n >= 2) {", "p.x = 1;", "ax = 2;", "k = x == 3;", "}", "b[x] = 1;"]


@pytest.mark.parametrize("lines", [GUARDED, SIDES])
def test_set_under_a_condition(lines: list[str]) -> None:
    assert with_first_values(["unsigned long x;"], parse(lines)) == ["unsigned long x = 0;"]


@pytest.mark.parametrize("lines", [ALONE, PLAIN, OTHERS])
def test_set_wherever_it_is_read(lines: list[str]) -> None:
    assert with_first_values(["int x;"], parse(lines)) == ["int x;"]


@pytest.mark.parametrize("line", ["struct pair x;", "pair x;", "double *x;", "int x[3];"])
def test_what_is_no_number_stays(line: str) -> None:
    assert with_first_values([line], parse(GUARDED)) == [line]
