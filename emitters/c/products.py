"""The value of an assignment as a tree, read from its text where that is plain arithmetic.

Only what has to be known for an operand to be copied is understood: sums, differences, products
and quotients of elements, scalars and literals, all of one floating-point type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from s2s.emitters.c.errors import Unprintable
from s2s.scop.nodes import Access, Statement
from s2s.source import Span
from s2s.source.records import dataclass

_SINGLE = re.compile(r"(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?[fF]|\d+[eE][-+]?\d+[fF]")
_DOUBLE = re.compile(r"(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+")
_TOKEN = re.compile(r"\s*(?:([-+*/()])|([\d.][\w.]*(?:(?<=[eE])[-+]\d+\w*)?))")
_RANK = {"+": 1, "-": 1, "*": 2, "/": 2}


@dataclass(frozen=True, eq=False)
class Read:
    """An element or a scalar: an access of the statement."""

    access: Access


@dataclass(frozen=True, eq=False)
class Number:
    """A literal, or a scalar that nothing in the region changes."""

    text: str


@dataclass(frozen=True, eq=False)
class Operation:
    """A binary operation; a sign has no ``left``."""

    op: str
    left: Value | None
    right: Value


Value = Read | Number | Operation


def reads(value: Value) -> Iterator[Access]:
    """The accesses in a value."""
    if isinstance(value, Read):
        yield value.access
    elif isinstance(value, Operation):
        if value.left is not None:
            yield from reads(value.left)
        yield from reads(value.right)


def spell(value: Value, leaf: Callable[[Value], str | None], rank: int = 0) -> str:
    """C text of a value, as it was grouped; ``leaf`` gives texts for whole parts of it."""
    text = leaf(value)
    if text is not None:
        return text
    if isinstance(value, Number):
        return value.text
    assert isinstance(value, Operation), "an element without a text"
    own = _RANK[value.op] if value.left is not None else 3
    right = spell(value.right, leaf, own + 1)
    if value.left is None:
        return f"({value.op}{right})"
    text = f"{spell(value.left, leaf, own)} {value.op} {right}"
    return f"({text})" if own < rank else text


def value_of(statement: Statement, source: Callable[[Span], str]) -> tuple[str, Value]:
    """The operation by which a statement's target is updated, and with what. Raises Unprintable.

    ``t += e``, ``t -= e``, ``t = t + e``, ``t = t - e`` and ``t = e + t``.
    """
    assignment = statement.assignment
    assert assignment is not None
    target = next(a for a in statement.accesses if a.write)
    value = _Reader(statement, source).whole(Span(assignment.operator.end, assignment.end))
    if assignment.operation in ("+", "-"):
        return assignment.operation, value
    if not assignment.operation and isinstance(value, Operation) and value.left is not None:
        if value.op in ("+", "-") and _is(value.left, target):
            return value.op, value.right
        if value.op == "+" and _is(value.right, target):
            return "+", value.left
    raise Unprintable("the statement is no update of a sum")


def _is(value: Value, target: Access) -> bool:
    return (
        isinstance(value, Read)
        and value.access.array == target.array
        and bool(value.access.relation.is_equal(target.relation))
    )


class _Reader:
    """Recursive descent over the text of a statement."""

    def __init__(self, statement: Statement, source: Callable[[Span], str]) -> None:
        self._source = source
        self._elements = {p.start: (p.end, a) for a in statement.accesses for p in a.places}
        types = {a.type for a in statement.accesses}
        self._constants = {s.start: s.end for s, type_ in statement.constants if type_ in types}
        self._literal = _SINGLE if types == {"float"} else _DOUBLE
        self._at = self._end = 0

    def whole(self, span: Span) -> Value:
        self._at, self._end = span.start, span.end
        found = self._sum()
        if self._next()[0]:
            raise Unprintable("a value is not plain arithmetic")
        return found

    def _text(self, start: int) -> str:
        return self._source(Span(start, self._end))

    def _next(self) -> tuple[str, int]:
        """The operator or parenthesis that comes next, and where it ends; "" at the end."""
        self._at += len(self._text(self._at)) - len(self._text(self._at).lstrip())
        if self._at >= self._end:
            return "", self._end
        if self._at in self._elements:
            return "element", self._elements[self._at][0]
        if self._at in self._constants:
            return "constant", self._constants[self._at]
        found = _TOKEN.match(self._text(self._at))
        if found is None:
            raise Unprintable("a value is not plain arithmetic")
        return found[1] or found[2], self._at + found.end()

    def _sum(self) -> Value:
        return self._row(("+", "-"), self._product)

    def _product(self) -> Value:
        return self._row(("*", "/"), self._factor)

    def _row(self, operators: tuple[str, ...], part: Callable[[], Value]) -> Value:
        left = part()
        while True:
            token, end = self._next()
            if token not in operators:
                return left
            self._at = end
            left = Operation(token, left, part())

    def _factor(self) -> Value:
        token, end = self._next()
        start, self._at = self._at, end
        if token == "element":
            return Read(self._elements[start][1])
        if token == "constant":
            return Number(self._source(Span(start, end)))
        if token == "-":
            return Operation("-", None, self._factor())
        if token == "(":
            inner = self._sum()
            closing, self._at = self._next()
            if closing == ")":
                return inner
        elif self._literal.fullmatch(token):
            return Number(token)
        raise Unprintable("a value is not plain arithmetic")
