"""The kinds of isl AST nodes by name: islpy's type stubs give them as plain numbers."""

from __future__ import annotations

import islpy as isl


def node_kind(node: isl.AstNode) -> str:
    """``for_``, ``if_``, ``block``, ``user`` or ``mark``."""
    return isl.ast_node_type(node.get_type()).name


def expression_kind(expression: isl.AstExpr) -> str:
    """``op``, ``id`` or ``int``."""
    return isl.ast_expr_type(expression.get_type()).name


def operation(expression: isl.AstExpr) -> str:
    """The operator of an ``op`` expression: ``add``, ``max``, ``fdiv_q`` and so on."""
    return isl.ast_expr_op_type(expression.get_op_type()).name
