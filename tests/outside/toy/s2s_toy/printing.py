"""A nest as a Python function: tensors are mappings from subscripts to integers."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from s2s.scop.expressions import (
    Binary,
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
from s2s.scop.nest import (
    Allocate,
    Block,
    Check,
    Define,
    For,
    Hoist,
    If,
    Nest,
    Node,
    Produce,
    Store,
    Tensor,
)
from s2s.source import Span

_HELPERS = """\
def wrap(value, signed, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def div(a, b):
    return 0 if b == 0 else a // b if b > 0 else -(a // -b)


def mod(a, b):
    return 0 if b == 0 else a % abs(b)


def shl(a, b):
    return a << b if b >= 0 else a >> -b


def shr(a, b):
    return shl(a, -b)


"""
_INFIX = {
    "add": "+", "sub": "-", "mul": "*", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">",
    "ge": ">=", "and": "and", "or": "or", "band": "&", "bor": "|", "bxor": "^",
}  # fmt: skip


class Unprintable(Exception):
    """What has no form in this target, and where in the source if that is known."""

    def __init__(self, reason: str, at: Span | None = None) -> None:
        super().__init__(reason)
        self.at = at


def print_nest(nest: Nest, indent: int) -> str:
    """The text of a module: TENSORS says name, type and whether it is written, ENTRY the function.

    Raises Unprintable.
    """
    printer = _Printer(" " * indent)
    tensors = []
    for argument in nest.arguments:
        if argument.tensor is None:
            raise Unprintable(f"how large is '{argument.name}'? --size gives it")
        printer.own(argument.tensor)
        tensors.append(f"    ({argument.name!r}, {str(argument.type)!r}, {argument.output}),\n")
    name = printer.name(nest.name)
    parameters = ", ".join(printer.name(a.name) for a in nest.arguments)
    body = "".join(f"{line}\n" for line in printer.lines(nest.body, 1))
    return (
        f'"""{nest.name}: tensors are mappings from subscripts, innermost first, to integers."""\n'
        f"\nTENSORS = [\n{''.join(tensors)}]\n\n\n{_HELPERS}"
        f"def {name}({parameters}):\n{body}\n\nENTRY = {name}\n"
    )


class _Printer:
    def __init__(self, indent: str) -> None:
        self._indent = indent
        self._names: dict[str, str] = {}

    def name(self, name: str) -> str:
        """The identifier for a name of the nest, always the same one."""
        if name not in self._names:
            word = re.sub(r"\W", "_", name)
            taken = {*self._names.values(), "wrap", "div", "mod", "shl", "shr", "min", "max"}
            while keyword.iskeyword(word) or word in taken:
                word += "_"
            self._names[name] = word
        return self._names[name]

    def own(self, tensor: Tensor) -> None:
        if len(tensor.types) != 1 or not tensor.types[0].is_integer:
            raise Unprintable(f"'{tensor.name}' has other elements than integers")
        self.name(tensor.name)

    def lines(self, node: Node, depth: int) -> Iterator[str]:
        """The statements of a node."""
        start = self._indent * depth
        match node:
            case Block(children):
                yield from (line for child in children for line in self.lines(child, depth))
                if not children:
                    yield f"{start}pass"
            case For():
                low, count = self.text(node.minimum), self.text(node.extent)
                yield f"{start}for {self.name(node.name)} in range({low}, {low} + {count}):"
                yield from self.lines(node.body, depth + 1)
            case Allocate():
                self.own(node.tensor)
                yield f"{start}{self.name(node.tensor.name)} = {{}}"
                yield from self.lines(node.body, depth)
            case Produce() | Hoist():
                yield from self.lines(node.body, depth)
            case If():
                yield f"{start}if {self.text(node.condition)}:"
                yield from self.lines(node.then, depth + 1)
                if node.otherwise is not None:
                    yield f"{start}else:"
                    yield from self.lines(node.otherwise, depth + 1)
            case Define():
                yield f"{start}{self.name(node.name)} = {self.text(node.value)}"
                yield from self.lines(node.body, depth)
            case Check():
                yield f"{start}assert {self.text(node.condition)}, {node.message!r}"
            case Store():
                yield from self._store(node, depth)

    def _store(self, store: Store, depth: int) -> Iterator[str]:
        try:
            (value,) = store.values
            place = self._place(store.tensor, store.subscripts)
            if store.predicate is not None:
                yield f"{self._indent * depth}if {self.text(store.predicate)}:"
                depth += 1
            yield f"{self._indent * depth}{place} = {self.text(value)}"
        except Unprintable as error:
            raise Unprintable(str(error), store.at) from None

    def _place(self, tensor: str, subscripts: tuple[Expr, ...]) -> str:
        inside = "".join(f"{self.text(s)}, " for s in subscripts)
        return f"{self.name(tensor)}[({inside.rstrip()})]" if inside else f"{self.name(tensor)}[()]"

    def text(self, expr: Expr) -> str:
        """An expression with the meaning that the nest's has."""
        if not expr.type.is_integer:
            raise Unprintable(f"a value of type {expr.type}")
        match expr:
            case Const():
                return str(int(expr.value))
            case Variable() if expr.name in self._names:
                return self._names[expr.name]
            case Variable():
                raise Unprintable(f"how large is '{expr.name}'? --size gives it")
            case Cast():
                return _wrapped(self.text(expr.value), expr.type)
            case Binary():
                return self._binary(expr)
            case Unary():
                word = "not " if expr.op == "not" else "~"
                return _if_wrapping(f"({word}{self.text(expr.value)})", expr.type)
            case Select():
                then, otherwise = self.text(expr.then), self.text(expr.otherwise)
                return f"({then} if {self.text(expr.condition)} else {otherwise})"
            case Load():
                return self._place(expr.tensor, expr.subscripts)
            case Let():
                value = self.text(expr.value)
                name = self.name(expr.name)
                return f"(lambda {name}: {self.text(expr.body)})({value})"
        raise Unprintable(f"a {type(expr).__name__.lower()}")

    def _binary(self, expr: Binary) -> str:
        left, right = self.text(expr.left), self.text(expr.right)
        if expr.op in _INFIX:
            return _if_wrapping(f"({left} {_INFIX[expr.op]} {right})", expr.type)
        return _if_wrapping(f"{expr.op}({left}, {right})", expr.type)


def _if_wrapping(text: str, type_: Type) -> str:
    return _wrapped(text, type_) if type_.wraps and type_.bits > 1 else text


def _wrapped(text: str, type_: Type) -> str:
    if type_.bits == 1:
        return f"({text} != 0)"
    return f"wrap({text}, {type_.code == 'int'}, {type_.bits})"
