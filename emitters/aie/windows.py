"""C functions that make the files of a graph's ports from a program's arrays, and read them back.

Plain C for the host: which tile a core has at a step, the window of an array that it gets for it,
and the files in the form that the vendor's simulator reads: numbers, a port's width in each line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.emitters.aie.elements import c_type, element, element_function, memory_place, table
from s2s.emitters.aie.packing import packing
from s2s.scop.contraction import Access, Array
from s2s.scop.core_array import CoreArray
from s2s.scop.vector_kernel import Kernel, PackedArray
from s2s.source.records import dataclass

INDENT = "    "


@dataclass(frozen=True)
class Run:
    """``steps`` of a run, of which the first ``lag`` leave no output; None: those of the tiles.

    ``fed``: the image comes from other cores; ``leaves``: the output leaves the array.
    """

    steps: int | None = None
    lag: int = 0
    fed: bool = False
    leaves: bool = True


_ALONE = Run()


def chain_windows(
    name: str, layers: Sequence[tuple[CoreArray, Kernel, Run]], steps: int, bits: int
) -> str:
    """The header of layers one after the other: ``NAME_write`` and ``NAME_read`` for all."""
    guard = f"{name.upper()}_WINDOWS_H"
    lines = [f"#ifndef {guard}", f"#define {guard}"]
    parameters, calls = [], []
    for array, kernel, run in layers:
        lines.append(windows(array, kernel, bits, run))
        given = [a for a in _given(array, _inputs(array, kernel, run)) if a.data is None]
        parameters += [f"const {_memory(a)}" for a in given]
        words = ", ".join([*(a.name for a in given), "folder"])
        calls.append(f"{array.whole.name}_write({words})")
    array = layers[-1][0]
    output = array.whole.output.array
    lines.append(f"enum {{ {name}_steps = {steps} }};")
    words = ", ".join([*parameters, "const char *folder"])
    lines += [f"static inline int {name}_write({words})", "{"]
    lines += [f"{INDENT}return {' || '.join(calls)};", "}", ""]
    lines += [f"static inline int {name}_read({_memory(output)}, const char *folder)", "{"]
    lines += [f"{INDENT}return {array.whole.name}_read({output.name}, folder);", "}", "", "#endif"]
    return "\n".join(lines) + "\n"


def windows(array: CoreArray, kernel: Kernel, bits: int, run: Run = _ALONE) -> str:
    """A header for the host; ``bits`` are those of a port's line. ``kernel`` has all arrays."""
    name = array.whole.name
    guard = f"{name.upper()}_WINDOWS_H"
    lines = [f"#ifndef {guard}", f"#define {guard}", *_INCLUDES, packing(kernel, declares=False)]
    steps = array.steps if run.steps is None else run.steps
    lines.append(
        f"enum {{ {name}_cores = {array.count}, {name}_links = {array.links},"
        f" {name}_steps = {steps}, {name}_lag = {run.lag} }};"
    )
    lines += ["", *_FILES, *_tile(array)]
    inputs = _inputs(array, kernel, run)
    for one in inputs:
        access = _access(array, one)
        lines += element_function(name, access.array)
        lines += _window(array, one, access)
    lines += _writes(array, kernel, inputs, bits)
    if run.leaves:
        lines += _gathered(array, kernel.output)
        lines += _reads(array, kernel.output)
    return "\n".join([*lines, "#endif"]) + "\n"


def _inputs(array: CoreArray, kernel: Kernel, run: Run) -> list[PackedArray]:
    """The arrays whose files the host writes."""
    image = array.whole.image.array.name
    return [a for a in kernel.arrays if a.is_input and not (run.fed and a.name == image)]


def _given(array: CoreArray, inputs: Sequence[PackedArray]) -> list[Array]:
    return [_access(array, one).array for one in inputs]


_INCLUDES = [
    "#include <stdint.h>", "#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>", "",
]  # fmt: skip
_FILES = """\
#ifndef S2S_PORT_FILES
#define S2S_PORT_FILES
/* Numbers of 1, 2 or 4 bytes to a file, some in each line. */
static inline void s2s_put(FILE *file, const void *values, long count, int bytes, int each)
{
    for (long n = 0; n < count; ++n) {
        const int value = bytes == 1   ? ((const int8_t *)values)[n]
                          : bytes == 2 ? ((const int16_t *)values)[n]
                                       : ((const int32_t *)values)[n];
        fprintf(file, "%d%c", value, (n + 1) % each && n + 1 < count ? ' ' : '\\n');
    }
}

static inline int s2s_get(FILE *file, void *values, long count, int bytes)
{
    for (long n = 0; n < count; ++n) {
        int value;
        while (fscanf(file, "%d", &value) != 1)
            if (fscanf(file, " T%*[^\\n]") == EOF || feof(file)) return 1;
        if (bytes == 1) ((int8_t *)values)[n] = (int8_t)value;
        else if (bytes == 2) ((int16_t *)values)[n] = (int16_t)value;
        else ((int32_t *)values)[n] = value;
    }
    return 0;
}

static inline FILE *s2s_port(const char *folder, const char *name, int number, const char *mode)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s_%d.txt", folder, name, number);
    return fopen(path, mode);
}
#endif
""".splitlines()


