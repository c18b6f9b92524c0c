"""isl AST expressions as C text, in arithmetic that cannot overflow.

isl computes with unbounded integers. Introduced loop variables are ``long``; narrower parameters
are widened wherever C would otherwise compute in their type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace

import islpy as isl

from s2s.emitters.c.kinds import expression_kind, operation
from s2s.scop.nodes import LoopVariable
from s2s.source.records import dataclass

_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "eq": "==", "le": "<=", "lt": "<", "ge": ">=", "gt": ">",
    "and_": "&&", "and_then": "&&", "or_": "||", "or_else": "||",
}  # fmt: skip
_LITERAL, _INT_MAX = re.compile(r"(\d+)L"), 2**31 - 1
_SUMS = ("add", "sub", "minus")
_RANK = {"||": 1, "&&": 2, "==": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5, "*": 6}


@dataclass(frozen=True)
class Names:
    """What isl's identifiers are called in C, and how their types differ from ``long``.

    ``narrow`` names are signed and smaller, ``unsigned`` ones are cast wherever they stand.
    ``strict`` arithmetic widens even ``n + 1``: needed where nothing is known about ``n`` yet.
    ``declared`` are iterators of the source that are declared around, with their values.
    """

    spelling: Mapping[str, str] = field(default_factory=dict)
    narrow: frozenset[str] = frozenset()
    unsigned: frozenset[str] = frozenset()
    strict: bool = False
    declared: Mapping[str, str] = field(default_factory=dict)

    def renamed(self, name: str, spelling: str, variable: LoopVariable | None = None) -> Names:
        """With another C spelling for an isl name, a ``long`` or one of the source's variables."""
        narrow, unsigned = self.narrow - {name}, self.unsigned - {name}
        if variable is not None:
            narrow |= {name}
            unsigned |= {name} if variable.unsigned else set()
        spellings = {**self.spelling, name: spelling}
        return replace(self, spelling=spellings, narrow=narrow, unsigned=unsigned)

    def declaring(self, values: Mapping[str, str]) -> Names:
        return replace(self, declared={**self.declared, **values})


@dataclass(frozen=True)
class Text:
    """C text with the rank of its outermost operator and whether its value is a ``long``."""

    text: str
    rank: int = 9
    wide: bool = False

    def inside(self, rank: int) -> str:
        return self.text if self.rank >= rank else f"({self.text})"


def c_expression(expression: isl.AstExpr, names: Names) -> str:
    """C text of an isl expression."""
    return convert(expression, names).text


_LONG = re.compile(r"(?:(?:signed|long|int)\s*)*\blong\b(?:\s*(?:signed|long|int))*")
_INT = re.compile(r"signed|(?:signed )?int")


def of_type(type_: str, value: Text) -> str:
    """A value for a variable of a type, with a cast where a conversion might lose something."""
    constant = value.text.lstrip("-").removesuffix("L").isdigit()
    if constant or _LONG.fullmatch(type_) or (_INT.fullmatch(type_) and not value.wide):
        return value.text
    return f"({type_}){value.inside(8)}"


def negated(value: Text) -> Text:
    """A negated ``long``."""
    if value.text == "0":
        return value
    if re.fullmatch(r"-\d+L?", value.text):
        return Text(value.text[1:], 9, value.wide)
    if found := re.fullmatch(r"(\d+L?) - ([A-Za-z_]\w*)", value.text):
        return Text(f"(long){found[2]} - {found[1].removesuffix('L')}", 5, True)
    if found := re.fullmatch(r"-((?:\(long\))?[A-Za-z_]\w*)", value.text):
        return Text(found[1], 7, True)
    return Text(f"-{value.inside(9)}", 6, True)


