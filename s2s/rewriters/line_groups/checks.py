"""Whether subscripts stay inside of the dimensions that arrays are declared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.rewriters.line_groups.kernels import Kernel
from s2s.rewriters.line_groups.pieces import Piece
from s2s.rewriters.line_groups.reading import runs
from s2s.rewriters.line_groups.region import Region
from s2s.rewriters.line_groups.touches import touches
from s2s.rewriters.line_groups.values import value_of


def allowed(region: Region, pieces: Sequence[Piece], outside: isl.Set, least: int) -> isl.Set:
    """The parameters for which no subscript leaves its dimension, and all loops run.

    ``outside`` are those for which one does. There are ``least`` lines side by side. Raises
    NotLiftable where nothing is left.
    """
    good = outside.complement().intersect(_all_run(pieces))
    for counter, count in ((region.lane, least), (region.shared, 1)):
        if counter is not None:
            values = counter.first.parameters | counter.last.parameters
            names = ", ".join(sorted({p.name for p in values}))
            enough = f"{counter.first.isl} + {count - 1} <= {counter.last.isl}"
            good = good.intersect(isl.Set(f"[{names}] -> {{ : {enough} }}"))
    good = good.coalesce()
    if good.is_empty():
        raise NotLiftable(region.function.node.span, "a subscript leaves its dimension")
    return good


def _all_run(pieces: Sequence[Piece]) -> isl.Set:
    """The parameters for which each loop runs: others are not worth a longer condition."""
    found = isl.Set("{ : }")
    for piece in pieces:
        found = found.intersect(piece.elements().params())
    return found


def check_kernels(kernels: Mapping[str, Kernel]) -> None:
    """Raise NotLiftable where a kernel's subscripts may leave the dimensions of its blocks."""
    known: set[tuple[str, str]] = set()  # large kernels have hundreds of subscripts, few different
    for kernel in kernels.values():
        for run in runs(kernel.scope.body):
            for touch in (t for one in touches(run, _no_call) for t in one):
                values = [value_of(s, run.known) for s in touch.subscripts]
                for value, length in zip(values, touch.lengths, strict=True):
                    ranges = " and ".join(["true", *(loop.counter.range for loop in run.loops)])
                    names = ", ".join(["x", *(loop.counter.isl for loop in run.loops)])
                    used = f"{{ [{names}] : x = {value.isl} and {ranges} }}"
                    inside = f"{{ [{names}] : 0 <= x < {length} }}"
                    if not value.parameters and (used, inside) in known:
                        continue
                    if value.parameters or not isl.Set(used).is_subset(isl.Set(inside)):
                        raise NotLiftable(touch.node.span, "a subscript leaves its dimension")
                    known.add((used, inside))


def _no_call(call: object) -> Kernel:
    raise AssertionError(call)
