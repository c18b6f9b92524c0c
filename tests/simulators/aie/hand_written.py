"""Kernels in the styles of the vendor's guides, and what they compute, in numpy.

Each takes arrays ``a`` and ``w`` and fills ``b``; ``CALLS`` says how C++ calls it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.programs import read_programs

_PROGRAMS = Path(__file__).parent / "hand_written_programs"

Data = np.ndarray[Any, Any]

FIR = "\n" + Path(__file__).with_name("hand_written_fir.c").read_text()


def fir(a: Data, w: Data) -> Data:
    """Sixteen taps over 64 samples."""
    return np.array([(a[i : i + 16] * w[:16]).sum() >> 12 for i in range(64)])


PRODUCT = "\n" + Path(__file__).with_name("hand_written_product.c").read_text()


def product(a: Data, w: Data) -> Data:
    """Matrices with contiguous columns."""
    left, right = a[:512].reshape(8, 64).T, w[:16].reshape(2, 8).T
    return np.asarray((left @ right >> 15).T.ravel())


GEMM = "\n" + Path(__file__).with_name("hand_written_gemm.c").read_text()


def gemm(a: Data, w: Data) -> Data:
    """Rows times columns, exactly."""
    left, right = a[:32].reshape(4, 8).astype(object), w[:64].reshape(8, 8).astype(object)
    return np.array([int(v) >> 20 for v in (left @ right).ravel()], object)


DENSE = "\n" + Path(__file__).with_name("hand_written_dense.c").read_text()


def dense(a: Data, w: Data) -> Data:
    """Rounded half away from zero, saturated."""
    sums = a[:32] @ w[:512].reshape(32, 16)
    rounded = np.sign(sums) * ((np.abs(sums) + 256) >> 9)
    return np.asarray(rounded.clip(-128, 127))


CONV = "\n" + Path(__file__).with_name("hand_written_conv.c").read_text()


def conv(a: Data, w: Data) -> Data:
    """Rows of the filter have four elements, as the kernel takes them."""
    found = np.zeros(32, np.int64)
    for s in range(3):
        for r in range(4):
            found += a[64 * s + r : 64 * s + r + 32] * w[4 * s + r]
    return found >> 10


STREAM = "\n" + Path(__file__).with_name("hand_written_stream.c").read_text()


def scaled(a: Data, w: Data) -> Data:
    """Four products of one sample less one of them, plus the offset."""
    return np.asarray((3 * a[:48] * w[0] + w[1]) >> 2)


BIASED = (_PROGRAMS / "biased.c").read_text()


def biased(a: Data, w: Data) -> Data:
    """Eight taps on shifted initial values."""
    taps = [3, -1, 4, 1, -5, 9, 2, -6]
    sums = w[:32] * 256 + sum(tap * a[k : k + 32] for k, tap in enumerate(taps))
    return np.asarray((sums >> 4).astype(np.int32))


BYTES = (_PROGRAMS / "bytes.c").read_text()


def mixed(a: Data, w: Data) -> Data:
    """Eight taps."""
    return np.asarray(sum(int(w[k]) * a[k : k + 64] for k in range(8))) >> 6


POOL = (_PROGRAMS / "pool.c").read_text()


def pooled(a: Data, w: Data) -> Data:
    """Absolute differences, limited."""
    rows = a[:96].reshape(3, 2, 16)
    return np.asarray(np.minimum(np.abs(rows[:, 0] - rows[:, 1]), w[:16]).ravel())


Kernel = tuple[str, Callable[[Data, Data], Data], tuple[int, int, int], str]
JUMPING = read_programs(Path(__file__).parent / "jumping")
"""Kernels with jumps, switches and structures: ``k`` takes ``a`` and ``w`` and fills ``b``."""

KERNELS: dict[str, Kernel] = {
    "fir": (FIR, fir, (16, 16, 16), "window"),
    "product": (PRODUCT, product, (16, 16, 16), "window"),
    "gemm": (GEMM, gemm, (32, 32, 32), ""),
    "dense": (DENSE, dense, (8, 8, 8), ""),
    "conv": (CONV, conv, (16, 16, 16), ""),
    "scaled": (STREAM, scaled, (16, 16, 16), "stream"),
    "biased": (BIASED, biased, (16, 32, 32), ""),
    "mixed": (BYTES, mixed, (16, 8, 16), ""),
    "pooled": (POOL, pooled, (32, 32, 32), ""),
}
"""Text, values, bits of a, w and b, and what leads to the arrays: pointers, windows, streams."""


def inputs(name: str, seed: int) -> dict[str, Data]:
    """Values over the whole range, but for sums of 32-bit vectors, which wrap."""
    generator = np.random.default_rng(seed)
    bits = KERNELS[name][2]
    spare = 2 if name == "pooled" else 0
    sizes = {"a": 1024, "w": 512}
    found = {}
    for (key, size), width in zip(sizes.items(), bits, strict=False):
        most = (1 << width - 1 - spare) - 1
        found[key] = generator.integers(-most - 1, most, size, endpoint=True)
    return found


def wrapped(values: Data, bits: int) -> Data:
    """Values as numbers of so many bits."""
    return np.array([((int(v) + (1 << bits - 1)) % (1 << bits)) - (1 << bits - 1) for v in values])
