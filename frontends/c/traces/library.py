"""Functions of C's and C++'s libraries that programs call, as text of Python."""

from __future__ import annotations

from collections.abc import Callable

from s2s.frontends.c.syntax import CType, Node
from s2s.frontends.c.typed.arithmetic import type_of
from s2s.scop.expressions import Type
from s2s.scop.symbols import NotSymbolic

_INFINITIES = ("__builtin_inff", "__builtin_inf", "__builtin_huge_val", "__builtin_huge_valf")
_PAIRS = {
    **dict.fromkeys(("fmaxf", "fmax", "max"), "largest"),
    **dict.fromkeys(("fminf", "fmin", "min"), "smallest"),
}
_LIMITS = ("lowest", "max", "min", "infinity")
_COPIES = {"memset": "fill", "memcpy": "copy", "memmove": "copy"}
_FLOATS = {4: 3.4028234663852886e38, 8: 1.7976931348623157e308, 2: 65504.0}
_BOOL = Type("uint", 8)


def number_type(type_: CType) -> Type | None:
    """The type of numbers; truth values are bytes."""
    found = type_of(type_)
    return _BOOL if found is None and type_.kind == "int" else found


def innermost(type_: CType) -> CType:
    """What pointers and arrays lead to in the end."""
    while type_.kind in ("pointer", "array") and type_.element is not None:
        type_ = type_.element
    return type_


def library_call(node: Node, value: Callable[[Node], str]) -> str | None:
    """A call; None where the function is unknown here. ``value``: the text of an argument."""
    name, arguments = node.name, node.children[1:]
    if name in _INFINITIES:
        return "(float('inf'))"
    if not arguments and name in _LIMITS:
        return _limit(node)
    if name in _PAIRS and len(arguments) == 2:
        return f"{_PAIRS[name]}({value(arguments[0])}, {value(arguments[1])})"
    if name in ("abs", "labs") and len(arguments) == 1:
        return f"absolute({value(arguments[0])})"
    if name in _COPIES and len(arguments) == 3:
        element = number_type(innermost(arguments[0].uncast.type))
        if element is None:
            raise NotSymbolic(f"a call of '{name}'", arguments[0].span)
        words = ", ".join(value(argument) for argument in arguments)
        return f"{_COPIES[name]}({words}, {element.bits // 8})"
    return None


def _limit(node: Node) -> str | None:
    """``std::numeric_limits<T>::lowest()`` and the like."""
    type_ = number_type(node.type)
    if type_ is None:
        return None
    if type_.is_float:
        top = _FLOATS[type_.bits // 8]
        values = {"lowest": -top, "max": top, "min": 1.1754943508222875e-38}
        return "(float('inf'))" if node.name == "infinity" else f"({values[node.name]!r})"
    return f"({type_.largest if node.name == 'max' else type_.smallest})"
