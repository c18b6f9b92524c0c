"""Compiled C, called in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from s2s.net import Mismatch
from s2s.net.pipelines.arrays import Values, dtype
from s2s.net.pipelines.building import NotRun, Text
from s2s.net.pipelines.cases import Case
from s2s.net.pipelines.harness import POISON
from s2s.scop.expressions import Type
from s2s.source.records import dataclass

_SETTINGS = (
    f"detect_leaks=0:abort_on_error=0:max_malloc_fill_size={1 << 40}:malloc_fill_byte={POISON}"
    ":allocator_may_return_null=1"
)
_SECONDS = 20
"""Of wall time, for calls that wait."""


_CRASH = re.compile(
    r"SUMMARY: AddressSanitizer: ([\w-]*(?:overflow|underflow|use-after|-free|param-overlap)[\w-]*"
    r"|SEGV|FPE|ILL|BUS)"
)


class TooSlow(Exception):
    """A call did not end within the time for it, or could not begin."""


@dataclass(frozen=True)
class Result:
    """What a call gave: its status, and each component of each output in one dimension."""

    status: int
    outputs: list[list[Values]]


def run(
    made: Path, text: Text, cases: Sequence[Case], seconds: float | None = _SECONDS
) -> Iterator[Result]:
    """What the calls give, within so much wall time; raises TooSlow, NotRun, and Mismatch for a
    crash.
    """
    data = b"".join(piece for case in cases for piece in _written(text, case))
    environment = {**os.environ, "ASAN_OPTIONS": _SETTINGS}
    try:
        done = subprocess.run(
            [str(made)],
            input=data,
            capture_output=True,
            timeout=seconds,
            env=environment,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise TooSlow from error
    position = 0
    for case in cases:
        size = 4 + sum(_sizes(case, True))
        if position + size > len(done.stdout):
            _raise(done.returncode, done.stderr.decode("utf-8", "replace"), case)
        yield _read(done.stdout[position : position + size], case)
        position += size


def _raise(status: int, said: str, case: Case) -> None:
    """Why a call gave nothing."""
    if status in (-24, -9):  # SIGXCPU, SIGKILL: time or memory of the machine
        raise TooSlow
    if status in (3, 4):
        raise NotRun("there was not enough memory to execute it")
    found = _CRASH.search(said)
    if found is None and ("Sanitizer" in said or status >= 0):
        raise TooSlow  # the sanitizer itself, or what loads programs, does not work here
    why = found[1] if found else f"signal {-status}"
    raise Mismatch(f"the C crashes for {case.shown}: {why}")


def _written(text: Text, case: Case) -> Iterator[bytes]:
    """A call as the program reads it."""
    sizes = _sizes(case, False)
    yield np.array(sizes or [0], np.uint64).tobytes()
    for argument in text.arguments:
        if argument.tensor is None:
            yield _scalar(argument.type, case.scalars[argument.name])
        elif not argument.output:
            yield case.inputs[argument.name].bits().tobytes()


def _scalar(type: Type, value: int | float) -> bytes:
    if type.code == "bfloat":
        return (np.float32(value).view(np.uint32) >> np.uint32(16)).astype(np.uint16).tobytes()
    return np.asarray(value).astype(dtype(type)).tobytes()


def _sizes(case: Case, outputs: bool) -> list[int]:
    """Bytes of the arrays, or of the outputs only."""
    return [
        place.count * dtype(type).itemsize
        for place in case.places
        if place.argument.output or not outputs
        for type in (place.argument.tensor.types if place.argument.tensor else ())
    ]


def _read(data: bytes, case: Case) -> Result:
    position, outputs = 4, []
    for place in case.outputs:
        assert place.argument.tensor is not None
        components = []
        for type in place.argument.tensor.types:
            size = place.count * dtype(type).itemsize
            components.append(np.frombuffer(data[position : position + size], dtype(type)))
            position += size
        outputs.append(components)
    return Result(int(np.frombuffer(data[:4], np.int32)[0]), outputs)
