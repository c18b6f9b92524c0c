"""C functions that bring arrays into the layouts of a kernel, and its output back.

They run on the host: plain C, one function for each array whose layout is not the program's own.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.emitters.aie.elements import c_type, element, element_function, held, memory_place, table
from s2s.scop.layouts import Region, Stream, Tiled
from s2s.scop.vector_kernel import Kernel, PackedArray

INDENT = "    "


def packing(kernel: Kernel, *, declares: bool = True) -> str:
    """A header with the kernel's declaration, sizes, and functions for packing and unpacking."""
    guard = f"{kernel.name.upper()}_PACKING_H"
    lines = [f"#ifndef {guard}", f"#define {guard}", "#include <stdint.h>", ""]
    parameters = ", ".join(_parameter(array) for array in kernel.arrays)
    lines += [f"void {kernel.name}({parameters});", ""] if declares else []
    for array in kernel.arrays:
        lines.append(f"enum {{ {_name(kernel, array)}_elements = {array.size} }};")
    for array in kernel.arrays:
        if not array.is_natural:
            lines.append("")
            if array.is_input:
                lines += element_function(kernel.name, array.source)
            lines.append(f"#define {kernel.name}_packs_{array.name}")
            lines += _function(kernel, array, unpacks=array.is_output)
            if array.is_output and array.is_input:
                lines += _function(kernel, array, unpacks=False)
    return "\n".join([*lines, "", "#endif"]) + "\n"


def _name(kernel: Kernel, array: PackedArray) -> str:
    return f"{kernel.name}_{array.name}"


def _parameter(array: PackedArray) -> str:
    return f"{'' if array.is_output else 'const '}{c_type(array.type)} *{array.name}"


def _function(kernel: Kernel, array: PackedArray, *, unpacks: bool) -> Iterator[str]:
    source, packed = c_type(array.source.memory.type), c_type(array.type)
    name, own = _name(kernel, array), held(array.name)
    if unpacks:
        yield f"static inline void unpack_{name}(const {packed} *packed, {source} *{own})"
    elif array.source.data is not None:
        yield f"static inline void pack_{name}({packed} *packed)"
    else:
        yield f"static inline void pack_{name}(const {source} *{own}, {packed} *packed)"
    yield "{"
    yield from table(array.source, INDENT)
    if isinstance(array.layout, Tiled):
        yield from _tiled(kernel, array, array.layout, unpacks)
    else:
        yield from _streamed(kernel, array, array.layout)
    yield "}"


def _tiled(kernel: Kernel, array: PackedArray, layout: Tiled, unpacks: bool) -> Iterator[str]:
    """Loops over the layout's axes; places after the array's end are zero."""
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
    indices = [f"d{k}" for k in range(rank)]
    inside = " && ".join(_conditions(array, layout))
    if unpacks:
        guard = f"if ({inside}) " if inside else ""
        place = memory_place(array.source, indices)
        yield f"{INDENT * depth}{guard}{held(array.name)}[{place}] = packed[place];"
        yield f"{INDENT * depth}++place;"
    else:
        strides = array.source.strides
        terms = [f"{s} * {d}" if s > 1 else d for s, d in zip(strides, indices, strict=True)]
        value = element(kernel.name, array.source, " + ".join(terms))
        value = f"{inside} ? {value} : 0" if inside else value
        yield f"{INDENT * depth}packed[place++] = {value};"
    yield f"{INDENT * (depth - 1)}}}"
    if not unpacks and array.size > layout.size - layout.tail:
        yield f"{INDENT}while (place < {array.size})"
        yield f"{INDENT * 2}packed[place++] = 0;"


def _conditions(array: PackedArray, layout: Tiled) -> Iterator[str]:
    """Which indices are elements of an array, where a layout has places for more."""
    for dimension, extent in enumerate(array.source.extents):
        if _reach(layout, dimension) > extent:
            yield f"d{dimension} < {extent}"


def _reach(layout: Tiled, dimension: int) -> int:
    """One more than the greatest index that the axes of a dimension reach."""
    own = [a for a in layout.axes if a.dimension == dimension]
    return 1 + sum(a.divisor * (a.extent - 1) for a in own)


def _streamed(kernel: Kernel, array: PackedArray, layout: Stream) -> Iterator[str]:
    """Tables of elements, each run through for the iterations of the loops around it."""
    yield f"{INDENT}long place = 0;"
    for number, region in enumerate(layout.regions):
        yield from _region(kernel, array, number, region)
    if array.size > layout.size:
        yield f"{INDENT}while (place < {array.size})"
        yield f"{INDENT * 2}packed[place++] = 0;"


def _region(kernel: Kernel, array: PackedArray, number: int, region: Region) -> Iterator[str]:
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
    value = element(kernel.name, array.source, " + ".join(terms))
    value = f"stream{number}[k] < 0 ? 0 : {value}"
    yield f"{INDENT * (depth + 1)}packed[place++] = {value};"
