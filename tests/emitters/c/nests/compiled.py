"""Emitted C compiled and called on numpy's arrays."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2s.emitters.c.nests import Emitted, emit
from s2s.net.pipelines.arrays import Array, dtype
from s2s.scop.expressions import Const
from s2s.scop.nest import Argument, Nest
from s2s.transforms.nest.prepare import prepare

FLAGS = ("-std=gnu99", "-O3", "-march=native", "-fopenmp", "-ffp-contract=off", "-fPIC", "-shared")
QUICK = tuple("-O1" if flag == "-O3" else flag for flag in FLAGS)
"""Loops with ``omp simd`` are vectorized at -O1, too."""
GUARD, CANARY = 256, 0xA5
WARNINGS = ("-Wall", "-Werror", "-Wno-unused-variable", "-Wno-unused-but-set-variable")
WARNINGS_OFF = (
    "-Wno-maybe-uninitialized",
    "-Wno-tautological-compare",
    "-Wno-uninitialized",  # gcc 12 takes loops whose ends depend on a choice for empty
    "-Wno-aggressive-loop-optimizations",  # gcc 12 warns of loops that it vectorized itself
    "-Wno-stringop-overflow",  # and of stores in iterations that a smaller allocation has not
)


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="s2s-emitted-"))


_made: dict[str, Path] = {}
"""Libraries by what they were made of."""


def library(source: str, flags: Sequence[str] = FLAGS, compiler: str = "gcc") -> ctypes.CDLL:
    """The emitted text as a loaded library; warnings are errors."""
    known = _made.get(_key(source, flags, compiler))
    return ctypes.CDLL(str(known or together([source], flags, compiler)))


def together(sources: Sequence[str], flags: Sequence[str], compiler: str = "gcc") -> Path:
    """One library of several texts: the compiler is called once."""
    keys = [_key(source, flags, compiler) for source in sources]
    made = _folder() / f"{keys[0]}.so"
    texts = [_folder() / f"{key}.c" for key in keys]
    for text, source in zip(texts, sources, strict=True):
        text.write_text(source)
    command = [compiler, *flags, *WARNINGS, *WARNINGS_OFF, *map(str, texts), "-o", str(made), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError("\n".join([done.stderr[:3000], *sources]))
    _made.update(dict.fromkeys(keys, made))
    return made


def _key(source: str, flags: Sequence[str], compiler: str) -> str:
    return hashlib.sha256(" ".join([source, compiler, *flags]).encode()).hexdigest()[:16]


def run(
    nest: Nest,
    inputs: Mapping[str, Array],
    scalars: Mapping[str, int | float] | None = None,
    compiler: str = "gcc",
    flags: Sequence[str] = FLAGS,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    emitted: Emitted | None = None,
) -> list[list[Array]]:
    """The values of the outputs of a nest, by emitted C.

    ``shapes``: extents of outputs (from 0) whose sizes are arguments of the function. ``emitted``:
    the nest's C where it is known.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "2")
    emitted = emitted or emit(prepare(nest))
    function = getattr(library(emitted.source, flags, compiler), emitted.name)
    arguments: list[Any] = []
    outputs: list[list[Array]] = []
    guarded: list[NDArray[Any]] = []
    for argument in nest.arguments:
        if argument.tensor is None:
            value = (scalars or {})[argument.name]
            arguments.append(np.ctypeslib.as_ctypes_type(dtype(argument.type))(value))
        elif argument.output:
            outputs.append(_empty(argument, guarded, (shapes or {}).get(argument.name)))
            arguments += [_pointer(part.values) for part in outputs[-1]]
        else:
            arguments.append(_pointer(np.ascontiguousarray(inputs[argument.name].values)))
    status = function(*arguments)
    assert status == 0, f"status {status}"
    for memory in guarded:
        around = (memory[:GUARD], memory[-GUARD:])
        assert all((part == CANARY).all() for part in around), "written outside of the output"
    return outputs


def _pointer(values: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(values.ctypes.data)


def _empty(
    argument: Argument, guarded: list[NDArray[Any]], shape: tuple[int, ...] | None
) -> list[Array]:
    """Arrays for the components of an output, with bytes around them that must stay."""
    tensor = argument.tensor
    assert tensor is not None
    minima, extents = [0] * len(shape or ()), list(shape or ())
    for dimension in () if shape else tensor.dimensions:
        assert isinstance(dimension.minimum, Const) and isinstance(dimension.extent, Const)
        minima.append(int(dimension.minimum.value))
        extents.append(int(dimension.extent.value))
    made = []
    for type in tensor.types:
        kind = dtype(type)
        size = int(np.prod(extents, dtype=np.int64)) * kind.itemsize
        memory = np.full(size + 2 * GUARD, CANARY, np.uint8)
        guarded.append(memory)
        inside = memory[GUARD : GUARD + size].view(kind)
        made.append(Array(inside.reshape(tuple(reversed(extents))), tuple(minima)))
    return made
