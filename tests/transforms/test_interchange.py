"""Interchange: what is left alone, and the order that comes out for an LU decomposition."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.analyses import legality
from s2s.scop.schedule import Parallelism
from s2s.transforms.contract import contract_all
from s2s.transforms.errors import NotApplicable
from s2s.transforms.interchange import Interchange
from tests.lifting import analysed, scop_of
from tests.transforms.test_contract import apart

LU = "\n" + Path(__file__).with_name("interchange_lu.c").read_text()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (LU, "no loop order is expected to be faster"),
        (LU.replace("k < i; k++) sum -= a[i][k] * a[k][j]", "k < i; k++) sum += k")
           .replace("a[j][k] * a[k][i]", "k"), "no loop order is expected to be faster"),
    ],
)  # fmt: skip
def test_left_alone(text: str, reason: str) -> None:
    scop = scop_of(text)
    with pytest.raises(NotApplicable, match=reason):
        Interchange().run(scop, analysed(scop).pruned)


def test_lu_becomes_right_looking() -> None:
    found = analysed(contract_all(apart(LU)))
    done = Interchange().run(found.scop, found.pruned).scop
    assert done.target is not None
    assert legality.check(done, found.pruned) is None
    assert done.history == (
        "interchanged loops to (k, i, j) and (k, j, i), parallel outside, simd inside",
    )
    kinds = [d.parallelism for d in done.target.dimensions]
    assert kinds == [
        Parallelism.NONE, Parallelism.DOALL, Parallelism.NONE, Parallelism.SIMD,
    ]  # fmt: skip


def test_without_the_parallel_loops_no_parallel_loop_is_made() -> None:
    serial = "\n".join(line for line in LU.split("\n") if "pragma" not in line)
    found = analysed(contract_all(apart(serial)))
    done = Interchange().run(found.scop, found.pruned).scop
    assert done.target is not None
    assert Parallelism.DOALL not in {d.parallelism for d in done.target.dimensions}
    done = Interchange(parallel=True).run(found.scop, found.pruned).scop
    assert done.target is not None
    assert done.target.dimensions[1].parallelism is Parallelism.DOALL


RECURRENCE = Path(__file__).with_name("interchange.c").read_text()


def test_less_gain_is_enough_where_the_source_makes_no_vectors() -> None:
    """Two accesses walk across rows as they are, and one when the loops are interchanged."""
    scop = scop_of(RECURRENCE)
    done = Interchange().run(scop, analysed(scop).pruned).scop
    assert done.history == ("interchanged loops to (j, i)",)  # vectors of b are costly
    for other in ("a[j][i] = 2 * b[64 * i + j] * c[j][i]",  # vectors as it is
                  "a[j][i] = a[j - 1][i - 1] + a[j - 1][i] + a[j][i - 1] + c[i][j]"):  # fmt: skip
        text = RECURRENCE.replace("a[j][i] = a[j - 1][i] + b[64 * i + j] * c[j][i]", other)
        scop = scop_of(text.replace("int i = 0", "int i = 1"))
        with pytest.raises(NotApplicable):
            Interchange().run(scop, analysed(scop).pruned)
