"""C functions over arrays as nests over tensors: the form that Halide-like C++ has, too.

``tensor_nest`` takes a whole function of counted loops, assignments to elements and local
variables. What it cannot say exactly it refuses with a place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from s2s.frontends.c import clang
from s2s.frontends.c.parse import Unit
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.typed.arithmetic import INT
from s2s.frontends.c.typed.definitions import Definitions, Reachable, with_usual_loops
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.memory import Address, array_tensor
from s2s.frontends.c.typed.scope import Scope
from s2s.frontends.c.typed.statements import Statements
from s2s.frontends.c.typed.walkers import walkers
from s2s.scop.expressions import Const
from s2s.scop.nest import Argument, Nest, Store, Tensor, walk

__all__ = ["NotATensorNest", "calls", "functions_with_loops", "has_integers_alone", "tensor_nest"]
_LOOPS = frozenset({"FOR_STMT", "WHILE_STMT", "DO_STMT"})


def functions_with_loops(unit: Unit) -> Iterator[tuple[str, Node]]:
    """The functions of a file that have a loop or call one of it that has, by name."""
    known = {clang.spelling(c): unit.convert(c) for c in unit.functions()}
    found = {name for name, node in known.items() if node.kinds & _LOOPS}
    while more := {
        name for name, node in known.items() if name not in found and calls(node) & found
    }:
        found |= more
    yield from ((name, node) for name, node in known.items() if name in found)


def calls(node: Node) -> set[str]:
    """The names of the functions that a function calls."""
    return {n.decl.name for n in node.walk() if n.kind == "CALL_EXPR" and n.decl is not None}


def has_integers_alone(node: Node) -> bool:
    """Whether a function has no floating-point number, and calls nothing of other files."""

    def other(part: Node) -> bool:
        outside = part.decl is None or not part.decl.in_file
        return (part.kind == "CALL_EXPR" and outside) or part.type.innermost().kind == "float"

    return not any(map(other, node.walk()))


def tensor_nest(
    name: str, node: Node, numbers: Mapping[str, int], unit: Unit | None = None
) -> Nest:
    """The nest of a function whose scalar parameters have the values ``numbers``.

    Arguments are the arrays, in the order of the parameters; global arrays follow. What several
    pointers lead to is taken to be different memory. Small functions of ``unit`` that compute a
    value may be called. Raises NotATensorNest.
    """
    node = with_usual_loops(node)
    body = node.children[-1]
    scope = Scope(dict(numbers))
    definitions = None if unit is None else Definitions(unit)
    if definitions is not None:
        scope.definition = definitions
    scope.walking |= walkers(body)
    every = Reachable(body, definitions)
    builder = Statements(scope, every.changing(), every.written())
    for child in node.children:
        if child.decl in scope.walking and child.kind == "PARM_DECL":
            _begin(scope, child, builder)
    whole = builder.sequence(body.children)
    stored = {n.tensor for n in walk(whole) if isinstance(n, Store)}
    arguments = [
        Argument(tensor.name, tensor, tensor.types[0], tensor.name in stored)
        for tensor in (replace(t, walked=t.name in scope.walked) for t in _passed(node, scope))
    ]
    return Nest(name, tuple(arguments), whole, tuple(scope.tables))


def _begin(scope: Scope, node: Node, builder: Statements) -> None:
    """A parameter that walks begins where the caller says."""
    decl = node.decl
    if decl is None or decl.type.kind != "pointer":
        return
    scope.memory[decl] = array_tensor(decl, node.span, builder.expressions.value)
    scope.addresses[decl] = Address(scope.memory[decl], (Const(INT, 0),))


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
