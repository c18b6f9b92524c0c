"""The host's side of a kernel: the program's arrays to NC1HWC0 in half precision and back.

C0 are 16 channels, C1 groups of them; channels that are missing in the last group are zeros. The
function has the arrays of the program's own, in its layout, and calls the kernel once for each
block, as ``__CCE_KT_TEST__`` runs it on a host; on a device the call is a launch of all blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.scop.cce import Program
from s2s.scop.pooling import Places, Pooling

_C = {
    "float32": "float", "float64": "double", "float16": "half", "int8": "int8_t",
    "uint8": "uint8_t", "int16": "int16_t", "uint16": "uint16_t", "int32": "int32_t",
}  # fmt: skip


def c_type(element: str) -> str:
    """C's name of a type of elements."""
    return _C.get(element, element)


def arrays(pooling: Pooling) -> tuple[Places, ...]:
    """The program's arrays in the order of the host function's arguments, the output last."""
    assert pooling.image is not None and pooling.windows is not None
    first, last = pooling.image, pooling.windows
    if pooling.backward:
        first, last = last, first
    return (first, *([pooling.masks] if pooling.masks else []), last)


def print_host(pooling: Pooling, program: Program, mask_element: str = "") -> str:
    """C++ that packs, calls the kernel for all blocks and unpacks."""
    return "\n".join([*_lines(pooling, program, mask_element or pooling.element), ""])


def _lines(pooling: Pooling, program: Program, mask_element: str) -> Iterator[str]:
    places = arrays(pooling)
    element = c_type(pooling.element)
    words = []
    for place in places:
        kind = c_type(mask_element) if place is pooling.masks else element
        const = "" if place is places[-1] else "const "
        words.append(f"{const}{kind} *{place.array}")
    yield "#ifdef __CCE_KT_TEST__"
    yield "#include <vector>"
    yield ""
    yield "// The program's arrays to N C1 H W C0 in half precision, the kernel, and back."
    yield f"static void {program.name}_host({', '.join(words)}) {{"
    for argument in program.arguments:
        size = " * ".join(f"{extent}u" for extent in argument.extents)
        yield f"    std::vector<half> s2s_{argument.name}({size});"
    yield from _packing(pooling, places)
    if any(argument.name == "counts" for argument in program.arguments):
        yield from _counts(pooling)
    given = ", ".join(f"s2s_{argument.name}.data()" for argument in program.arguments)
    yield f"    for (block_idx = 0; block_idx < {program.blocks}; block_idx++)"
    yield f"        {program.name}({given});"
    yield from _unpacking(pooling, places[-1])
    yield "}"
    yield "#endif"


def _grid(pooling: Pooling, places: Places) -> tuple[tuple[str, int], ...]:
    """Loops over the points of an array of the program, and their extents."""
    y, x = pooling.y, pooling.x
    is_image = places is pooling.image
    inner = [("s2s_y", y.size if is_image else y.count), ("s2s_x", x.size if is_image else x.count)]
    if places is pooling.masks:
        inner = [("s2s_ky", y.kernel), ("s2s_kx", x.kernel), *inner]
    outer = [(f"s2s_n{k}", extent) for k, extent in enumerate(pooling.batches)]
    return (*outer, ("s2s_c", pooling.channels), *inner)


def _loops(grid: Sequence[tuple[str, int]]) -> Iterator[tuple[str, str]]:
    for depth, (name, extent) in enumerate(grid):
        indent = "    " * (depth + 1)
        yield indent, f"for (int {name} = 0; {name} < {extent}; {name}++)"


def _theirs(pooling: Pooling, places: Places) -> str:
    """Where the program has the element."""
    steps = [
        *((f"s2s_n{k}", step) for k, step in enumerate(places.batches)),
        ("s2s_c", places.channel), ("s2s_ky", places.kernel_y), ("s2s_kx", places.kernel_x),
        ("s2s_y", places.line), ("s2s_x", places.point),
    ]  # fmt: skip
    parts = [f"{step}l * {name}" for name, step in steps if step]
    return " + ".join([*parts, *([f"{places.start}l"] if places.start or not parts else [])])


def _ours(pooling: Pooling, grid: Sequence[tuple[str, int]]) -> str:
    """Where the kernel has it."""
    image = "0"
    for k, extent in enumerate(pooling.batches):
        image = f"s2s_n{k}" if k == 0 else f"({image} * {extent} + s2s_n{k})"
    found = f"({image} * {pooling.blocks} + s2s_c / 16)"
    for name, extent in grid:
        if name in ("s2s_ky", "s2s_kx", "s2s_y", "s2s_x"):
            found = f"({found} * {extent}l + {name})"
    return f"{found} * 16 + s2s_c % 16"


def _packing(pooling: Pooling, places: Sequence[Places]) -> Iterator[str]:
    for place, name in zip(places[:-1], _names(pooling), strict=False):
        grid = _grid(pooling, place)
        for _indent, line in _loops(grid):
            yield f"{_indent}{line}"
        indent = "    " * (len(grid) + 1)
        target = f"s2s_{name}[{_ours(pooling, grid)}]"
        yield f"{indent}{target} = half(float({place.array}[{_theirs(pooling, place)}]));"


def _names(pooling: Pooling) -> tuple[str, ...]:
    return (pooling.input, pooling.mask_name)


def _unpacking(pooling: Pooling, place: Places) -> Iterator[str]:
    grid = _grid(pooling, place)
    for indent, line in _loops(grid):
        yield f"{indent}{line}"
    indent = "    " * (len(grid) + 1)
    source = f"s2s_{pooling.output}[{_ours(pooling, grid)}]"
    value = f"{c_type(pooling.element)}(float({source}))"
    yield f"{indent}{place.array}[{_theirs(pooling, place)}] = {value};"


def _counts(pooling: Pooling) -> Iterator[str]:
    """How many points of each window lie in the image."""
    y, x = pooling.y, pooling.x
    yield f"    for (int y = 0; y < {y.count}; y++)"
    yield f"        for (int x = 0; x < {x.count}; x++) {{"
    yield "            int rows = 0, columns = 0;"
    for name, axis, index in (("rows", y, "y"), ("columns", x, "x")):
        first = f"{index} * {axis.stride} - {axis.before} + k * {axis.dilation}"
        yield f"            for (int k = 0; k < {axis.kernel}; k++)"
        yield f"                {name} += {first} >= 0 && {first} < {axis.size};"
    yield "            const int count = rows * columns > 0 ? rows * columns : 1;"
    yield "            for (int c = 0; c < 16; c++)"
    yield f"                s2s_counts[(y * {x.count} + x) * 16 + c] = half(count);"
    yield "        }"
