"""C's integer expressions as Python text: their value, or between what their values are.

A text is of Python's operators over names that the caller gives to C's variables. What has no
value here (pointers, floating point, unknown names) raises ``NoValue``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count

from s2s.frontends.c.syntax import Node
from s2s.source.records import dataclass

_THREAD_COUNTS = frozenset({"omp_get_max_threads", "omp_get_num_procs", "omp_get_num_threads"})
_CASTS = frozenset({"IMPLICIT_CAST", "CSTYLE_CAST_EXPR"})
_COMPARED = frozenset({"<", "<=", ">", ">=", "==", "!="})
# Beyond every value that a program computes.
FAR = 1 << 60


class NoValue(Exception):
    """An expression is not one of integers that are known."""


@dataclass(frozen=True)
class Variable:
    """What a C variable is in Python: one name, or one for its least and one for its largest."""

    low: str
    high: str

    @property
    def single(self) -> bool:
        return self.low == self.high


Scope = Mapping[str, Variable | None]


@dataclass(frozen=True)
class Arithmetic:
    """Translates expressions; ``text`` gives the C text of a node, ``known`` fixed values by it."""

    text: Callable[[Node], str]
    known: Mapping[str, str]
    addresses: bool = False
    """Whether what an address leaves when divided has a value: any, another one each time."""

    def value(self, node: Node, scope: Scope) -> str:
        """Python text for the value. Raises NoValue."""
        if node.value is not None and node.kind != "DECL_REF_EXPR":
            return f"({node.value})"
        spelled = node.name if node.kind == "DECL_REF_EXPR" else self.text(node)
        variable = scope.get(spelled)
        if variable is not None and variable.single:
            return variable.low
        if spelled in self.known and spelled not in scope:
            return self.known[spelled]
        if node.kind in _CASTS and node.type.kind == "int":
            return self.value(node.children[-1], scope)
        if node.kind == "CALL_EXPR" and node.name in _THREAD_COUNTS:
            return self.known["omp_get_max_threads()"]
        if node.kind == "UNARY_OPERATOR" and node.op in ("-", "+", "!"):
            operand = self.value(node.children[0], scope)
            return f"(not {operand})" if node.op == "!" else f"({node.op}{operand})"
        if node.kind == "CONDITIONAL_OPERATOR":
            condition, then, other = (self.value(c, scope) for c in node.children)
            return f"({then} if {condition} else {other})"
        if self.addresses and (places := places_of_address(node)):
            return f"any_below({places})"
        if node.kind == "BINARY_OPERATOR":
            return _binary(node.op, *(self.value(c, scope) for c in node.children))
        raise NoValue(f"'{spelled}' has no value")

    def extreme(self, node: Node) -> tuple[str, Node, Node] | None:
        """``min`` or ``max`` and its operands, where a conditional expression is one."""
        if node.kind != "CONDITIONAL_OPERATOR":
            return None
        condition, then, other = node.children
        if condition.kind != "BINARY_OPERATOR" or condition.op not in ("<", "<=", ">", ">="):
            return None
        sides = [self._plain(side) for side in condition.children]
        ends = [self._plain(then), self._plain(other)]
        if sides == ends:
            return ("min" if condition.op[0] == "<" else "max"), then, other
        if sides == ends[::-1]:
            return ("max" if condition.op[0] == "<" else "min"), then, other
        return None

    def _plain(self, node: Node) -> str:
        return "".join(self.text(node.uncast).split())


def places_of_address(node: Node) -> int:
    """The divisor, if an expression is the remainder of something made of an address; else 0."""
    if node.kind != "BINARY_OPERATOR" or node.op != "%":
        return 0
    dividend, divisor = node.children
    made = any(n.kind == "UNARY_OPERATOR" and n.op == "&" for n in dividend.walk())
    return divisor.uncast.value or 0 if made else 0


_places = count()


def any_below(number: int) -> int:
    """One of the numbers below another one, each time the next."""
    return next(_places) % number


def _binary(op: str, left: str, right: str) -> str:
    if op in ("+", "-", "*") or op in _COMPARED:
        return f"({left} {op} {right})"
    if op in ("&&", "||"):
        return f"({left} {'and' if op == '&&' else 'or'} {right})"
    if op == "/":
        return f"quotient({left}, {right})"
    if op == "%":
        return f"remainder({left}, {right})"
    raise NoValue(f"'{op}' of integers")


def quotient(a: int, b: int) -> int:
    """C's division, which rounds towards zero."""
    return a // b if (a >= 0) == (b > 0) else -(-a // b)


