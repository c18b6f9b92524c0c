"""The emitted C, compiled and timed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from s2s.bench.halide.suite import MEMORY, Application
from s2s.emitters.c.nests.kinds import c_type
from s2s.scop.expressions import Const
from s2s.scop.nest import Argument, Nest, Tensor
from s2s.targets.cpu import print_nest
from s2s.transforms.halide.lower import lower
from s2s.tuning import measure
from s2s.tuning.measure import MeasurementError

_TIMES = """
int main(int count, char **arguments)
{{
    const double limit = strtod(arguments[1], NULL);
    double best = 1e30, spent = 0.0;
{allocate}
    do {{
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        const int status = {call};
        clock_gettime(CLOCK_MONOTONIC, &end);
        if (status != 0 || count < 2)
            return 1;
        const double taken = (end.tv_sec - start.tv_sec) + 1e-9 * (end.tv_nsec - start.tv_nsec);
        best = taken < best ? taken : best;
        spent += taken;
    }} while (spent < limit);
{keep}
    printf("%.9f\\n", best);
    return 0;
}}
"""

_FILES = """
static void *memory(size_t size, const char *path)
{
    void *made = calloc(1, size);
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (made == NULL || (path && (file == NULL || fread(made, 1, size, file) != size)))
        exit(2);
    if (file)
        fclose(file);
    return made;
}

static void keep(const void *data, size_t size, const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        exit(2);
}
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
    allocate, names, kept = [], [], []
    paths = iter(outputs)
    for place, argument in enumerate(nest.arguments):
        if argument.tensor is None:
            names.append(repr(scalars[argument.name]))
            continue
        path = next(paths) if argument.output else None
        for component, type in enumerate(argument.tensor.types):
            size = f"sizeof({c_type(type)}) * {_count(argument.tensor)}u"
            source = "NULL" if path else f'"{inputs[argument.name]}"'
            name = f"array_{place}_{component}"
            names.append(name)
            allocate.append(f"    {c_type(type)} *{name} = memory({size}, {source});")
            if path:
                mode = "ab" if component else "wb"
                kept.append(f'    keep({name}, {size}, "{path}", "{mode}");')
    body = _TIMES.format(
        allocate="\n".join(allocate),
        call=f"{function}({', '.join(names)})",
        keep="\n".join(kept),
    )
    heads = ["#define _POSIX_C_SOURCE 200809L"]
    heads += [f"#include <{h}>" for h in ("stdio.h", "stdlib.h", "time.h")]
    return "\n".join([*heads, "", f'#include "{header}"', _FILES, body])


def _count(tensor: Tensor) -> int:
    total = 1
    for dimension in tensor.dimensions:
        if not isinstance(dimension.extent, Const):
            raise MeasurementError(f"{tensor.name} has no constant size")
        total *= int(dimension.extent.value)
    return total


def images(nest: Nest) -> list[Argument]:
    """The input images of a nest."""
    return [a for a in nest.arguments if a.tensor is not None and not a.output]