def divided(value: Text, size: int) -> Text:
    """A value that is not negative by a positive number, rounded down."""
    if value.text == "0":
        return value
    product = re.fullmatch(r"(\d+)L? \* (\w+)", value.text)
    if product is not None and int(product[1]) % size == 0:
        factor = int(product[1]) // size
        return Text(product[2] if factor == 1 else f"{factor} * {product[2]}", 6, value.wide)
    return Text(f"{value.inside(6)} / {size}", 6, value.wide)


def convert(expression: isl.AstExpr, names: Names) -> Text:
    kind = expression_kind(expression)
    if kind == "int":
        return _number(expression.get_val().to_python())
    if kind == "id":
        name = expression.get_id().get_name()
        plain = Text(_spelled(expression, names), 9, name not in names.narrow)
        return Text(f"(long){plain.text}", 7, True) if name in names.unsigned else plain
    if operation(expression) in _SUMS:
        return _sum(list(_terms(expression, names, 1)), names.strict)
    if operation(expression) in ("pdiv_q", "fdiv_q", "div") and (
        exact := _exact(expression, names)
    ):
        return exact
    arguments = [convert(expression.get_op_arg(i), names) for i in range(expression.get_op_n_arg())]
    return _operation(operation(expression), arguments, names.strict)


def _spelled(expression: isl.AstExpr, names: Names) -> str:
    name = expression.get_id().get_name()
    return names.spelling.get(name, name)


def _number(value: int) -> Text:
    wide = abs(value) > 255
    return Text(f"{value}L" if wide else str(value), 9 if value >= 0 else 6, wide)


def _terms(
    expression: isl.AstExpr, names: Names, factor: int
) -> Iterator[tuple[int, Text | None]]:  # fmt: skip
    """The terms of a sum, each with its factor; None for a constant."""
    kind = expression_kind(expression)
    op = operation(expression) if kind == "op" else ""
    if kind == "int":
        yield factor * expression.get_val().to_python(), None
    elif kind == "id" and (text := _spelled(expression, names)).isdigit():
        yield factor * int(text), None
    elif op in _SUMS:
        signs = (-1,) if op == "minus" else (1, 1 if op == "add" else -1)
        for position, sign in enumerate(signs):
            yield from _terms(expression.get_op_arg(position), names, sign * factor)
    elif op == "mul" and (found := _constant_factor(expression)) is not None:
        yield factor * found[0], convert(found[1], names)
    else:
        yield factor, convert(expression, names)


