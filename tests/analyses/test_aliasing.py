"""Arrays that may overlap: all that touches one depends on all that touches another."""

from __future__ import annotations

from itertools import product

import islpy as isl
import pytest

from s2s.analyses import dependences
from s2s.scop.nodes import Scop, Statement
from tests.lifting import scop_of

HEAD = "void f(int n, int m, double *a, double *b, double *c, double *restrict d, int *k)"
BODIES = {
    "two statements": "a[i] = b[i] * 2; c[i] = a[i + 1];",
    "parts of the iterations": "if (i < m) a[i] = b[i]; else if (i > m + 3) c[i] = b[i] + d[i];",
    "one array in parts": "if (i < m) a[i] = 1; if (i > 2 * m) a[i + 1] = b[i]; c[0] += a[i];",
    "restrict and other types": "d[i] = a[i]; k[i] = i; c[i] = d[i] + k[i];",
    "a nest": "b[i] = 0; for (int j = 0; j < m; j++) b[i] += a[j] * c[i]; a[i + n] = b[i];",
    "the same array": "a[i] = a[i + m] + a[0];",
}


def may_meet(scop: Scop) -> isl.UnionMap:
    """What the definition says: pairs of accesses, one by one, in the serial order."""
    found = isl.UnionMap.empty(scop.domain().get_space())
    for one, other in product(scop.statements, repeat=2):
        for a, b in product(one.accesses, other.accesses):
            apart = a.array != b.array and frozenset((a.array, b.array)) not in scop.may_alias
            if apart or not (a.write or b.write):
                continue
            left, right = (touched(*item) for item in ((one, a.relation), (other, b.relation)))
            if a.array == b.array:
                same = left.apply_range(right.reverse())
            else:
                same = isl.Map.from_domain_and_range(left.domain(), right.domain())
            found = found.union(isl.UnionMap.from_map(same))
    return found.intersect(scop.serial_order)


def touched(statement: Statement, relation: isl.Map) -> isl.Map:
    return relation.intersect_domain(statement.domain)


@pytest.mark.parametrize("name", BODIES)
def test_as_defined(name: str) -> None:
    scop = scop_of(f"{HEAD} {{ for (int i = 0; i < n; i++) {{ {BODIES[name]} }} }}")
    found = dependences.conservative(scop).all
    assert found.is_equal(may_meet(scop))
    pairs = {pair for pair in scop.may_alias if len(pair) == 2}
    assert bool(pairs) == (name != "the same array")
