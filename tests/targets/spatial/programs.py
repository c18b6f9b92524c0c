"""C of our own for layers, and running it before and after it was mapped."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from s2s.source.spatial.layers import Index, Layer, Tensor


def function_of(name: str, layer: Layer, order: Sequence[str], first: int = 0) -> str:
    """The nest of a layer with its loops in some order, each counting from ``first``."""
    computation = layer.computation
    names = {dim: dim.replace("'", "o").lower() for dim in layer.loops}

    def text(index: Index) -> str:
        terms = [f"{c} * ({names[dim]} - {first})" for dim, c in index.terms]
        return " + ".join([*terms, str(index.constant)])

    def element(tensor: Tensor, array: str) -> str:
        return array + "".join(f"[{text(axis)}]" for axis in tensor.axes)

    def declared(tensor: Tensor, array: str, const: str) -> str:
        widths = [axis.width(layer.loops) + axis.constant for axis in tensor.axes]
        return f"{const}int {array}[restrict {widths[0]}]" + "".join(f"[{w}]" for w in widths[1:])

    arrays = ("a", "b")[: len(computation.operands)]
    pairs = list(zip(computation.operands, arrays, strict=True))
    parameters = [declared(computation.output, "out", "")]
    parameters += [declared(tensor, array, "const ") for tensor, array in pairs]
    lines = [f"void {name}({', '.join(parameters)}) {{"]
    for dim in order:
        head = f"int {names[dim]} = {first}; {names[dim]} < {layer.loops[dim] + first}"
        lines.append(f"for ({head}; {names[dim]}++)")
    out, product = (
        element(computation.output, "out"),
        " * ".join(element(tensor, array) for tensor, array in pairs),
    )
    sign = {"max": ">", "min": "<"}.get(computation.combine)
    value = f"{out} {sign} {product} ? {out} : {product}" if sign else f"{out} + {product}"
    return "\n".join([*lines, f"{out} = {value};", "}", ""])


def main_of(functions: Sequence[tuple[str, Layer]]) -> str:
    """A program that calls functions on the same numbers each time, and prints their outputs."""
    lines = ["#include <stdio.h>", "int main(void) {", "unsigned seed = 1;"]
    for name, layer in functions:
        tensors = (layer.computation.output, *layer.computation.operands)
        sizes = []
        for tensor in tensors:
            size = 1
            for axis in tensor.axes:
                size *= axis.width(layer.loops) + axis.constant
            sizes.append(size)
        arrays = [f"{name}_{k}" for k in range(len(sizes))]
        for array, size in zip(arrays, sizes, strict=True):
            lines.append(f"static int {array}[{size}];")
            fill = f"{array}[i] = (int)((seed = seed * 1103515245u + 12345u) >> 20)"
            lines.append(f"for (int i = 0; i < {size}; i++) {fill};")
        lines.append(f"{name}({', '.join(f'(void *){array}' for array in arrays)});")
        lines.append(f'for (int i = 0; i < {sizes[0]}; i++) printf("%d\\n", {arrays[0]}[i]);')
    return "\n".join([*lines, "return 0;", "}", ""])


def execute(folder: Path, name: str, text: str) -> str:
    """Compile with all warnings as errors, sanitized, and run: the output."""
    (folder / f"{name}.c").write_text(text)
    flags = [
        "-std=c99",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Wconversion",
        "-Werror",
        "-fsanitize=undefined",
    ]
    flags += ["-fno-sanitize-recover=all"]
    subprocess.run(["gcc", *flags, f"{name}.c", "-o", name], cwd=folder, check=True, timeout=60)
    done = subprocess.run([f"./{name}"], cwd=folder, capture_output=True, timeout=60, check=True)
    return done.stdout.decode()
