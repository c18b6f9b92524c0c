"""The host's side of a kernel: the program's arrays to NC1HWC0 in half precision and back.

C0 are 16 channels, C1 groups of them; channels that are missing in the last group are zeros. The
function has the arrays of the program's own, in its layout, and calls the kernel once for each
block, as ``__CCE_KT_TEST__`` runs it on a host; on a device the call is a launch of all blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from s2s.scop.cce import Program
from s2s.scop.pooling import Axis, Numbers, Places, Pooling
from s2s.source.records import dataclass

_C = {
    "float32": "float", "float64": "double", "float16": "half", "int8": "int8_t",
    "uint8": "uint8_t", "int16": "int16_t", "uint16": "uint16_t", "int32": "int32_t",
    "int64": "int64_t", "uint32": "uint32_t", "uint64": "uint64_t",
}  # fmt: skip
_TAKEN = frozenset({
    "alignas", "alignof", "and", "and_eq", "asm", "bitand", "bitor", "block_idx", "bool",
    "catch", "char16_t", "char32_t", "class", "compl", "const_cast", "constexpr", "count",
    "decltype", "delete", "dynamic_cast", "explicit", "export", "false", "friend", "half",
    "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "number", "operator",
    "or", "or_eq", "private", "protected", "public", "reinterpret_cast", "static_assert",
    "static_cast", "std", "template", "this", "thread_local", "throw", "true", "try", "typeid",
    "typename", "using", "virtual", "wchar_t", "xor", "xor_eq",
})  # fmt: skip
_KERNEL = ("s2s_ky", "s2s_kx")
_POINT = ("s2s_y", "s2s_x")


def c_type(element: str) -> str:
    """C's name of a type of elements."""
    return _C.get(element, element)


@dataclass(frozen=True)
class Array:
    """An array of the program: ``name`` is that of the kernel's argument for it.

    ``extents`` are those of batches, channels, the windows' points where it is a mask, lines and
    points of a line, with their loops' variables.
    """

    name: str
    places: Places
    is_output: bool
    extents: tuple[tuple[str, int], ...]

    @property
    def host(self) -> str:
        """The program's name for it, which may be one that the host's C++ uses otherwise."""
        return f"{self.places.array}_" if self.places.array in _TAKEN else self.places.array


def arrays(pooling: Pooling) -> tuple[Array, ...]:
    """The program's arrays in the order of the host function's arguments, the outputs last."""
    assert pooling.image is not None and pooling.windows is not None
    y, x = pooling.y, pooling.x
    outer = [(f"s2s_n{k}", extent) for k, extent in enumerate(pooling.batches)]
    outer.append(("s2s_c", pooling.channels))
    lines = list(zip(_POINT, (y.size, x.size), strict=True))
    rows = list(zip(_POINT, (y.count, x.count), strict=True))
    kernel = list(zip(_KERNEL, (y.kernel, x.kernel), strict=True))
    back = pooling.backward
    image = Array("image", pooling.image, back, (*outer, *lines))
    windows = Array("windows", pooling.windows, not back, (*outer, *rows))
    if back:
        windows = Array(pooling.input, pooling.windows, False, windows.extents)
    found = [windows, image] if back else [image, windows]
    if pooling.masks is not None:
        masks = Array(pooling.mask_name, pooling.masks, not back, (*outer, *kernel, *rows))
        found.insert(1 if back else 2, masks)
    if pooling.numbers is not None:
        found.append(Array("numbers", pooling.numbers.places, True, windows.extents))
    return tuple(found)


def print_host(pooling: Pooling, program: Program, types: Mapping[str, str]) -> str:
    """C++ that packs, calls the kernel for all blocks and unpacks; ``types``: C's, by array."""
    return "\n".join([*_lines(pooling, program, types), ""])


def _lines(pooling: Pooling, program: Program, types: Mapping[str, str]) -> Iterator[str]:
    known = arrays(pooling)
    words = ", ".join(
        f"{'' if one.is_output else 'const '}{types[one.places.array]} *{one.host}" for one in known
    )
    yield "#ifdef __CCE_KT_TEST__"
    yield "#include <vector>"
    yield ""
    if is_direct(pooling, types):
        yield from _direct(pooling, program, known, words)
        return
    yield "// The program's arrays to N C1 H W C0 in half precision, the kernel, and back."
    yield f"static void {program.name}_host({words}) {{"
    for argument in program.arguments:
        size = " * ".join(f"{extent}u" for extent in argument.extents)
        yield f"    std::vector<half> s2s_{argument.name}({size});"
    for one in known:
        if not one.is_output:
            target = f"s2s_{one.name}[{_ours(pooling, one.extents)}]"
            source = f"half(float({one.host}[{_theirs(one.places)}]))"
            yield from _loops(one.extents, [f"{target} = {source};"])
    if any(argument.name == "counts" for argument in program.arguments):
        yield from _counts(pooling)
    yield from _launch(program, [f"s2s_{argument.name}.data()" for argument in program.arguments])
    for one in known:
        if one.name == "numbers" and pooling.numbers is not None:
            element = types[one.places.array]
            yield from _loops(one.extents, _number(pooling, pooling.numbers, one, element))
        elif one.is_output:
            yield from _loops(one.extents, [_unpacked(pooling, one, types[one.places.array])])
    yield "}"
    yield "#endif"


