"""Contractions for tests, their values straight from the definition, and kernels run by g++."""

import subprocess
from collections.abc import Iterator
from collections.abc import Mapping as Dictionary
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from s2s.emitters.aie.kernel import emit
from s2s.emitters.aie.packing import packing
from s2s.scop.contraction import Access, Array, Contraction, Loop, Scale, affine
from s2s.scop.expressions import Type
from s2s.scop.vector_kernel import Kernel, PackedArray
from tests.places import ROOT

INCLUDE = ROOT / "simulators/aie/include"
Values = np.ndarray[Any, np.dtype[Any]]


def contraction(
    loops: Dictionary[str, int],
    output: tuple[Dictionary[str, int], ...],
    image: tuple[Dictionary[str, int], ...],
    weight: tuple[Dictionary[str, int], ...],
    bits: int = 16,
    *,
    weight_bits: int = 0,
    shift: int = 0,
    out_bits: int | None = None,
    slack: int = 0,
    offset: int = 0,
    initial: int | tuple[Dictionary[str, int], ...] = 0,
    initial_bits: int = 0,
    saturate: bool = False,
    limits: tuple[int | None, int | None] = (None, None),
    rounds: bool = False,
    factor: tuple[Dictionary[str, int], ...] = (),
    late: int = 0,
    takes_off: bool = False,
) -> Contraction:
    """Loops in capitals are reductions; subscripts are {loop: coefficient}, innermost first.

    Arrays are as large as they must be; rows of the image have ``slack`` more elements, of which
    ``offset`` come first. ``initial``: what sums start with, a number or
    elements of B. ``factor``: sums are multiplied by elements of M, and ``late`` is added.
    """
    order = [name.lower() for name in loops]
    extents = {name.lower(): extent for name, extent in loops.items()}
    element = Type("int", bits)

    def access(name: str, type_: Type, terms: tuple[Dictionary[str, int], ...]) -> Access:
        subscripts, sizes = [], []
        for place, one in enumerate(terms):
            more = (slack, offset) if name == "I" and place == 0 else (0, 0)
            subscript = affine(one, more[1], order)
            subscripts.append(subscript)
            sizes.append(subscript.reach(extents)[1] + 1 + more[0])
        return Access(Array(name, type_, tuple(sizes)), tuple(subscripts))

    start: int | Access = 0
    if not isinstance(initial, int):
        start = access("B", Type("int", initial_bits or max(bits, 16)), initial)
    more = ("B",) if not isinstance(initial, int) else ()
    scale = None
    if factor:
        more = (*more, "M")
        scale = Scale(access("M", Type("int", 32), factor), late, is_negative=takes_off)
    return Contraction(
        "conv",
        tuple(Loop(name.lower(), extent, name.isupper()) for name, extent in loops.items()),
        access("O", Type("int", out_bits or bits), output),
        access("I", element, image),
        access("W", Type("int", weight_bits or bits), weight),
        Type("int", 32),
        shift,
        initial if isinstance(initial, int) else start,
        saturate,
        ("I", "W", "O", *more),
        *limits,
        rounds and shift > 0 and not isinstance(initial, int) and scale is None,
        scale=scale,
    )


def conv2d(
    bits: int, width: int, height: int, x: int = 32, y: int = 4, **options: Any
) -> Contraction:
    """A filter of ``width`` by ``height`` over one channel."""
    return contraction(
        {"y": y, "x": x, "S": height, "R": width},
        ({"x": 1}, {"y": 1}),
        ({"x": 1, "r": 1}, {"y": 1, "s": 1}),
        ({"r": 1}, {"s": 1}),
        bits,
        **options,
    )


def random_inputs(of: Contraction, seed: int) -> dict[str, Values]:
    """Values over the whole range of each input's type, flat."""
    generator = np.random.default_rng(seed)
    found = {}
    for access in of.accesses[1:]:
        type_ = access.array.type
        found[access.array.name] = generator.integers(
            type_.smallest, type_.largest, access.array.size, dtype=np.int64, endpoint=True
        )
    return found


