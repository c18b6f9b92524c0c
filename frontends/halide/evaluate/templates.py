"""Template arguments of what the headers declare."""

from __future__ import annotations

from s2s.frontends.halide.evaluate import ports
from s2s.frontends.halide.evaluate.syntax import Node
from s2s.frontends.halide.evaluate.types import CType, ctype
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Type


def template_argument(node: Node, index: int = 0) -> CType:
    """The explicit (or deduced) template argument of the function that is called."""
    called = node.referenced or node
    cursor = called.cursor
    shown = _shown_type(called.type)
    if shown is not None:
        return shown
    if cursor.get_num_template_arguments() > index:
        return ctype(cursor.get_template_argument_type(index).get_canonical().spelling)
    callee = node.parts[0] if node.parts else node
    found = _first_type(callee)
    if found is None:
        raise Illegal(f"the type that '{called.name}' is for is not known")
    return found


def _shown_type(spelling: str) -> CType | None:
    """The argument that a function's type shows as ``S2SType<T>``."""
    start = spelling.find("S2SType<")
    if start < 0:
        return None
    text = spelling[start + len("S2SType<") :]
    depth = 1
    for place, letter in enumerate(text):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if depth == 0:
            return ctype(text[:place])
    return None


def _first_type(node: Node) -> CType | None:
    for child in node.children:
        if child.kind == "TYPE_REF":
            return ctype(child.cursor.type.get_canonical().spelling)
        found = _first_type(child)
        if found is not None:
            return found
    return None


def template_type(node: Node) -> Type:
    found = ports.halide_type(template_argument(node))
    if found is None:
        raise Illegal("the type is none of Halide's")
    return found
