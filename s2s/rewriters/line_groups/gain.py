"""What lanes are expected to gain: operations against elements that are copied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

import islpy as isl

from s2s.frontends.c.syntax import Node
from s2s.rewriters.line_groups.reading import Counter, Loop, Run, runs
from s2s.rewriters.line_groups.region import Region

_ARITHMETIC = frozenset({"+", "-", "*", "/", "+=", "-=", "*=", "/="})
# Iterations of a loop whose number is not known.
_LONG = 16


def operations(region: Region) -> int:
    """Floating-point operations of one line."""
    return sum(_times(region.inside(run)) * _of_run(region, run) for run in runs(region.scope.body))


def _of_run(region: Region, run: Run) -> int:
    count = 0
    for statement in run.statements:
        if statement.kind == "CALL_EXPR":
            kernel = region.kernels[statement.name]
            inner = runs(kernel.scope.body)
            count += sum(_times(r.loops) * sum(map(_computes, r.statements)) for r in inner)
        else:
            count += _computes(statement)
    return count


def _computes(node: Node) -> int:
    own = node.op in _ARITHMETIC and node.type.kind == "float"
    return own + sum(map(_computes, node.children))


def _times(loops: Sequence[Loop]) -> int:
    return prod(_trips(loop.counter) for loop in loops)


def _trips(counter: Counter) -> int:
    first, last = counter.first.number, counter.last.number
    return _LONG if first is None or last is None else max(0, abs(last - first) + 1)


def copied(sets: Iterable[isl.Set]) -> int:
    """Elements of one line that are copied."""
    count = 0
    for elements in sets:
        for position in range(elements.dim(isl.dim_type.param)):
            elements = elements.fix_val(isl.dim_type.param, position, isl.Val(_LONG))
        count += int(elements.count_val().to_python())
    return count


def bytes_of_line(region: Region) -> int:
    """What the arrays of one line take."""
    return sum(
        prod(array.lengths[d] for d in array.kept) * array.decl.type.innermost().size
        for array in region.arrays.values()
    )


def widest(region: Region) -> int:
    """The bytes of the widest number that is computed."""
    return max(array.decl.type.innermost().size for array in region.arrays.values())


def is_strided(region: Region) -> bool:
    """Whether neighbouring lines are apart in memory, so that compilers make no vectors of them."""
    written = [array for array in region.arrays.values() if array.written]
    return any(array.lane != len(array.lengths) - 1 for array in written)
