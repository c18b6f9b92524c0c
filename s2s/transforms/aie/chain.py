"""The plan for several layers on an array of cores: cores, parts and steps of each layer.

Every layer gets cores of its own, so many that all take about as long for a step: its filters in
parts, each computed by a chain of cores over the channels of its sum. The channels that a link of a
chain adds are those that one part of the layer before computes, which sends its tile to the core.
Rows go through all layers, some at a time, in order; nothing but the first image and the last
output leaves the array.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, product
from math import prod

from s2s.scop.contraction import Access, Contraction
from s2s.scop.core_array import CoreArray, Share, divided
from s2s.scop.core_chain import CoreChain, Kept, Stage, kept_rows
from s2s.scop.vector_kernel import Kernel
from s2s.source.records import dataclass
from s2s.transforms.aie.array import CALL, STREAM
from s2s.transforms.aie.datapath import datapath_of
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.mapping import Mapping
from s2s.transforms.aie.tile_kernels import Measure, Measured, Natural, tile_cycles, tile_mapping
from s2s.transforms.aie.tile_memory import MEMORY, STACK, Buffer, buffers, needed

_RATE = 0.65
_LOOKED = 3
"""Plans whose kernels are measured."""
_ASKED = 12
"""Plans of which kernels are asked for."""
_ROWS = 8
"""Rows in a step of the last layer, at most."""
_VECTOR = 32
"""Bytes of a load or store; a row of these is moved in about two cycles each."""


@dataclass(frozen=True)
class PlannedStage:
    """A layer's mapping and the kernel of a core that gets sums, and cycles of a step."""

    stage: Stage
    mapping: Mapping
    cycles: float


@dataclass(frozen=True)
class PlannedChain:
    """The chain, what its cores run, and the cycles that a frame is planned to take."""

    chain: CoreChain
    stages: tuple[PlannedStage, ...]
    cycles: float


@dataclass(frozen=True)
class _Way:
    """How a layer may be divided: parts of its filters, links over its channels, rows a step."""

    parts: int
    links: int
    rows: int


def plan_chain(
    layers: Sequence[Contraction], rows: int, columns: int, measure: Measure
) -> PlannedChain:
    """The fastest plan that is found. Raises Unmappable with the reason where there is none."""
    for layer in layers:
        _check(layer)
    for before, after in pairwise(layers):
        _check_between(before, after)
    name = layers[0].name.rpartition("_")[0]
    ranked = sorted(_chains(name, layers, rows, columns), key=_promise)
    if not ranked:
        text = f"no parts of the layers fit each other and {MEMORY} bytes of {rows * columns} cores"
        raise Unmappable("cores", text)
    found: list[PlannedChain] = []
    refused: Unmappable | None = None
    known: dict[object, tuple[Mapping, Measured]] = {}
    for chain in islice(ranked, _ASKED):
        try:
            found.append(_mapped(chain, known, measure))
        except Unmappable as error:
            refused = refused or error
        if len(found) == _LOOKED:
            break
    if not found:
        raise refused or Unmappable("cores", f"no kernel's arrays fit {MEMORY} bytes")
    return min(found, key=lambda one: one.cycles)


def _check(layer: Contraction) -> None:
    if layer.floats is not None:
        raise Unmappable("cores", "sums of floats, which have an order, stay on one core")
    initial = layer.initial
    if isinstance(initial, Access) and initial.array.name == layer.output.array.name:
        raise Unmappable("cores", "sums that go on from the output's own elements stay on one core")
    if _stream_loop(layer) is None:
        text = f"rows of {layer.output.array.name} are no loop of layer '{layer.name}'"
        raise Unmappable("cores", text)


def _check_between(before: Contraction, after: Contraction) -> None:
    made, read = before.output.array, after.image.array
    if made.view is not None:
        raise Unmappable("cores", f"{made.name} is written in part")
    if read.type != made.type or (read.view is not None and (read.view.less or read.view.steps)):
        raise Unmappable("cores", f"{made.name} is converted before the next layer")
    whole = (
        tuple((by, by + n) for by, n in zip(read.view.first, made.extents, strict=True))
        if (read.view is not None)
        else ()
    )
    if read.view is not None and read.view.inside != whole:
        raise Unmappable("cores", f"the next layer reads a part of {made.name} alone")


