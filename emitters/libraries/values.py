"""Sizes, subscripts and values of operations as C text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from s2s.emitters.c.nests.kinds import c_type, literal
from s2s.scop.expressions import Binary, Call, Cast, Const, Expr, Select, Type, Unary, Variable
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

_FLOOR = re.compile(r"floor\((.*)/(\d+)\)")
_SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "eq": "==", "ne": "!=",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "and": "&&", "or": "||",
}  # fmt: skip
_FUNCTIONS = frozenset({"sqrt", "exp", "log", "pow", "sin", "cos", "tanh", "floor", "ceil"})

_PLAIN = {
    "int8_t": "signed char",
    "int16_t": "short",
    "int64_t": "long",
    "uint8_t": "unsigned char",
    "uint16_t": "unsigned short",
    "uint32_t": "unsigned",
    "uint64_t": "unsigned long",
}


def plain_type(type: Type) -> str:
    """A type by words that need no header, which the program may be without."""
    return _PLAIN.get(c_type(type), c_type(type))


_CALLED = re.compile(r"[A-Za-z_]\w*|\(.*\)")
"""A function of the program by its name, or a pointer to one in parentheses."""


class NoText(Exception):
    """A value that has no C text here: ``reason``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Texts:
    """What names stand for in C: ``spellings`` of parameters, ``indices`` of dimensions, and
    ``elements`` of operands.
    """

    spellings: Mapping[str, str]
    indices: Mapping[str, str] = field(default_factory=dict)
    elements: Mapping[str, str] = field(default_factory=dict)

    def size(self, value: Polynomial) -> str:
        """A polynomial, computed in ``long``."""
        if value.number is not None:
            return _number(value.number)
        parts = []
        for names, times in value.terms.items():
            factors = [self._name(name) for name in names]
            text = " * ".join(factors)
            if abs(times) != 1:
                text = f"{abs(times)}L * {text}"
            parts.append(("-" if times < 0 else "+", text))
        if value.constant:
            parts.append(("-" if value.constant < 0 else "+", str(abs(value.constant))))
        parts.sort(key=lambda part: part[0] == "-")
        (sign, first), *others = parts
        text = first if sign == "+" else f"-{first}"
        return text + "".join(f" {sign} {other}" for sign, other in others)

    def inside(self, value: Polynomial) -> str:
        """A polynomial as an operand."""
        text = self.size(value)
        return text if re.fullmatch(r"\w+|\(long\)\w+", text) else f"({text})"

    def _name(self, name: str) -> str:
        if name in self.indices:
            return self.indices[name]
        rounded = _FLOOR.fullmatch(name)
        if rounded is not None:
            return f"s2s_floor({self._isl(rounded[1])}, {rounded[2]})"
        text = self.spellings.get(name, name)
        return f"(long){text}" if re.fullmatch(r"\w+", text) else f"(long)({text})"

    def _isl(self, text: str) -> str:
        """Isl's text of a sum of parameters."""
        return re.sub(r"[A-Za-z_]\w*", lambda m: self._name(m[0]), text)

    # ---- values

    def value(self, expr: Expr) -> str:
        """A typed expression, every conversion written out. Raises NoText."""
        match expr:
            case Const():
                return literal(expr)
            case Variable(_, name):
                known = self.elements.get(name) or self.indices.get(name)
                return known or self.spellings.get(name, name)
            case Cast(type_, Const(_, int() as number)) if type_.is_float:
                return literal(Const(type_, float(number)))
            case Cast(type_, value):
                return f"({plain_type(type_)}){self._operand(value)}"
            case Select(_, condition, then, otherwise):
                parts = (self._operand(e) for e in (condition, then, otherwise))
                return "({} ? {} : {})".format(*parts)
            case Unary(_, "not", value):
                return f"!{self._operand(value)}"
            case Binary(type_, "max" | "min" as op, left, right):
                # What stays where neither is larger, as of a NaN, is on the left.
                kept, other = self._operand(left), self._operand(right)
                return f"({other} {'>' if op == 'max' else '<'} {kept} ? {other} : {kept})"
            case Binary(_, op, left, right) if op in _SYMBOLS:
                if op == "sub" and isinstance(left, Const) and left.value == 0:
                    return f"-{self._operand(right)}"
                return f"{self._operand(left)} {_SYMBOLS[op]} {self._operand(right)}"
            case Call(type_, name, arguments) if name in _FUNCTIONS:
                mark = "f" if type_.bits == 32 else ""
                return f"{name}{mark}({', '.join(map(self.value, arguments))})"
            case Call(_, name, arguments) if _CALLED.fullmatch(name):
                return f"{name}({', '.join(map(self.value, arguments))})"
        raise NoText(f"a value with {type(expr).__name__}")

    def _operand(self, expr: Expr) -> str:
        text = self.value(expr)
        plain = isinstance(expr, Const | Variable | Call) and not text.startswith("-")
        return text if plain or (text.startswith("(") and isinstance(expr, Select)) else f"({text})"

    def scalar(self, value: Expr | float, type_: Type) -> str:
        """An argument of a type."""
        if isinstance(value, float):
            return literal(Const(type_, value))
        text = self.value(value)
        return text if value.type == type_ else f"({plain_type(type_)})({text})"


def _number(value: int) -> str:
    return f"{value}L" if abs(value) > 255 else str(value)
