"""Which elements the multipliers take: known patterns, and the header of g++ for random ones."""

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from s2s.simulators.aie.host import INCLUDE
from s2s.simulators.aie.intrinsics import FORMS, Multiplication
from s2s.simulators.aie.program import Selection, Shape
from s2s.simulators.aie.selection import granularity, x_picks, z_picks

MAC16 = Shape(16, 2, 16, 16)
SLIDING = 0x0706050403020100
PATTERNS: dict[str, tuple[int, int, int, Callable[[int, int], int]]] = {
    "a window from an even start": (SLIDING, 0x2110, 0, lambda i, c: i + c),
    "a window from an odd start": (SLIDING, 0x3221, 0, lambda i, c: 1 + i + c),
    "the even column twice": (SLIDING, 0x1100, 0, lambda i, c: i),
    "the next pair twice": (SLIDING, 0x3322, 0, lambda i, c: i + 2),
    "pairs side by side": (0x0E0C0A0806040200, 0x3210, 0, lambda i, c: 2 * i + c),
    "one row in each half": (0x7776757473727170, 0x3120, 0, lambda i, c: i + 16 * c),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_of_16_bits(name: str) -> None:
    offsets, square, step, element = PATTERNS[name]
    found = x_picks(MAC16, Selection(offsets, step, square))
    assert found == tuple(tuple(element(i, c) for c in range(2)) for i in range(16))


def test_broadcast_and_rows_of_z() -> None:
    assert z_picks(MAC16, Selection(0, 1)) == ((0, 1),) * 16
    shape = Shape(8, 1, 32, 32)
    assert x_picks(shape, Selection(0x76543210)) == tuple((i,) for i in range(8))


def test_8_bits_put_weights_in_x_and_sixteen_outputs_in_z() -> None:
    shape = Shape(16, 8, 8, 8)
    weights = x_picks(shape, Selection(0, 4, 0x1010))
    assert weights[0] == (0, 2, 4, 6, 8, 10, 12, 14)
    assert weights[1] == (1, 3, 5, 7, 9, 11, 13, 15)
    image = z_picks(shape, Selection(0x43322110, 2, 0x2110))
    assert [image[4 * g + i] for g in range(4) for i in (0, 1)] == [
        tuple(2 * g + i + c for c in range(8)) for g in range(4) for i in (0, 1)
    ]


ROUNDS = 60


def test_the_header_takes_the_same_elements(tmp_path: Path) -> None:
    """Random arguments of every form: products of the header against those of the tables."""
    rounds = [arguments(form, random.Random(n)) for form in FORMS for n in range(ROUNDS)]
    (tmp_path / "main.cc").write_text(program())
    words = ["g++", "-std=c++17", "-w", f"-I{INCLUDE}", "main.cc", "-o", "main"]
    subprocess.run(words, cwd=tmp_path, check=True)
    given = "\n".join(" ".join(map(str, one)) for one in rounds)
    said = subprocess.run(
        ["./main"], cwd=tmp_path, input=given, text=True, capture_output=True, check=True
    )
    found = [[int(word) for word in line.split()] for line in said.stdout.splitlines()]
    wanted = [expected(FORMS[n // ROUNDS], one) for n, one in enumerate(rounds)]
    assert found == wanted


def registers(form: Multiplication) -> tuple[int, int]:
    """Elements of X (1024 bits) and of Z (256 bits)."""
    return 1024 // form.shape.x_bits, 256 // form.shape.z_bits


def arguments(form: Multiplication, generator: random.Random) -> list[int]:
    found = []
    for word in form.words:
        unit = granularity(form.shape, word[0] == "x")
        if word in ("xs", "zs", "xt", "zt"):
            found.append(unit * generator.randrange(16))
        elif word in ("xq", "zq"):
            found.append(sum(generator.randrange(4) << 4 * k for k in range(4)))
        elif len(word) == 2:
            found.append(generator.getrandbits(32))
    return found


def expected(form: Multiplication, numbers: list[int]) -> list[int]:
    """The sums of registers that hold -64, -63, ... and 1, 3, 5, ..., lane by lane."""
    named = dict(zip([w for w in form.words if len(w) == 2], numbers, strict=True))

    def selection(letter: str) -> Selection:
        offsets = named[f"{letter}o"] | named.get(f"{letter}h", 0) << 32
        return Selection(offsets, named.get(f"{letter}t", 0), named.get(f"{letter}q"))

    x_count, z_count = registers(form)
    x = np.array(x_picks(form.shape, selection("x"))) + named["xs"]
    z = np.array(z_picks(form.shape, selection("z"))) + named["zs"]
    sums = ((x % x_count - 64) * (2 * (z % z_count) + 1)).sum(axis=1)
    return [int(one) for one in sums]


def program() -> str:
    lines = ['#include "aie_intrinsics.h"', "int main() {"]
    for form in FORMS:
        x_count, z_count = registers(form)
        widths = ((x_count, form.shape.x_bits), (z_count, form.shape.z_bits))
        x, z = (f"v{count}int{bits}" for count, bits in widths)
        words = [w for w in form.words if len(w) == 2]
        names = ", ".join(form.words)
        lines += [
            f"  for (int n = 0; n < {ROUNDS}; n++) {{",
            f"    {x} x; for (int i = 0; i < {x_count}; i++) x.lane[i] = i - 64;",
            f"    {z} z; for (int i = 0; i < {z_count}; i++) z.lane[i] = 2 * i + 1;",
            *(f'    unsigned {w}; if (std::scanf("%u", &{w}) != 1) return 1;' for w in words),
            f"    auto sum = {form.letter}mul{form.shape.lanes}({names});",
            f"    for (int i = 0; i < {form.shape.lanes}; i++)",
            '      std::printf("%lld ", (long long)sum.lane[i]);',
            '    std::puts("");',
            "  }",
        ]
    return "\n".join([*lines, "}", ""])
