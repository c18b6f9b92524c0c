"""Which parallel loops share out their iterations together, and what memory each thread has.

Memory from the heap that stands first in a parallel loop is got once by each thread, not in each of
its iterations. Loops inside of parallel ones run serially::

    parallel for (y) parallel for (x) { p = malloc(n); f(p); free(p); }
      ->  parallel { p = malloc(n); for collapse(2) (y) for (x) f(p); free(p); }
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.scop.nest import Allocate, For, Node
from s2s.scop.rewrite import with_children
from s2s.scop.storage import HEAP, THREAD
from s2s.transforms.nest.lifetimes import sizes_of


def collapse_loops(node: Node) -> Node:
    """The tree whose outermost parallel loops say how many of them run together."""
    if not (isinstance(node, For) and node.kind == "parallel"):
        return with_children(node, collapse_loops)
    loops = list(_together(node))
    body = _with_own_memory(loops[-1].body, frozenset(loop.name for loop in loops))
    for loop in reversed(loops[1:]):
        body = replace(loop, kind="serial", body=body)
    return replace(node, collapse=len(loops), body=body)


def _together(loop: For) -> Iterator[For]:
    """Parallel loops that stand directly in one another, none with bounds from another."""
    names: set[str] = set()
    node: Node = loop
    while isinstance(node, For) and node.kind == "parallel":
        if names & (node.minimum.variables | node.extent.variables):
            return
        yield node
        names.add(node.name)
        node = node.body


def _with_own_memory(body: Node, names: frozenset[str]) -> Node:
    """A parallel loop's body with the memory that each thread gets once, whatever iteration.

    ``names`` are those of the loop, and of those around that run in parallel together with it.
    """
    if isinstance(body, Allocate) and body.tensor.memory == HEAP and not sizes_of(body) & names:
        tensor = replace(body.tensor, memory=THREAD)
        return Allocate(tensor, _with_own_memory(body.body, names))
    return _serial(body)


def _serial(node: Node) -> Node:
    node = with_children(node, _serial)
    if isinstance(node, For) and node.kind == "parallel":
        return replace(node, kind="serial")
    return node