def _stream_loop(layer: Contraction) -> str | None:
    """The loop of the output's outermost dimension, along which layers follow each other."""
    terms = layer.output.subscripts[-1].terms
    ((name, factor),) = terms.items() if len(terms) == 1 else (("", 0),)
    return name if factor == 1 and name not in layer.weight.loops else None


def _step(layer: Contraction) -> int:
    """Rows of the image by which the window of a layer moves for each row of its output."""
    return layer.image.subscripts[-1].coefficient(_stream_loop(layer) or "")


def _chains(
    name: str, layers: Sequence[Contraction], rows: int, columns: int
) -> Iterator[CoreChain]:
    """All ways to divide the layers that fit together."""
    for count in range(1, _ROWS + 1):
        each = [count]
        for layer in reversed(layers[1:]):
            each.insert(0, each[0] * _step(layer))
        loops = [layer.extents[_stream_loop(layer) or ""] for layer in layers]
        if min(each) < 1 or any(n % k for n, k in zip(loops, each, strict=True)):
            continue
        options = [
            list(_ways(layer, rows * columns, own)) for layer, own in zip(layers, each, strict=True)
        ]
        for ways in product(*options):
            fits = (
                all(after.links in (before.parts, 1) for before, after in pairwise(ways))
                and sum(w.parts * w.links for w in ways) <= rows * columns
            )
            chain = _chain(name, layers, ways, rows, columns) if fits else None
            if chain is not None:
                yield chain


