"""Loops cut where a place stops to grow in equal steps: at the edges of a picture.

::

    for x in 0..65:                      for x in 0..1:  g(x) = f(0)
      g(x) = f(clamp(x - 1, 0, 63))      for x in 0..62: g(x + 2) = f(x + 1)
                                         for x in 0..0:  g(65) = f(63)

An address generator adds the same in each iteration of a loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from s2s.scop.accelerator import constant
from s2s.scop.build import add, const, mul, var
from s2s.scop.expressions import Binary, Const, Expr, Load, Select, walk
from s2s.scop.nest import For, Node, Store
from s2s.scop.nest import walk as nodes
from s2s.scop.rewrite import block, map_children, substitute, substitute_in, transform
from s2s.scop.simplify.simplify import Simplifier

_LONGEST = 2048
"""Iterations of a loop that is looked at."""
_PIECES = 8
"""Loops that one may become."""
_BENDS = frozenset(("min", "max", "mod"))


def cut_at_edges(body: Node, by: Simplifier) -> Node:
    """The body with more loops and with places that grow in equal steps, where few loops do."""
    body = map_children(body, lambda child: cut_at_edges(child, by))
    if not isinstance(body, For) or constant(body.extent) > _LONGEST:
        return body
    bent = dict.fromkeys(s for s in _subscripts(body.body) if _is_bent(s, body.name))
    known = {s: _values(s, body, by) for s in bent}
    tables = {s: table for s, table in known.items() if table is not None}
    starts = _starts(list(tables.values()))
    if not tables or len(starts) > _PIECES:
        return body
    ends = [*starts[1:], constant(body.extent)]
    return block([_piece(body, tables, s, e) for s, e in zip(starts, ends, strict=True)])


def _subscripts(node: Node) -> Iterator[Expr]:
    for each in nodes(node):
        if isinstance(each, Store):
            yield from each.subscripts
            for expr in (*each.subscripts, *each.values):
                for load in walk(expr):
                    if isinstance(load, Load):
                        yield from load.subscripts


def _is_bent(subscript: Expr, variable: str) -> bool:
    parts = list(walk(subscript))
    return subscript.variables == {variable} and any(
        isinstance(n, Select) or (isinstance(n, Binary) and n.op in _BENDS) for n in parts
    )


def _values(subscript: Expr, loop: For, by: Simplifier) -> tuple[int, ...] | None:
    """The subscript's value in each iteration; None where it has none beforehand."""
    found = []
    for k in range(constant(loop.extent)):
        value = by(substitute(subscript, {loop.name: const(k)}))
        if not isinstance(value, Const):
            return None
        found.append(int(value.value))
    return tuple(found)


def _starts(tables: Sequence[tuple[int, ...]]) -> list[int]:
    """Where pieces begin in which all values grow in equal steps."""
    found = [0]
    count = len(tables[0]) if tables else 0
    for k in range(2, count):
        first = found[-1]
        if k > first + 1 and any(t[k] - t[k - 1] != t[first + 1] - t[first] for t in tables):
            found.append(k)
    return found


def _piece(loop: For, tables: dict[Expr, tuple[int, ...]], start: int, end: int) -> Node:
    def straight(node: Expr) -> Expr:
        table = tables.get(node)
        if table is None:
            return node
        step = table[start + 1] - table[start] if end > start + 1 else 0
        return add(const(table[start]), mul(var(loop.name), const(step)))

    moved = {loop.name: add(var(loop.name), const(start))}

    def visit(node: Node) -> Node:
        if not isinstance(node, Store):
            return map_children(node, visit)
        marked = {s: var(f"${k}") for k, s in enumerate(tables)}

        def mark(expr: Expr) -> Expr:
            return marked.get(expr, expr)

        stored = replace(
            node,
            subscripts=tuple(transform(s, mark) for s in node.subscripts),
            values=tuple(transform(v, mark) for v in node.values),
        )
        shifted = substitute_in(stored, moved)
        return substitute_in(shifted, {f"${k}": straight(s) for k, s in enumerate(tables)})

    return replace(loop, extent=const(end - start), body=visit(loop.body))
