"""The emitted C, compiled and timed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from s2s.bench.pipelines.applications import MEMORY, Application, folder
from s2s.emitters.c.nests.kinds import c_type
from s2s.scop.expressions import Const
from s2s.scop.nest import Nest, Tensor
from s2s.source.records import dataclass
from s2s.targets.cpu import print_nest
from s2s.transforms.halide.lower import lower
from s2s.tuning import measure
from s2s.tuning.measure import MeasurementError

_MAIN = """\
#define _POSIX_C_SOURCE 200809L
#include "{header}"
#include "{timed}"

{arrays}

static int call(void)
{{
    return {call};
}}

int main(int count, char **arguments)
{{
    if (count < 2)
        return 1;
{allocate}
    const double best = least_time(call, strtod(arguments[1], NULL));
{keep}
    printf("%.9f\\n", best);
    return 0;
}}
"""


@dataclass(frozen=True)
class Program:
    """A built application and the nest that it came from."""

    path: Path
    nest: Nest


def build(
    application: Application,
    where: Path,
    inputs: Mapping[str, Path],
    outputs: Sequence[Path],
    *,
    compiler: str,
    flags: Sequence[str],
) -> Program:
    """The application's C with a program around it; raises UserError and MeasurementError."""
    where.mkdir(parents=True, exist_ok=True)
    pipeline = application.pipeline()
    nest = lower(pipeline, application.sizes(pipeline))
    name = f"{application.name}.h"
    emitted = print_nest(nest, name)
    (where / name).write_text(emitted.header, encoding="utf-8")
    source, driver = where / f"{application.name}.c", where / "main.c"
    source.write_text(emitted.source, encoding="utf-8")
    text = _driver(nest, emitted.name, name, application.scalars, inputs, outputs)
    driver.write_text(text, encoding="utf-8")
    program = where / "program"
    measure.build(compiler, flags, [source, driver], program, ["-lm"])
    return Program(program, nest)


def time(program: Program, *, threads: int, seconds: float) -> float:
    """The least time of runs that take so many seconds together; raises MeasurementError."""
    environment = {**os.environ, **MEMORY}
    environment |= {"OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true"}
    done = subprocess.run(
        [str(program.path), str(seconds)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    if done.returncode:
        raise MeasurementError(f"the emitted C ended with status {done.returncode}")
    return float(done.stdout)


def _driver(
    nest: Nest,
    function: str,
    header: str,
    scalars: Mapping[str, float],
    inputs: Mapping[str, Path],
    outputs: Sequence[Path],
) -> str:
    arrays, allocate, values, kept = [], [], [], []
    paths = iter(outputs)
    for place, argument in enumerate(nest.arguments):
        if argument.tensor is None:
            values.append(repr(scalars[argument.name]))
            continue
        path = next(paths) if argument.output else None
        for component, type in enumerate(argument.tensor.types):
            size = f"sizeof({c_type(type)}) * {_count(argument.tensor)}u"
            source = "NULL" if path else f'"{inputs[argument.name]}"'
            values.append(f"array_{place}_{component}")
            arrays.append(f"static {c_type(type)} *{values[-1]};")
            allocate.append(f"    {values[-1]} = memory({size}, {source});")
            if path:
                mode = "ab" if component else "wb"
                kept.append(f'    keep({values[-1]}, {size}, "{path}", "{mode}");')
    return _MAIN.format(
        header=header, timed=(folder() / "timed.h").absolute(), arrays="\n".join(arrays),
        call=f"{function}({', '.join(values)})", allocate="\n".join(allocate),
        keep="\n".join(kept),
    )  # fmt: skip


def _count(tensor: Tensor) -> int:
    total = 1
    for dimension in tensor.dimensions:
        if not isinstance(dimension.extent, Const):
            raise MeasurementError(f"{tensor.name} has no constant size")
        total *= int(dimension.extent.value)
    return total
