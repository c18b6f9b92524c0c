"""Data selections give exactly the wanted elements, or nothing does."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s.scop.vector_kernel import Datapath
from s2s.transforms.aie.datapath import datapath_of
from s2s.transforms.aie.selection import Wanted, select_x, select_z
from tests.transforms.aie.machine import x_places, z_places

SIZES = {32: (16, 32), 16: (32, 64), 8: (64, 128)}


def window(
    datapath: Datapath, start: int, lane: int = 1, column: int = 1
) -> tuple[tuple[int, ...], ...]:
    """What a window takes: ``lane`` and ``column`` are distances in elements."""
    rows = range(datapath.lanes)
    return tuple(
        tuple(start + i * lane + c * column for c in range(datapath.columns)) for i in rows
    )


# The patterns of one register X with 16-bit elements that the documentation and examples show.
@pytest.mark.parametrize(
    ("wanted", "start", "offsets", "square"),
    [
        (window(datapath_of(16, 16), 4), 4, 0x0706050403020100, 0x2110),
        (window(datapath_of(16, 16), 5), 4, 0x0706050403020100, 0x3221),
        (window(datapath_of(16, 16), 2, lane=2), 2, 0x0E0C0A0806040200, 0x3210),
        (window(datapath_of(16, 16), 2, column=16), 2, 0x7776757473727170, 0x3120),
        (window(datapath_of(16, 16), 2, column=32), 2, 0xF7F6F5F4F3F2F1F0, 0x3120),
    ],
)
def test_known_patterns(wanted: Wanted, start: int, offsets: int, square: int) -> None:
    found = select_x(datapath_of(16, 16), wanted, 64)
    assert found is not None
    assert (found[0], found[1].offsets, found[1].square) == (start, offsets, square)


@pytest.mark.parametrize(
    "wanted",
    [
        window(datapath_of(16, 16), 5, lane=2),
        window(datapath_of(16, 16), 1, column=16),
        window(datapath_of(16, 16), 0, column=3),
        window(datapath_of(8, 8), 0),
    ],
)
def test_what_the_shuffle_network_cannot_do(wanted: Wanted) -> None:
    bits = 16 if len(wanted[0]) == 2 else 8
    assert select_x(datapath_of(bits, bits), wanted, SIZES[bits][1]) is None


@given(st.data())
def test_selections_take_what_is_wanted(data: st.DataObject) -> None:
    """Wanted elements that some parameters give are found again, also if some do not matter."""
    bits, z_bits = data.draw(st.sampled_from([(8, 8), (16, 8), (16, 16), (32, 16), (32, 32)]))
    datapath = datapath_of(bits, z_bits)
    size = data.draw(st.sampled_from(SIZES[bits]))
    base = data.draw(st.integers(0, size - 1))
    lane = data.draw(st.integers(0, 3))
    column = data.draw(st.sampled_from([0, 1, 2, 16, 32]))
    dropped = data.draw(
        st.sets(st.integers(0, datapath.columns - 1), max_size=datapath.columns - 1)
    )
    wanted = tuple(
        tuple(None if c in dropped else v % size for c, v in enumerate(row))
        for row in window(datapath, base, lane, column)
    )
    found = select_x(datapath, wanted, size)
    if found is not None:
        agree(x_places(datapath, *found) % size, wanted)
    small = 256 // z_bits
    narrow = tuple(tuple(None if v is None else v % small for v in row) for row in wanted)
    found = select_z(datapath, narrow, small)
    if found is not None:
        agree(z_places(datapath, *found) % small, narrow)


def agree(taken: Any, wanted: Wanted) -> None:
    for row, other in zip(taken.tolist(), wanted, strict=True):
        assert all(b is None or a == b for a, b in zip(row, other, strict=True))