def _access(array: CoreArray, one: PackedArray) -> Access:
    return next(a for a in array.whole.accesses if a.array.name == one.name)


def _tile(array: CoreArray) -> Iterator[str]:
    """The first iterations of a tile, by share."""
    name = array.whole.name
    loops = ", ".join(share.loop for share in array.shares if share.loop)
    yield f"/* The first {loops} of the tile that a core has at a step. */"
    yield f"static inline void {name}_tile(int core, int step, long *s2s_first)"
    yield "{"
    for n, share in enumerate(array.shares):
        part = f"core / {array.core_stride(n)} % {share.cores}"
        step = f"step / {array.step_stride(n)} % {share.steps}"
        yield f"{INDENT}s2s_first[{n}] = {share.tile} * ({part} * {share.steps} + {step});"
        last = share.extent - share.tile
        yield f"{INDENT}if (s2s_first[{n}] > {last}) s2s_first[{n}] = {last};"
    yield "}"
    yield ""


def _starts(array: CoreArray, access: Access) -> Iterator[str]:
    """``b0``, ``b1``: where a tile's part of an array begins in each dimension."""
    extents = array.contraction.extents
    for d, subscript in enumerate(access.subscripts):
        low = subscript.reach(extents)[0]
        terms = [str(low)] if low else []
        for n, share in enumerate(array.shares):
            factor = subscript.coefficient(share.loop) if share.loop else 0
            if factor:
                terms.append(f"s2s_first[{n}]" if factor == 1 else f"{factor} * s2s_first[{n}]")
        yield f"{INDENT}const long s2s_b{d} = {' + '.join(terms) or '0'};"


def _sizes(array: CoreArray, access: Access) -> list[int]:
    return [high - low for low, high in array.region(access, 0, 0)]


def _loops(sizes: Sequence[int]) -> Iterator[str]:
    for d in reversed(range(len(sizes))):
        depth = INDENT * (len(sizes) - d)
        yield f"{depth}for (long s2s_d{d} = s2s_b{d}; s2s_d{d} < s2s_b{d} + {sizes[d]}; ++s2s_d{d})"


def _window(array: CoreArray, one: PackedArray, access: Access) -> Iterator[str]:
    """What a tile reads of an array, as its kernel has it."""
    name, sizes = array.whole.name, _sizes(array, access)
    own, type_ = c_type(access.array.type), c_type(one.type)
    count = 1
    for size in sizes:
        count *= size
    yield f"static inline void {name}_{one.name}_window("
    pointer = "" if access.array.data is not None else f"const {_memory(access.array)}, "
    yield f"{INDENT}{pointer}int core, int step, {type_} *window)"
    yield "{"
    yield from table(access.array, INDENT)
    yield f"{INDENT}long s2s_first[{len(array.shares)}], place = 0;"
    yield f"{INDENT}static {own} part[{count}];"
    yield f"{INDENT}{name}_tile(core, step, s2s_first);"
    yield from _starts(array, access)
    yield from _loops(sizes)
    terms = [
        f"{stride} * s2s_d{d}" if stride > 1 else f"s2s_d{d}"
        for d, stride in enumerate(access.array.strides)
    ]
    value = element(name, access.array, " + ".join(terms))
    yield f"{INDENT * (len(sizes) + 1)}part[place++] = {value};"
    if one.is_natural:
        yield f"{INDENT}memset(window, 0, {one.size} * sizeof *window);"
        yield f"{INDENT}memcpy(window, part, {min(count, one.size)} * sizeof *window);"
    else:
        yield f"{INDENT}pack_{name}_{one.name}(part, window);"
    yield "}"
    yield ""


def _memory(array: Array) -> str:
    return f"{c_type(array.memory.type)} *{array.name}"


