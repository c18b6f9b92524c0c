"""The runtime's convolutions: random shapes, steps and borders against plain sums."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.driver.libraries.files import runtime_files
from tests.driver.libraries.needs import needs_blas, needs_onednn

Shape = dict[str, int]


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("runtime")
    for name, data in runtime_files():
        (folder / name).write_bytes(data)
    made: Path = folder / "libruntime.so"
    source = str(folder / "s2s_libraries.c")
    with_all = ["-DS2S_WITH_ONEDNN", "-DS2S_WITH_BLAS", "-DS2S_BLOCK=64"]
    command = ["gcc", "-O1", "-shared", "-fPIC", *with_all, source]
    subprocess.run([*command, "-o", str(made), "-ldnnl", "-lopenblas"], check=True)
    return ctypes.CDLL(str(made))


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """Sizes of windows that all lie on the image with its borders, a few points left over."""

    def size(least: int, most: int) -> int:
        return draw(st.integers(least, most))

    found = {"n": size(1, 2), "g": size(1, 2), "o": size(1, 4), "c": size(1, 4)}
    axes = draw(st.sampled_from(["x", "yx", "yx", "zyx"]))
    for axis in "zyx":
        most = 1 if axis not in axes else 3
        kernel, stride, dilation = size(1, most), size(1, min(most, 2)), size(1, min(most, 2))
        count, before = size(1, 2 * most - 1), size(0, kernel - 1)
        reach = (count - 1) * stride + (kernel - 1) * dilation + 1
        points = max(1, reach - before - size(0, before) + size(0, most - 1))
        found |= {f"k{axis}": kernel, f"s{axis}": stride, f"d{axis}": dilation}
        found |= {f"m{axis}": count, f"b{axis}": before, f"h{axis}": points}
    return found | {"last": size(0, 2), "beta": size(0, 1)}


def _reference(s: Shape, x: np.ndarray, w: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Sums in double precision; arrays by image, group, channel and axes."""
    out = y.astype(float) * s["beta"]
    windows = np.ndindex(s["mz"], s["my"], s["mx"])
    for window in windows:
        for tap in np.ndindex(s["kz"], s["ky"], s["kx"]):
            point = [
                place * s[f"s{axis}"] + t * s[f"d{axis}"] - s[f"b{axis}"]
                for axis, place, t in zip("zyx", window, tap, strict=True)
            ]
            if all(0 <= i < s[f"h{axis}"] for axis, i in zip("zyx", point, strict=True)):
                part = np.einsum("ngc,goc->ngo", x[(..., *point)], w[(..., *tap)])
                out[(..., *window)] += part
    return out


def _laid_out(array: np.ndarray, order: int) -> np.ndarray:
    """The array with channels before the axes, after them, or between them in memory."""
    places = {0: range(6), 1: (0, 3, 4, 5, 1, 2), 2: (0, 3, 1, 4, 2, 5)}[order]
    made = np.ascontiguousarray(array.transpose(*places))
    return made.transpose(*np.argsort(places))


@needs_blas
@given(sizes=st.tuples(*[st.integers(1, 4)] * 3), kept=st.tuples(*[st.booleans()] * 3))
@settings(max_examples=60, deadline=None)
def test_products_of_any_shape(
    runtime: ctypes.CDLL, sizes: tuple[int, int, int], kept: tuple[bool, bool, bool]
) -> None:
    m, n, k = sizes
    random = np.random.default_rng(1)
    a, b, c = (
        random.integers(-4, 5, (5, 5)).astype(float) for _ in range(3)
    )  # rows of five, of which a part is used
    first, second = (a[:k, :m].T if kept[0] else a[:m, :k]), (b[:n, :k].T if kept[1] else b[:k, :n])
    wanted = c.copy()
    wanted[:m, :n] = 2 * first @ second + kept[2] * c[:m, :n]
    long, number, place = ctypes.c_long, ctypes.c_double, ctypes.c_void_p
    runtime.s2s_dgemm(
        int(kept[0]), int(kept[1]), long(m), long(n), long(k), number(2), place(a.ctypes.data),
        long(5), place(b.ctypes.data), long(5), number(kept[2]), place(c.ctypes.data), long(5),
    )  # fmt: skip
    np.testing.assert_array_equal(c, wanted)


BY = [
    pytest.param("s2s_convolution", np.float32, marks=needs_onednn),
    pytest.param("s2s_sconvolution", np.float32, marks=needs_blas),
    pytest.param("s2s_dconvolution", np.float64, marks=needs_blas),
]


@pytest.mark.parametrize(("function", "kind"), BY)
@given(s=shapes())
@settings(max_examples=30, deadline=None)
def test_convolutions_are_those_sums(
    runtime: ctypes.CDLL, function: str, kind: type, s: Shape
) -> None:
    random = np.random.default_rng(1)

    def numbers(*extents: int) -> np.ndarray:
        return random.integers(-4, 5, extents).astype(kind)

    x = numbers(s["n"], s["g"], s["c"], s["hz"], s["hy"], s["hx"])
    w = numbers(s["g"], s["o"], s["c"], s["kz"], s["ky"], s["kx"])
    y = numbers(s["n"], s["g"], s["o"], s["mz"], s["my"], s["mx"])
    wanted = _reference(s, x, w, y)
    order = s["last"] if function != "s2s_convolution" else min(s["last"], 1)
    x, y = (_laid_out(a, order) for a in (x, y))

    def steps(array: np.ndarray) -> list[ctypes.c_long]:
        return [ctypes.c_long(n // array.itemsize) for n in array.strides]

    names = [*"ngoc", *(f"{what}{axis}" for what in "mhksdb" for axis in "zyx")]
    sizes = [ctypes.c_long(s[name]) for name in names]
    number = ctypes.c_float if kind is np.float32 else ctypes.c_double
    alpha = [] if function == "s2s_convolution" else [number(1)]
    place = [*alpha, *(ctypes.c_void_p(a.ctypes.data) for a in (x, w)), number(s["beta"])]
    every = (*sizes, *steps(x), *steps(w), *steps(y), *place, ctypes.c_void_p(y.ctypes.data))
    getattr(runtime, function)(*every)
    np.testing.assert_allclose(y, wanted, atol=1e-4)
