"""C for the host: a function for each region, and what the program is built of."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from s2s.source.offload import C_TYPES, Argument, Manifest, Region

HEADER = "s2s_regions.h"
SOURCE = "s2s_regions.c"
RUNTIME = ("s2s_devices.h", "s2s_devices.c")
_DIRECTIONS = {"in": "S2S_IN", "out": "S2S_OUT", "inout": "S2S_INOUT", "constant": "S2S_CONSTANT"}


def runtime_files() -> dict[str, bytes]:
    """The library that the functions call."""
    folder = Path(__file__).parent / "runtime"
    return {name: (folder / name).read_bytes() for name in RUNTIME}


def print_header(regions: Sequence[Region]) -> str:
    """Declarations; it includes nothing, so that it may stand before all else."""
    lines = ["/* Regions on devices: 0 where the device has done it. Made by s2s. */"]
    lines += ["#ifndef S2S_REGIONS_H", "#define S2S_REGIONS_H"]
    lines += [f"{_declared(region)};" for region in regions]
    return "\n".join([*lines, "#endif", ""])


def print_functions(regions: Sequence[Region]) -> str:
    """The functions, each with what the runtime has to know."""
    lines = [f'#include "{HEADER}"', '#include "s2s_devices.h"']
    for region in regions:
        lines += ["", *_function(region)]
    return "\n".join([*lines, ""])


def _declared(region: Region) -> str:
    words = ", ".join(_parameter(argument) for argument in region.arguments)
    return f"int s2s_{region.name}({words})"


def _parameter(argument: Argument) -> str:
    const = "" if argument.is_written else "const "
    return f"{const}{C_TYPES[argument.type]} *{argument.name}"


def _function(region: Region) -> Iterator[str]:
    count = len(region.arguments)
    yield f"static const struct s2s_argument {region.name}_arguments[] = {{"
    for one in region.arguments:
        size = f"sizeof({C_TYPES[one.type]}) * {one.elements}"
        yield f'    {{"{one.name}", {size}, {_DIRECTIONS[one.direction]}}},'
    yield "};"
    yield f"{_declared(region)}"
    yield "{"
    yield (
        f'    static struct s2s_region region = {{"{region.name}", "{region.device}", '
        f"{region.name}_arguments, {count}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};"
    )
    words = ", ".join(
        one.name if one.is_written else f"(void *){one.name}" for one in region.arguments
    )
    yield f"    void *const arrays[] = {{{words}}};"
    yield "    return s2s_run_region(&region, arrays);"
    yield "}"


def print_makefile(manifest: Manifest, program: str, flags: Sequence[str]) -> str:
    """``make`` builds the host's program; S2S_PYTHON is the interpreter with s2s as it runs."""
    words = " ".join(map(shlex.quote, flags))
    sources = f"{manifest.host} {SOURCE} {RUNTIME[1]}"
    return (
        f"CFLAGS ?= -O2\nown = {words}\n\n"
        f"{program}: {sources} {HEADER} {RUNTIME[0]}\n"
        f"\t$(CC) $(own) $(CFLAGS) $(LDFLAGS) -o $@ {sources} -lm -lpthread\n"
    )
