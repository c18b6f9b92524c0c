"""Scalars of a piece: what they are worth, and whether anybody else has a use for them."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c import clang
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.unit import Unit


def known_value(unit: Unit, decl: Decl, depth: int = 4) -> str | None:
    """The value that a variable is given where it is declared, or a parameter by all calls, as C.

    It need not be right: whoever uses it asks at run time.
    """
    if decl.kind == "PARM_DECL":
        return _passed(unit, decl, depth) if depth else None
    if decl.node is None or not decl.node.children:
        return None
    return _value(unit, decl.node.children[-1], depth)


def _value(unit: Unit, node: Node, depth: int) -> str | None:
    bare = node.uncast
    if bare.value is not None:
        return str(bare.value)
    if bare.real is not None:
        return repr(bare.real)
    if bare.op == "-" and len(bare.children) == 1:
        inner = _value(unit, bare.children[0], depth)
        return None if inner is None else f"-{inner}"
    decl = bare.decl if bare.kind == "DECL_REF_EXPR" and depth else None
    if decl is not None and decl.kind in ("VAR_DECL", "PARM_DECL"):
        return known_value(unit, decl, depth - 1)
    return None


def _passed(unit: Unit, decl: Decl, depth: int) -> str | None:
    """What all calls of a function pass for a parameter, if that is one value."""
    found: set[str | None] = set()
    nodes = [(clang.spelling(c), unit.convert(c)) for c in unit.functions()]
    for name, function in nodes:
        parameters = [c.decl for c in function.children if c.kind == "PARM_DECL"]
        if decl not in parameters:
            continue
        place = parameters.index(decl)
        for _, other in nodes:
            for call in other.walk():
                if call.kind == "CALL_EXPR" and call.decl is not None and call.decl.name == name:
                    given = call.children[-len(parameters) :][place]
                    found.add(_value(unit, given, depth - 1))
    return found.pop() if len(found) == 1 else None


def first_assigned(decl: Decl, piece: Node, function: Node) -> bool:
    """Whether a scalar begins in a piece with an assignment, and its value is nobody's afterwards.

    Everywhere else in the function, too, it is assigned to before it is read.
    """
    if decl.is_global or decl.kind != "VAR_DECL" or not _mentions(piece, decl):
        return False
    scopes = [node for node in _scopes(piece, decl) if node is not piece or _begins(piece, decl)]
    if not all(_inside(part, scopes) for part in _references(piece, decl)):
        return False
    others = [s for s in _scopes(function, decl) if not _contains(s, piece)]
    return all(
        _inside(part, others) for part in _references(function, decl) if not _contains(piece, part)
    )


def _mentions(node: Node, decl: Decl) -> bool:
    return any(True for _ in _references(node, decl))


def _references(node: Node, decl: Decl) -> Iterator[Node]:
    return (n for n in node.walk() if n.kind == "DECL_REF_EXPR" and n.decl is decl)


def _contains(node: Node, part: Node) -> bool:
    return node.span.start <= part.span.start and part.span.end <= node.span.end


def _inside(part: Node, scopes: list[Node]) -> bool:
    return any(_contains(scope, part) for scope in scopes)


def _scopes(root: Node, decl: Decl) -> Iterator[Node]:
    """Loops that begin with setting it, and blocks in which the first to name it sets it."""
    for node in root.walk():
        if node.kind == "FOR_STMT" and _begins(node, decl):
            yield node
        elif node.kind == "COMPOUND_STMT":
            first = next((c for c in node.children if _mentions(c, decl)), None)
            if first is not None and _sets(first, decl):
                yield node


def begins_with(piece: Node, decl: Decl) -> bool:
    """Whether one of a piece's loops counts with a variable of its surroundings."""
    return any(node.kind == "FOR_STMT" and _begins(node, decl) for node in piece.walk())


def _begins(loop: Node, decl: Decl) -> bool:
    """Whether a loop's first part sets a variable."""
    first = next(iter(loop.children), None)
    if first is None or first.kind == "COMPOUND_STMT":
        return False
    parts = first.children if first.op == "," else [first]
    return any(_sets(part, decl) for part in parts)


def _sets(node: Node, decl: Decl) -> bool:
    """Whether a statement is an assignment to a variable of something without it."""
    if node.op != "=" or len(node.children) != 2:
        return False
    target, value = node.children
    return (
        target.uncast.decl is decl
        and target.uncast.kind == "DECL_REF_EXPR"
        and not _mentions(value, decl)
    )
