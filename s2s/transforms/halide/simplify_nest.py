"""Nests without definitions: every name's value put in its place and simplified.

What is known of loop variables and of the conditions around a node is used in it. Loops of one
iteration, of none, and branches that are never taken go away. In the end (``Simplifier.final``)
the predicate of a store is a condition around it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2s.scop.build import FALSE, TRUE, conjuncts, negate
from s2s.scop.expressions import Binary, Const, Expr
from s2s.scop.nest import (
    Allocate,
    Block,
    Check,
    Define,
    For,
    Hoist,
    If,
    Node,
    Produce,
    Run,
    Store,
)
from s2s.scop.rewrite import NOTHING, block, change_own, is_empty, substitute
from s2s.scop.simplify.ranges import Range
from s2s.scop.simplify.simplify import Simplifier
from s2s.transforms.halide.conditions import solve_comparison

Values = dict[str, Expr]


def simplified_nest(node: Node, by: Simplifier, values: Mapping[str, Expr] | None = None) -> Node:
    """The nest, simplified; ``values`` are names to be replaced."""
    return _NestSimplifier(by, dict(values or {})).visit(node)


class _NestSimplifier:
    def __init__(self, by: Simplifier, values: Values) -> None:
        self.by, self.values = by, values

    def expr(self, expr: Expr) -> Expr:
        if self.values.keys() & expr.variables:
            expr = substitute(expr, self.values)
        return self.by(expr)

    def visit(self, node: Node) -> Node:
        match node:
            case Block(below):
                return block([self.visit(child) for child in below])
            case For():
                return self._loop(node)
            case Define():
                return self._chain(node)
            case If():
                return self._branch(node)
            case Store():
                return self._store(node)
            case Check():
                condition = self.expr(node.condition)
                return NOTHING if condition is TRUE else replace(node, condition=condition)
            case Allocate():
                return self._allocation(node)
            case Produce() | Hoist():
                body = self.visit(node.body)
                return body if is_empty(body) else replace(node, body=body)
            case Run():
                return node

    def _chain(self, node: Define) -> Node:
        outer = self.values
        self.values = dict(outer)
        below: Node = node
        while isinstance(below, Define):
            self.values[below.name] = self.expr(below.value)
            below = below.body
        result = self.visit(below)
        self.values = outer
        return result

    def _loop(self, node: For) -> Node:
        low, extent = self.expr(node.minimum), self.expr(node.extent)
        count = self.by.constant(extent)
        if count is not None and count <= 0:
            return NOTHING
        if count == 1:
            return self._with(node.name, low, node.body)
        outer, values = self.by, self.values
        last = outer(Binary(low.type, "sub", Binary(low.type, "add", low, extent), _one(low)))
        self.by = outer.inner({node.name: (outer.bounds(low)[0], outer.bounds(last)[1])})
        self.values = {n: v for n, v in values.items() if n != node.name}
        body = self.visit(node.body)
        self.by, self.values = outer, values
        if is_empty(body):
            return body
        return replace(node, minimum=low, extent=extent, body=body)

    def _with(self, name: str, value: Expr, body: Node) -> Node:
        outer = self.values
        self.values = {**outer, name: value}
        result = self.visit(body)
        self.values = outer
        return result

    def _branch(self, node: If) -> Node:
        condition = self.expr(node.condition)
        if condition is TRUE:
            return self.visit(node.then)
        then = NOTHING if condition is FALSE else self._where(condition, node.then)
        opposite = self.by(negate(condition))
        otherwise = None if node.otherwise is None else self._where(opposite, node.otherwise)
        if otherwise is not None and is_empty(otherwise):
            otherwise = None
        if condition is FALSE:
            return NOTHING if otherwise is None else otherwise
        if is_empty(then):
            return NOTHING if otherwise is None else If(opposite, otherwise)
        return replace(node, condition=condition, then=then, otherwise=otherwise)

    def _where(self, condition: Expr, node: Node) -> Node:
        outer = self.by
        self.by = assuming(outer, condition)
        result = self.visit(node)
        self.by = outer
        return result

    def _store(self, node: Store) -> Node:
        store = change_own(node, self.expr)
        if store.predicate is FALSE:
            return NOTHING
        if store.predicate is TRUE:
            return replace(store, predicate=None)
        if self.by.final and store.predicate is not None:
            return If(store.predicate, replace(store, predicate=None))
        return store

    def _allocation(self, node: Allocate) -> Node:
        body = self.visit(node.body)
        return body if is_empty(body) else replace(change_own(node, self.expr), body=body)


def _one(like: Expr) -> Expr:
    return Const(like.type, 1)


def assuming(by: Simplifier, condition: Expr) -> Simplifier:
    """A scope in which a condition holds: the ranges of single variables narrowed."""
    for part in conjuncts(condition):
        known: dict[str, Range] = {}
        for name in sorted(part.variables):
            limit = solve_comparison(by, part, name)
            if limit is None:
                continue
            low, high = by.bounds(limit.value)
            known[name] = (
                None if limit.op == "le" else low,
                None if limit.op == "ge" else high,
            )
        if known:
            by = by.inner(known)
    return by