def expected(of: Contraction, inputs: Dictionary[str, Values]) -> Values:
    """The output, flat: Python's integers summed, shifted and wrapped."""
    outputs = [loop for loop in of.loops if not loop.reduction]
    grids = np.meshgrid(*(np.arange(loop.extent) for loop in outputs), indexing="ij")
    sums = np.zeros(grids[0].shape, dtype=object)
    if not isinstance(of.initial, Access):
        sums = sums + of.initial

    def places(access: Access, point: Dictionary[str, int]) -> Values:
        linear = access.linear
        place = linear.value(point) * np.ones(grids[0].shape, dtype=np.int64)
        for loop, grid in zip(outputs, grids, strict=True):
            place = place + linear.coefficient(loop.name) * grid
        return place

    def in_32_bits(value: int) -> int:
        wide = Type("int", 32)
        kept = max(wide.smallest, min(wide.largest, value))
        return kept if of.saturate else wide.wrap(int(value))

    if isinstance(of.initial, Access):
        sums = sums + inputs[of.initial.array.name][places(of.initial, {})].astype(object)
    reductions = [loop for loop in of.loops if loop.reduction]
    for values in product(*(range(loop.extent) for loop in reductions)):
        point = {loop.name: v for loop, v in zip(reductions, values, strict=True)}
        image = inputs[of.image.array.name][places(of.image, point)]
        weight = inputs[of.weight.array.name][places(of.weight, point)]
        sums = sums + image.astype(object) * weight.astype(object)
    if of.scale is not None:
        factors = inputs["M"][places(of.scale.factor, {})].astype(object)
        sums = np.vectorize(in_32_bits, otypes=[object])(sums)
        sums = sums * (-factors if of.scale.is_negative else factors) + of.scale.late
    result = np.zeros(of.output.array.size, dtype=np.int64)
    type_ = of.output.array.type

    def stored(value: int) -> int:
        shifted = (int(value) + (1 << of.shift >> 1 if of.rounds else 0)) >> of.shift
        shifted = shifted if of.scale is None else in_32_bits(shifted)
        shifted = shifted if of.least is None else max(shifted, int(of.least))
        shifted = shifted if of.most is None else min(shifted, int(of.most))
        if of.saturate:
            return max(type_.smallest, min(type_.largest, shifted))
        return type_.wrap(shifted)

    result[places(of.output, {})] = np.vectorize(stored, otypes=[np.int64])(sums)
    return result


def packed(array: PackedArray, values: Values) -> Values:
    """A source array's elements where the kernel takes them."""
    table = np.array(array.layout.table(array.source.extents))
    found = np.where(table >= 0, values[np.maximum(table, 0)], 0)
    return np.resize(np.append(found, np.zeros(array.size)), array.size).astype(dtype(array))


def unpacked(array: PackedArray, values: Values) -> Values:
    """The source array's elements out of what a kernel wrote."""
    table = np.array(array.layout.table(array.source.extents))
    found = np.zeros(array.source.size, dtype=np.int64)
    found[table[table >= 0]] = values[: len(table)][table >= 0]
    return found


def dtype(array: PackedArray) -> Any:
    return np.dtype(f"{'u' if array.type.code == 'uint' else ''}int{array.type.bits}")


def run(kernel: Kernel, inputs: Dictionary[str, Values], folder: Path) -> Values:
    """The output of the kernel's text and its packing functions, compiled by g++."""
    source = folder / "kernel.cc"
    source.write_text("\n".join([emit(kernel), packing(kernel), *_main(kernel)]) + "\n")
    binary = folder / "kernel"
    flags = ["-std=c++17", "-O1", "-w", f"-I{INCLUDE}"]
    subprocess.run(["g++", *flags, str(source), "-o", str(binary)], check=True)
    for array in kernel.arrays:
        if not array.is_output:
            element = np.dtype(_element(array.source.type).removesuffix("_t"))
            inputs[array.name].astype(element).tofile(folder / array.name)
    subprocess.run([str(binary)], check=True, cwd=folder)
    element = np.dtype(_element(kernel.output.source.type).removesuffix("_t"))
    return np.fromfile(folder / "out", dtype=element).astype(np.int64)


def _element(type_: Type) -> str:
    return f"{'u' if type_.code == 'uint' else ''}int{type_.bits}_t"


def _main(kernel: Kernel) -> Iterator[str]:
    """A program that reads the inputs from files, packs them, and writes the output."""
    for array in kernel.arrays:
        yield f"alignas(32) static {_element(array.type)} {array.name}[{array.size}];"
        yield f"static {_element(array.source.type)} of_{array.name}[{array.source.size}];"
    yield "int main() {"
    out = kernel.output
    for array in kernel.arrays:
        if not array.is_output:
            yield f'  FILE *f_{array.name} = std::fopen("{array.name}", "rb");'
            yield f"  std::fread(of_{array.name}, sizeof of_{array.name}, 1, f_{array.name});"
            yield f"  {_copied(kernel, array, f'of_{array.name}', array.name)}"
    yield f"  {kernel.name}({', '.join(a.name for a in kernel.arrays)});"
    yield f"  {_copied(kernel, out, out.name, f'of_{out.name}')}"
    yield '  FILE *out = std::fopen("out", "wb");'
    yield f"  std::fwrite(of_{out.name}, sizeof of_{out.name}, 1, out); std::fclose(out);"
    yield "}"


def _copied(kernel: Kernel, array: PackedArray, source: str, target: str) -> str:
    if not array.is_natural:
        way = "unpack" if array.is_output else "pack"
        return f"{way}_{kernel.name}_{array.name}({source}, {target});"
    smaller = source if not array.is_output else target
    return f"std::memcpy({target}, {source}, sizeof {smaller});"
