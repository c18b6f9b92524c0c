"""The order of two statements' instances, as isl finds it without what is remembered."""

from __future__ import annotations

import random

import islpy as isl
import pytest

from s2s.scop.before import before

SPACE = "[n, m] -> "
DOMAINS = ("0 <= i < n", "0 <= i <= m and i < 7", "n <= i < m", "1 = 0", "i = 3 and n >= 4")


def times(random_: random.Random, name: str) -> tuple[isl.Map, isl.Set]:
    """A statement of one loop or of two with drawn numbers between."""
    inner = random_.random() < 0.5
    iterators = "i, j" if inner else "i"
    step = random_.choice(("i", "-i", "2i + 1", "i + n"))
    last = random_.choice(("j", "-j")) if inner else str(random_.randint(-1, 3))
    numbers = [random_.randint(-2, 3) for _ in range(3)]
    moving = [str(numbers[0]), step, str(numbers[1]), last, str(numbers[2])]
    if random_.random() < 0.2:
        moving[1] = str(random_.randint(-1, 4))
    condition = random_.choice(DOMAINS) + (" and 0 <= j <= i" if inner else "")
    map_ = isl.Map(f"{SPACE}{{ {name}[{iterators}] -> [{', '.join(moving)}] }}")
    return map_, isl.Set(f"{SPACE}{{ {name}[{iterators}] : {condition} }}")


@pytest.mark.parametrize("seed", range(12))
def test_as_isl_says(seed: int) -> None:
    random_ = random.Random(seed)
    drawn = [times(random_, name) for name in ("S1", "S2", "T")]
    for first in drawn:
        for second in drawn:
            found = before(*first, *second)
            left, right = (t.intersect_domain(d) for t, d in (first, second))
            expected = left.lex_lt_map(right)
            assert found.is_equal(expected)
            assert found.get_space().is_equal(expected.get_space())


def test_numbers_are_compared_and_not_only_told_apart() -> None:
    body = "{space}{{ {name}[i] -> [0, i, {number}] }}"
    domain = "{space}{{ {name}[i] : 0 <= i < n }}"
    sets = {n: isl.Set(domain.format(space=SPACE, name=n)) for n in "ABC"}
    maps = {
        n: isl.Map(body.format(space=SPACE, name=n, number=k))
        for n, k in (("A", 1), ("B", 5), ("C", 9))
    }
    same = isl.Map(f"{SPACE}{{ A[i] -> B[i] : 0 <= i < n }}")
    assert same.is_subset(before(maps["A"], sets["A"], maps["B"], sets["B"]))
    assert same.reverse().is_disjoint(before(maps["B"], sets["B"], maps["A"], sets["A"]))
    again = before(maps["B"], sets["B"], maps["C"], sets["C"])
    assert again.get_tuple_name(isl.dim_type.out) == "C"
    assert again.is_equal(
        isl.Map(f"{SPACE}{{ B[i] -> C[j] : 0 <= i < n and 0 <= j < n and i <= j }}")
    )
