"""``--target aie --cores ROWSxCOLUMNS``: layers one after the other as a graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity
from s2s.targets.aie.graph import output_of, placed_roles

if TYPE_CHECKING:
    from s2s.emitters.aie.graph import GraphText
    from s2s.emitters.aie.kept import KeptText
    from s2s.scop.core_chain import CoreChain, Stage
    from s2s.scop.vector_kernel import Kernel
    from s2s.targets.forms import ContractionProgram
    from s2s.targets.request import Output
    from s2s.transforms.aie.chain import PlannedChain, PlannedStage


def print_layers(found: ContractionProgram, shape: tuple[int, int]) -> Output:
    """All files of a graph of layers. Raises Unmappable."""
    from s2s.emitters.aie.graph import PORT_BITS, chain_files
    from s2s.emitters.aie.windows import Run, chain_windows
    from s2s.net.aie.count import count_cycles
    from s2s.net.aie.graph import EmittedGraph
    from s2s.transforms.aie.chain import plan_chain
    from s2s.transforms.aie.compile import compile_contraction

    planned = plan_chain(found.layers, *shape, count_cycles)
    chain = planned.chain
    wholes = [
        compile_contraction(one.stage.array.contraction, one.mapping).kernel
        for one in planned.stages
    ]
    texts = list(_texts(planned, wholes))
    header = f"{chain.name}_windows.h"
    runs = [
        Run(chain.steps, stage.lag, bool(stage.feeds), stage is chain.stages[-1])
        for stage in chain.stages
    ]
    arrays = [stage.array for stage in chain.stages]
    each = list(zip(arrays, wholes, runs, strict=True))
    made = {
        **chain_files(chain.name, texts),
        header: chain_windows(chain.name, each, chain.steps, PORT_BITS),
    }
    lag = chain.stages[-1].lag
    emitted = EmittedGraph(tuple(found.layers), chain.name, chain.steps, header, made, lag)
    return output_of(found, emitted, tuple(_said(found, planned)))


def _texts(planned: PlannedChain, wholes: Sequence[Kernel]) -> Iterator[GraphText]:
    from s2s.emitters.aie.graph import GraphText
    from s2s.transforms.aie.chain import stage_buffers
    from s2s.transforms.aie.tile_memory import is_constant

    before: PlannedStage | None = None
    for one, whole in zip(planned.stages, wholes, strict=True):
        stage, array = one.stage, one.stage.array
        earlier = before.stage.array if before else None
        image = array.whole.image.array.name
        roles, places = placed_roles(
            array,
            one.mapping,
            lambda kernel, s=stage, b=earlier: stage_buffers(s, b, kernel),  # type: ignore[misc]
            frozenset({image}) if stage.kept else frozenset(),
        )
        feeds = _feeds(before.stage, stage) if before else None
        kept = _kept(planned.chain, before.stage, stage, whole, places) if before else None
        constant = [a.name for a in whole.arrays if is_constant(array.contraction, a.name)]
        is_last = stage is planned.chain.stages[-1]
        yield GraphText(
            array, roles, constant, places, planned.chain.steps, stage.base, feeds, kept, is_last
        )
        before = one


def _feeds(before: Stage, stage: Stage) -> tuple[int, str]:
    """How many elements come, and from which core of the layer before."""
    links, feeds = before.array.links, stage.feeds
    count = prod(before.array.contraction.output.array.extents)
    for every in range(1, len(feeds) + 1):
        for many in range(1, len(feeds) + 1):
            if all(chain == n // every % many for n, chain in enumerate(feeds)):
                part = f"n / {every}" if every > 1 else "n"
                part = f"{part} % {many}" if many < len(feeds) else part
                part = "0" if many == 1 else part
                last = before.base + links - 1
                return count, f"{last} + ({part}) * {links}" if last else part
    raise AssertionError("cores of a layer are fed in turn")


def _kept(
    chain: CoreChain, before: Stage, stage: Stage, whole: Kernel,
    places: dict[tuple[str, str], tuple[int, ...]],
) -> KeptText | None:  # fmt: skip
    from s2s.emitters.aie.kept import KeptText

    if stage.kept is None:
        return None
    image = whole.array(stage.array.whole.image.array.name)
    rows = f"{image.name}_rows"
    ((at,), *_) = {place for (_, name), place in places.items() if name == rows}
    return KeptText(
        stage.kept,
        image.type,
        f"{stage.array.whole.name}_rows",
        f"{stage.array.whole.name}_take",
        f"{image.name}_new",
        prod(before.array.contraction.output.array.extents),
        max(stage.kept.size, image.size),
        before.lag,
        before.array.steps,
        chain.steps,
        at,
    )


def _said(found: ContractionProgram, planned: PlannedChain) -> Iterator[Diagnostic]:
    chain = planned.chain
    name, macs = chain.name, chain.macs
    text = (
        f"'{name}' becomes a graph on {chain.count} cores, {len(chain.stages)} layers one after"
        f" the other; {chain.steps} steps, about {planned.cycles:.0f} cycles,"
        f" {macs / planned.cycles:.1f} MACs each"
    )
    yield Diagnostic(Severity.REMARK, text, "aie", found.at)
    for one in planned.stages:
        array = one.stage.array
        parts = ", ".join(f"{s.loop} in {s.cores} parts" for s in array.shares if s.cores > 1)
        tile = ", ".join(f"{s.loop} {s.tile}" for s in array.shares if s.loop)
        kept = f", keeps {one.stage.kept.rows} rows" if one.stage.kept else ""
        text = (
            f"layer '{array.whole.name}': {array.count} cores, {parts or 'undivided'}; tiles of"
            f" {tile}; about {one.cycles:.0f} cycles a step{kept} ({one.mapping})"
        )
        yield Diagnostic(Severity.REMARK, text, "aie", found.at)
