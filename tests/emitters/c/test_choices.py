"""Ends that several conditions choose, as statements."""

from __future__ import annotations

import re
from random import Random

import islpy as isl
import pytest

from s2s.emitters.c.choices import choice_of
from s2s.emitters.c.expressions import Names
from s2s.emitters.c.generated import value

_NAMES = Names(narrow=frozenset({"n", "m"}))


def _value_of(lines: list[str], values: dict[str, int]) -> int:
    """What the statements leave in the variable, by Python."""
    for line in lines:
        condition, _, assigned = line.partition(" x = ")
        held = re.sub(r"\(long\)|L\b", "", condition.removeprefix("else").strip()[2:])
        text = re.sub(r"\(long\)|L\b", "", assigned.rstrip(";"))
        if not held or eval(held.replace("&&", "and").replace("||", "or"), {}, dict(values)):
            return int(eval(text.replace("/", "//"), {}, dict(values)))
    raise AssertionError(lines)


@pytest.mark.parametrize("seed", range(12))
def test_cases_give_the_value(seed: int) -> None:
    random = Random(seed)
    cuts = sorted(random.sample(range(1, 60), 3))
    ends = [f"{random.randint(1, 4)}n + {random.randint(0, 9)}m + {k}" for k in (1, 20, 40, 60)]
    edges = [0, *cuts, 100]
    pieces = [
        f"[{end}] : {low} <= n < {high}"
        for end, low, high in zip(ends, edges, edges[1:], strict=False)
    ]
    function = isl.PwAff(f"[n, m] -> {{ {'; '.join(pieces)} }}")
    known = isl.Set("[n, m] -> { : 0 <= n < 100 and 0 <= m < 100 }")
    choice = choice_of(value(known, function), _NAMES)
    assert choice is not None
    lines = list(choice.lines("x"))
    assert all("?" not in line for line in lines)
    for _ in range(40):
        n, m = random.randrange(100), random.randrange(100)
        point = isl.Set(f"[n, m] -> {{ : n = {n} and m = {m} }}")
        wanted = function.intersect_params(point).max_val().to_python()
        assert _value_of(lines, {"n": n, "m": m}) == wanted


def test_two_cases_are_one_expression() -> None:
    function = isl.PwAff("[n] -> { [n] : n < 5; [7] : n >= 5 }")
    assert choice_of(value(isl.Set("[n] -> { : }"), function), _NAMES) is None
