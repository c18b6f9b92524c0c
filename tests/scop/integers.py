"""Integer expressions by chance, and their values: what the simplifier and the bounds must keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from s2s.scop.expressions import (
    BOOL,
    INT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Let,
    Load,
    Select,
    Type,
    Unary,
    Variable,
)
from s2s.scop.literals import fold
from s2s.scop.rewrite import substitute, transform

Element = Callable[[Load, list[int]], int]

SMALL = [Type("uint", 8), Type("int", 8), Type("uint", 16), Type("int", 16)]
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def number(expr: Expr) -> int:
    """The value of a literal."""
    assert isinstance(expr, Const) and isinstance(expr.value, int)
    return expr.value


def _asked(element: Element | None) -> Element:
    assert element is not None
    return element


def value(expr: Expr, names: Mapping[str, int], element: Element | None = None) -> int:
    """The value of an integer expression; ``element(load, subscripts)`` gives what is loaded."""
    if isinstance(expr, Let):
        inner = value(expr.value, names, element)
        return value(expr.body, {**names, expr.name: inner}, element)
    held = {n: v for n, v in names.items()}

    def change(node: Expr) -> Expr:
        match node:
            case Variable(name=name):
                return Const(node.type, held[name])
            case Binary():
                done = fold(node)
                if done is None:
                    raise OverflowError
                return done
            case Unary(op="not"):
                return Const(BOOL, 1 - number(node.value))
            case Cast():
                return Const(node.type, node.type.wrap(number(node.value)))
            case Select():
                return node.then if number(node.condition) else node.otherwise
            case Call(name="likely"):
                return node.arguments[0]
            case Call(name="abs"):
                return Const(node.type, abs(number(node.arguments[0])))
            case Load():
                return Const(node.type, _asked(element)(node, [number(s) for s in node.subscripts]))
        return node

    result = transform(expr, change)
    assert isinstance(result, Const)
    return int(result.value)


def integer(random: Random, names: list[str], depth: int, kind: Type = INT32) -> Expr:
    """An expression over variables, of a depth at most."""
    if depth == 0 or random.random() < 0.1:
        if random.random() < 0.7 and kind == INT32:
            return Variable(INT32, random.choice(names))
        return Const(kind, random.randint(max(-20, kind.smallest), 20))
    choice = random.random()
    if choice < 0.12:
        condition = truth(random, names, depth - 1)
        arms = [integer(random, names, depth - 1, kind) for _ in range(2)]
        return Select(kind, condition, *arms)
    if choice < 0.2:
        other = random.choice([*SMALL, INT32])
        return Cast(kind, integer(random, names, depth - 1, other))
    if choice < 0.25:
        return Call(kind, "likely", (integer(random, names, depth - 1, kind),))
    left = integer(random, names, depth - 1, kind)
    if choice < 0.45:
        op = random.choice(["div", "mod", "mul"])
        return Binary(kind, op, left, Const(kind, random.choice([1, 2, 3, 4, 6, 8])))
    op = random.choice(["add", "sub", "min", "max", "add", "sub", "min", "max", "mul"])
    return Binary(kind, op, left, integer(random, names, depth - 1, kind))


def truth(random: Random, names: list[str], depth: int) -> Expr:
    """A condition."""
    if depth > 1 and random.random() < 0.3:
        parts = [truth(random, names, depth - 1) for _ in range(2)]
        return Binary(BOOL, random.choice(["and", "or"]), *parts)
    if random.random() < 0.15:
        return Unary(BOOL, "not", truth(random, names, depth - 1))
    kind = random.choice([INT32, INT32, INT32, *SMALL])
    parts = [integer(random, names, max(depth - 1, 0), kind) for _ in range(2)]
    return Binary(BOOL, random.choice(COMPARISONS), *parts)


def let(random: Random, names: list[str], depth: int) -> Expr:
    """Sometimes a ``Let`` around an expression."""
    body = integer(random, [*names, "t"], depth)
    bound = integer(random, names, depth - 1)
    return Let(INT32, "t", bound, body) if random.random() < 0.5 else substitute(body, {"t": bound})
