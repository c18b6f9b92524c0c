"""``--target aie --cores ROWSxCOLUMNS``: a contraction as a graph on an array of cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity
from s2s.targets.request import Checked, Output

if TYPE_CHECKING:
    from s2s.emitters.aie.graph import GraphText, Role
    from s2s.net.aie.graph import EmittedGraph
    from s2s.scop.core_array import CoreArray
    from s2s.scop.vector_kernel import Kernel
    from s2s.targets.forms import ContractionProgram
    from s2s.targets.request import Request
    from s2s.transforms.aie.array import Planned
    from s2s.transforms.aie.mapping import Mapping
    from s2s.transforms.aie.tile_memory import Buffer


def print_graph(found: ContractionProgram, request: Request, shape: tuple[int, int]) -> Output:
    """All files of a graph. Raises Unmappable."""
    from s2s.emitters.aie.graph import PORT_BITS, files
    from s2s.emitters.aie.windows import windows
    from s2s.net.aie.count import count_cycles
    from s2s.net.aie.graph import EmittedGraph
    from s2s.transforms.aie.array import plan
    from s2s.transforms.aie.compile import compile_contraction

    search = request.search
    best = (lambda tile: search.best_mapping(tile, found.wishes)) if search else None
    planned = plan(found.contraction, *shape, count_cycles, best)
    array = planned.array
    whole = compile_contraction(array.contraction, planned.mapping).kernel
    text = _graph(planned, whole)
    header = f"{found.contraction.name}_windows.h"
    made = {**files(text), header: windows(array, whole, PORT_BITS)}
    emitted = EmittedGraph((found.contraction,), found.contraction.name, array.steps, header, made)
    return output_of(found, emitted, tuple(_said(found, planned, whole)))


def output_of(
    found: ContractionProgram, emitted: EmittedGraph, said: tuple[Diagnostic, ...]
) -> Output:
    """The files of a graph, the first one first."""
    name, data = next(iter(emitted.files.items()))
    others = [(other, one.encode()) for other, one in emitted.files.items() if other != name]
    return Output(
        data.encode(),
        partial(_check, found, emitted),
        said,
        (*others, intrinsics()),
        suffix=".h",
        name=name,
    )


def _graph(planned: Planned, whole: Kernel) -> GraphText:
    """The roles of the chain's links with their kernels, and where their buffers lie."""
    from s2s.emitters.aie.graph import GraphText
    from s2s.transforms.aie.tile_memory import buffers, is_constant

    array = planned.array
    roles, places = placed_roles(
        array, planned.mapping, lambda kernel: buffers(array, kernel), frozenset()
    )
    tile = array.contraction
    constant = [one.name for one in whole.arrays if is_constant(tile, one.name)]
    return GraphText(array, roles, constant, places, array.steps)


def placed_roles(
    array: CoreArray,
    mapping: Mapping,
    buffers: Callable[[Kernel], list[Buffer]],
    elsewhere: frozenset[str],
) -> tuple[list[Role], dict[tuple[str, str], tuple[int, ...]]]:
    """The kernels of a chain's links, and the addresses of their buffers by role and name.

    ``elsewhere``: arrays that a kernel does not get as they come. Raises Unmappable.
    """
    from s2s.transforms.aie.tile_memory import place

    roles: list[Role] = []
    places: dict[tuple[str, str], tuple[int, ...]] = {}
    for role in _roles(array, mapping):
        placed = place(buffers(role.kernel), role.kernel.name)
        arrays = tuple(
            one if one.name in elsewhere else replace(one, place=placed[one.name][0])
            for one in role.kernel.arrays
        )
        roles.append(replace(role, kernel=replace(role.kernel, arrays=arrays)))
        places |= {(role.name, name): at for name, at in placed.items()}
    return roles, places


def _roles(array: CoreArray, mapping: Mapping) -> Iterator[Role]:
    from s2s.emitters.aie.graph import Role
    from s2s.scop.vector_kernel import Cascade
    from s2s.transforms.aie.compile import compile_contraction

    name, links = array.whole.name, array.links
    ends = [("core", 0, 0)]
    if links > 1:
        ends = [("first", 0, 0), ("middle", 1, links - 2), ("last", links - 1, links - 1)]
    for word, first, last in ends:
        if first <= last:
            cascade = Cascade(first > 0, last < links - 1)
            kernel = compile_contraction(array.contraction, mapping, cascade).kernel
            kernel = replace(kernel, name=f"{name}_tile")
            yield Role(f"{name}_{word}", kernel, first, last, cascade.receives, cascade.sends)


def intrinsics() -> tuple[str, bytes]:
    """The header that kernels include, beside them."""
    from importlib import resources

    from s2s.emitters.aie.kernel import HEADER

    file = resources.files("s2s.simulators.aie").joinpath("include", HEADER)
    return f"kernels/{HEADER}", file.read_bytes()


def _check(found: ContractionProgram, emitted: EmittedGraph, execute: bool) -> Checked:
    """Run the graph beside its source. Raises Mismatch."""
    from s2s.net.aie.graph import check_graph

    why = check_graph(found.source, emitted) if execute else ""
    text = f"the graph of '{emitted.name}' is not compared with its source: {why}"
    return Checked(said=(Diagnostic(Severity.MISSED, text, "check", found.at),) if why else ())


def _said(found: ContractionProgram, planned: Planned, whole: Kernel) -> Iterator[Diagnostic]:
    array, macs = planned.array, found.contraction.macs
    shares = [s for s in array.shares if s.cores > 1]
    parts = ", ".join(f"{s.loop} in {s.cores} parts" for s in shares)
    tile = ", ".join(f"{s.loop} {s.tile}" for s in array.shares if s.loop)
    chained = f" (sums of {array.shares[-1].loop} go over the cascade)" if array.links > 1 else ""
    text = (
        f"'{found.contraction.name}' becomes a graph on {array.count} cores: {parts}{chained};"
        f" {array.steps} steps, tiles of {tile}; about {planned.cycles:.0f} cycles,"
        f" {macs / planned.cycles:.1f} MACs each ({planned.mapping})"
    )
    yield Diagnostic(Severity.REMARK, text, "aie", found.at)
    image = array.whole.image
    each = whole.array(image.array.name)
    moved = array.streams(image) * array.steps * each.size * each.type.bits // 8
    own = image.array.memory.size * image.array.memory.type.bits // 8
    packed = [a.name for a in whole.arrays if not a.is_natural and a.name == image.array.name]
    words = f", packed as {each.layout.describe(['d0', 'd1', 'd2', 'd3', 'd4'])}" if packed else ""
    text = (
        f"{moved} bytes of windows go in for {own} of '{image.array.name}' (what tiles share goes"
        f" to each){words}"
    )
    yield Diagnostic(Severity.REMARK, text, "aie", found.at)
