"""Subscripts and conditions of memory files, written as isl writes affine expressions.

Variables are loops' names; ``floor(e/n)``, ``e / n`` and ``e % n`` round down. An ``Element`` is a
subscript that lies in a buffer (a dynamic load or store).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from s2s.source.records import dataclass


@dataclass(frozen=True)
class Number:
    """A constant."""

    value: int


@dataclass(frozen=True)
class Name:
    """A loop's variable."""

    name: str


@dataclass(frozen=True)
class Binary:
    """``op`` is ``+ - * / % min max`` of integers; ``< <= > >= = !=`` and ``and or`` of conditions.

    Division rounds down, the remainder of a positive number is never negative.
    """

    op: str
    left: Index
    right: Index


@dataclass(frozen=True)
class Element:
    """What is stored in an element of a buffer, subscripts outermost dimension first."""

    buffer: str
    subscripts: tuple[Index, ...]


Index = Number | Name | Binary | Element

_WORD = re.compile(r"\s*(\d+|[A-Za-z_$][\w$.]*|<=|>=|==|!=|&&|\|\||[-+*/%()<>=,!])")
_FUNCTIONS = {"floor": "", "floord": "/", "mod": "%", "min": "min", "max": "max"}
_COMPARISONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "=", "==": "=", "!=": "!="}


