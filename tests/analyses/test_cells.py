"""Cells that elements of temporaries share: whose proof holds, and whose does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import islpy as isl
import pytest

from s2s.analyses import legality
from s2s.scop.nodes import Scop
from s2s.transforms.work_arrays import CopiesProof, Line, with_copies
from tests.lifting import analysed, scop_of

_SOURCE = Path(__file__).with_name("cells.c").read_text()


def _is_proved(cells: str | None, size: int = 20) -> bool:
    """Whether lines with a copy of ``w`` are, its elements in these cells."""
    before = analysed(scop_of(_SOURCE)).scop
    made, provenance = with_copies(before, 1, ("w",), Line(0))
    (storage,) = made.storage
    changed = replace(storage, size=size)
    if cells is not None:
        changed = replace(changed, cells=isl.Map(cells))
    after: Scop = replace(made, storage=(changed,))
    found = CopiesProof(provenance).dependences(before, after, isl.UnionMap("{}"))
    return found is not None and legality.check(after, found) is None


def test_a_cell_for_each_element() -> None:
    assert _is_proved(None)


@pytest.mark.parametrize(
    ("cells", "size"),
    [
        ("{ [t, e] -> [0] }", 20),  # one cell for all
        ("{ [t, e] -> [e mod 3] }", 20),
        ("{ [t, e] -> [e] }", 19),  # the last one is outside
        ("{ [t, e] -> [e - 1] }", 20),  # the first one is
        ("{ [t, e] -> [e] : e < 9 }", 20),  # some have none
    ],
)
def test_too_few_cells(cells: str, size: int) -> None:
    assert not _is_proved(cells, size)
