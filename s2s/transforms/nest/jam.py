"""Neighbouring rows of a loop nest are computed together where they read the same elements.

A stencil reads a row of its input again for each row of its output that it has a part in. Where
some output rows are computed in one loop over the lanes, what they share is read once (unroll and
jam; Callahan, Carr, Kennedy: Improving register allocation for subscripted variables, 1990)::

    for (y < 34) simd for (x) f(x, y) = g(x, y) + g(x, y + 1) + g(x, y + 2);
      ->  for (y < 17) simd for (x) {
              g0 = g(x, 2*y + 1); g1 = g(x, 2*y + 2);
              f(x, 2*y) = g(x, 2*y) + g0 + g1;
              f(x, 2*y + 1) = g0 + g1 + g(x, 2*y + 3);
          }

The shared elements get names, since compilers do not see that no row is written over them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from s2s.scop.build import add
from s2s.scop.expressions import INT32, Binary, Cast, Const, Expr, Load, Variable
from s2s.scop.expressions import walk as parts
from s2s.scop.nest import Allocate, Block, Define, For, Node, Produce, Store, walk
from s2s.scop.normal_form import integer, linear, normalized, with_parts, with_values
from s2s.scop.rewrite import block, with_children, with_expressions
from s2s.transforms.nest.lanes import unconditional
from s2s.transforms.nest.merge import Folded, folded_dimensions, loads

_MOST_SHARED = 12
"""Elements that more than one of the rows reads; more do not stay in registers."""

_LEAST_SHARED = 0.2
"""The part of all reads that must go away."""

_LEAST_PARALLEL = 64
"""Iterations that a parallel loop keeps."""


def jam_rows(node: Node, folded: Folded = frozenset()) -> Node:
    """The tree in which loops over rows that share reads compute some rows at once."""
    if isinstance(node, Allocate):
        folded |= folded_dimensions(node.tensor)
    if isinstance(node, For) and node.kind in ("serial", "parallel"):
        lanes = _lane_loops(node.body) or []
        rows = next((r for r in _rows_at_once(lanes) if _pays(node, lanes, r)), None)
        if rows and _apart(node, lanes, folded):
            return _in_groups(node, rows)
    return with_children(node, lambda child: jam_rows(child, folded))


def _lane_loops(node: Node) -> list[For] | None:
    """The loops over lanes that a node consists of; None: there is something else."""
    match node:
        case For(kind="vectorized"):
            return [node] if unconditional(node.body) else None
        case Produce():
            return _lane_loops(node.body)
        case Block(children):
            found = [_lane_loops(child) for child in children]
            return None if None in found else [lane for below in found for lane in below or ()]
    return None


def _rows_at_once(lanes: Sequence[For]) -> tuple[int, ...]:
    """How many rows to try: more than two where types of several widths meet.

    Compilers give such a loop as many lanes as fit in a vector of the narrowest type; each read
    is several vectors, or has to be widened, and saving it is worth more than registers.
    """
    return (4, 2) if any(map(_has_widths, lanes)) else (2,)


def _has_widths(lane: For) -> bool:
    values = (value for n in walk(lane.body) if isinstance(n, Store) for value in n.values)
    return any(
        isinstance(part, Cast) and part.type.bits != part.value.type.bits and part.value.reads
        for value in values
        for part in parts(value)
    )


def _pays(loop: For, lanes: Sequence[For], rows: int) -> bool:
    """Whether there are as many rows, and they read clearly fewer elements at once.

    Only neighbouring elements count: what lanes gather or read at a stride costs its shuffles,
    which are more than the reads.
    """
    alone = together = 0
    for lane in lanes:
        reads = _reads_of_rows(_neighbours(loop, lane, Variable(INT32, loop.name), rows))
        if not all(_is_dense(read, lane.name) for read in reads):
            return False
        if sum(count > 1 for count in reads.values()) > _MOST_SHARED:
            return False
        alone += reads.total()
        together += len(reads)
    saved = alone - together
    return _has_groups(loop, rows) and saved > 0 and saved >= _LEAST_SHARED * alone


def _has_groups(loop: For, rows: int) -> bool:
    """Whether there are so many rows; those of a parallel loop must be many and come out even."""
    extent = normalized(loop.extent)
    if not isinstance(extent, Const):
        return loop.kind == "serial"
    count = int(extent.value)
    if loop.kind == "parallel":
        return count % rows == 0 and count // rows >= _LEAST_PARALLEL
    return count >= rows


def _neighbours(loop: For, lane: For, first: Expr, rows: int) -> list[For]:
    """The loop over lanes for the first row and for those after it."""
    copies = (with_values(lane, {loop.name: add(first, integer(k))}) for k in range(rows))
    return [copy for copy in copies if isinstance(copy, For)]


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
    moving = [linear(subscript) for subscript in read.subscripts if lane in subscript.variables]
    return len(moving) == 1 and moving[0].coefficient(Variable(INT32, lane)) == 1


def _apart(loop: For, lanes: Sequence[For], folded: Folded) -> bool:
    """Whether no iteration touches what another one writes: all orders of them are the same.

    The lanes are the same in each row, and each tensor that is written is touched only in the
    row, along some dimension, that belongs to the iteration.
    """
    inner = {lane.name for lane in lanes}
    if any(loop.name in e.variables for lane in lanes for e in (lane.minimum, lane.extent)):
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
    others = (atom for atom in form.terms if atom is not Variable(INT32, row))
    return form.coefficient(Variable(INT32, row)) != 0 and not any(
        atom.variables & {row, *inner} for atom in others
    )


def _in_groups(loop: For, rows: int) -> Node:
    """The loop over groups of rows, and the loop over the rows that are left."""
    group = Variable(INT32, f"{loop.name}.group")
    extent = normalized(Binary(INT32, "max", loop.extent, integer(0)))  # -1 mod 4 is 3
    number = normalized(Binary(INT32, "div", extent, integer(rows)))
    first = add(loop.minimum, Binary(INT32, "mul", group, integer(rows)))
    body = _together(loop, loop.body, normalized(first), rows)
    made = replace(loop, name=group.name, minimum=integer(0), extent=number, body=body)
    rest = normalized(Binary(INT32, "mod", extent, integer(rows)))
    if isinstance(rest, Const) and rest.value == 0:
        return made
    done = Binary(INT32, "mul", number, integer(rows))
    start = normalized(add(loop.minimum, done))
    return block([made, replace(loop, minimum=start, extent=rest)])


def _together(loop: For, node: Node, first: Expr, rows: int) -> Node:
    """The loops over lanes with the bodies of neighbouring rows one after the other."""
    if not isinstance(node, For):
        return with_children(node, lambda child: _together(loop, child, first, rows))
    copies = _neighbours(loop, node, first, rows)
    shared = [read for read, count in _reads_of_rows(copies).items() if count > 1]
    names = [Variable(read.type, f"{node.name}.{read.tensor}${k}") for k, read in enumerate(shared)]
    known: dict[Expr, Expr] = dict(zip(shared, names, strict=True))
    body = block([copy.body for copy in copies])
    body = with_expressions(body, lambda e: with_parts(e, known) if e.reads else e)
    for name, read in reversed(list(zip(names, shared, strict=True))):
        body = Define(name.name, read, body)
    return replace(node, body=body)