def remainder(a: int, b: int) -> int:
    return a - quotient(a, b) * b


@dataclass
class Ranges:
    """Writes statements that compute between what values an expression is, into ``lines``."""

    arithmetic: Arithmetic
    lines: list[str]
    count: int = 0

    def range(self, node: Node, scope: Scope) -> tuple[str, str]:
        """Names or constants of the least and the largest value. Raises NoValue."""
        try:
            value = self.arithmetic.value(node, scope)
            return value, value
        except NoValue:
            pass
        variable = scope.get(node.name) if node.kind == "DECL_REF_EXPR" else None
        if variable is not None:
            return variable.low, variable.high
        extreme = self.arithmetic.extreme(node)
        if extreme is not None:
            kind, *sides = extreme
            (al, ah), (bl, bh) = (self.range(side, scope) for side in sides)
            return self._kept(f"{kind}({al}, {bl}), {kind}({ah}, {bh})")
        if places := places_of_address(node):
            return "0", str(places - 1)
        if node.kind in _CASTS and node.type.kind == "int":
            return self.range(node.children[-1], scope)
        return self._operation(node, [self.range(c, scope) for c in node.children])

    def _operation(self, node: Node, ends: list[tuple[str, str]]) -> tuple[str, str]:
        if node.kind == "UNARY_OPERATOR" and node.op in ("-", "!") and len(ends) == 1:
            ((low, high),) = ends
            sign = "-" if node.op == "-" else "not "
            return self._kept(f"{sign}{high}, {sign}{low}")
        if node.kind == "CONDITIONAL_OPERATOR":
            (cl, ch), (al, ah), (bl, bh) = ends
            both = f"(min({al}, {bl}), max({ah}, {bh}))"
            return self._kept(f"({al}, {ah}) if {cl} else {both} if {ch} else ({bl}, {bh})")
        if node.kind == "BINARY_OPERATOR" and len(ends) == 2:
            return self._binary(node.op, *ends)
        raise NoValue("not an expression of integers")

    def _binary(self, op: str, a: tuple[str, str], b: tuple[str, str]) -> tuple[str, str]:
        (al, ah), (bl, bh) = a, b
        pairs = {
            "+": f"{al} + {bl}, {ah} + {bh}",
            "-": f"{al} - {bh}, {ah} - {bl}",
            "<": f"{ah} < {bl}, {al} < {bh}",
            "<=": f"{ah} <= {bl}, {al} <= {bh}",
            ">": f"{al} > {bh}, {ah} > {bl}",
            ">=": f"{al} >= {bh}, {ah} >= {bl}",
            "==": f"{al} == {ah} == {bl} == {bh}, {al} <= {bh} and {bl} <= {ah}",
            "!=": f"{ah} < {bl} or {bh} < {al}, not ({al} == {ah} == {bl} == {bh})",
            "&&": f"{al} and {bl}, {ah} and {bh}",
            "||": f"{al} or {bl}, {ah} or {bh}",
        }
        if op in pairs:
            return self._kept(pairs[op])
        if op in ("*", "/", "%"):
            function = {"*": "products", "/": "quotients", "%": "remainders"}[op]
            return self._kept(f"{function}({al}, {ah}, {bl}, {bh})")
        raise NoValue(f"'{op}' of integers")

    def _kept(self, pair: str) -> tuple[str, str]:
        self.count += 1
        low, high = f"l{self.count}", f"h{self.count}"
        self.lines.append(f"{low}, {high} = {pair}")
        return low, high


def products(al: int, ah: int, bl: int, bh: int) -> tuple[int, int]:
    """Between what ``a * b`` is."""
    ends = (al * bl, al * bh, ah * bl, ah * bh)
    return min(ends), max(ends)


def quotients(al: int, ah: int, bl: int, bh: int) -> tuple[int, int]:
    """Between what ``a / b`` is; where ``b`` may be zero, anything."""
    if bl <= 0 <= bh:
        return -FAR, FAR
    ends = [quotient(a, b) for a in (al, ah) for b in (bl, bh)]
    return min(ends), max(ends)


def remainders(al: int, ah: int, bl: int, bh: int) -> tuple[int, int]:
    """Between what ``a % b`` is."""
    if al == ah and bl == bh and bl:
        return remainder(al, bl), remainder(al, bl)
    most = max(abs(bl), abs(bh))
    return (0 if al >= 0 else -most), (0 if ah <= 0 else most)


FUNCTIONS: dict[str, Callable[..., object]] = {
    f.__name__: f for f in (quotient, remainder, products, quotients, remainders, any_below)
}
