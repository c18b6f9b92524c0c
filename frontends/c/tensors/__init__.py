"""C functions over arrays as nests over tensors: the form that Halide-like C++ has, too.

``tensor_nest`` takes a whole function of counted loops, assignments to elements and local
variables. What it cannot say exactly it refuses with a place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.parse import Unit
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.tensors.arithmetic import INT
from s2s.frontends.c.tensors.errors import NotATensorNest
from s2s.frontends.c.tensors.memory import Address, array_tensor
from s2s.frontends.c.tensors.scope import Scope, set_again, written_arrays
from s2s.frontends.c.tensors.statements import Statements
from s2s.frontends.c.tensors.walkers import walkers
from s2s.scop.expressions import Const
from s2s.scop.nest import Argument, Nest, Store, Tensor, walk

__all__ = ["NotATensorNest", "functions_with_loops", "tensor_nest"]


def functions_with_loops(unit: Unit) -> Iterator[tuple[str, Node]]:
    """The functions of a file that have a ``for`` loop, by name."""
    for cursor in unit.functions():
        node = unit.convert(cursor)
        if "FOR_STMT" in node.kinds:
            yield clang.spelling(cursor), node


def tensor_nest(
    name: str, node: Node, numbers: Mapping[str, int], unit: Unit | None = None
) -> Nest:
    """The nest of a function whose scalar parameters have the values ``numbers``.

    Arguments are the arrays, in the order of the parameters; global arrays follow. What several
    pointers lead to is taken to be different memory. Small functions of ``unit`` that compute a
    value may be called. Raises NotATensorNest.
    """
    body = node.children[-1]
    scope = Scope(dict(numbers))
    if unit is not None:
        scope.definition = _Definitions(unit)
    scope.walking |= walkers(body)
    written = _closed(written_arrays(body), body)
    builder = Statements(scope, set_again(body), written)
    for child in node.children:
        if child.decl in scope.walking and child.kind == "PARM_DECL":
            _begin(scope, child, builder)
    whole = builder.sequence(body.children)
    stored = {n.tensor for n in walk(whole) if isinstance(n, Store)}
    arguments = [
        Argument(tensor.name, tensor, tensor.types[0], tensor.name in stored)
        for tensor in _passed(node, scope)
    ]
    return Nest(name, tuple(arguments), whole)


def _begin(scope: Scope, node: Node, builder: Statements) -> None:
    """A parameter that walks begins where the caller says."""
    decl = node.decl
    if decl is None or decl.type.kind != "pointer":
        return
    scope.memory[decl] = array_tensor(decl, node.span, builder.expressions.value)
    scope.addresses[decl] = Address(scope.memory[decl], (Const(INT, 0),))


class _Definitions:
    """The functions that a file defines."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._cursors = {clang.spelling(c): c for c in unit.functions()}

    def __call__(self, decl: Decl) -> Node | None:
        """The syntax of a function by its declaration."""
        cursor = self._cursors.get(decl.name)
        return None if cursor is None else self._unit.convert(cursor)


def _passed(function: Node, scope: Scope) -> Iterator[Tensor]:
    """The tensors of parameters and their members, then those of global arrays."""
    memory = scope.memory
    parameters = [c.decl for c in function.children if c.kind == "PARM_DECL" and c.decl]
    for decl in parameters:
        if decl in memory:
            yield memory[decl]
        yield from (tensor for (base, _), tensor in scope.members.items() if base is decl)
    for decl, tensor in memory.items():
        if decl not in parameters and decl.is_global:
            yield tensor


def _closed(written: set[Decl], body: Node) -> set[Decl]:
    """The declarations with those from which pointers among them are made."""
    pointers: dict[Any, set[Decl]] = {}
    for node in body.walk():
        if node.kind == "VAR_DECL" and node.decl and node.decl.type.kind == "pointer":
            pointers[node.decl] = {n.decl for n in node.walk() if n.decl is not None}
    found = set(written)
    while more := {d for p, used in pointers.items() if p in found for d in used} - found:
        found |= more
    return found