def _ways(layer: Contraction, cores: int, rows: int) -> Iterator[_Way]:
    filters, channels = _filters(layer), _channels(layer)
    for parts in range(1, cores):
        for links in range(1, cores // parts + 1):
            even = layer.extents.get(filters, 1) % parts, layer.extents.get(channels, 1) % links
            if even == (0, 0):
                yield _Way(parts, links, rows)


def _filters(layer: Contraction) -> str:
    """The loop of the output's innermost dimension that may be divided: that of the filters."""
    stream = _stream_loop(layer)
    return next(
        (p.name for p in layer.output_loops if p.name in layer.weight.loops and p.name != stream),
        "",
    )


def _channels(layer: Contraction) -> str:
    return next((p.name for p in layer.reductions if p.name == "c"), "")


def _array(layer: Contraction, way: _Way, rows: int, columns: int) -> CoreArray:
    stream, filters, channels = _stream_loop(layer), _filters(layer), _channels(layer)
    shares = []
    for loop in layer.output_loops:
        parts = way.parts if loop.name == filters else 1
        tile = way.rows if loop.name == stream else loop.extent // parts
        steps = loop.extent // tile if loop.name == stream else 1
        shares.append(Share(loop.name, loop.extent, parts, tile, steps))
    extent = layer.extents.get(channels, 1)
    last = Share(channels, extent, way.links, extent // way.links, 1)
    tile_ = divided(layer, {s.loop: s.tile for s in (*shares, last) if s.loop})
    return CoreArray(layer, tile_, (*shares, last), rows, columns)


def _chain(
    name: str, layers: Sequence[Contraction], ways: Sequence[_Way], rows: int, columns: int
) -> CoreChain | None:
    """The stages, or None where a part of one layer is not what a core of the next reads."""
    stages: list[Stage] = []
    base = lag = 0
    for layer, way in zip(layers, ways, strict=True):
        array = _array(layer, way, rows, columns)
        if not stages:
            stages.append(Stage(array, 0, 0))
        else:
            stage = _fed(stages[-1], array, base, lag)
            if stage is None:
                return None
            stages.append(stage)
        base, lag = base + array.count, stages[-1].lag
        if _least(stages[-1], stages[-2].array if len(stages) > 1 else None) + STACK > MEMORY:
            return None
    return CoreChain(name, tuple(stages), rows, columns)


def _fed(before: Stage, array: CoreArray, base: int, lag: int) -> Stage | None:
    feeds: list[int] = []
    kept: Kept | None = None
    for core in range(array.count):
        for chain in range(before.array.count // before.array.links):
            found = kept_rows(before.array, array, chain, core)
            if found is not None and kept in (None, found):
                feeds.append(chain)
                kept = found
                break
        else:
            return None
    if kept is None:
        return None
    view = array.whole.image.array.view
    first = view.first[-1] if view is not None else 0
    delay = (kept.at - first) // kept.new
    whole = kept.rows == kept.new and kept.row == kept.chunk
    return Stage(array, base, lag + delay, tuple(feeds), None if whole else kept)


def stage_buffers(stage: Stage, before: CoreArray | None, kernel: Kernel | None) -> list[Buffer]:
    """What a core of a stage has in its memory, with a kernel's layouts where there is one."""
    array = stage.array
    found = buffers(array, kernel)
    if before is None or stage.kept is None:
        return found
    image, made = array.whole.image.array, before.contraction.output.array
    size = prod(made.extents) * made.type.bits // 8
    kept = stage.kept.size * image.type.bits // 8
    rest = [one for one in found if one.name != image.name]
    own = next(one.bytes for one in found if one.name == image.name)
    ring = Buffer(f"{image.name}_rows", max(kept, own) + 2 * _VECTOR, 1, 0, False)
    return [*rest, ring, Buffer(image.name, size, 2, 0, False)]


def _least(stage: Stage, before: CoreArray | None) -> int:
    return needed(stage_buffers(stage, before, None))


# -------------------------------------------------------------------------------------- cycles


def _promise(chain: CoreChain) -> tuple[float, int]:
    """The time of a frame as far as it is known before there are kernels."""
    worst = 0.0
    for stage in chain.stages:
        tile = stage.array.contraction
        width = tile.image.array.type.bits * tile.weight.array.type.bits
        peak = {64: 128, 128: 64, 256: 32, 512: 16}.get(width, 8)
        lanes = datapath_of(tile.image.array.type.bits, tile.weight.array.type.bits).lanes
        innermost = tile.output.array.extents[0]
        uneven = -innermost % lanes / innermost
        worst = max(worst, tile.macs / (peak * _RATE) * (1 + uneven) + _moving(stage) + CALL)
        worst = max(worst, *_streams(stage))
    return chain.steps * worst, chain.count


def _streams(stage: Stage) -> tuple[float, float]:
    """Cycles of what comes in and goes out in a step, over one stream each."""
    tile = stage.array.contraction
    image = _bytes(tile.image) if not stage.feeds else 0
    return image / STREAM, _bytes(tile.output) / STREAM


def _bytes(access: Access) -> int:
    return access.array.size * access.array.type.bits // 8


def _moving(stage: Stage) -> float:
    """Cycles in which the rows that a core keeps are moved on."""
    if stage.kept is None:
        return 0.0
    bits = stage.array.whole.image.array.type.bits
    return 60 + 2 * stage.kept.size * bits / 8 / _VECTOR


def _mapped(
    chain: CoreChain, known: dict[object, tuple[Mapping, Measured]], measure: Measure
) -> PlannedChain:
    """The chain with a kernel for each of its layers. Raises Unmappable."""
    stages = []
    before: CoreArray | None = None
    for number, stage in enumerate(chain.stages):
        natural = Natural(
            stage.kept is not None or bool(stage.feeds), number < len(chain.stages) - 1
        )
        tile, chained = stage.array.contraction, stage.array.links > 1
        key = tile, natural, chained
        if key not in known:
            mapping = tile_mapping(tile, natural, chained, measure)
            known[key] = mapping, tile_cycles(tile, mapping, chained, measure)
        mapping, measured = known[key]
        if needed(stage_buffers(stage, before, measured.kernel)) + STACK > MEMORY:
            raise Unmappable("cores", f"the arrays of {tile.name} do not fit {MEMORY} bytes")
        stages.append(PlannedStage(stage, mapping, measured.cycles + _moving(stage)))
        before = stage.array
    worst = max(max(one.cycles + CALL, *_streams(one.stage)) for one in stages)
    first, last = chain.stages[0].array.contraction, chain.stages[-1].array.contraction
    ends = (_bytes(first.image) + _bytes(last.output)) / STREAM
    frame = chain.steps * worst + ends + 16 * max(s.array.links for s in chain.stages)
    return PlannedChain(chain, tuple(stages), frame)
