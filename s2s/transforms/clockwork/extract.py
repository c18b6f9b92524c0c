"""From a Halide pipeline with hardware primitives to what an accelerator runs.

The loops inside the store variable of ``hw_accelerate`` become the accelerator: all of one tile.
Nothing slides and nothing is folded: how many words a buffer needs follows from the cycles
(section 4.2 of Setter's dissertation).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from s2s.scop.accelerator import Accelerator, StreamOrigin
from s2s.scop.nest import For, Nest
from s2s.scop.pipeline import Pipeline
from s2s.source import Span
from s2s.source.records import dataclass
from s2s.transforms.clockwork.extract_constants import Constants
from s2s.transforms.clockwork.extract_edges import cut_at_edges
from s2s.transforms.clockwork.extract_host import host_nest
from s2s.transforms.clockwork.extract_lookups import name_lookups
from s2s.transforms.clockwork.extract_names import give_names
from s2s.transforms.clockwork.extract_operations import make_operations
from s2s.transforms.clockwork.extract_sharing import coarse_loops, shared_operations
from s2s.transforms.clockwork.extract_streams import Streams
from s2s.transforms.clockwork.extract_tile import cut_tile
from s2s.transforms.clockwork.simplify_kernels import simplify_kernels
from s2s.transforms.clockwork.trim_lanes import trim_lanes
from s2s.transforms.clockwork.unify_kernels import unify_kernels
from s2s.transforms.halide.signature import Sizes


@dataclass(frozen=True)
class Extracted:
    """An accelerator, and the ``host``'s nest around it; ``remarks`` with their places.

    The host runs the accelerator in the loops ``around``, outermost first. ``streams`` says of
    which Func each stream has elements.
    """

    accelerator: Accelerator
    host: Nest
    around: tuple[For, ...] = ()
    streams: Mapping[str, StreamOrigin] = field(default_factory=dict)
    remarks: tuple[tuple[str, Span | None], ...] = ()


def extract(pipeline: Pipeline, sizes: Sizes | None = None) -> Extracted:
    """The accelerator of a pipeline for outputs (and images) of the given sizes.

    Raises Illegal, with the place in the source, where the pipeline has none or it is not closed:
    what it reads is neither a stream of its boundary nor a constant nor computed inside.
    """
    tile = cut_tile(pipeline, sizes)
    constants = Constants(pipeline, tile)
    body = make_operations(constants.fold(tile.body), tile.by)
    body = simplify_kernels(constants.make_tables(body))
    streams = Streams(tile, constants.tables)
    body = streams.shift(body)
    body = name_lookups(body, streams.arguments, constants.tables)
    body = cut_at_edges(body, tile.by)
    nest = give_names(pipeline.name, streams.arguments, body, constants.tables, tile.funcs)
    nest = trim_lanes(nest)
    shared = shared_operations(tile, Accelerator(nest))
    nest = unify_kernels(nest, shared)
    names = (argument.name for argument in nest.arguments)
    origins = dict(zip(names, streams.origins, strict=True))
    return Extracted(
        Accelerator(nest, coarse_loops(tile, nest), shared),
        host_nest(tile, nest, origins),
        tile.outer,
        origins,
        remarks=tuple(tile.remarks),
    )
