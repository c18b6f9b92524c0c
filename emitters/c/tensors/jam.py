"""Neighbouring rows of a loop nest are computed together where they read the same elements.

A stencil reads a row of its input again for each row of its output that it has a part in. Where
two output rows are computed in one loop over the lanes, what both need is read once (unroll and
jam; Callahan, Carr, Kennedy: Improving register allocation for subscripted variables, 1990)::

    for (y < 34) simd for (x) f(x, y) = g(x, y) + g(x, y + 1) + g(x, y + 2);
      ->  for (y < 17) simd for (x) {
              g0 = g(x, 2*y + 1); g1 = g(x, 2*y + 2);
              f(x, 2*y) = g(x, 2*y) + g0 + g1;
              f(x, 2*y + 1) = g0 + g1 + g(x, 2*y + 3);
          }

The shared elements get names, since compilers do not see that no row is written over them. More
than two rows gain little more, and need more registers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from s2s.emitters.c.tensors.forms import integer, linear, normalized, variables
from s2s.emitters.c.tensors.lanes import only_constants
from s2s.emitters.c.tensors.merge import Folded, folded_dimensions, loads
from s2s.emitters.c.tensors.rewriting import (
    block,
    with_children,
    with_expressions,
    with_parts,
    with_values,
)
from s2s.scop.build import add
from s2s.scop.expressions import INT32, Binary, Const, Expr, Load, Variable
from s2s.scop.nest import Allocate, Block, Define, For, Node, Produce, Store, walk

_ROWS = 2

_MOST_SHARED = 12
"""Elements that both rows read; more do not stay in registers."""

_LEAST_SHARED = 0.2
"""The part of all reads that must go away."""

_LEAST_PARALLEL = 64
"""Iterations that a parallel loop keeps."""


def jammed(node: Node, folded: Folded = frozenset()) -> Node:
    """The tree in which loops over rows that share reads compute pairs of rows."""
    if isinstance(node, Allocate):
        folded |= folded_dimensions(node.tensor)
    if isinstance(node, For) and node.kind in ("serial", "parallel"):
        lanes = _lane_loops(node.body)
        if lanes and _has_rows(node) and _pays(node, lanes) and _apart(node, lanes, folded):
            return _pairs(node)
    return with_children(node, lambda child: jammed(child, folded))


def _lane_loops(node: Node) -> list[For] | None:
    """The loops over lanes that a node consists of; None: there is something else."""
    match node:
        case For(kind="vectorized"):
            return [node] if all(map(_is_plain, walk(node.body))) else None
        case Produce():
            return _lane_loops(node.body)
        case Block(children):
            parts = [_lane_loops(child) for child in children]
            return None if None in parts else [lane for part in parts for lane in part or ()]
    return None


def _is_plain(node: Node) -> bool:
    match node:
        case Block() | Produce():
            return True
        case Store():
            return node.predicate is None and not node.atomic
        case Allocate():
            return only_constants(node)
    return False


def _has_rows(loop: For) -> bool:
    """Whether there are pairs of rows; those of a parallel loop have to be many and all whole."""
    extent = normalized(loop.extent)
    if not isinstance(extent, Const):
        return loop.kind == "serial"
    count = int(extent.value)
    if loop.kind == "parallel":
        return count % _ROWS == 0 and count // _ROWS >= _LEAST_PARALLEL
    return count >= _ROWS


def _pays(loop: For, lanes: Sequence[For]) -> bool:
    """Whether two rows read clearly fewer elements at once than one by one.

    Only neighbouring elements count: what lanes gather or read at a stride costs its shuffles,
    which are more than the reads.
    """
    alone = together = 0
    for lane in lanes:
        reads = _reads_of_rows(_rows(loop, lane, Variable(INT32, loop.name)))
        if not all(_is_dense(read, lane.name) for read in reads):
            return False
        if sum(rows > 1 for rows in reads.values()) > _MOST_SHARED:
            return False
        alone += reads.total()
        together += len(reads)
    return together < alone and together <= (1 - _LEAST_SHARED) * alone


def _rows(loop: For, lane: For, first: Expr) -> list[For]:
    """The loop over lanes for the first row and for those behind it."""
    rows = (with_values(lane, {loop.name: add(first, integer(k))}) for k in range(_ROWS))
    return [row for row in rows if isinstance(row, For)]


def _reads_of_rows(rows: Sequence[For]) -> Counter[Load]:
    """How many rows read each element; elements of memory that they write are left out."""
    return Counter(read for row in rows for read in _reads(row))


def _reads(lane: For) -> dict[Load, None]:
    written = {n.tensor for n in walk(lane.body) if isinstance(n, Store)}
    return dict.fromkeys(
        replace(load, subscripts=tuple(map(normalized, load.subscripts)))
        for load in loads(lane.body)
        if load.tensor not in written and lane.name in load.variables
    )


def _is_dense(read: Load, lane: str) -> bool:
    """Whether neighbouring lanes read neighbouring elements along one dimension."""
    moving = [linear(subscript) for subscript in read.subscripts if lane in variables(subscript)]
    return len(moving) == 1 and moving[0].coefficient(Variable(INT32, lane)) == 1


def _apart(loop: For, lanes: Sequence[For], folded: Folded) -> bool:
    """Whether no iteration touches what another one writes: all orders of them are the same.

    The lanes are the same in each row, and each tensor that is written is touched only in the
    row, along some dimension, that belongs to the iteration.
    """
    inner = {lane.name for lane in lanes}
    if any(loop.name in variables(e) for lane in lanes for e in (lane.minimum, lane.extent)):
        return False
    own = {n.tensor.name for n in walk(loop.body) if isinstance(n, Allocate)}
    touched: dict[str, list[tuple[Expr, ...]]] = {}
    for node in walk(loop.body):
        if isinstance(node, Store) and node.tensor not in own:
            touched.setdefault(node.tensor, []).append(tuple(map(normalized, node.subscripts)))
    for load in loads(loop.body):
        if load.tensor in touched:
            touched[load.tensor].append(tuple(map(normalized, load.subscripts)))
    return all(
        any(
            (tensor, d) not in folded
            and all(place[d] is places[0][d] for place in places)
            and _numbers_rows(places[0][d], loop.name, inner)
            for d in range(len(places[0]))
        )
        for tensor, places in touched.items()
    )


def _numbers_rows(subscript: Expr, row: str, inner: set[str]) -> bool:
    """Whether the subscript is another one in each row, and the same all along it."""
    form = linear(subscript)
    others = (atom for atom, _ in form.terms if atom is not Variable(INT32, row))
    return form.coefficient(Variable(INT32, row)) != 0 and not any(
        variables(atom) & {row, *inner} for atom in others
    )


def _pairs(loop: For) -> Node:
    """The loop over pairs of rows, and the row that may be left."""
    pair = Variable(INT32, f"{loop.name}.pair")
    number = normalized(Binary(INT32, "div", loop.extent, integer(_ROWS)))
    first = add(loop.minimum, Binary(INT32, "mul", pair, integer(_ROWS)))
    body = _together(loop, loop.body, normalized(first))
    made = replace(loop, name=pair.name, minimum=integer(0), extent=number, body=body)
    rest = normalized(Binary(INT32, "mod", loop.extent, integer(_ROWS)))
    if isinstance(rest, Const) and rest.value == 0:
        return made
    done = Binary(INT32, "mul", number, integer(_ROWS))
    start = normalized(add(loop.minimum, done))
    return block([made, replace(loop, minimum=start, extent=rest)])


def _together(loop: For, node: Node, first: Expr) -> Node:
    """The loops over lanes with the bodies of neighbouring rows one after the other."""
    if not isinstance(node, For):
        return with_children(node, lambda child: _together(loop, child, first))
    rows = _rows(loop, node, first)
    shared = [read for read, count in _reads_of_rows(rows).items() if count > 1]
    names = [Variable(read.type, f"{node.name}.{read.tensor}${k}") for k, read in enumerate(shared)]
    known: dict[Expr, Expr] = dict(zip(shared, names, strict=True))
    body = block([row.body for row in rows])
    body = with_expressions(body, lambda e: with_parts(e, known) if e.reads else e)
    for name, read in reversed(list(zip(names, shared, strict=True))):
        body = Define(name.name, read, body)
    return replace(node, body=body)
