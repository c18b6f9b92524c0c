"""Random contractions with random mappings, as hypothesis strategies."""

from dataclasses import replace
from math import prod
from typing import Any

from hypothesis import strategies as st

from s2s.scop.contraction import Contraction
from s2s.scop.layouts import Axis, Tiled, windows
from s2s.transforms.aie.mapping import Mapping
from tests.transforms.aie.contractions import contraction

small = st.integers(1, 3)


@st.composite
def contractions(draw: st.DrawFn, bits: int, weight_bits: int = 0) -> Contraction:
    """A convolution in one to three dimensions, or a matrix product, of any kind of layer.

    Weights are as wide as images unless ``weight_bits`` says something else.
    """
    shift = draw(st.integers(0, 12))
    slack, offset = draw(st.integers(0, 20)), draw(st.integers(0, 3))
    widest = max(bits, weight_bits)
    out_bits = draw(st.sampled_from({8: (8, 16, 32), 16: (16, 32), 32: (32,)}[widest]))
    more: dict[str, Any] = {"shift": shift, "slack": slack + offset, "offset": offset}
    more |= {"out_bits": out_bits, "saturate": draw(st.booleans())}
    more["initial"] = draw(st.sampled_from([0, 0, 1 << shift >> 1, 1234, -3 << 10, 123457]))
    if more["saturate"]:
        end = (1 << out_bits - 1) - 1
        limits = [(None, None), (None, None), (0, None), (-5, 99), (None, end // 3), (0, end // 2)]
        more["limits"] = draw(st.sampled_from(limits))
    more["rounds"] = draw(st.booleans())
    more |= {"weight_bits": weight_bits, "initial_bits": draw(st.sampled_from([16, 32]))}
    multiplied = draw(st.integers(0, 3)) == 0
    if multiplied:
        more |= {"late": draw(st.sampled_from([0, 1 << 30, -5 << 8]))}
        more["initial"] = draw(st.sampled_from([0, 128, 1 << 30, 1234]))
        more |= {"takes_off": draw(st.booleans()), "shift": draw(st.sampled_from([8, 31]))}
        more["limits"] = draw(st.sampled_from([(None, None), (0, None), (-5, 99)]))
    if draw(st.integers(0, 4)) == 0:
        loops = {"m": draw(st.integers(1, 6)), "n": draw(st.integers(1, 40))}
        loops["C"] = draw(st.integers(1, 20))
        output, rows = ({"n": 1}, {"m": 1}), ({"c": 1}, {"m": 1})
        columns = draw(st.sampled_from([({"n": 1}, {"c": 1}), ({"c": 1}, {"n": 1})]))
        if draw(st.booleans()):
            more["initial"] = draw(st.sampled_from([({"n": 1},), ({"m": 1},), output]))
        if multiplied:
            more["factor"] = draw(st.sampled_from([({"n": 1},), ({"m": 1},), output]))
        return contraction(loops, output, rows, columns, bits, **more)
    rank = draw(st.integers(1, 3))
    names = "zyx"[3 - rank :]
    loops = {n: draw(st.integers(1, 40 if n == "x" else 4)) for n in names}
    taps = {n: draw(st.integers(1, 5 if n == "x" else 3)) for n in names}
    windows = {"x": "R", "y": "S", "z": "T"}
    reductions = {windows[n]: taps[n] for n in names}
    stride = {n: draw(st.sampled_from([1, 1, 1, 2, 3])) for n in names}
    dilation = {n: draw(st.sampled_from([1, 1, 2, 3])) for n in names}
    inner = names[::-1]
    image = [{n: stride[n], windows[n].lower(): dilation[n]} for n in inner]
    weight = [{windows[n].lower(): 1} for n in inner]
    out: list[dict[str, int]] = [{n: 1} for n in inner]
    if draw(st.integers(0, 3)) == 0:
        more["initial"] = draw(st.sampled_from([tuple(out), ({"x": 1},)]))
    kind = draw(st.sampled_from(["plain", "layers", "depth-wise"]))
    if kind != "plain":
        loops = {"k": draw(st.integers(1, 20 if rank == 1 else 5)), **loops}
        out.append({"k": 1})
        if kind == "layers":
            reductions = {"C": draw(st.integers(1, 4)), **reductions}
            image.append({"c": 1})
            weight += [{"c": 1}, {"k": 1}]
        else:
            image.append({"k": 1})
            weight.append({"k": 1})
    if multiplied:
        more["factor"] = draw(st.sampled_from([(out[-1],), ({"x": 1},), tuple(out)]))
    return contraction(
        {**loops, **reductions}, tuple(out), tuple(image), tuple(weight), bits, **more
    )


@st.composite
def mappings(draw: st.DrawFn, of: Contraction, lanes: int, columns: int) -> Mapping:
    """A schedule with layouts that make it likely to be possible."""
    names = [loop.name for loop in of.output_loops]
    vector = draw(st.sampled_from(names))
    jam = tuple((n, draw(small)) for n in names)
    order = tuple(draw(st.permutations(names)))
    keep = tuple(
        (loop.name, draw(st.sampled_from(_divisors(loop.extent))))
        for loop in of.reductions
        if draw(st.integers(0, 5)) == 0
    )
    mapping = Mapping(vector, jam, order, keep)
    mapping = replace(
        mapping,
        window=draw(st.integers(0, 4)),
        pointers=draw(st.integers(1, 2)),
        streamed=draw(st.integers(0, 5)) > 0,
    )
    pad = tuple(
        (loop.name, -(-loop.extent // columns) * columns)
        for loop in of.reductions
        if draw(st.integers(0, 3)) == 0
    )
    if not keep:
        mapping = replace(mapping, pad=pad[:1])
    layouts: dict[str, Any] = {
        name: _layout(draw, of, name, vector, lanes, columns) for name in LAYOUTS
    }
    return replace(mapping, **layouts)


LAYOUTS = ("image", "weight", "output")


def _divisors(extent: int) -> list[int]:
    return [d for d in range(1, extent + 1) if extent % d == 0]


def _layout(
    draw: st.DrawFn, of: Contraction, name: str, vector: str, lanes: int, columns: int
) -> Tiled | None:
    """The source's layout, or one with the vector loop's dimension innermost, perhaps tiled."""
    access = getattr(of, name)
    places = [k for k, s in enumerate(access.subscripts) if s.coefficient(vector)]
    if not places or draw(st.integers(0, 3)) == 0:
        return None
    (place,) = places
    if columns == 8 and name == "image" and draw(st.integers(0, 3)):
        return windows(access.array.extents, place, -(-of.extents[vector] // lanes))
    rounded = {**of.extents, vector: -(-of.extents[vector] // lanes) * lanes}
    extents = [
        max(e, s.reach(rounded)[1] + 1)
        for e, s in zip(access.array.extents, access.subscripts, strict=True)
    ]
    others = draw(st.permutations([k for k in range(len(extents)) if k != place]))
    stride = access.subscripts[place].coefficient(vector)
    inner = [Axis(place, 1, extents[place])]
    if stride > 1 and draw(st.booleans()):
        inner = [Axis(place, 1, stride), Axis(place, stride, -(-extents[place] // stride))]
    outer = [Axis(k, 1, extents[k]) for k in others]
    if name != "output" and others and columns > 1 and draw(st.booleans()):
        last = others[-1]
        outer[-1] = Axis(last, columns, -(-extents[last] // columns))
        inner.append(Axis(last, 1, columns))
    return Tiled((*outer, *inner))


def size_of(of: Contraction, mapping: Mapping) -> int:
    """Products in one body: what a test's time depends on."""
    kept = dict(mapping.keep)
    taps = prod(kept.get(loop.name, loop.extent) for loop in of.reductions)
    return taps * prod(factor for _, factor in mapping.jam)
