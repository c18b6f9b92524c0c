"""Variables that only assignments by their names change, so that a look at a loop tells all."""

from __future__ import annotations

from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node


def is_own(function: Function, decl: Decl) -> bool:
    """Whether only assignments that name a variable change it."""
    own = decl.is_local and not decl.is_static and not decl.type.volatile
    own = own and not decl.type.reference
    return own and decl.type.size >= 4 and decl not in function.facts.escaped


def is_kept(function: Function, decl: Decl, loop: Node, counter: Decl) -> bool:
    """Whether a variable of the counter's type keeps its value in a loop."""
    alike = decl.type.size == counter.type.size and decl.type.signed == counter.type.signed
    kept = decl.type.kind == "int" and decl not in loop.assigned and decl is not counter
    return alike and kept and is_own(function, decl)
