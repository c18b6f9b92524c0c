"""What nobody uses is not computed: Emu's compiler optimizes, and leaves such reads out.

for (long i = 0; i < NUM_NODES(); i++) {          for (long i = 0; i < NUM_NODES(); i++) {
    struct stats *one = mw_get_nth(&all, i);          struct stats *one;
    count += one->count;                      ->      ;
}                                                 }

``count`` and ``one`` are local variables whose values reach no store to memory, no call, no
condition of what stays, and no result. Loops stay, with nothing in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

from s2s.simulators.emu.declarations import nodes
from s2s.simulators.emu.symbols import address_taken

_PURE_CALLS = frozenset({"mw_get_nth", "mw_get_localto", "mw_arrayindex", "NUM_NODES", "NODELETS"})
_STEPS = ("++", "--", "p++", "p--")
_PURE = (
    c_ast.ID, c_ast.Constant, c_ast.BinaryOp, c_ast.UnaryOp, c_ast.TernaryOp, c_ast.Cast,
    c_ast.ArrayRef, c_ast.StructRef, c_ast.FuncCall, c_ast.ExprList, c_ast.Typename, c_ast.TypeDecl,
    c_ast.PtrDecl, c_ast.IdentifierType, c_ast.Struct,
)  # fmt: skip


def drop_unused(function: Any) -> None:
    """Take what nobody uses out of a function's body (``c_ast.FuncDef``)."""
    work = _Unused(function)
    if work.dead:
        work.drop(function.body)


class _Unused:
    """The local variables of a function whose values nobody uses."""

    def __init__(self, function: Any) -> None:
        self._volatile = {
            n.name for n in nodes(function)
            if isinstance(n, c_ast.Decl) and any(
                "volatile" in (getattr(part, "quals", None) or ()) for part in nodes(n.type))
        }  # fmt: skip
        self.dead = set(_candidates(function)) - self._volatile
        while self.dead:
            used = set(self._used(function.body))
            if self.dead.isdisjoint(used):
                return
            self.dead -= used

    def _used(self, node: Any) -> Iterator[str]:
        """The names that are used while those of ``dead`` are not."""
        match node:
            case None:
                return
            case _ if self._is_dropped(node):
                return
            case c_ast.Compound():
                for item in node.block_items or ():
                    yield from self._used(item)
            case c_ast.If():
                yield from _names(node.cond)
                yield from self._used(node.iftrue)
                yield from self._used(node.iffalse)
            case c_ast.For():
                for part in (node.init, node.cond, node.next):
                    yield from _names(part)
                yield from self._used(node.stmt)
            case c_ast.While() | c_ast.DoWhile():
                yield from _names(node.cond)
                yield from self._used(node.stmt)
            case _:
                yield from _names(node)

    def _is_dropped(self, node: Any) -> bool:
        """Whether a statement does nothing but what nobody uses."""
        match node:
            case None | c_ast.EmptyStatement():
                return True
            case c_ast.Decl():
                return node.name in self.dead and self._is_pure(node.init)
            case c_ast.Assignment(lvalue=c_ast.ID() as target):
                return target.name in self.dead and self._is_pure(node.rvalue)
            case c_ast.UnaryOp(op=op, expr=c_ast.ID() as target) if op in _STEPS:
                return target.name in self.dead
            case c_ast.Compound():
                return all(
                    self._is_dropped(n) and not isinstance(n, c_ast.Decl)
                    for n in node.block_items or ()
                )
            case c_ast.If():
                parts = self._is_dropped(node.iftrue) and self._is_dropped(node.iffalse)
                return parts and self._is_pure(node.cond)
        return False

    def _is_pure(self, node: Any) -> bool:
        """Whether an expression does nothing but read."""
        if node is None:
            return True
        for part in nodes(node):
            if not isinstance(part, _PURE):
                return False
            if isinstance(part, c_ast.UnaryOp) and part.op in _STEPS:
                return False
            if isinstance(part, c_ast.FuncCall):
                name = part.name.name if isinstance(part.name, c_ast.ID) else ""
                if name not in _PURE_CALLS:
                    return False
            if isinstance(part, c_ast.ID) and part.name in self._volatile:
                return False
            if "volatile" in (getattr(part, "quals", None) or ()):
                return False
        return True

    def drop(self, node: Any) -> None:
        """Take statements out below a node that stays; declarations lose their values."""
        match node:
            case c_ast.Compound():
                node.block_items = [self._kept(item) for item in node.block_items or ()]
            case c_ast.If():
                node.iftrue, node.iffalse = self._kept(node.iftrue), self._kept(node.iffalse)
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                node.stmt = self._kept(node.stmt)

    def _kept(self, node: Any) -> Any:
        if node is None:
            return None
        if self._is_dropped(node):
            if isinstance(node, c_ast.Decl):
                node.init = None
                return node
            return c_ast.EmptyStatement(node.coord)
        self.drop(node)
        return node


def _candidates(function: Any) -> Iterator[str]:
    """Local variables in registers, of names that the function declares once."""
    declared = [n for n in nodes(function) if isinstance(n, c_ast.Decl) and n.name]
    times = Counter(n.name for n in declared)
    in_memory = address_taken(function.body)
    for node in nodes(function.body):
        if not isinstance(node, c_ast.Decl) or times[node.name] > 1 or node.name in in_memory:
            continue
        if isinstance(node.type, c_ast.TypeDecl | c_ast.PtrDecl) and not node.storage:
            yield node.name


def _names(node: Any) -> Iterator[str]:
    """The variables that an expression or a statement names; members are none."""
    match node:
        case None:
            return
        case c_ast.ID():
            yield node.name
        case c_ast.StructRef():
            yield from _names(node.name)
        case _:
            for _, child in node.children():
                yield from _names(child)
