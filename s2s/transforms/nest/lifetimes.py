"""Where memory lies; memory from the heap is got once before loops, not in each iteration.

Getting and giving back a block of more than a few pages costs as much as filling it. Around a
serial loop one block serves all iterations; around a parallel one each thread has its own::

    for (y) { p = malloc(n); f(p); free(p); }  ->  p = malloc(n); for (y) f(p); free(p);
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from s2s.scop.expressions import Const
from s2s.scop.nest import Allocate, Define, For, Node, walk
from s2s.scop.rewrite import with_children
from s2s.scop.storage import HEAP, SCALARS, SHIFTED, STACK, bytes_of, size
from s2s.transforms.nest.lanes import only_constants

STACK_BYTES = 16 * 1024
"""Memory of a constant size up to this lies on the stack, as Halide has it."""


def on_heap(node: Allocate) -> bool:
    """Whether memory is got from the heap: it is too much for the stack, or of any size."""
    count = size(node.tensor)
    return not only_constants(node) and not (
        isinstance(count, Const) and bytes_of(node.tensor, int(count.value)) <= STACK_BYTES
    )


def place_memory(node: Node) -> Node:
    """The tree in which memory says where it lies (``s2s.scop.storage``)."""
    node = with_children(node, place_memory)
    if not isinstance(node, Allocate):
        return node
    if only_constants(node):
        kind = SCALARS
    elif on_heap(node):
        kind = HEAP
    else:
        kind = SHIFTED if node.tensor.memory == SHIFTED else STACK
    return replace(node, tensor=replace(node.tensor, memory=kind))


def hoist_memory(node: Node) -> Node:
    """The tree with memory outside of loops; that of a parallel loop stands first in it."""
    node = with_children(node, hoist_memory)
    if not isinstance(node, For) or node.kind == "vectorized":
        return node
    found = list(_movable(node))
    if not found:
        return node
    names = {memory.tensor.name for memory in found}
    body = _without(node.body, names)
    if node.kind != "parallel":
        return _within(found, replace(node, body=body))
    return replace(node, body=_within(found, body))


def _movable(loop: For) -> Iterator[Allocate]:
    """Heap memory below a loop whose size is the same in each iteration."""
    below = [n for n in walk(loop.body) if isinstance(n, Allocate)]
    inner = {
        id(memory)
        for n in walk(loop.body)
        if isinstance(n, For) and n.kind == "parallel"
        for memory in walk(n.body)
    }
    count = Counter(n.tensor.name for n in below)
    made = {loop.name} | {n.name for n in walk(loop.body) if isinstance(n, For | Define)}
    for node in below:
        alone = count[node.tensor.name] == 1 and id(node) not in inner
        if alone and on_heap(node) and not sizes_of(node) & made:
            yield node


def sizes_of(node: Allocate) -> frozenset[str]:
    """The variables that the size of memory depends on."""
    return size(node.tensor).variables


def _without(node: Node, names: set[str]) -> Node:
    if isinstance(node, Allocate) and node.tensor.name in names:
        return _without(node.body, names)
    return with_children(node, lambda child: _without(child, names))


def _within(found: list[Allocate], body: Node) -> Node:
    for memory in reversed(found):
        body = Allocate(memory.tensor, body)
    return body
