"""Pooling written in many manners: what is found has the same points in the same windows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from s2s.analyses.operators.pooling import find_pooling
from s2s.frontends.c.parse import parse_as_compiled
from s2s.frontends.c.traces import trace_function
from s2s.frontends.c.typed import functions_with_loops
from s2s.scop.pooling import Kind, Places, Pooling
from s2s.source import SourceBuffer
from tests.thorough import count

EXAMPLES = count("S2S_PROGRAMS", 15, 100)
"""Random programs of the test."""


@dataclass(frozen=True)
class Side:
    """Windows along one dimension."""

    size: int
    kernel: int
    stride: int
    before: int
    dilation: int
    count: int

    def points(self, window: int) -> list[int]:
        first = window * self.stride - self.before
        every = [first + k * self.dilation for k in range(self.kernel)]
        return [p for p in every if 0 <= p < self.size]


@dataclass(frozen=True)
class Program:
    """What a program computes and in which manner it is written."""

    y: Side
    x: Side
    images: int
    channels: int
    layout: str
    kind: Kind
    backward: bool
    counts_padding: bool
    inside: str
    loops: str
    numbers: str

    def place(self, side: str, n: str, c: str, i: str, j: str) -> str:
        """The subscript of an element."""
        height, width = self.extents(side)
        extents = {"n": self.images, "c": self.channels, "i": height, "j": width}
        values = {"n": n, "c": c, "i": i, "j": j}
        found = "0"
        for letter in self.layout:
            found = f"({found} * {extents[letter]} + ({values[letter]}))"
        return found

    def extents(self, side: str) -> tuple[int, int]:
        if side == "image":
            return self.y.size, self.x.size
        return self.y.count, self.x.count

    def text(self) -> str:
        return _PROGRAM.format(
            guarded=_INSIDE[self.inside].format(body=self.body(), **self.names()),
            window=self.place("windows", "n", "c", "oy", "ox"),
            start=self.start(), end=self.end(), loops="".join(self.headers()),
            zeros=self.zeros(), **self.names(),
        )  # fmt: skip

    def names(self) -> dict[str, int]:
        return {
            "KH": self.y.kernel, "KW": self.x.kernel, "SH": self.y.stride, "SW": self.x.stride,
            "PT": self.y.before, "PL": self.x.before, "DH": self.y.dilation, "DW": self.x.dilation,
            "H": self.y.size, "W": self.x.size, "OH": self.y.count, "OW": self.x.count,
            "C": self.channels, "N": self.images,
        }  # fmt: skip

    def headers(self) -> Iterator[str]:
        bounds = {"n": self.images, "c": self.channels, "oy": self.y.count, "ox": self.x.count}
        for name in {"nchw": ("n", "c", "oy", "ox"), "nhwc": ("n", "oy", "ox", "c")}.get(
            self.loops, ("oy", "n", "ox", "c")
        ):
            yield f"for (int {name} = 0; {name} < {bounds[name]}; {name}++)\n"

    def zeros(self) -> str:
        if not self.backward:
            return ""
        total = self.images * self.channels * self.y.size * self.x.size
        return f"float *z = out; for (int k = {total}; k-- > 0;) *z++ = 0;"

    def start(self) -> str:
        if self.backward:
            return "float g = in[w];" + (" g /= 3;" if self.kind is Kind.AVERAGE else "")
        value = "-3.4e38f" if self.kind is Kind.MAX else "0"
        return f"float m = {value}; int points = 0; int at = -1;"

    def body(self) -> str:
        image = self.place("image", "n", "c", "iy", "ix")
        if self.backward:
            return f"out[{image}] += g;"
        if self.kind is not Kind.MAX:
            return f"m += in[{image}]; points++;"
        number = {"none": "", "window": "ky * {KW} + kx", "image": image}[self.numbers]
        number = number.format(**self.names())
        position = f" at = {number};" if number else ""
        return f"float v = in[{image}]; if (v > m) {{ m = v;{position} }}"

    def end(self) -> str:
        if self.backward:
            return ""
        if self.kind is Kind.SUM:
            return "out[w] = m;"
        if self.kind is Kind.AVERAGE:
            by = f"{self.y.kernel * self.x.kernel}" if self.counts_padding else "points"
            return f"out[w] = m / {by};"
        return "out[w] = m;" + (" numbers[w] = at;" if self.numbers != "none" else "")


_PROGRAM = """
void program(const float *in, float *out, int *numbers)
{{
    {zeros}
    {loops}
    {{
        int w = {window};
        {start}
        {guarded}
        {end}
    }}
}}
"""
_INSIDE = {
    "guard": """
        for (int ky = 0; ky < {KH}; ky++)
            for (int kx = 0; kx < {KW}; kx++) {{
                int iy = oy * {SH} - {PT} + ky * {DH}, ix = ox * {SW} - {PL} + kx * {DW};
                if (iy >= 0 && iy < {H} && ix >= 0 && ix < {W}) {{ {body} }}
            }}""",
    "continue": """
        int ky = 0;
        while (ky < {KH}) {{
            int iy = oy * {SH} - {PT} + ky * {DH};
            for (int kx = 0, ix = ox * {SW} - {PL}; kx < {KW}; kx++, ix += {DW}) {{
                if ((unsigned)iy >= {H}u || (unsigned)ix >= {W}u) continue;
                {body}
            }}
            ++ky;
        }}""",
    "clamp": """
        int first = oy * {SH} - {PT}, left = ox * {SW} - {PL};
        int ky = first < 0 ? (-first + {DH} - 1) / {DH} : 0;
        for (; ky < {KH} && first + ky * {DH} < {H}; ky++) {{
            int iy = first + ky * {DH};
            int kx = left < 0 ? (-left + {DW} - 1) / {DW} : 0;
            do {{
                int ix = left + kx * {DW};
                if (kx >= {KW} || ix >= {W}) break;
                {body}
            }} while (++kx);
        }}""",
}


@st.composite
def sides(draw: st.DrawFn) -> Side:
    kernel, dilation = draw(st.integers(1, 4)), draw(st.sampled_from([1, 1, 1, 2]))
    stride, reach = draw(st.integers(1, 4)), (kernel - 1) * dilation + 1
    before = draw(st.integers(0, (reach - 1) // 2))
    size = draw(st.integers(reach, reach + 7))
    most = (size + before - 1) // stride + 1  # windows that begin in the image
    count = draw(st.integers(1, min(most, 5)))
    side = Side(size, kernel, stride, before, dilation, count)
    while not side.points(side.count - 1):
        side = Side(size, kernel, stride, before, dilation, side.count - 1)
    return side


@st.composite
def programs(draw: st.DrawFn) -> Program:
    kind, backward = draw(st.sampled_from(list(Kind))), draw(st.booleans())
    kind = Kind.SUM if backward and kind is Kind.MAX else kind
    y, x = draw(sides()), draw(sides())
    # Gradients of one window say nothing of how an image's other points lie.
    assume(not backward or min(y.count, x.count) > 1)
    return Program(
        y, x, draw(st.integers(1, 2)), draw(st.integers(1, 5)),
        draw(st.sampled_from(["ncij", "nijc", "cnij"])), kind, backward, draw(st.booleans()),
        draw(st.sampled_from(list(_INSIDE))), draw(st.sampled_from(["nchw", "nhwc", "other"])),
        draw(st.sampled_from(["none", "window", "image"])) if kind is Kind.MAX else "none",
    )  # fmt: skip


def wanted(program: Program) -> dict[int, frozenset[int]]:
    """For each window's place the places of its points."""
    found = {}
    extents = (program.images, program.channels, program.y.count, program.x.count)
    for n, c, oy, ox in product(*map(range, extents)):
        window = eval(program.place("windows", f"{n}", f"{c}", f"{oy}", f"{ox}"))
        found[window] = frozenset(
            eval(program.place("image", f"{n}", f"{c}", f"{iy}", f"{ix}"))
            for iy in program.y.points(oy) for ix in program.x.points(ox)
        )  # fmt: skip
    return found