def _gathered(array: CoreArray, output: PackedArray) -> Iterator[str]:
    """What a tile leaves, to where the program has it."""
    name, access = array.whole.name, array.whole.output
    sizes, own = _sizes(array, access), c_type(access.array.type)
    count = 1
    for size in sizes:
        count *= size
    yield f"static inline void {name}_{output.name}_gather("
    yield f"{INDENT}const {c_type(output.type)} *window, int core, int step,"
    yield f"{INDENT}{_memory(access.array)})"
    yield "{"
    yield f"{INDENT}long s2s_first[{len(array.shares)}], place = 0;"
    yield f"{INDENT}{name}_tile(core, step, s2s_first);"
    if output.is_natural:
        yield f"{INDENT}const {own} *part = window;"
    else:
        yield f"{INDENT}static {own} part[{count}];"
        yield f"{INDENT}unpack_{name}_{output.name}(window, part);"
    yield from _starts(array, access)
    yield from _loops(sizes)
    place = memory_place(access.array, [f"s2s_d{d}" for d in range(len(sizes))])
    yield f"{INDENT * (len(sizes) + 1)}{output.name}[{place}] = part[place++];"
    yield "}"
    yield ""


def _representative(array: CoreArray, access: Access) -> str:
    """The first core of a stream ``n``."""
    moving = array.moving(access)
    terms = []
    for position, n in enumerate(moving):
        inner = 1
        for m in moving[position + 1 :]:
            inner *= array.shares[m].cores
        terms.append(f"n / {inner} % {array.shares[n].cores} * {array.core_stride(n)}")
    return " + ".join(terms) or "0"


def _writes(
    array: CoreArray, kernel: Kernel, inputs: Sequence[PackedArray], bits: int
) -> Iterator[str]:
    """The files of all ports and parameters."""
    name, image = array.whole.name, array.whole.image.array.name
    given = _given(array, inputs)
    parameters = ", ".join(f"const {_memory(a)}" for a in given if a.data is None)
    yield "/* The files that the graph reads, in a folder. */"
    yield f"static inline int {name}_write({parameters}, const char *folder)"
    yield "{"
    for one in inputs:
        access = _access(array, one)
        steps = f"{name}_steps" if one.name == image else "1"
        pointer = "" if access.array.data is not None else f"{one.name}, "
        each = max(1, bits // one.type.bits)
        yield f"{INDENT}for (int n = 0; n < {array.streams(access)}; ++n) {{"
        yield f"{INDENT * 2}static {c_type(one.type)} window[{one.size}];"
        yield f'{INDENT * 2}FILE *file = s2s_port(folder, "{one.name}", n, "w");'
        yield f"{INDENT * 2}if (!file) return 1;"
        yield f"{INDENT * 2}for (int step = 0; step < {steps}; ++step) {{"
        core = _representative(array, access)
        yield f"{INDENT * 3}{name}_{one.name}_window({pointer}{core}, step, window);"
        size = f"{one.size}, sizeof *window, {each}"
        yield f"{INDENT * 3}s2s_put(file, window, {size});"
        yield f"{INDENT * 2}}}"
        yield f"{INDENT * 2}if (fclose(file)) return 1;"
        yield f"{INDENT}}}"
    yield f"{INDENT}return 0;"
    yield "}"
    yield ""


def _reads(array: CoreArray, output: PackedArray) -> Iterator[str]:
    """The program's output out of the files that the graph writes."""
    name, access = array.whole.name, array.whole.output
    yield "/* The output out of the files that the graph has written. */"
    yield f"static inline int {name}_read({_memory(access.array)}, const char *folder)"
    yield "{"
    yield f"{INDENT}int is_short = 0;"
    yield f"{INDENT}for (int n = 0; n < {array.count // array.links}; ++n) {{"
    yield f"{INDENT * 2}static {c_type(output.type)} window[{output.size}];"
    yield f'{INDENT * 2}FILE *file = s2s_port(folder, "{output.name}", n, "r");'
    yield f"{INDENT * 2}if (!file) return 1;"
    yield f"{INDENT * 2}for (int step = 0; step < {name}_steps; ++step) {{"
    yield f"{INDENT * 3}if (s2s_get(file, window, {output.size}, sizeof *window)) {{"
    yield f"{INDENT * 4}is_short = 1;"
    yield f"{INDENT * 4}break;"
    yield f"{INDENT * 3}}}"
    core = f"n * {array.links}"
    yield f"{INDENT * 3}if (step >= {name}_lag)"
    gather = f"{name}_{output.name}_gather"
    yield f"{INDENT * 4}{gather}(window, {core}, step - {name}_lag, {output.name});"
    yield f"{INDENT * 2}}}"
    yield f"{INDENT * 2}fclose(file);"
    yield f"{INDENT}}}"
    yield f"{INDENT}return is_short;"
    yield "}"
    yield ""
