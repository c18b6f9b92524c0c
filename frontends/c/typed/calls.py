"""Calls of small functions that only compute a value: their result in the caller's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from s2s.frontends.c.syntax import Node
from s2s.frontends.c.typed.arithmetic import type_of
from s2s.frontends.c.typed.choices import chosen
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.memory import Address
from s2s.frontends.c.typed.scope import Scope, set_again
from s2s.scop.expressions import Expr, Type
from s2s.scop.literals import cast

_DEEPEST = 8


class _Expressions(Protocol):
    """What evaluates expressions (``expressions.Expressions``)."""

    scope: Scope

    def value(self, node: Node) -> Expr: ...
    def type(self, node: Node) -> Type: ...
    def address(self, node: Node) -> Address: ...
    def condition(self, node: Node) -> Expr: ...


def evaluate_call(node: Node, definition: Node, expressions: _Expressions) -> Expr:
    """The value of a call of a function whose body is declarations, conditions and returns.

    Raises NotATensorNest for any other body, at the call.
    """
    parameters = [c for c in definition.children if c.kind == "PARM_DECL"]
    arguments = node.children[1:]
    body = definition.children[-1]
    scope = expressions.scope
    if len(parameters) != len(arguments) or scope.depth >= _DEEPEST or set_again(body):
        raise NotATensorNest(node.span, f"a call of '{node.name}'")
    values, addresses = dict(scope.values), dict(scope.addresses)
    for parameter, argument in zip(parameters, arguments, strict=True):
        _bind(parameter, argument, expressions)
    scope.depth += 1
    try:
        result = evaluate_returned(body.children, expressions)
    except NotATensorNest as error:
        text = f"a call of '{node.name}', which has {error.reason}"
        raise NotATensorNest(node.span, text) from None
    finally:
        scope.depth -= 1
        scope.values, scope.addresses = values, addresses
    if result is None:
        raise NotATensorNest(node.span, f"a call of '{node.name}'")
    return cast(expressions.type(node), result)


def _bind(parameter: Node, argument: Node, expressions: _Expressions) -> None:
    assert parameter.decl is not None
    type_ = type_of(parameter.decl.type)
    if type_ is None:
        address = expressions.address(argument)
        element = parameter.decl.type.element
        if element is None or type_of(element.innermost()) != address.tensor.types[0]:
            raise NotATensorNest(argument.span, "a pointer becomes one to another type")
        expressions.scope.addresses[parameter.decl] = address
    else:
        expressions.scope.values[parameter.decl] = cast(type_, expressions.value(argument))


def evaluate_returned(nodes: Sequence[Node], expressions: _Expressions) -> Expr | None:
    """What the statements return; None if they end without."""
    for place, node in enumerate(nodes):
        match node.kind:
            case "RETURN_STMT" if node.children:
                return expressions.value(node.children[0])
            case "COMPOUND_STMT":
                return evaluate_returned([*node.children, *nodes[place + 1 :]], expressions)
            case "DECL_STMT":
                for declared in node.children:
                    _bind(declared, declared.children[-1], expressions)
            case "IF_STMT":
                return _either(node, nodes[place + 1 :], expressions)
            case _:
                raise NotATensorNest(node.span, "other statements than returns")
    return None


def _either(node: Node, rest: Sequence[Node], expressions: _Expressions) -> Expr | None:
    condition = expressions.condition(node.children[0])
    then = evaluate_returned([node.children[1], *rest], expressions)
    otherwise = evaluate_returned([*node.children[2:3], *rest], expressions)
    if then is None or otherwise is None:
        return None
    return chosen(condition, then, cast(then.type, otherwise))
