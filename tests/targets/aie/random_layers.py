"""Random layers one after the other, in C: convolutions and products of all kinds."""

from __future__ import annotations

from random import Random
from typing import NamedTuple


class Layers(NamedTuple):
    """A program and the shape of an array of cores for it."""

    text: str
    shape: str


def layers(seed: int) -> Layers:
    """Two or three layers of one element type, small enough to be executed at once."""
    random = Random(seed)
    type_, shift = random.choice([("int8_t", 6), ("int8_t", 7), ("int16_t", 9)])
    count = random.choice([2, 2, 3])
    channels = [random.choice([16, 32]) for _ in range(count + 1)]
    kinds = [random.choice(["same", "valid", "point", "strided"]) for _ in range(count)]
    height, width = random.choice([(4, 8), (6, 8), (8, 4)])
    shapes = [(height, width)]
    text, calls, parameters = "#include <stdint.h>\n\n", "", []
    for n, kind in enumerate(kinds):
        before = shapes[-1]
        if (kind in ("valid", "strided") and min(before) < 4) or (kind == "strided" and n == 0):
            kind = "point"
        taps = 1 if kind == "point" else random.choice([2, 3]) if kind == "valid" else 3
        step = 2 if kind == "strided" else 1
        pad = int(kind in ("same", "strided"))
        after = tuple((size + 2 * pad - taps) // step + 1 for size in before)
        shapes.append((after[0], after[1]))
        text += _layer(n, type_, shift, before, shapes[-1], channels[n : n + 2], (taps, step, pad))
        given = "in" if n == 0 else f"m{n}"
        to = "out" if n == count - 1 else f"m{n + 1}"
        calls += f"    layer{n}({given}, w{n}, b{n}, {to});\n"
        parameters.append(f"const {type_} w{n}[{channels[n + 1]}][{taps}][{taps}][{channels[n]}]")
        parameters.append(f"const int32_t b{n}[{channels[n + 1]}]")
    extents = [f"[{h}][{w}][{c}]" for (h, w), c in zip(shapes, channels, strict=True)]
    between = "".join(f"    {type_} m{n}{extents[n]};\n" for n in range(1, count))
    head = ", ".join([f"const {type_} in{extents[0]}", *parameters, f"{type_} out{extents[-1]}"])
    text += f"void net({head})\n{{\n{between}{calls}}}\n"
    small, large = ["1x2", "2x2", "1x4", "2x4"], ["2x4", "4x4"]
    return Layers(text, random.choice(small if count == 2 else large))


def _layer(
    n: int, type_: str, shift: int, before: tuple[int, int], after: tuple[int, int],
    channels: list[int], window: tuple[int, int, int],
) -> str:  # fmt: skip
    (height, width), (rows, columns), (depth, filters) = before, after, channels
    taps, step, pad = window
    at = [f"{step} * {v} + {t}" if step > 1 else f"{v} + {t}" for v, t in ("yr", "xs")]
    sides = [(at[0], height), (at[1], width)]
    inside = " && ".join(f"{v} >= {pad} && {v} < {size + pad}" for v, size in sides)
    guard = f"                            if ({inside})\n" if pad else ""
    low, high = ("-128", "127") if type_ == "int8_t" else ("-32768", "32767")
    less = f" - {pad}" if pad else ""
    return f"""\
static void layer{n}(const {type_} in[{height}][{width}][{depth}],
                    const {type_} w[{filters}][{taps}][{taps}][{depth}], const int32_t b[{filters}],
                    {type_} out[{rows}][{columns}][{filters}])
{{
    for (int y = 0; y < {rows}; y++)
        for (int x = 0; x < {columns}; x++)
            for (int k = 0; k < {filters}; k++) {{
                int32_t acc = b[k];
                for (int r = 0; r < {taps}; r++)
                    for (int s = 0; s < {taps}; s++)
                        for (int c = 0; c < {depth}; c++)
{guard}                            acc += in[{at[0]}{less}][{at[1]}{less}][c] * w[k][r][s][c];
                acc >>= {shift};
                out[y][x][k] = acc > {high} ? {high} : acc < {low} ? {low} : acc;
            }}
}}

"""
