"""Tiles of a nest whose loops all carry dependences, shared by threads that wait for each other.

::

    for i: for j: a[i][j] = f(a[i-1][j], a[i][j-1])
        ->
    for tile of i: for tile of j (after the tiles before it along both): for i: for j: ...

Dynamic programming over two sequences is such a nest, and so are sweeps in place (M. Wolfe, "Loop
skewing: the wavefront method revisited", 1986; the pipeline is section 3.4 of the PoPP chapter).
It is asked with ``--parallel``, where no loop around the deepest statements can be shared as it
stands; what has to be skewed is, else the order inside of a tile is the source's.
"""

from __future__ import annotations

from dataclasses import field, replace
from math import prod
from typing import ClassVar, Literal

import islpy as isl

from s2s.analyses import legality, synchronization
from s2s.analyses.extents import constant, time_extent
from s2s.scop.nodes import Scop
from s2s.source.records import dataclass
from s2s.transforms.doall import (
    check_movable,
    extents_inside,
    share_outermost,
    shares_deepest,
)
from s2s.transforms.errors import NotApplicable, NothingToGain, OtherKind
from s2s.transforms.parallelize import wait_for_tiles
from s2s.transforms.reschedule import reschedule, source_order
from s2s.transforms.rotate import rotate
from s2s.transforms.scop_pass import Form, Look, ScopPass
from s2s.transforms.tile import tile
from s2s.transforms.transformed import Transformed

_FORMS = {"doacross": "pipelined", "wavefront": "as wavefronts", "tasks": "as tasks"}


@dataclass(frozen=True)
class Pipeline(ScopPass):
    """The pass: sizes of a tile, and how many of them along a row each thread has to get.

    A tile of 8192 iterations takes 5 to 20 us, a wait for its predecessors some 0.1 us.
    """

    name: ClassVar[str] = "pipeline"
    form: ClassVar[Form] = Form.REST
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.OUTER})
    own_loops: ClassVar[bool] = True
    sizes: tuple[int, int] = field(
        default=(32, 256),
        metadata={
            "help": "rows and columns of a tile",
            "tune": ((16, 256), (64, 256), (64, 1024)),
        },
    )
    plane_sizes: tuple[int, int] = field(
        default=(8, 8), metadata={"help": "sizes of a tile where there are loops inside"}
    )
    inside: int = field(
        default=64, metadata={"help": "iterations of loops inside that make tiles smaller"}
    )
    fill: int = field(default=2, metadata={"help": "tiles of a row for each thread", "least": 1})
    emit: Literal["auto", "doacross", "wavefront", "tasks"] = field(
        default="auto", metadata={"help": "how tiles run in parallel", "tune": ("wavefront",)}
    )
    parallel: bool = field(default=False, metadata={"help": "add parallel loops"})

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Tile the two outermost loops. Raises NotApplicable with the reason."""
        if not self.parallel:
            raise OtherKind(scop.span, "parallel loops are added with --parallel")
        check_movable(scop)
        deepest = max(scop.statements, key=lambda s: s.depth)
        if deepest.depth < 2:
            raise NothingToGain(scop.span, "there are no two loops to tile")
        if _is_shared(scop, dependences):
            raise NothingToGain(scop.span, "a loop carries no dependence")
        planned = _permutable(scop, dependences)
        inner = extents_inside(deepest, 2)
        short = prod(number for length in inner if (number := constant(length)) is not None)
        long = [length for length in inner if constant(length) is None]
        sizes = self.plane_sizes if long or short >= self.inside else self.sizes
        extents = [time_extent(planned, place) for place in range(2)]
        counts = (sizes[0], self.fill * sizes[1])
        for length, count in zip(extents, counts, strict=True):
            number = constant(length)
            if number is not None and number < 2 * count:
                raise NothingToGain(scop.span, "the loops are too short for threads")
        form = self.emit
        if form == "auto":
            form = synchronization.cheapest(synchronization.grids(planned, sizes))
        tiled = rotate(wait_for_tiles(tile(planned, sizes), form))
        words = f"tiled {sizes[0]}x{sizes[1]}, {_FORMS[form]}"
        enough = isl.Set.universe(scop.context.get_space())
        for length in long:
            more = length.add_constant_val(isl.Val(-self.inside)).nonneg_set()
            enough = enough.intersect(more)
        per_thread = tuple(zip(extents, counts, strict=True))
        return Transformed(replace(tiled, history=(words,)), enough, per_thread)


def _is_shared(scop: Scop, dependences: isl.UnionMap) -> bool:
    """Whether threads can share a loop around the deepest statements without any waiting."""
    try:
        place, shared = share_outermost(scop, dependences)
    except NotApplicable:
        return False
    return shares_deepest(shared, place)


def _permutable(scop: Scop, dependences: isl.UnionMap) -> Scop:
    """The source's order, or else one that isl finds, of which two loops can be tiled."""
    names = [v.spelling for v in scop.statements[0].iterators[:2]]
    if len(names) == 2 and all(s.depth >= 2 for s in scop.statements):
        kept = replace(scop, target=source_order(scop, names))
        if _is_band(kept, dependences):
            return kept
    found = reschedule(scop, dependences, rows=False)
    if not _is_band(found, dependences):
        raise NotApplicable(scop.span, "no two loops can be permuted, even skewed")
    return found


def _is_band(scop: Scop, dependences: isl.UnionMap) -> bool:
    legal = legality.check(scop, dependences) is None
    return legal and legality.permutable_band(scop, dependences) >= 2
