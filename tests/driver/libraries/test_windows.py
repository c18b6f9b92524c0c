"""The runtime's convolutions by oneDNN: random shapes, steps and borders against plain sums."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.driver.libraries.files import runtime_files
from tests.driver.libraries.needs import needs_onednn

Shape = dict[str, int]


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("runtime")
    for name, data in runtime_files():
        (folder / name).write_bytes(data)
    made: Path = folder / "libruntime.so"
    source = str(folder / "s2s_libraries.c")
    command = ["gcc", "-O1", "-shared", "-fPIC", "-DS2S_WITH_ONEDNN", source]
    subprocess.run([*command, "-o", str(made), "-ldnnl"], check=True)
    return ctypes.CDLL(str(made))


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """Sizes of windows that all lie on the image with its borders, a few points left over."""

    def size(least: int, most: int) -> int:
        return draw(st.integers(least, most))

    found = {"n": size(1, 2), "g": size(1, 2), "o": size(1, 4), "c": size(1, 4)}
    for axis in "yx":
        kernel, stride, dilation = size(1, 3), size(1, 2), size(1, 2)
        count, before = size(1, 6), size(0, kernel - 1)
        reach = (count - 1) * stride + (kernel - 1) * dilation + 1
        points = max(1, reach - before - size(0, before) + size(0, 2))
        found |= {f"k{axis}": kernel, f"s{axis}": stride, f"d{axis}": dilation}
        found |= {f"m{axis}": count, f"b{axis}": before, f"h{axis}": points}
    return found | {"last": size(0, 1), "beta": size(0, 1)}


def _reference(s: Shape, x: np.ndarray, w: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Sums in double precision; arrays by image, group, channel, row, column."""
    out = y.astype(float) * s["beta"]
    for r in range(s["my"]):
        for q in range(s["mx"]):
            for i in range(s["ky"]):
                for j in range(s["kx"]):
                    row = r * s["sy"] + i * s["dy"] - s["by"]
                    column = q * s["sx"] + j * s["dx"] - s["bx"]
                    if 0 <= row < s["hy"] and 0 <= column < s["hx"]:
                        part = np.einsum("ngc,goc->ngo", x[..., row, column], w[..., i, j])
                        out[..., r, q] += part
    return out


@needs_onednn
@given(s=shapes())
@settings(max_examples=40, deadline=None)
def test_convolutions_are_those_sums(runtime: ctypes.CDLL, s: Shape) -> None:
    random = np.random.default_rng(1)

    def numbers(*extents: int) -> np.ndarray:
        return random.integers(-4, 5, extents).astype(np.float32)

    x = numbers(s["n"], s["g"], s["c"], s["hy"], s["hx"])
    w = numbers(s["g"], s["o"], s["c"], s["ky"], s["kx"])
    y = numbers(s["n"], s["g"], s["o"], s["my"], s["mx"])
    wanted = _reference(s, x, w, y)
    if s["last"]:  # channels innermost in memory
        x, y = (np.ascontiguousarray(a.transpose(0, 3, 4, 1, 2)).transpose(0, 3, 4, 1, 2)
                for a in (x, y))  # fmt: skip

    def steps(array: np.ndarray) -> list[ctypes.c_long]:
        return [ctypes.c_long(n // 4) for n in array.strides]

    names = ("n", "g", "o", "c", "my", "mx", "hy", "hx", "ky", "kx", "sy", "sx", "dy", "dx")
    sizes = [ctypes.c_long(s[name]) for name in (*names, "by", "bx")]
    place = [ctypes.c_void_p(a.ctypes.data) for a in (x, w)]
    beta = ctypes.c_float(s["beta"])
    every = (*sizes, *steps(x), *steps(w), *steps(y), *place, beta, ctypes.c_void_p(y.ctypes.data))
    runtime.s2s_convolution(*every)
    np.testing.assert_allclose(y, wanted, atol=1e-4)
