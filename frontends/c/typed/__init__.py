"""C read as typed stores: the statements of SCoPs, and functions as nests over tensors.

``region_nest`` reads a whole function of counted loops, assignments to elements and local
variables. What it cannot say exactly it refuses with a place.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c import clang
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.unit import Unit

__all__ = ["NotATensorNest", "called_names", "check_numbers", "functions_with_loops"]
_LOOPS = frozenset({"FOR_STMT", "WHILE_STMT", "DO_STMT"})


def functions_with_loops(unit: Unit) -> Iterator[tuple[str, Node]]:
    """The functions of a file that have a loop or call one of it that has, by name."""
    known = {clang.spelling(c): unit.convert(c) for c in unit.functions()}
    found = {name for name, node in known.items() if node.kinds & _LOOPS}
    while more := {
        name for name, node in known.items() if name not in found and called_names(node) & found
    }:
        found |= more
    yield from ((name, node) for name, node in known.items() if name in found)


def called_names(node: Node) -> set[str]:
    """The names of the functions that a function calls."""
    return {n.decl.name for n in node.walk() if n.kind == "CALL_EXPR" and n.decl is not None}


def check_numbers(node: Node) -> None:
    """Raises NotATensorNest where a function computes with double or calls other files'."""
    for part in node.children[-1].walk():
        if part.kind == "CALL_EXPR" and (part.decl is None or not part.decl.in_file):
            raise NotATensorNest(part.span, f"a call of '{part.name}'")
        if part.kind != "DECL_STMT" and part.type.kind == "float" and part.type.size != 4:
            name = next((n.name for n in part.walk() if n.kind == "DECL_REF_EXPR"), "the result")
            text = f"{name} is computed with in float{8 * part.type.size}, not in float32"
            raise NotATensorNest(part.span, text)