class _Reader:
    """One text; errors are ValueError."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[str] = []
        at = 0
        while text[at:].strip():
            match = _WORD.match(text, at)
            if match is None:
                raise ValueError(f"'{text}' is no subscript")
            self.words.append(match[1])
            at = match.end()
        self.at = 0

    def peek(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else ""

    def take(self, *words: str) -> str:
        found = self.peek()
        if not found or (words and found not in words):
            raise ValueError(f"'{self.text}' is no subscript")
        self.at += 1
        return found

    def either(self) -> Index:
        found = self.both()
        while self.peek() in ("or", "||"):
            self.take()
            found = Binary("or", found, self.both())
        return found

    def both(self) -> Index:
        found = self.comparison()
        while self.peek() in ("and", "&&"):
            self.take()
            found = Binary("and", found, self.comparison())
        return found

    def comparison(self) -> Index:
        """A chain: ``2 <= c < 7`` is both of its parts."""
        left, found = self.sum(), None
        while self.peek() in _COMPARISONS:
            op = _COMPARISONS[self.take()]
            right = self.sum()
            one = Binary(op, left, right)
            found, left = (one if found is None else Binary("and", found, one)), right
        return left if found is None else found

    def sum(self) -> Index:
        found = self.product()
        while self.peek() in ("+", "-"):
            found = Binary(self.take(), found, self.product())
        return found

    def product(self) -> Index:
        found = self.signed()
        while True:
            if self.peek() in ("*", "/", "%"):
                found = Binary(self.take(), found, self.signed())
            elif self.peek() == "mod":
                self.take()
                found = Binary("%", found, self.signed())
            elif (
                isinstance(found, Number)
                and re.match(r"[A-Za-z_$(]", self.peek())
                and (self.peek() not in ("and", "or"))
            ):
                found = Binary("*", found, self.signed())  # isl's "2x"
            else:
                return found

    def signed(self) -> Index:
        if self.peek() == "+":
            self.take()
        if self.peek() == "-":
            self.take()
            inner = self.signed()
            return Number(-inner.value) if isinstance(inner, Number) else negative(inner)
        return self.atom()

    def atom(self) -> Index:
        word = self.take()
        if word.isdigit():
            return Number(int(word))
        if word == "(":
            found = self.either()
            self.take(")")
            return found
        if word in _FUNCTIONS and self.peek() == "(":
            return self.function(word)
        if word[0].isalpha() or word[0] in "_$":
            if self.peek() == "(":
                raise ValueError(f"'{word}(...)' in '{self.text}' is no affine expression")
            return Name(word)
        raise ValueError(f"'{self.text}' is no subscript")

    def function(self, word: str) -> Index:
        self.take("(")
        found = self.sum()
        while word != "floor" and self.peek() == ",":
            self.take(",")
            found = Binary(_FUNCTIONS[word], found, self.sum())
        self.take(")")
        return found


def negative(index: Index) -> Index:
    return Binary("-", Number(0), index)


def read_subscripts(text: str) -> tuple[Index, ...]:
    """The subscripts of a text, separated by commas. Raises ValueError."""
    reader = _Reader(text)
    found = [reader.sum()]
    while reader.peek() == ",":
        reader.take()
        found.append(reader.sum())
    if reader.peek():
        raise ValueError(f"'{text}' is no subscript")
    return tuple(found)


def read_condition(text: str) -> Index | None:
    """A condition; None for an empty text, which always holds. Raises ValueError."""
    if not text.strip():
        return None
    reader = _Reader(text)
    found = reader.either()
    if reader.peek() or not _is_condition(found):
        raise ValueError(f"'{text}' is no condition")
    return found


def _is_condition(index: Index) -> bool:
    return isinstance(index, Binary) and index.op in (*_COMPARISONS.values(), "and", "or")


def walk(index: Index) -> Iterator[Index]:
    """All parts of a subscript."""
    yield index
    inner: Sequence[Index] = ()
    if isinstance(index, Binary):
        inner = (index.left, index.right)
    elif isinstance(index, Element):
        inner = index.subscripts
    for part in inner:
        yield from walk(part)


def names(index: Index) -> frozenset[str]:
    """The variables of a subscript."""
    return frozenset(part.name for part in walk(index) if isinstance(part, Name))


def shown(index: Index) -> str:
    """A subscript as a text of its own."""
    match index:
        case Number(value):
            return str(value)
        case Name(name):
            return name
        case Element(buffer, subscripts):
            return f"{buffer}[{', '.join(map(shown, subscripts))}]"
        case Binary("-", Number(0), right):
            return f"-{shown(right)}"
        case Binary("/", left, right):
            return f"floor({shown(left)}/{shown(right)})"
        case Binary("min" | "max" as op, left, right):
            return f"{op}({shown(left)}, {shown(right)})"
        case Binary(op, left, right):
            return f"({shown(left)} {op} {shown(right)})"


Range = tuple[int, int]


def range_of(index: Index, within: Mapping[str, Range]) -> Range | None:
    """The least and the greatest value, each variable taken by itself; None where it lies in a
    buffer. Raises ValueError for what is not affine and for unknown variables.
    """
    match index:
        case Number(value):
            return value, value
        case Name(name):
            if name not in within:
                raise ValueError(f"no loop around has the variable '{name}'")
            return within[name]
        case Element():
            return None
        case Binary(op, left, right):
            a, b = range_of(left, within), range_of(right, within)
            return None if a is None or b is None else _combined(op, a, b, index)


def _combined(op: str, a: Range, b: Range, index: Index) -> Range:
    constant = a[0] == a[1] or b[0] == b[1]
    match op:
        case "+":
            return a[0] + b[0], a[1] + b[1]
        case "-":
            return a[0] - b[1], a[1] - b[0]
        case "*" if constant:
            products = [x * y for x in a for y in b]
            return min(products), max(products)
        case "min" | "max":
            choose = min if op == "min" else max
            return choose(a[0], b[0]), choose(a[1], b[1])
        case "/" if b[0] == b[1] > 0:
            return a[0] // b[0], a[1] // b[0]
        case "%" if b[0] == b[1] > 0:
            same = a[0] // b[0] == a[1] // b[0]
            return (a[0] % b[0], a[1] % b[0]) if same else (0, b[0] - 1)
    raise ValueError(f"'{shown(index)}' is no affine expression")


def value_of(index: Index, values: Mapping[str, int]) -> int:
    """The value of an affine subscript, or 0 and 1 for a condition."""
    match index:
        case Number(value):
            return value
        case Name(name):
            return values[name]
        case Binary(op, left, right):
            return _computed(op, value_of(left, values), value_of(right, values))
    raise ValueError(f"'{shown(index)}' lies in a buffer")


def _computed(op: str, a: int, b: int) -> int:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return a // b
        case "%":
            return a % b
        case "min" | "max":
            return min(a, b) if op == "min" else max(a, b)
        case "and":
            return int(bool(a) and bool(b))
        case "or":
            return int(bool(a) or bool(b))
    return int({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "=": a == b, "!=": a != b}[op])


def linear(index: Index) -> dict[str, int] | None:
    """Coefficients by variable, "" the constant's; None for an expression that is not affine."""
    match index:
        case Number(value):
            return {"": value}
        case Name(name):
            return {name: 1}
        case Binary("+" | "-" as op, left, right):
            a, b = linear(left), _scaled(linear(right), 1 if op == "+" else -1)
            if a is None or b is None:
                return None
            return {name: a.get(name, 0) + b.get(name, 0) for name in {**a, **b}}
        case Binary("*", left, right):
            factors = linear(left), linear(right)
            for one, other in (factors, factors[::-1]):
                if one is not None and set(one) <= {""}:
                    return _scaled(other, one.get("", 0))
    return None


def _scaled(form: dict[str, int] | None, by: int) -> dict[str, int] | None:
    return None if form is None else {name: by * value for name, value in form.items()}
