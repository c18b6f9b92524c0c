"""C functions that spread arrays over cores, exchange halos, and gather the output.

Each core's part of an array is dense, in the order of the program's own array; the packing
functions bring it into the kernel's layout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from s2s.emitters.aie.elements import element, element_function, memory_place, table
from s2s.emitters.aie.kernel import scalar_type
from s2s.scop.contraction import Access, Array
from s2s.scop.cores import Box, Cores

INDENT = "    "
Row = tuple[int, int, Box]
"""The core that gets, the core that gives (both the same for the program's array), and what."""


def spreading(cores: Cores) -> str:
    """A header: ``struct NAME_core``, ``NAME_scatter``, ``NAME_exchange``, ``NAME_gather``."""
    name = cores.whole.name
    guard = f"{name.upper()}_CORES_H"
    lines = [f"#ifndef {guard}", f"#define {guard}", "#include <stdint.h>", ""]
    lines.append(f"enum {{ {name}_cores = {len(cores.origins)} }};")
    lines += _structure(cores)
    lines.append("")
    inputs = [a for a in _accesses(cores) if a is not cores.whole.output]
    initial = cores.whole.initial
    if isinstance(initial, Access) and initial.array.name == cores.whole.output.array.name:
        inputs.append(cores.whole.output)
    lines += [line for access in inputs for line in element_function(name, access.array)]
    numbers = range(len(cores.origins))
    moves: list[tuple[Access, list[Row], str]] = []
    for access in inputs:
        is_image = access is cores.whole.image
        part = cores.owned if is_image else _whole_part(cores, access)
        moves.append((access, [(n, n, part(n)) for n in numbers], "in"))
    parameters = [f"const {_pointer(a.array)}" for a in inputs if a.array.data is None]
    lines += _function(cores, "scatter", parameters, "", moves)
    halo = [(c.to, c.source, c.box) for c in cores.exchange()]
    lines += _function(cores, "exchange", [], "", [(cores.whole.image, halo, "between")])
    output = cores.whole.output
    results = [(n, n, cores.region(output, n)) for n in numbers]
    parameters = [_pointer(output.array)]
    lines += _function(cores, "gather", parameters, "const ", [(output, results, "out")])
    return "\n".join([*lines, "#endif"]) + "\n"


def _accesses(cores: Cores) -> list[Access]:
    return list({a.array.name: a for a in reversed(cores.whole.accesses)}.values())[::-1]


def _whole_part(cores: Cores, access: Access) -> Callable[[int], Box]:
    return lambda core: cores.region(access, core)


def _pointer(array: Array) -> str:
    return f"{scalar_type(array.memory.type)} *{array.name}"


def _part_extents(cores: Cores, access: Access) -> list[int]:
    return [high - low for low, high in cores.region(access, 0)]


def _structure(cores: Cores) -> Iterator[str]:
    yield f"struct {cores.whole.name}_core {{"
    for access in _accesses(cores):
        size = 1
        for extent in _part_extents(cores, access):
            size *= extent
        yield f"{INDENT}{scalar_type(access.array.type)} {access.array.name}[{size}];"
    yield "};"
    yield ""


def _function(
    cores: Cores,
    verb: str,
    parameters: Sequence[str],
    const: str,
    moves: Sequence[tuple[Access, list[Row], str]],
) -> Iterator[str]:
    name = cores.whole.name
    every = ", ".join([*parameters, f"{const}struct {name}_core *cores"])
    yield f"static inline void {name}_{verb}({every})"
    yield "{"
    for access, rows, way in moves:
        if way == "in":
            yield from table(access.array, INDENT)
        yield from _moved(cores, access, rows, way)
    yield "}"
    yield ""


def _moved(cores: Cores, access: Access, rows: list[Row], way: str) -> Iterator[str]:
    """A table of boxes, and loops that copy each: to, from, then first and end per dimension.

    After the box stand where the parts of both cores begin.
    """
    if not rows:
        return
    array, rank = access.array, len(access.subscripts)
    yield f"{INDENT}static const int {array.name}_boxes[][{2 + 4 * rank}] = {{"
    for to, source, box in rows:
        ends = [end for pair in box for end in pair]
        starts = [low for core in (to, source) for low, _ in cores.region(access, core)]
        yield f"{INDENT * 2}{{{', '.join(map(str, [to, source, *ends, *starts]))}}},"
    yield f"{INDENT}}};"
    yield f"{INDENT}for (int n = 0; n < {len(rows)}; ++n) {{"
    yield f"{INDENT * 2}const int *b = {array.name}_boxes[n];"
    depth = 2
    for d in reversed(range(rank)):
        start, stop = f"b[{2 + 2 * d}]", f"b[{3 + 2 * d}]"
        yield f"{INDENT * depth}for (int d{d} = {start}; d{d} < {stop}; ++d{d})"
        depth += 1
    own = _place(array.strides, [""] * rank)
    extents = _part_extents(cores, access)
    strides = [1]
    for extent in extents[:-1]:
        strides.append(strides[-1] * extent)
    local = _place(strides, [f" - b[{2 + 2 * rank + d}]" for d in range(rank)])
    remote = _place(strides, [f" - b[{2 + 3 * rank + d}]" for d in range(rank)])
    name = array.name
    whole = memory_place(array, [f"d{d}" for d in range(rank)])
    target, value = {
        "in": (f"cores[b[0]].{name}[{local}]", element(cores.whole.name, array, own)),
        "out": (f"{name}[{whole}]", f"cores[b[0]].{name}[{local}]"),
        "between": (f"cores[b[0]].{name}[{local}]", f"cores[b[1]].{name}[{remote}]"),
    }[way]
    yield f"{INDENT * depth}{target} = {value};"
    yield f"{INDENT}}}"


def _place(strides: Sequence[int], shifts: Sequence[str]) -> str:
    terms = []
    for d, (stride, shift) in enumerate(zip(strides, shifts, strict=True)):
        index = f"(d{d}{shift})" if shift else f"d{d}"
        terms.append(index if stride == 1 else f"{stride} * {index}")
    return " + ".join(terms)
