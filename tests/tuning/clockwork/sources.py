"""Sources without a schedule."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.tuning.clockwork.space import Places, Program, Space, near

_HEAD = """#include "Halide.h"
using namespace Halide;
class Made : public Generator<Made> {
public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};
    void generate() {
        Var x{"x"}, y{"y"};
"""
_TAIL = """    }
};
HALIDE_REGISTER_GENERATOR(Made, made)
"""

BLUR = """        RDom r{0, 3, 0, 3, "r"};
        Func sum{"sum"}, blur{"blur"};
        sum(x, y) = cast<uint16_t>(0);
        sum(x, y) += cast<uint16_t>(input(x + r.x, y + r.y));
        blur(x, y) = sum(x, y) / 9;
        output(x, y) = cast<uint8_t>(blur(x, y));
"""
"""Reads its image by windows."""

TWICE = """        Func in16{"in16"}, first{"first"}, second{"second"};
        in16(x, y) = cast<uint16_t>(input(x, y));
        first(x, y) = in16(x, y) + 2 * in16(x + 1, y) + in16(x + 2, y);
        second(x, y) = first(x, y) + 2 * first(x + 1, y) + first(x + 2, y);
        output(x, y) = cast<uint8_t>(second(x, y) / 16);
"""
"""Has a Func at its boundary, and two stages that are alike."""


def program(body: str, width: int = 24, height: int = 8) -> Program:
    """A generator with this body."""
    text = f"{_HEAD}{body}{_TAIL}"
    return Program("made.cpp", text.encode(), sizes=(("output", (width, height)),))


def neighbours(space: Space, places: Places) -> Iterator[Places]:
    """Candidates that differ on one axis, by a near value."""
    for axis in range(len(space.axes)):
        yield from dict.fromkeys(p for group in near(space, places, axis) for p in group)
