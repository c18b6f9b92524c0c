"""Members of structures that a function gets: arrays and pointers as memory, numbers by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from s2s.frontends.c.lvalues import Path, resolve
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.typed.arithmetic import INT, type_of
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.memory import Address, Evaluate, array_tensor
from s2s.scop.expressions import Const, Expr, Load, Variable
from s2s.scop.nest import Dimension, Tensor

if TYPE_CHECKING:
    from s2s.frontends.c.arrays import Memory
    from s2s.frontends.c.typed.scope import Scope


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


def member_memory(node: Node, scope: Scope, evaluate: Evaluate) -> Tensor:
    """The memory of ``in->data``, named ``in_data``. Raises NotATensorNest."""
    base, field = _parts(node, scope)
    if field.type.kind not in _ADDRESSES:
        raise NotATensorNest(node.span, f"'{base.name}->{field.name}' is no array")
    if (base, field) not in scope.members:
        tensor = array_tensor(field, node.span, evaluate)
        scope.members[base, field] = replace(tensor, name=f"{base.name}_{field.name}")
    return scope.members[base, field]


def member_number(node: Node, scope: Scope) -> Expr:
    """The value of ``in->width``, given as ``in.width`` or ``width``. Raises NotATensorNest."""
    base, field = _parts(node, scope)
    type_ = type_of(field.type)
    names = (f"{base.name}.{field.name}", field.name)
    found = next((scope.numbers[name] for name in names if name in scope.numbers), None)
    if type_ is None or found is None:
        text = f"the value of '{names[0]}' is not known; give it as a size"
        raise NotATensorNest(node.span, text)
    return Const(type_, type_.wrap(found))


def _parts(node: Node, scope: Scope) -> tuple[Decl, Decl]:
    """The parameter and its member."""
    base = node.children[0] if node.children else node
    while base.kind != "DECL_REF_EXPR" and len(base.children) == 1:
        base = base.children[0]
    decl, field = base.decl, node.decl
    if decl is None or field is None or decl.kind != "PARM_DECL" or decl in scope.walking:
        raise NotATensorNest(node.span, "a member of a structure that is no parameter")
    return decl, field
