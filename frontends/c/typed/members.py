"""Members of structures in regions whose sizes stay symbols: memory, and numbers by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from s2s.frontends.c.lvalues import Path, resolve
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.typed.arithmetic import INT, type_of
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.memory import Address, array_tensor
from s2s.scop.expressions import Const, Expr, Load, Variable
from s2s.scop.nest import Dimension

if TYPE_CHECKING:
    from s2s.frontends.c.arrays import Memory


class _Expressions(Protocol):
    """What evaluates expressions (``expressions.Expressions``)."""

    def value(self, node: Node) -> Expr: ...
    def index(self, node: Node) -> Expr: ...


_ADDRESSES = ("array", "pointer")


class Members:
    """Members of structures in a region whose sizes stay symbols, as the region's SCoP has them.

    ``memories``: arrays by the variable and the way that lead to them; ``spellings``: texts of the
    SCoP's parameters, of which integers are named by their texts.
    """

    def __init__(
        self, memories: Iterable[Memory], spellings: Iterable[str], text: Callable[[Node], str]
    ) -> None:
        self._memories = {(m.root, m.key): m for m in memories if m.exact and m.stable}
        self._spellings = frozenset(spellings)
        self._text = text

    def address(self, node: Node, expressions: _Expressions) -> Address:
        """Where the array begins that a member is or leads to. Raises NotATensorNest."""
        memory, path = self._found(node, "*" if node.type.kind == "pointer" else "")
        steps = [Const(INT, 0) if s.index is None else expressions.index(s.index)
                 for s in path.steps]  # fmt: skip
        field = node.decl
        if field is None:
            raise NotATensorNest(node.span, "a member without a name")
        inner = array_tensor(field, node.span, expressions.value, symbolic=True)
        outer = tuple(_unknown(f"{memory.name}.extent{k}") for k in range(len(steps)))
        made = replace(inner, name=memory.name, dimensions=(*inner.dimensions, *outer))
        return Address(made, (*steps, Const(INT, 0)))

    def value(self, node: Node, expressions: _Expressions) -> Expr:
        """The number that a member is. Raises NotATensorNest."""
        type_ = type_of(node.type)
        text = self._text(node)
        if type_ is None:
            raise NotATensorNest(node.span, f"a member of type {node.type.spelling}")
        if type_.is_integer and text in self._spellings:
            return Variable(type_, text)
        memory, path = self._found(node, "")
        steps = [Const(INT, 0) if s.index is None else expressions.index(s.index)
                 for s in path.steps]  # fmt: skip
        return Load(type_, memory.name, tuple(reversed(steps)))

    def _found(self, node: Node, followed: str) -> tuple[Memory, Path]:
        path = resolve(node)
        known = None if path is None else self._memories.get((path.root, path.key + followed))
        if path is None or known is None:
            raise NotATensorNest(node.span, "a member of a structure")
        return known, path


def _unknown(name: str) -> Dimension:
    return Dimension(Const(INT, 0), Variable(INT, name))
