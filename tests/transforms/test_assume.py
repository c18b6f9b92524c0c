"""Arrays are taken for disjoint only where their addresses can be compared as the code runs."""

from __future__ import annotations

import pytest

from s2s.transforms.assume import assume_disjoint
from s2s.transforms.errors import NotApplicable
from tests.lifting import analysed, scop_of

COPY = "void f(int n, int *p, int *a, int *b) { for (int i = 0; i < n; i++) a[i] = b[i] + 1; }"


def test_a_copy_between_pointers_has_no_dependence_left() -> None:
    scop = scop_of(COPY)
    assert not analysed(scop).pruned.is_empty()
    taken = assume_disjoint(scop)
    assert taken.checked == {frozenset({"a", "b"})}
    assert analysed(taken).pruned.is_empty()


@pytest.mark.parametrize(
    "text",
    [COPY.replace("b[i]", "b[p[i]]"), COPY.replace("a[i]", "a[p[i] % 4]")],
)
def test_subscripts_that_may_be_anything_have_no_range(text: str) -> None:
    scop = scop_of(text)
    try:
        checked = assume_disjoint(scop).checked
    except NotApplicable:
        return
    unknown = "b" if "b[p" in text else "a"
    assert not any(unknown in pair for pair in checked)


def test_what_cannot_alias_needs_no_assumption() -> None:
    with pytest.raises(NotApplicable):
        assume_disjoint(scop_of(COPY.replace("*a", "*restrict a")))
