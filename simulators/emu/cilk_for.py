"""The header of a cilk_for: from where, how far, in which steps."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from s2s.simulators.emu.dialect import failure
from s2s.source.diagnostics import UserError
from s2s.source.records import dataclass

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
_UP = {"p++": True, "++": True, "+=": True, "p--": False, "--": False, "-=": False}


@dataclass(frozen=True)
class Header:
    """``for (type name = first; name RELATION bound; name += by)``, or ``-=`` unless ``up``.

    ``by`` is None for steps of one. In the text, ``s2s_first``, ``s2s_bound`` and ``s2s_by`` stand
    for the values, which are worked out once.
    """

    name: str
    type: Any
    first: Any
    relation: str
    bound: Any
    by: Any
    up: bool

    def count(self) -> str:
        """C text of the number of iterations."""
        low, high = ("s2s_first", "s2s_bound") if self.up else ("s2s_bound", "s2s_first")
        inclusive = " + 1" if self.relation.endswith("=") and self.relation != "!=" else ""
        distance = f"((long)({high}) - (long)({low}){inclusive})"
        return f"({distance} > 0 ? ({distance} + s2s_by - 1) / s2s_by : 0)"

    def condition(self) -> str:
        return f"{self.name} {self.relation} s2s_bound"

    def step(self) -> str:
        return f"{self.name} {'+' if self.up else '-'}= s2s_by"


def header_of(node: Any) -> Header:
    """The header of a loop (``c_ast.For``).

    Raises UserError when it is not one that Cilk takes, or the body leaves the loop.
    """
    name, declared, first = _start(node)
    relation, bound = _condition(node, name)
    up, by = _step(node, name)
    if relation != "!=" and up != relation.startswith("<"):
        raise _wrong(node, "its steps lead away from its bound")
    _check_body(node.stmt)
    return Header(name, declared, first, relation, bound, by, up)


def _start(node: Any) -> tuple[str, Any, Any]:
    match node.init:
        case c_ast.DeclList(decls=[c_ast.Decl() as declared]) if declared.init is not None:
            return declared.name, declared.type, declared.init
    raise _wrong(node, "it has to declare its variable")


def _condition(node: Any, name: str) -> tuple[str, Any]:
    match node.cond:
        case c_ast.BinaryOp(op=op, left=c_ast.ID() as left) if op in _MIRRORED:
            if left.name == name:
                return op, node.cond.right
    match node.cond:
        case c_ast.BinaryOp(op=op, right=c_ast.ID() as right) if op in _MIRRORED:
            if right.name == name:
                return _MIRRORED[op], node.cond.left
    raise _wrong(node, f"it has to compare '{name}' with a bound")


def _step(node: Any, name: str) -> tuple[bool, Any]:
    match node.next:
        case c_ast.UnaryOp(op=op, expr=c_ast.ID() as changed) if op in _UP:
            if changed.name == name:
                return _UP[op], None
        case c_ast.Assignment(op=op, lvalue=c_ast.ID() as changed) if op in _UP:
            if changed.name == name:
                return _UP[op], node.next.rvalue
    raise _wrong(node, f"it has to advance '{name}' by a step")


def _check_body(node: Any, in_loop: bool = False) -> None:
    """Neither break nor return nor goto may leave the iteration."""
    if isinstance(node, c_ast.Return | c_ast.Goto) or (
        isinstance(node, c_ast.Break) and not in_loop
    ):
        raise _wrong(node, "its body has to run to the end")
    inner = in_loop or isinstance(node, c_ast.For | c_ast.While | c_ast.DoWhile | c_ast.Switch)
    for _, child in node.children() if node is not None else ():
        _check_body(child, inner)


def _wrong(node: Any, reason: str) -> UserError:
    return failure(
        f"this cilk_for cannot run in parallel: {reason}", "s2s-emu-cilk-for", node.coord
    )