def is_direct(pooling: Pooling, types: Mapping[str, str]) -> bool:
    """Whether a kernel takes the program's arrays as they are; ``types``: C's, by array."""
    halves = all(types[one.places.array] == "half" for one in arrays(pooling))
    return halves and pooling.is_in_layout and not pooling.accumulates


def _direct(
    pooling: Pooling, program: Program, known: Sequence[Array], words: str
) -> Iterator[str]:
    yield "// The kernel takes the program's arrays, N C1 H W C0 in half precision, as they are."
    yield f"static void {program.name}_host({words}) {{"
    own = {one.name: f"const_cast<half *>({one.host})" for one in known}
    if any(argument.name == "counts" for argument in program.arguments):
        yield f"    std::vector<half> s2s_counts({pooling.y.count * pooling.x.count * 16});"
        yield from _counts(pooling)
    given = [
        own.get(argument.name, f"s2s_{argument.name}.data()") for argument in program.arguments
    ]
    yield from _launch(program, given)
    yield "}"
    yield "#endif"


def _launch(program: Program, given: Sequence[str]) -> Iterator[str]:
    yield f"    for (block_idx = 0; block_idx < {program.blocks}; block_idx++)"
    yield f"        {program.name}({', '.join(given)});"


def _unpacked(pooling: Pooling, one: Array, element: str) -> str:
    sign = "+=" if pooling.accumulates else "="
    source = f"s2s_{one.name}[{_ours(pooling, one.extents)}]"
    return f"{one.host}[{_theirs(one.places)}] {sign} {element}(float({source}));"


def _number(pooling: Pooling, numbers: Numbers, one: Array, element: str) -> Iterator[str]:
    """The number of the first point, or the last one, that the mask marks."""
    y, x = pooling.y, pooling.x
    kernel = (("s2s_ky", y.kernel), ("s2s_kx", x.kernel))
    extents = (*one.extents[:-2], *kernel, *one.extents[-2:])
    mask = f"s2s_{pooling.mask_name}[{_ours(pooling, extents)}]"
    yield "{"
    yield f"    {element} number = {numbers.otherwise};"
    for name, extent in kernel:
        ends = f"{name} = 0; {name} < {extent}; {name}++"
        if not numbers.is_last:
            ends = f"{name} = {extent - 1}; {name} >= 0; {name}--"
        yield f"    for (int {ends})"
    # A point outside of the image is no element.
    inside = f"{_inside('s2s_y', 's2s_ky', y)} && {_inside('s2s_x', 's2s_kx', x)}"
    yield f"        if (float({mask}) != 0 && {inside})"
    yield f"            number = {element}({_theirs(numbers.values)});"
    yield f"    {one.host}[{_theirs(one.places)}] = number;"
    yield "}"


def _inside(window: str, kernel: str, axis: Axis) -> str:
    point = f"{window} * {axis.stride} + {kernel} * {axis.dilation} - {axis.before}"
    return f"{point} >= 0 && {point} < {axis.size}"


def _loops(extents: Sequence[tuple[str, int]], body: Iterator[str] | list[str]) -> Iterator[str]:
    for depth, (name, extent) in enumerate(extents):
        indent = "    " * (depth + 1)
        yield f"{indent}for (int {name} = 0; {name} < {extent}; {name}++)"
    for line in body:
        yield "    " * (len(extents) + 1) + line


def _theirs(places: Places) -> str:
    """Where the program has the element."""
    steps = [
        *((f"s2s_n{k}", step) for k, step in enumerate(places.batches)),
        ("s2s_c", places.channel), ("s2s_ky", places.kernel_y), ("s2s_kx", places.kernel_x),
        ("s2s_y", places.line), ("s2s_x", places.point),
    ]  # fmt: skip
    parts = [f"{step}l * {name}" for name, step in steps if step]
    return " + ".join([*parts, *([f"{places.start}l"] if places.start or not parts else [])])


def _ours(pooling: Pooling, extents: Sequence[tuple[str, int]]) -> str:
    """Where the kernel has it."""
    image = "0"
    for k, extent in enumerate(pooling.batches):
        image = f"s2s_n{k}" if k == 0 else f"({image} * {extent} + s2s_n{k})"
    found = f"({image} * {pooling.blocks} + s2s_c / 16)"
    for name, extent in extents:
        if name in (*_KERNEL, *_POINT):
            found = f"({found} * {extent}l + {name})"
    return f"{found} * 16 + s2s_c % 16"


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
