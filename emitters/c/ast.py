"""What is in a piece of an isl AST: its statements, loops and bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import islpy as isl

from s2s.emitters.c.kinds import expression_kind, node_kind, operation
from s2s.scop.nodes import Statement


def direct(node: isl.AstNode, statement: Callable[[isl.AstNode], Statement]) -> Iterator[Statement]:
    """The statements in a piece of AST that are in none of its loops."""
    kind = node_kind(node)
    if kind == "user":
        yield statement(node)
    elif kind == "if_":
        yield from direct(node.if_get_then_node(), statement)
        if node.if_has_else_node():
            yield from direct(node.if_get_else_node(), statement)
    elif kind == "block":
        children = node.block_get_children()
        for position in range(children.n_ast_node()):
            yield from direct(children.get_at(position), statement)


def users(node: isl.AstNode) -> Iterator[isl.AstNode]:
    """All instances of statements in a piece of AST, in their order."""
    kind = node_kind(node)
    if kind == "user":
        yield node
    elif kind == "for_":
        yield from users(node.for_get_body())
    elif kind == "if_":
        yield from users(node.if_get_then_node())
        if node.if_has_else_node():
            yield from users(node.if_get_else_node())
    elif kind == "block":
        children = node.block_get_children()
        for position in range(children.n_ast_node()):
            yield from users(children.get_at(position))


def all_loops(node: isl.AstNode) -> Iterator[isl.AstNode]:
    """The loops of a piece of AST."""
    for loop in loops(node):
        yield loop
        yield from all_loops(loop.for_get_body())


def loops(node: isl.AstNode) -> Iterator[isl.AstNode]:
    """The outermost loops of a piece of AST."""
    kind = node_kind(node)
    if kind == "for_":
        yield node
    elif kind == "if_":
        yield from loops(node.if_get_then_node())
        if node.if_has_else_node():
            yield from loops(node.if_get_else_node())
    elif kind == "block":
        children = node.block_get_children()
        for position in range(children.n_ast_node()):
            yield from loops(children.get_at(position))


def is_flat(node: isl.AstNode) -> bool:
    """Whether a piece of AST is one statement or several, without loops or conditions."""
    if node_kind(node) == "user":
        return True
    if node_kind(node) != "block":
        return False
    children = node.block_get_children()
    return all(is_flat(children.get_at(i)) for i in range(children.n_ast_node()))


def loop_names(node: isl.AstNode) -> Iterator[str]:
    """Isl names of the loops in an AST."""
    kind = node_kind(node)
    if kind == "for_":
        yield node.for_get_iterator().get_id().get_name()
        yield from loop_names(node.for_get_body())
    elif kind == "if_":
        yield from loop_names(node.if_get_then_node())
        if node.if_has_else_node():
            yield from loop_names(node.if_get_else_node())
    elif kind == "block":
        children = node.block_get_children()
        for position in range(children.n_ast_node()):
            yield from loop_names(children.get_at(position))


def operands(expression: isl.AstExpr, kind: str) -> Iterator[isl.AstExpr]:
    """Operands of nested minima or maxima."""
    if expression_kind(expression) == "op" and operation(expression) == kind:
        for position in range(expression.get_op_n_arg()):
            yield from operands(expression.get_op_arg(position), kind)
    else:
        yield expression


def has_extremes(node: isl.AstNode) -> bool:
    """Whether a loop's start is a maximum or its end a minimum."""
    ends = (
        (node.for_get_init(), "max"),
        (node.for_get_cond().get_op_arg(1), "min"),
    )
    return any(len(list(operands(e, kind))) > 1 for e, kind in ends)


def identifiers(expression: isl.AstExpr) -> set[str]:
    kind = expression_kind(expression)
    if kind == "id":
        return {expression.get_id().get_name()}
    if kind == "int":
        return set()
    count = expression.get_op_n_arg()
    return set().union(*(identifiers(expression.get_op_arg(i)) for i in range(count)))