def _exact(division: isl.AstExpr, names: Names) -> Text | None:
    """A division by a number that divides all factors of a sum."""
    divisor = division.get_op_arg(1)
    if expression_kind(divisor) != "int":
        return None
    by = int(divisor.get_val().to_python())
    terms = list(_terms(division.get_op_arg(0), names, 1))
    if any(factor % by for factor, _ in terms):
        return None
    return _sum([(factor // by, atom) for factor, atom in terms], names.strict)


def _constant_factor(product: isl.AstExpr) -> tuple[int, isl.AstExpr] | None:
    """The number and the other operand of a product that has a number."""
    for position in (0, 1):
        value, other = product.get_op_arg(position), product.get_op_arg(1 - position)
        if expression_kind(value) == "int":
            return int(value.get_val().to_python()), other
    return None


def _sum(terms: list[tuple[int, Text | None]], strict: bool) -> Text:
    """A sum of which no term is there twice, with what is subtracted after what is added."""
    constant = sum(factor for factor, atom in terms if atom is None)
    factors: dict[Text, int] = {}
    for factor, atom in terms:
        if atom is not None:
            factors[atom] = factors.get(atom, 0) + factor
    added = [_times(f, atom) for atom, f in factors.items() if f > 0]
    less = [_times(-f, atom) for atom, f in factors.items() if f < 0]
    if not added and (constant > 0 or not less):
        added, constant = [_number(constant)], 0
    if not added:
        first = _widen(less.pop(0))
        added.append(Text(f"-{first.inside(6)}", 6, True))
    result = added[0]
    for term in added[1:]:
        result = _binary("+", result, term, strict)
    for term in less:
        result = _binary("-", result, term, strict)
    if constant:
        symbol = "+" if constant > 0 else "-"
        result = _binary(symbol, result, _number(abs(constant)), strict)
    return result


def _times(factor: int, atom: Text) -> Text:
    return atom if factor == 1 else _binary("*", _number(factor), atom, False)


def _operation(op: str, arguments: list[Text], strict: bool) -> Text:
    if op in _BINARY:
        left, right = arguments
        return _binary(_BINARY[op], left, right, strict)
    if op in ("max", "min"):
        return _extreme(">" if op == "max" else "<", arguments)
    if op in ("cond", "select"):
        condition, then, otherwise = (a.inside(1) for a in arguments)
        wide = arguments[1].wide or arguments[2].wide
        return Text(f"({condition} ? {then} : {otherwise})", 9, wide)
    numerator, divisor = _widen(arguments[0]), arguments[1]
    if op in ("pdiv_q", "div"):
        return Text(f"{numerator.inside(6)} / {shorter(divisor).inside(7)}", 6, True)
    if op in ("pdiv_r", "zdiv_r"):
        return Text(f"{numerator.inside(6)} % {shorter(divisor).inside(7)}", 6, True)
    if op == "fdiv_q":
        return _floor(numerator, divisor)
    raise ValueError(f"isl operation {op} has no C form")


def _binary(symbol: str, left: Text, right: Text, strict: bool) -> Text:
    rank = _RANK[symbol]
    compared = rank in (3, 4)
    if compared or (left.wide and not _LITERAL.fullmatch(left.text)):
        right = shorter(right)
    if compared or (right.wide and not _LITERAL.fullmatch(right.text)):
        left = shorter(left)
    if symbol in ("+", "-", "*"):
        near = symbol == "-" and _is_small(right) and not strict
        if not (left.wide or right.wide or near):
            left = _widen(left)
        wide = left.wide or right.wide
        if symbol == "+" and right.text.startswith("-") and right.rank >= 5:
            return Text(f"{left.inside(5)} - {right.text[1:]}", 5, wide)
        return Text(
            f"{left.inside(rank)} {symbol} {right.inside(rank + (symbol != '+'))}", rank, wide
        )
    if symbol == "||":  # compilers warn of `a && b || c`
        left, right = (Text(t.inside(3), 9, True) if t.rank == 2 else t for t in (left, right))
    return Text(f"{left.inside(rank)} {symbol} {right.inside(rank + 1)}", rank, True)


def shorter(value: Text) -> Text:
    """A literal without its suffix, where the other operand is a ``long`` already."""
    found = _LITERAL.fullmatch(value.text)
    if found is None or int(found[1]) > _INT_MAX:
        return value
    return Text(found[1], value.rank, value.wide)


def _is_small(value: Text) -> bool:
    """A literal so small that a loop's bound less it stays within the bound's type."""
    digits = value.text.lstrip("-")
    return digits.isdigit() and int(digits) <= 2


def _widen(value: Text) -> Text:
    if value.wide:
        return value
    if value.text.lstrip("-").isdigit():
        return Text(f"{value.text}L", value.rank, True)
    return Text(f"(long){value.inside(8)}", 7, True)


def _extreme(symbol: str, arguments: list[Text]) -> Text:
    result = arguments[0]
    for other in arguments[1:]:
        left, right = (t.inside(5) for t in (result, other))
        wide = result.wide or other.wide
        result = Text(f"({left} {symbol} {right} ? {left} : {right})", 9, wide)
    return result


def _floor(numerator: Text, divisor: Text) -> Text:
    """Division rounded down; C rounds towards zero."""
    n, d = numerator.inside(6), shorter(divisor).inside(7)
    below = f"-((-{numerator.inside(7)} + {d} - 1) / {d})"
    return Text(f"({numerator.text} < 0 ? {below} : {n} / {d})", 9, True)
