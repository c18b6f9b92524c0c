"""Overloaded operators that the headers declare, by their C++ names."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.evaluate.containers import (
    Items,
    Mapping,
    Tuples,
    compared,
    copy_value,
    items_method,
    mapping_method,
    string_method,
)
from s2s.frontends.halide.evaluate.funcs import FuncObject, as_func, assign
from s2s.frontends.halide.evaluate.language import FuncElement, FuncRef
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.syntax import Node
from s2s.frontends.halide.evaluate.types import ctype
from s2s.frontends.halide.evaluate.values import (
    NULL,
    STREAM,
    UNDEFINED,
    Cell,
    Pointer,
    Ref,
    deref,
    describe,
    number,
    truth,
    unwrap_parameter,
)
from s2s.frontends.halide.evaluate.world import operand, to_expr
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Expr, Type

_BINARY = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod", "<": "lt", "<=": "le", ">": "gt",
    ">=": "ge", "==": "eq", "!=": "ne", "&&": "and", "||": "or", "&": "band", "|": "bor",
    "^": "bxor", "<<": "shl", ">>": "shr",
}  # fmt: skip
_ASSIGN = {"=": "", "+=": "add", "-=": "sub", "*=": "mul", "/=": "div"}


def operator(interpreter: Part, name: str, arguments: list[Any], node: Node) -> Any:
    """An overloaded operator that the headers declare."""
    op = name.removeprefix("operator")
    target = arguments[0]
    value = deref(target)
    if value is STREAM or _is_stream(node):
        return STREAM
    if op == "()":
        return called(interpreter, value, arguments[1:])
    if op == "[]":
        return _indexed(interpreter, target, value, arguments[1])
    if op in _ASSIGN:
        return _assignment(interpreter, op, target, value, arguments[1])
    if op in ("*", "->", "++", "--") and isinstance(value, Pointer):
        return _iterator(op, target, value, len(arguments))
    if len(arguments) == 1:
        return _unary(op, value)
    return binary(interpreter, op, value, deref(arguments[1]))


def _is_stream(node: Node) -> bool:
    return ctype(node.type).name in ("std::ostream", "std::basic_ostream")


def called(interpreter: Part, value: Any, arguments: list[Any]) -> Any:
    """``object(...)`` for an object of the language."""
    method = getattr(value, "m_call", None)
    if method is not None:
        return method(*arguments)
    if value is NULL:
        raise Illegal("a call of something that is undefined")
    return interpreter.apply(value, arguments, None)


def _indexed(interpreter: Part, target: Any, value: Any, index: Any) -> Any:
    if isinstance(value, Items):
        return items_method(value, "operator[]", [index])
    if isinstance(value, Mapping):
        return mapping_method(value, "operator[]", [index])
    if isinstance(value, str):
        return string_method(target, "operator[]", [index])
    method = getattr(value, "m_index", None)
    if method is None:
        raise Illegal(f"[] of {describe(value)}")
    return method(index)


def _assignment(interpreter: Part, op: str, target: Any, value: Any, new: Any) -> Any:
    if isinstance(value, FuncRef | FuncElement):
        return assign(interpreter.world, value, _ASSIGN[op], new)
    if isinstance(value, Tuples) and not isinstance(target, Ref):
        target = Cell(value)  # what std::tie gives
    if not isinstance(target, Ref):
        raise Illegal(f"assignment to {describe(value)}")
    if isinstance(value, str):
        return string_method(target, f"operator{op}", [new])
    if op == "=":
        return _replaced(interpreter, target, value, deref(new))
    if value is UNDEFINED:
        raise Illegal(f"operator{op} of undefined Expr")
    target.set(typing.binary(_ASSIGN[op], to_expr(value), to_expr(new)))
    return target


def _replaced(interpreter: Part, target: Ref, value: Any, new: Any) -> Any:
    if isinstance(value, Tuples) and isinstance(new, Tuples):
        for place, item in zip(value.values, new.values, strict=False):
            if isinstance(place, Ref):
                place.set(copy_value(deref(item)))
        if not any(isinstance(v, Ref) for v in value.values):
            target.set(copy_value(new))
        return target
    if isinstance(value, FuncObject):
        found = as_func(interpreter.world, new)
        interpreter.world.renamed[value.func.name] = found
        target.set(found)
        return target
    if isinstance(value, Items) and isinstance(new, Items) and new.element is None:
        element = value.element
        if element is not None:
            converted = [deref(interpreter.converted(v, element)) for v in new.items]
            new = Items(converted, element, value.make)
    target.set(copy_value(new))
    return target


def _iterator(op: str, target: Any, value: Pointer, count: int) -> Any:
    if op in ("*", "->"):
        return value.ref()
    moved = value.moved(1 if op == "++" else -1)
    if isinstance(target, Ref):
        target.set(moved)
    return value if count > 1 else target


def _unary(op: str, value: Any) -> Any:
    if op == "!" and getattr(value, "scalar_value", None) is not None:
        return not truth(value.scalar_value)
    if op == "*" and value is NULL:
        raise Illegal("'*' of nothing")
    expr = to_expr(value)
    if op == "-":
        return typing.negate(expr)
    if op == "!":
        return typing.logical_not(expr)
    if op == "~":
        return typing.bitwise_not(expr)
    raise Illegal(f"operator{op} of {describe(value)} is not supported")


def binary(interpreter: Part, op: str, left: Any, right: Any) -> Any:
    left, right = unwrap_parameter(left), unwrap_parameter(right)
    if isinstance(left, str) or isinstance(right, str):
        return _strings(op, left, right)
    plain = (number(left) is not None or isinstance(left, Pointer)) and (
        number(right) is not None or isinstance(right, Pointer)
    )
    if plain or left is NULL or right is NULL:
        return interpreter.operated(op, left, right)
    if isinstance(left, Type) and isinstance(right, Type):
        return _types(op, left, right)
    if op in ("==", "!=", "<") and not _is_expr(left) and not _is_expr(right):
        return compared(op, left, right)
    kind = _BINARY.get(op)
    if kind is None:
        raise Illegal(f"operator{op} of {describe(left)} is not supported")
    return typing.binary(kind, operand(left), operand(right))


def symbolic(op: str, left: Any, right: Any) -> Expr:
    """An operator of C++ on what is an int there, but known only when the pipeline runs."""
    kind = _BINARY.get(op)
    if kind is None:
        raise Illegal(f"operator{op} on a value that is known only when the pipeline runs")
    return typing.binary(kind, operand(left), operand(right))


def _is_expr(value: Any) -> bool:
    return isinstance(value, Expr) or hasattr(value, "expr") or number(value) is not None


def _types(op: str, left: Type, right: Type) -> bool:
    """Types are in the order of their bits, then of their code, as in Halide."""
    if op == "<":
        return _as_number(left) < _as_number(right)
    return (left == right) == (op == "==")


def _as_number(type_: Type) -> int:
    code = ("int", "uint", "float", "handle", "bfloat").index(type_.code)
    return type_.bits << 8 | code


def _strings(op: str, left: Any, right: Any) -> Any:
    a, b = (v if isinstance(v, str) else chr(int(number(v) or 0) & 0x7F) for v in (left, right))
    if op == "+":
        if len(a) + len(b) > 1 << 20:
            raise Illegal("a string grows too long")
        return a + b
    compare = {"==": a == b, "!=": a != b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}
    if op not in compare:
        raise Illegal(f"operator{op} of strings")
    return compare[op]