def seen(pooling: Pooling) -> dict[int, frozenset[int]]:
    """The same of a pooling that was found."""
    assert pooling.image is not None and pooling.windows is not None
    y, x, found = pooling.y, pooling.x, {}
    batches = list(product(*map(range, pooling.batches)))
    for numbers, c, oy, ox in product(
        batches, range(pooling.channels), range(y.count), range(x.count)
    ):
        points = product(
            (oy * y.stride - y.before + k * y.dilation for k in range(y.kernel)),
            (ox * x.stride - x.before + k * x.dilation for k in range(x.kernel)),
        )
        found[_at(pooling.windows, numbers, c, oy, ox)] = frozenset(
            _at(pooling.image, numbers, c, iy, ix)
            for iy, ix in points if 0 <= iy < y.size and 0 <= ix < x.size
        )  # fmt: skip
    return found


def _at(places: Places, batches: tuple[int, ...], channel: int, line: int, point: int) -> int:
    steps = sum(n * step for n, step in zip(batches, places.batches, strict=True))
    inner = channel * places.channel + line * places.line + point * places.point
    return places.start + steps + inner


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(programs())
def test_the_windows_of_a_program_are_found(program: Program) -> None:
    unit = parse_as_compiled(SourceBuffer("program.c", program.text().encode()), ())
    assert not unit.errors
    ((name, node),) = functions_with_loops(unit)
    pooling = find_pooling(trace_function(name, node, {}, unit))
    # Windows of a point each are as well forward as backward.
    assert pooling.backward == program.backward or program.y.kernel * program.x.kernel == 1
    if pooling.backward == program.backward:
        assert seen(pooling) == wanted(program)
    assert (pooling.numbers is None) == (program.numbers == "none")
