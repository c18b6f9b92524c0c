"""Lanes that may update one element: they run one after the other."""

from __future__ import annotations

from dataclasses import replace

from s2s.emitters.c.tensors.forms import linear
from s2s.emitters.c.tensors.rewriting import with_children
from s2s.scop.expressions import Expr, Variable
from s2s.scop.nest import Define, For, Node, Store, walk


def one_by_one(node: Node) -> Node:
    """The tree with serial loops for vectorized ones whose atomic updates may meet.

    ``omp simd`` would promise that no two lanes update the same element.
    """
    node = with_children(node, one_by_one)
    if isinstance(node, For) and node.kind == "vectorized" and _meet(node):
        return replace(node, kind="serial")
    return node


def _meet(loop: For) -> bool:
    """Whether two lanes may update one element: no subscript counts with the lane."""
    nodes = list(walk(loop.body))
    varying = {loop.name, *(node.name for node in nodes if isinstance(node, Define))}
    stores = [node for node in nodes if isinstance(node, Store) and node.atomic]
    return any(not any(_counts(loop, s, varying) for s in store.subscripts) for store in stores)


def _counts(loop: For, subscript: Expr, varying: set[str]) -> bool:
    """Whether a subscript is a multiple of the lane and what is the same in all lanes."""
    rest = [atom for atom, _ in linear(subscript).terms if not varying.isdisjoint(atom.variables)]
    return [atom.name for atom in rest if isinstance(atom, Variable)] == [loop.name] and len(
        rest
    ) == 1
