"""What a tile touches, by closed forms."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.simulators.spatial.cuts import touched

TERM = st.tuples(st.integers(1, 9), st.integers(1, 7))


@settings(max_examples=200)
@given(st.lists(TERM, max_size=3))
def test_values_of_a_sum_are_counted(terms: list[tuple[int, int]]) -> None:
    points = product(*(range(extent) for extent, _ in terms))
    values = {sum(i * f for i, (_, f) in zip(p, terms, strict=True)) for p in points}
    assert touched(tuple(terms)) == len(values)
