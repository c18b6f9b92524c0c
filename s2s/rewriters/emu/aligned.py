"""Which static arrays are worth moving: those of which each iteration reads its own elements.

On the first nodelet, where static data lies, nothing migrates, and one nodelet does all the work.
Spread over all, iterations run where their elements are; but each element of another iteration is
a trip there and back, more than what is gained. So a loop's arrays move together or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2s.frontends.c.syntax import CASTS, Decl, Node
from s2s.rewriters.emu.loops import ParallelLoop
from s2s.rewriters.emu.program import Program


def worth_moving(
    program: Program, loops: Sequence[ParallelLoop], homes: Mapping[Decl, str]
) -> set[Decl]:
    """Those of some arrays that no parallel loop reads at other elements than its iteration's.

    ``homes`` says how an array's elements are dealt out to nodelets, '' where one element may be
    on several; arrays that are dealt out alike have equal elements at one place.
    """
    chosen = set(homes)
    regions = [_uses(program, loop) for loop in loops]
    while True:
        kept = set(chosen)
        for loop, uses in zip(loops, regions, strict=True):
            read = [node for node in uses if not _is_stored(program, node)]
            decls = {node.decl for node in read}
            alike = {homes.get(decl, "") for decl in decls if decl is not None}
            own = all(_is_own(program, loop, node) for node in read)
            if not own or not decls <= chosen or len(alike) > 1 or "" in alike:
                kept -= {node.decl for node in uses if node.decl is not None}
        if kept == chosen:
            return chosen
        chosen = kept


def element(program: Program, node: Node) -> Node | None:
    """The element of an array that an expression selects of the array that a node names."""
    found = above(program, node)
    if found.kind == "ARRAY_SUBSCRIPT_EXPR" and found.children[0].uncast is node:
        return found
    return None


def above(program: Program, node: Node) -> Node:
    """The node above one and its casts and parentheses."""
    found = program.parents[id(node)]
    while found.kind in CASTS:
        found = program.parents[id(found)]
    return found


def is_static_array(node: Node) -> bool:
    decl = node.decl
    return (
        node.kind == "DECL_REF_EXPR"
        and decl is not None
        and decl.is_global
        and decl.type.kind == "array"
    )


def _uses(program: Program, loop: ParallelLoop) -> list[Node]:
    """Where a loop and what it calls name static arrays."""
    called = [program.functions[d] for d in program.reached([loop.body])]
    return [n for top in (loop.body, *called) for n in top.walk() if is_static_array(n)]


def _is_own(program: Program, loop: ParallelLoop, node: Node) -> bool:
    """Whether a use names the element of the loop's own iteration."""
    selected = element(program, node)
    return selected is not None and selected.children[1].uncast.decl is loop.variable


def _is_stored(program: Program, node: Node) -> bool:
    """Whether a use only stores an element's value, which is a packet."""
    top: Node | None = element(program, node)
    while top is not None:
        holder = above(program, top)
        if holder.kind == "BINARY_OPERATOR" and holder.op == "=":
            return holder.children[0].uncast is top
        inside = holder.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR")
        top = holder if inside and holder.children[0].uncast is top else None
    return False
