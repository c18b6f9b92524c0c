"""Functions that work on blocks of arrays: what they write, and what of them may run in lanes."""

from __future__ import annotations

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import CType, Decl
from s2s.rewriters.line_groups.reading import Scope
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Kernel:
    """A function with its body as it is read, and the parameters, arrays, that it writes.

    ``reads`` are the file's numbers that it uses; ``types`` those that parameters are spelled with.
    """

    function: Function
    scope: Scope
    parameters: tuple[Decl, ...]
    written: frozenset[Decl]
    reads: frozenset[Decl]
    types: dict[Decl, CType]

    @property
    def name(self) -> str:
        return self.function.node.name


def parameters_of(function: Function) -> dict[Decl, CType]:
    """The parameters, all of them arrays of known lengths. Raises NotLiftable."""
    found: dict[Decl, CType] = {}
    for child in function.node.children[:-1]:
        decl = child.decl
        if child.kind != "PARM_DECL" or decl is None or child.type.kind != "pointer":
            raise NotLiftable(child.span, "a parameter is no array")
        if "[" not in child.type.spelling:
            raise NotLiftable(child.span, "a parameter is no array")
        found[decl] = child.type
    if function.node.type.spelling.split(" (")[0] != "void":
        raise NotLiftable(function.node.span, "a function has a result")
    return found
