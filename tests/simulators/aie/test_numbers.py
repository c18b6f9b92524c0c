"""Floats and complex numbers: the simulator, g++ and numpy agree."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2s.simulators.aie.execute import execute
from s2s.simulators.aie.host import run_on_host
from s2s.simulators.aie.reading.read import read
from s2s.simulators.aie.timing.estimate import estimate
from s2s.simulators.aie.timing.machine import load
from s2s.source.diagnostics import UserError

FOLDER = Path(__file__).with_name("numbers")
Data = np.ndarray[Any, Any]


def floats(seed: int, count: int) -> Data:
    return np.random.default_rng(seed).uniform(-2, 2, count).astype(np.float32)


def complexes(seed: int, count: int) -> Data:
    parts = np.random.default_rng(seed).integers(-(1 << 15), 1 << 15, (2, count))
    found: Data = parts[0] + 1j * parts[1]
    return found


GIVEN: dict[str, dict[str, Any]] = {
    "fir_float": {"a": floats(1, 72), "w": floats(2, 8)},
    "limits": {"a": floats(3, 64), "scale": 0.75},
    "half_band": {
        "a": complexes(4, 40),
        "w": np.random.default_rng(5).integers(-(1 << 15), 1 << 15, 16),
        "z": complexes(6, 8),
    },
    "margins": {"a": floats(10, 16), "margin": 0.5},
    "points": {
        "a": floats(13, 32) * np.float32(2**-0.5),
        "w": np.random.default_rng(14).integers(-(1 << 31), 1 << 31, 32),
        "point": 4,
    },
    "reshaped": {
        "a": floats(11, 64),
        "w": np.random.default_rng(12).integers(-(1 << 15), 1 << 15, 128),
        "by": 3,
    },
    "requantised": {
        "a": np.random.default_rng(15).integers(-(1 << 31), 1 << 31, 128),
        "w": np.random.default_rng(16).integers(-(1 << 15), 1 << 15, 64),
        "factor": 123456789,
    },
    "symmetric": {
        "a": np.random.default_rng(7).integers(-(1 << 15), 1 << 15, 96),
        "c": np.random.default_rng(8).integers(-(1 << 31), 1 << 31, 32),
        "w": np.random.default_rng(9).integers(-(1 << 15), 1 << 15, 16),
    },
}


def left(name: str, array: str = "b") -> Data:
    program = read((FOLDER / f"{name}.cc").read_text(), str(FOLDER / f"{name}.cc"))
    found: Data = execute(program, GIVEN[name]).arrays[array]
    return found


@pytest.mark.parametrize("name", GIVEN)
def test_values_are_those_of_gxx(name: str) -> None:
    path = str(FOLDER / f"{name}.cc")
    program = read(Path(path).read_text(), path)
    host = run_on_host(program, path, GIVEN[name])["b"]
    found = execute(program, GIVEN[name]).arrays["b"]
    np.testing.assert_array_equal(found.ravel()[: host.size], host.ravel()[: found.size])
    assert estimate(program, load()).total > 0


def test_a_filter_of_floats() -> None:
    a, w = GIVEN["fir_float"]["a"], GIVEN["fir_float"]["w"]
    sums = []
    for n in range(64):
        parts = [a[n] * w[0], a[n + 1] * w[1]]
        for k in range(2, 8):
            parts[k % 2] = parts[k % 2] + a[n + k] * w[k]
        sums.append(parts[0] + parts[1])
    np.testing.assert_array_equal(left("fir_float")[:64], np.array(sums, np.float32))


def test_filters_that_add_before_they_multiply() -> None:
    """Taps of 16 and 32 bits that two elements share: the second one stands backwards."""
    a, c, w = (GIVEN["symmetric"][key].tolist() for key in "acw")
    found = left("symmetric").reshape(2, 32)
    for n in range(2):
        x, wide = a[16 * n : 16 * n + 64], c[8 * n :]
        even = [sum((x[i + k] + x[i + 7 - k]) * w[k] for k in range(4)) for i in range(16)]
        odd = [
            sum((x[1 + i + k] - x[32 + (i - k) % 32]) * w[k] for k in range(4))
            + sum((x[5 + i + k] - x[14 + i - k]) * w[4 + k] for k in range(4))
            - sum((x[8 + i + k] + x[21 + i - k]) * w[8 + k] for k in range(4))
            for i in range(8)
        ]
        lows = [
            -sum((x[32 + 6 + i + k] + x[10 + i - k]) * w[3 + k] for k in range(4)) for i in range(8)
        ]
        wanted = [s >> 12 for s in even] + [s >> 13 for s in odd] + [s >> 10 for s in lows]
        np.testing.assert_array_equal(found[n], np.array(wanted, np.int64).astype(np.int16))
        sums = [
            sum((wide[1 + i + k] + wide[4 + i - k]) * w[6 + k] for k in (0, 1)) for i in range(8)
        ]
        words = np.array([s >> 9 for s in sums], np.int64).astype(np.int32)
        np.testing.assert_array_equal(left("symmetric", "d")[8 * n :][:8], words)


def test_a_filter_of_complex_numbers() -> None:
    """The pre-adder's elements go backwards; the middle tap has one alone."""
    a, w, z = (GIVEN["half_band"][key] for key in "awz")
    found = left("half_band")

    def narrowed(sums: list[complex], shift: int) -> Data:
        parts = [[int(p) >> shift for p in (one.real, one.imag)] for one in sums]
        cut = np.array(parts, np.int64).astype(np.int16)
        return np.asarray(cut[:, 0] + 1j * cut[:, 1])

    for n in range(2):
        x, out = a[8 * n :], found[32 * n :]
        plain = [
            sum(x[1 + i + k] * w[k] + x[5 + 2 * i + 2 * k] * w[4 + k] for k in range(4))
            for i in range(4)
        ]
        np.testing.assert_array_equal(out[:4], narrowed(plain, 12))
        folded = [
            sum((x[i + k] + x[15 + i - k]) * w[k] for k in range(4))
            + sum((x[4 + i + k] + x[16 + (11 + i - k) % 16]) * w[4 + k] for k in range(4))
            for i in range(4)
        ]
        np.testing.assert_array_equal(out[4:8], narrowed(folded, 13))
        turns = [
            -sum(x[2 + i + k] * z[k] for k in range(2))
            - sum(x[6 + (3, 1, 2, 0)[i] + 3 * k] * z[2 + i // 2 + k] for k in range(2))
            for i in range(4)
        ]
        np.testing.assert_array_equal(out[8:12], narrowed(turns, 15))
        middle = [
            sum((x[6 + 2 * i + 2 * k] + x[22 + 2 * i - 2 * k]) * w[8 + k] for k in range(3))
            + x[6 + 2 * i + 5] * w[11]
            for i in range(4)
        ]
        np.testing.assert_array_equal(out[12:16], narrowed(middle, 14))
        wide = [sum(x[3 + i + k] * w[2 + k] for k in range(2)) + x[8 + i] * z[5] for i in range(8)]
        np.testing.assert_array_equal(out[16:24], narrowed(wide, 11))
        assert out[24] == complex(a[n].imag, x[26].imag)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("b[0] = a[0] % 2.0f;", "no '%' of floats"),
        ("cfloat c;", "complex floats are not simulated ('cfloat')"),
        ("v8int32 v = fpmul(a, a);", "a vector is needed here"),
        ("int n = 1; b[0] = n[2];", "'int32' has no elements"),
        ("v8float v = null_v8float(); b[0] = v[8];", "a 'v8float' has no lane 8"),
        ("cint16 c = {1, 2}; b[0] = c;", "no conversion of 'cint16' to 'float'"),
        ("cint16 c = {1, 2}; b[0] = c.re;", "'cint16' has no member 're'"),
    ],
)
def test_what_there_is_not(body: str, said: str) -> None:
    text = f"void k(const float *restrict a, float *restrict b) {{ {body} }}"
    with pytest.raises(UserError) as caught:
        read(text, "k.cc")
    assert said in caught.value.diagnostics[0].text
