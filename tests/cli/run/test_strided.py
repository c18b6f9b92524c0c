"""``--cpu-strided``: parts of larger arrays, anywhere, and what an output needs of its input."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest

Run = Callable[..., CompletedProcess[bytes]]

ZOOM = str(Path(__file__).with_name("zoom.cpp"))
PAIR = str(Path(__file__).with_name("pair.cpp"))
SOFTEN = str(Path(__file__).with_name("soften.cpp"))
WHOLE = np.random.default_rng(3).random((3, 30, 50), np.float32)
"""The part that is passed begins at row 5 and column 7 of this, named (4, -2) there."""
FIRST = (-2, 4, 0)


@pytest.fixture
def zoom(run: Run) -> ctypes.CDLL:
    result = run("transform", ZOOM, "--cpu-strided", "-o", "zoom.c")
    assert result.returncode == 0, result.stderr
    flags = ["-O1", "-Wall", "-Werror", "-Wno-unknown-pragmas", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "zoom.c", "-o", "./zoom.so"], check=True)
    return ctypes.CDLL(str(Path("zoom.so").resolve()))


def call(zoom: ctypes.CDLL, low: tuple[int, int, int], size: tuple[int, int, int]) -> np.ndarray:
    """The output in the middle of a larger array; the status is its first element if not 0."""
    room = np.full((4, 40, 60), -1.0, np.float32)
    part, place = WHOLE[:, 5:25, 7:37], room[:, 3:, 2:]
    pointers = (a.ctypes.data_as(ctypes.c_void_p) for a in (part, place))
    status = zoom.zoom(*FIRST, 30, 20, 3, 50, 1500, *low, *size, 60, 2400, *pointers)
    room[0, 0, 0] = status or -1.0
    return room


def test_a_part_of_an_array_elsewhere(zoom: ctypes.CDLL) -> None:
    (x, y), (wide, high) = (6, 10), (21, 15)
    room = call(zoom, (x, y, 0), (wide, high, 3))
    rows = (np.arange(y, y + high) // 2 - FIRST[1]) + 5
    columns = (np.arange(x, x + wide) // 2 - FIRST[0]) + 7
    wanted = np.full_like(room, -1.0)
    wanted[:3, 3 : 3 + high, 2 : 2 + wide] = WHOLE[:, rows][:, :, columns] * np.float32(0.5)
    assert np.array_equal(room, wanted)


def test_what_is_not_there_is_refused(zoom: ctypes.CDLL) -> None:
    assert call(zoom, (-5, 10, 0), (21, 15, 3))[0, 0, 0] == 2
    assert call(zoom, (6, 10, 0), (21, 40, 3))[0, 0, 0] == 3


def test_what_an_output_needs(zoom: ctypes.CDLL) -> None:
    first, count = (ctypes.c_int * 3)(), (ctypes.c_int * 3)()
    zoom.zoom_needs(6, 10, 21, 15, first, count)
    assert list(first) == [3, 5, 0]
    assert list(count) == [11, 8, 3]


def test_what_whole_vectors_need(run: Run) -> None:
    """Of functions that the C calls, only what an output needs has some."""
    result = run("transform", PAIR, "--cpu-strided", "-o", "pair.c")
    assert result.returncode == 0, result.stderr
    flags = ["-O1", "-Wall", "-Werror", "-fopenmp", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "pair.c", "-o", "./pair.so"], check=True)
    pair = ctypes.CDLL(str(Path("pair.so").resolve()))
    for extent, first, count in ((40, 3, 41), (5, -8, 17)):
        needed = (ctypes.c_int * 1)(), (ctypes.c_int * 1)()
        pair.pair_needs(3, extent, *needed)
        assert [*needed[0], *needed[1]] == [first, count]


def test_windows_and_vectors_elsewhere(run: Run) -> None:
    result = run("transform", SOFTEN, "--cpu-strided", "-o", "soften.c")
    assert result.returncode == 0, result.stderr
    flags = ["-O1", "-Wall", "-Werror", "-fopenmp", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "soften.c", "-o", "./soften.so"], check=True)
    soften = ctypes.CDLL(str(Path("soften.so").resolve())).soften
    whole = np.random.default_rng(4).integers(0, 256, (70, 90), np.uint8)
    room = np.full((80, 100), 7, np.uint8)
    part, place = whole[2:68, 3:80], room[6:, 9:]
    pointers = (a.ctypes.data_as(ctypes.c_void_p) for a in (part, place))
    # The part is named from (-4, 11) on; the output is 61 x 37 elements from (2, 19) on.
    assert soften(-4, 11, 77, 66, 90, 2, 19, 61, 37, 100, *pointers) == 0
    wide = part[8 : 8 + 39, 6 : 6 + 63].astype(np.uint16)
    rows = wide[:, :-2] + 2 * wide[:, 1:-1] + wide[:, 2:]
    wanted = np.full_like(room, 7)
    wanted[6 : 6 + 37, 9 : 9 + 61] = (rows[:-2] + 2 * rows[1:-1] + rows[2:]) // 16
    assert np.array_equal(room, wanted)


def test_it_is_for_pipelines_on_the_host(run: Run) -> None:
    Path("plain.c").write_text("int main(void) { return 0; }\n")
    assert run("transform", "plain.c", "--cpu-strided").returncode == 2
    assert run("transform", ZOOM, "--target", "clockwork", "--cpu-strided").returncode == 2
