"""The target ``emu`` as a device: a region's function with a ``main`` around it, as C for Emu.

Emu takes whole programs. This one reads the region's arrays as numbers from a file, in the order of
the region's arguments, runs its function, and prints those that it writes. Loops become threads
where the user says that they are parallel, by ``#pragma omp``. Before it leaves, the program has
printed what the source does, its threads run when they are waited for.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from s2s.driver.offload.doors import run_door
from s2s.driver.options import Options
from s2s.source.diagnostics import Severity
from s2s.source.offload import C_TYPES, Argument
from s2s.targets.source_options import SourceOptions
from s2s.transforms.outline.patterns import is_op
from s2s.transforms.outline.table import (
    Function,
    Module,
    PatternCheckContext,
    Refused,
    register_codegen,
    register_patterns,
)

_TYPES = frozenset({"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"})
REGION = "region"
"""What the program calls the time that the function takes."""


def register() -> None:
    """The patterns and the code generator."""
    register_patterns([("emu.loops", is_op(), {}, _integers_in_rows)])
    register_codegen("emu")(codegen)


def _integers_in_rows(context: PatternCheckContext) -> bool | str:
    tensors = [t for node in context.match.nodes for t in (*node.inputs, *node.outputs)]
    other = {t.type for t in tensors} - _TYPES
    if other:
        return f"its elements are {min(other)}, and its programs here are of integers"
    if any(len(t.extents) > 1 for t in tensors):
        return "its arrays have several dimensions"
    return True


def codegen(
    functions: Sequence[Function], options: Mapping[str, Any], constant_names: Sequence[str]
) -> Sequence[Module]:
    """A program for each function. Raises Refused."""
    return [_module(function, options) for function in functions]


def _module(function: Function, options: Mapping[str, Any]) -> Module:
    if "#pragma omp" not in function.text:
        raise Refused("none of its loops is said to be parallel")
    with tempfile.TemporaryDirectory(prefix="s2s-region-") as folder:
        path = Path(folder, f"{function.name}.c")
        path.write_text(program(function))
        chosen = Options(target="emu", given=SourceOptions(), check=False)
        outcome = run_door(options["transform"], str(path), function, chosen)
        if options.get("check", True):
            _check(function, path, outcome.text)
    threads = [one for one in outcome.diagnostics if one.severity is Severity.REMARK]
    if not outcome.changed or not threads:
        raise Refused("none of its loops becomes threads")
    return Module("c", {f"{function.name}_emu.c": outcome.text}, said=threads[0].text)


def _check(function: Function, source: Path, emitted: bytes) -> None:
    """Run both programs on numbers that are subscripts of all arrays. Raises Refused."""
    from s2s.net.emu.programs import Refusal, build_emitted, build_source, run

    numbers, counts = Random(function.name), [a.elements for a in function.arguments]
    given = source.with_suffix(".txt")
    words = [sum(counts), *(numbers.randrange(min(counts)) for _ in range(sum(counts)))]
    given.write_text("\n".join(map(str, words)))
    try:
        wanted = run(build_source(source, function.flags, source.parent).done(), [str(given)])
        made = build_emitted(emitted, function.flags, source.parent).done()
        found = run(made, [str(given)])
    except Refusal as refusal:
        raise Refused(f"its program is not built: {refusal.said}") from None
    if wanted is None or found is None:
        raise Refused("its program does not end")
    if (found.status, found.printed) != (wanted.status, wanted.printed):
        raise Refused("its program computes something else than the source")


_HEAD = """\
#include <stdio.h>
#include <stdlib.h>
#ifdef __le64__
#include <emu_c_utils/hooks.h>
#else
#define hooks_region_begin(name)
#define hooks_region_end()
#endif
"""


def program(function: Function) -> str:
    """The whole program, as C with OpenMP."""
    lines = [_HEAD + function.text, "int main(int argc, char **argv)", "{"]
    lines += ["    long value;", '    FILE *in = fopen(argc > 1 ? argv[1] : "", "r");']
    count = sum(a.elements for a in function.arguments)
    lines += [f'    if (!in || fscanf(in, "%ld", &value) != 1 || value != {count})']
    lines += ["        return 2;"]
    for argument in function.arguments:
        lines += _read(argument)
    words = ", ".join(a.name for a in function.arguments)
    lines += [
        f'    hooks_region_begin("{REGION}");',
        f"    {function.name}({words});",
        "    hooks_region_end();",
    ]
    for argument in function.arguments:
        if argument.is_written:
            lines.append(f"    for (long i = 0; i < {argument.elements}; i++)")
            lines.append(f'        printf("%ld\\n", (long){argument.name}[i]);')
    return "\n".join([*lines, "    return 0;", "}", ""])


def _read(argument: Argument) -> Iterator[str]:
    type_, name, count = C_TYPES[argument.type], argument.name, argument.elements
    yield f"    {type_} *{name} = malloc({count} * sizeof({type_}));"
    yield f"    for (long i = 0; i < {count}; i++) {{"
    yield '        if (fscanf(in, "%ld", &value) != 1)'
    yield "            return 2;"
    yield f"        {name}[i] = value;"
    yield "    }"
