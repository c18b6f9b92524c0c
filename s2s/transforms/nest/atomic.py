"""Lanes that may update one element: they run one after the other."""

from __future__ import annotations

from dataclasses import replace

from s2s.scop.expressions import Expr, Variable
from s2s.scop.nest import Allocate, Define, For, Node, Store, walk
from s2s.scop.normal_form import linear
from s2s.scop.rewrite import with_children


def serialize_atomics(node: Node, shared: frozenset[str] | None = None) -> Node:
    """The tree with serial loops for vectorized ones whose atomic updates may meet.

    ``omp simd`` would promise that no two lanes update the same element; in it there is no
    ``critical``, either. Updates of memory that a thread has for itself need none. ``shared``: what
    threads see, apart from which each has its own; None outside of parallel loops.
    """
    if isinstance(node, Store):
        alone = node.atomic and (shared is None or node.tensor not in shared)
        return replace(node, atomic=False) if alone else node
    inside = shared
    if isinstance(node, For) and node.kind == "parallel" and shared is None:
        own = {n.tensor.name for n in walk(node) if isinstance(n, Allocate)}
        inside = frozenset(n.tensor for n in walk(node) if isinstance(n, Store)) - own
    made = with_children(node, lambda child: serialize_atomics(child, inside))
    if isinstance(made, For) and made.kind == "vectorized":
        stores = [n for n in walk(made.body) if isinstance(n, Store)]
        if any(store.atomic for store in stores) or (isinstance(node, For) and _meet(node)):
            return replace(made, kind="serial")
    return made


def _meet(loop: For) -> bool:
    """Whether two lanes may update one element: no subscript counts with the lane."""
    nodes = list(walk(loop.body))
    varying = {loop.name, *(node.name for node in nodes if isinstance(node, Define))}
    stores = [node for node in nodes if isinstance(node, Store) and node.atomic]
    return any(not any(_counts(loop, s, varying) for s in store.subscripts) for store in stores)


def _counts(loop: For, subscript: Expr, varying: set[str]) -> bool:
    """Whether a subscript is a multiple of the lane and what is the same in all lanes."""
    rest = [atom for atom in linear(subscript).terms if not varying.isdisjoint(atom.variables)]
    return [atom.name for atom in rest if isinstance(atom, Variable)] == [loop.name] and len(
        rest
    ) == 1
