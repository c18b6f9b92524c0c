"""``random_float``, ``random_uint`` and ``random_int``: a number for each place in a definition.

Halide's generator is pure: a 32-bit word that depends on the caller's seed, on which call it is, on
which definition the call stands in, and on the values of the definition's free variables. Each
word goes through the same permutation of 32-bit integers, a quadratic polynomial modulo 2**32, and
is added to what comes next. What a definition says of them becomes plain arithmetic here.
"""

from __future__ import annotations

from collections.abc import Sequence

from s2s.frontends.halide import typing
from s2s.scop.expressions import FLOAT32, INT32, Binary, Call, Const, Expr, Type
from s2s.scop.literals import fold
from s2s.scop.rewrite import transform

UINT32 = Type("uint", 32)
_SQUARE, _LINEAR, _CONSTANT = 1040796640, 1121052041, 576942909


def random_call(type_: Type, seed: Sequence[Expr], call: int) -> Expr:
    """The number as the program asks for it, before it stands in a definition."""
    return Call(type_, "random", (*seed, Const(INT32, call)))


def placed(expr: Expr, variables: Sequence[str], definition: int) -> Expr:
    """An expression of a definition with its random numbers spelled out.

    ``variables``: the definition's free ones, pure ones first; ``definition``: its number.
    """
    place = [Const(INT32, definition), *(typing.variable(v) for v in reversed(variables))]

    def change(node: Expr) -> Expr:
        if not (isinstance(node, Call) and node.name == "random"):
            return node
        word = _word([*node.arguments, *place])
        return _unit(word) if node.type.is_float else word

    return transform(expr, change)


def _word(terms: Sequence[Expr]) -> Expr:
    result = _permuted(typing.cast(UINT32, terms[0]))
    for term in terms[1:]:
        result = _permuted(_of("add", result, typing.cast(UINT32, term)))
    return _of("bxor", result, _of("shr", result, Const(UINT32, 16)))


def _permuted(x: Expr) -> Expr:
    slope = _of("add", _of("mul", x, Const(UINT32, _SQUARE)), Const(UINT32, _LINEAR))
    return _of("add", _of("mul", slope, x), Const(UINT32, _CONSTANT))


def _of(op: str, left: Expr, right: Expr) -> Expr:
    made = Binary(UINT32, op, left, right)
    return fold(made) or made


def _unit(word: Expr) -> Expr:
    """A float from 0 to below 1: the upper 23 bits after the binary point of 1."""
    bits = _of("bor", _of("shr", word, Const(UINT32, 9)), Const(UINT32, 127 << 23))
    value = Binary(FLOAT32, "sub", Call(FLOAT32, "reinterpret", (bits,)), Const(FLOAT32, 1.0))
    return typing.clamp(value, Const(FLOAT32, 0.0), Const(FLOAT32, 1.0))
