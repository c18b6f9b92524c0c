"""C functions that bring arrays into the layouts of a kernel, and its output back.

They run on the host: plain C, one function for each array whose layout is not the program's own.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.scop.expressions import Type
from s2s.scop.layouts import Region, Stream, Tiled
from s2s.scop.vector_kernel import Kernel, PackedArray

INDENT = "    "


def packing(kernel: Kernel) -> str:
    """A header with the kernel's declaration, sizes, and functions for packing and unpacking."""
    guard = f"{kernel.name.upper()}_PACKING_H"
    lines = [f"#ifndef {guard}", f"#define {guard}", "#include <stdint.h>", ""]
    parameters = ", ".join(_parameter(array) for array in kernel.arrays)
    lines += [f"void {kernel.name}({parameters});", ""]
    for array in kernel.arrays:
        lines.append(f"enum {{ {_name(kernel, array)}_elements = {array.size} }};")
    for array in kernel.arrays:
        if not array.is_natural:
            lines += ["", f"#define {kernel.name}_packs_{array.name}"]
            lines += _function(kernel, array)
    return "\n".join([*lines, "", "#endif"]) + "\n"


def _name(kernel: Kernel, array: PackedArray) -> str:
    return f"{kernel.name}_{array.name}"


def _parameter(array: PackedArray) -> str:
    return f"{'' if array.is_output else 'const '}{_type(array.type)} *{array.name}"


def _type(type_: Type) -> str:
    return f"{'u' if type_.code == 'uint' else ''}int{type_.bits}_t"


def _function(kernel: Kernel, array: PackedArray) -> Iterator[str]:
    source, packed = _type(array.source.type), _type(array.type)
    name = _name(kernel, array)
    if array.is_output:
        yield f"static inline void unpack_{name}(const {packed} *packed, {source} *array)"
    else:
        yield f"static inline void pack_{name}(const {source} *array, {packed} *packed)"
    yield "{"
    if isinstance(array.layout, Tiled):
        yield from _tiled(array, array.layout)
    else:
        yield from _streamed(array, array.layout)
    yield "}"


def _tiled(array: PackedArray, layout: Tiled) -> Iterator[str]:
    """Loops over the layout's axes; places behind the array's end are zero."""
    depth = 1
    yield f"{INDENT}long place = 0;"
    for number, axis in enumerate(layout.axes):
        yield f"{INDENT * depth}for (int a{number} = 0; a{number} < {axis.extent}; ++a{number})"
        depth += 1
    yield f"{INDENT * (depth - 1)}{{"
    rank = len(array.source.extents)
    for dimension in range(rank):
        terms = [
            f"{axis.divisor} * a{number}" if axis.divisor > 1 else f"a{number}"
            for number, axis in enumerate(layout.axes)
            if axis.dimension == dimension and axis.divisor
        ]
        yield f"{INDENT * depth}const int d{dimension} = {' + '.join(terms) or '0'};"
    strides = array.source.strides
    place = " + ".join(f"{s} * d{k}" if s > 1 else f"d{k}" for k, s in enumerate(strides)) or "0"
    outside = [
        f"d{k} < {extent}"
        for k, extent in enumerate(array.source.extents)
        if _reach(layout, k) > extent
    ]
    inside = " && ".join(outside)
    if array.is_output:
        guard = f"if ({inside}) " if inside else ""
        yield f"{INDENT * depth}{guard}array[{place}] = packed[place];"
        yield f"{INDENT * depth}++place;"
    else:
        value = f"{inside} ? array[{place}] : 0" if inside else f"array[{place}]"
        yield f"{INDENT * depth}packed[place++] = {value};"
    yield f"{INDENT * (depth - 1)}}}"
    if not array.is_output and array.size > layout.size - layout.tail:
        yield f"{INDENT}while (place < {array.size})"
        yield f"{INDENT * 2}packed[place++] = 0;"


def _reach(layout: Tiled, dimension: int) -> int:
    """One more than the greatest index that the axes of a dimension reach."""
    own = [a for a in layout.axes if a.dimension == dimension]
    return 1 + sum(a.divisor * (a.extent - 1) for a in own)


def _streamed(array: PackedArray, layout: Stream) -> Iterator[str]:
    """Tables of elements, each run through for the iterations of the loops around it."""
    yield f"{INDENT}long place = 0;"
    for number, region in enumerate(layout.regions):
        yield from _region(number, region)
    if array.size > layout.size:
        yield f"{INDENT}while (place < {array.size})"
        yield f"{INDENT * 2}packed[place++] = 0;"


def _region(number: int, region: Region) -> Iterator[str]:
    yield f"{INDENT}static const int stream{number}[] = {{"
    for first in range(0, len(region.offsets), 16):
        values = ", ".join(map(str, region.offsets[first : first + 16]))
        yield f"{INDENT * 2}{values},"
    yield f"{INDENT}}};"
    depth = 1
    terms = [f"stream{number}[k]"]
    for level, (trips, step) in enumerate(region.loops):
        yield f"{INDENT * depth}for (int l{level} = 0; l{level} < {trips}; ++l{level})"
        depth += 1
        terms.append(f"{step} * l{level}")
    yield f"{INDENT * depth}for (int k = 0; k < {len(region.offsets)}; ++k)"
    value = f"stream{number}[k] < 0 ? 0 : array[{' + '.join(terms)}]"
    yield f"{INDENT * (depth + 1)}packed[place++] = {value};"
