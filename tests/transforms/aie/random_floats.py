"""Random ways to write a convolution of floats; each rounds in its own way."""

import random


def written(seed: int) -> str:
    """A C function of one convolution: any order and direction of loops, strides, ends."""
    draw = random.Random(seed)
    outer = {"k": draw.choice([1, 3, 5]), "y": draw.choice([1, 4]), "x": draw.choice([8, 13, 24])}
    inner = {"c": draw.choice([1, 2, 3]), "r": draw.choice([1, 2, 3]), "s": draw.choice([1, 3, 5])}
    stride, dilation = draw.choice([1, 1, 2]), draw.choice([1, 1, 2])
    reach = {
        name: (outer[name] - 1) * stride + (inner[tap] - 1) * dilation + 1
        for name, tap in (("y", "r"), ("x", "s"))
    }
    k, c = outer["k"], inner["c"]
    channels_last = draw.random() < 0.4
    sizes = [reach["y"], reach["x"], c] if channels_last else [c, reach["y"], reach["x"]]
    row, column = f"y * {stride} + r * {dilation}", f"x * {stride} + s * {dilation}"
    places = [row, column, "c"] if channels_last else ["c", row, column]
    image, weight = f"I[{']['.join(places)}]", "W[k][c][r][s]"
    around, sums = list(outer), list(inner)
    draw.shuffle(around)
    draw.shuffle(sums)
    start = draw.choice(["0", "0.0f", "-1.25f", "B[k]", "O[k][y][x]"])
    sign = draw.choice(["+", "+", "+", "-"])
    pair = draw.choice([f"{image} * {weight}", f"{weight} * {image}"])
    heads = " ".join(f"for (int {n} = 0; {n} < {outer[n]}; {n}++)" for n in around)
    loops = " ".join(_head(draw, n, inner[n]) for n in sums)
    ends = ["", "sum = sum * 0.3f;", "sum = sum < 0 ? 0 : sum;", "if (sum > 2.5f) sum = 2.5f;"]
    ends += ["sum = sum + B[k];"] if start in ("0", "0.0f") else []
    extents = "][".join(map(str, sizes))
    return (
        f"void f(const float I[{extents}], const float W[{k}][{c}][{inner['r']}][{inner['s']}],\n"
        f"       const float B[{k}], float O[{k}][{outer['y']}][{outer['x']}])\n"
        f"{{\n    {heads} {{\n        float sum = {start};\n        {loops}\n"
        f"            sum {sign}= {pair};\n        {draw.choice(ends)}\n"
        "        O[k][y][x] = sum;\n    }\n}\n"
    )


def _head(draw: random.Random, name: str, extent: int) -> str:
    if draw.random() < 0.3:
        return f"for (int {name} = {extent - 1}; {name} >= 0; {name}--)"
    return f"for (int {name} = 0; {name} < {extent}; {name}++)"
