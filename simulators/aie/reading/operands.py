"""What every part of reading expressions needs: values of nodes, and errors about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie.preprocess import error, unquote_name
from s2s.simulators.aie.reading.builder import Builder
from s2s.simulators.aie.reading.declarations import Declarations
from s2s.simulators.aie.reading.kinds import (
    Members,
    Registers,
    Result,
    Scope,
    Variable,
)
from s2s.simulators.aie.values import (
    Constant,
    Operand,
    PointerType,
    ScalarType,
    Value,
)
from s2s.source.diagnostics import UserError

Node = Any


class NotConstant(UserError):
    """What has to be a constant is none, unless a loop around it is unrolled."""


class Operands:
    """Lowers expressions in the present scope; subclasses have a method for each kind of node."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.builder = Builder()
        self.scope = Scope()
        self.declarations = Declarations(self.fail, self.constant)

    def fail(self, node: Node, text: str) -> UserError:
        """The error to raise about a node."""
        place = getattr(node, "coord", None)
        line = place.line if place else self.builder.line
        path = unquote_name(place.file) if place and place.file else self.path
        return error(text, path, line or 1)

    def not_constant(self, node: Node, text: str) -> NotConstant:
        """The error to raise where only unrolling can help."""
        return NotConstant(*self.fail(node, text).diagnostics)

    def count(self, node: Node, name: str, arguments: Sequence[Any], *counts: int) -> None:
        """Raises UserError where a call has another number of arguments than one of these."""
        if len(arguments) not in counts:
            wanted = " or ".join(map(str, counts))
            raise self.fail(node, f"'{name}' takes {wanted} arguments, not {len(arguments)}")

    def constant(self, node: Node) -> int:
        """An expression that has to be a constant. Raises UserError."""
        found = self.rvalue(node).content
        if not isinstance(found, Constant):
            raise self.not_constant(node, "this has to be a constant")
        return int(found.value)

    def rvalue(self, node: Node) -> Result:
        """The value of an expression; an array's is its address."""
        name = type(node).__name__
        method = getattr(self, f"_{name.lower()}", None)
        if method is None:
            raise self.fail(node, f"this expression is not understood ({name})")
        outer = self.builder.line
        if getattr(node, "coord", None):
            self.builder.line = node.coord.line
        result: Result = method(node)
        self.builder.line = outer
        return result

    def operand(self, node: Node) -> Operand:
        """The value of an expression that is a scalar or a register."""
        return self.solid(node, self.rvalue(node))

    def solid(self, node: Node, result: Result) -> Operand:
        content = result.content
        if content is None or isinstance(content, Variable | Registers | Members):
            raise self.fail(node, "a value is needed here")
        return self.builder.solid(content)

    def vector(self, node: Node) -> Value:
        """The value of an expression that is a vector or an accumulator."""
        found = self.operand(node)
        if not isinstance(found, Value) or isinstance(found.type, ScalarType | PointerType):
            raise self.fail(node, "a vector is needed here")
        return found
