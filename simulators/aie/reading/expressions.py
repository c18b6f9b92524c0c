"""Expressions of the text to instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie.reading.kinds import (
    COMPARISONS,
    INT,
    ArrayOf,
    Kind,
    Number,
    PointerTo,
    Result,
    bytes_of,
)
from s2s.simulators.aie.reading.lanes import lane_by_lane
from s2s.simulators.aie.reading.targets import Targets
from s2s.simulators.aie.values import (
    DOUBLE,
    FLOAT,
    AccumulatorType,
    Constant,
    Operand,
    ScalarType,
    VectorType,
)

Node = Any


class Expressions(Targets):
    """Lowers operators and calls; ``call`` is filled in by a subclass."""

    def _constant(self, node: Node) -> Result:
        text = node.value.lower()
        if node.type == "char":
            return Result(INT, Constant(ord(node.value.strip("'")[-1])))
        if "float" in node.type or "double" in node.type:
            kind = FLOAT if text.endswith("f") and "0x" not in text else DOUBLE
            number = float(text.rstrip("fl"))
            return Result(kind, self.builder.scalar("cast", kind, Constant(number, DOUBLE)))
        if "int" not in node.type:
            raise self.fail(node, f"a constant of type {node.type} is not understood")
        digits = text.rstrip("ul").replace("'", "")
        octal = len(digits) > 1 and digits[0] == "0" and digits[1] in "01234567"
        number = int(digits, 8 if octal else 0)
        wide = number >> 32 != 0 or "ll" in text
        signed = "u" not in text and number >> (63 if wide else 31) == 0
        kind = ScalarType(64 if wide else 32, signed)
        return Result(kind, Constant(number, kind))

    def _id(self, node: Node) -> Result:
        found = self.scope.find(node.name)
        if found is None:
            raise self.fail(node, f"'{node.name}' is not declared")
        if isinstance(found, Number):
            return Result(INT, found.value)
        if isinstance(found, Result):
            return found
        return self.bound(found)

    def _unaryop(self, node: Node) -> Result:
        if node.op in ("p++", "p--", "++", "--"):
            return self._stepped(node)
        if node.op == "*":
            return self.loaded(self.target(node))
        if node.op == "&":
            return self._address_of(node.expr)
        if node.op == "sizeof":
            return Result(ScalarType(32, False), Constant(self._size(node.expr)))
        value = self.rvalue(node.expr)
        content = self.solid(node, value)
        kind = self._promoted(node, value.kind)
        if node.op == "+":
            return Result(kind, content)
        operation = {"-": "neg", "~": "~", "!": "!"}.get(node.op)
        if operation is None:
            raise self.fail(node, f"operator '{node.op}' is not understood")
        result = INT if node.op == "!" else kind
        return Result(result, self.builder.scalar(operation, result, content))

    def _size(self, node: Node) -> int:
        if type(node).__name__ == "Typename":
            kind = self.declarations.kind(node, self.scope)
        else:
            binding = self.scope.find(node.name) if type(node).__name__ == "ID" else None
            kind = getattr(binding, "kind", None) or self.rvalue(node).kind
        return bytes_of(kind) if kind else 0

    def _stepped(self, node: Node) -> Result:
        target = self.target(node.expr)
        old = self.loaded(target)
        step = Result(INT, Constant(1))
        new = self.combined(node, "+" if "+" in node.op else "-", old, step)
        self.store(node, target, new)
        return old if node.op.startswith("p") else new

    def _binaryop(self, node: Node) -> Result:
        left = self.rvalue(node.left)
        if node.op in ("&&", "||"):
            return self._logical(node, left)
        return self.combined(node, node.op, left, self.rvalue(node.right))

    def _logical(self, node: Node, left: Result) -> Result:
        """Both sides are evaluated: an operand with effects would be refused as an expression."""
        first = self.builder.scalar("!=", INT, self.solid(node, left), Constant(0))
        if isinstance(first, Constant) and bool(first.value) == (node.op == "||"):
            return Result(INT, first)
        right = self.operand(node.right)
        second = self.builder.scalar("!=", INT, right, Constant(0))
        operation = "&" if node.op == "&&" else "|"
        return Result(INT, self.builder.scalar(operation, INT, first, second))

    def combined(self, node: Node, op: str, left: Result, right: Result) -> Result:
        """``left op right`` on numbers or pointers."""
        if isinstance(left.kind, PointerTo | ArrayOf) or isinstance(
            right.kind, PointerTo | ArrayOf
        ):
            return self._with_pointers(node, op, left, right)
        if op in ("+", "-") and isinstance(left.kind, VectorType | AccumulatorType):
            return lane_by_lane(self, node, op, left, right)
        kind = self._common(node, left.kind, right.kind)
        if op in ("<<", ">>"):
            kind = self._promoted(node, left.kind)
        if kind.is_float:
            left, right = (self.converted(node, one, kind) for one in (left, right))
        first, second = self.solid(node, left), self.solid(node, right)
        if op in COMPARISONS:
            return Result(INT, self.builder.scalar(op, INT, first, second))
        if kind.is_float and op not in ("+", "-", "*", "/"):
            raise self.fail(node, f"no '{op}' of floats")
        return Result(kind, self.builder.scalar(op, kind, first, second))

    def _ternaryop(self, node: Node) -> Result:
        condition = self.operand(node.cond)
        if isinstance(condition, Constant):
            return self.rvalue(node.iftrue if condition.value else node.iffalse)
        if _has_effects(node.iftrue) or _has_effects(node.iffalse):
            return self.either(node, condition)
        then, otherwise = self.rvalue(node.iftrue), self.rvalue(node.iffalse)
        if isinstance(then.kind, ScalarType):
            kind: Kind = self._common(node, then.kind, otherwise.kind)
        else:
            kind = then.kind
        if not isinstance(kind, ScalarType):
            return self.either(node, condition)
        values = [self.solid(node, self.converted(node, one, kind)) for one in (then, otherwise)]
        return Result(kind, self.builder.scalar("select", kind, condition, *values))

    def either(self, node: Node, condition: Operand) -> Result:
        """A choice of which one side is evaluated; filled in by a subclass."""
        raise NotImplementedError

    def _assignment(self, node: Node) -> Result:
        value = self.rvalue(node.rvalue)
        changed = self.complex_variable(node.lvalue)
        if changed is not None:
            if node.op != "=":
                value = self.combined(node, node.op[:-1], self.rvalue(node.lvalue), value)
            return self.set_part(node, changed, node.lvalue.field.name, value)
        vector = self.vector_variable(node.lvalue)
        if vector is not None:
            if node.op != "=":
                value = self.combined(node, node.op[:-1], self.rvalue(node.lvalue), value)
            return self.set_lane(node, vector, value)
        target = self.target(node.lvalue)
        if node.op != "=":
            value = self.combined(node, node.op[:-1], self.loaded(target), value)
        self.store(node, target, value)
        return self.converted(node, value, target.kind)

    def _exprlist(self, node: Node) -> Result:
        results = [self.rvalue(one) for one in node.exprs]
        return results[-1]

    def _funccall(self, node: Node) -> Result:
        arguments: Sequence[Node] = node.args.exprs if node.args else ()
        if type(node.name).__name__ != "ID":
            raise self.fail(node, "calls through pointers are not understood")
        return self.call(node, node.name.name, arguments)

    def call(self, node: Node, name: str, arguments: Sequence[Node]) -> Result:
        raise NotImplementedError


def _has_effects(node: Node) -> bool:
    """Whether an expression reads memory, calls or assigns: it must not run in vain."""
    name = type(node).__name__
    if name in ("ArrayRef", "FuncCall", "Assignment"):
        return True
    if name == "UnaryOp" and node.op in ("*", "++", "--", "p++", "p--"):
        return True
    return any(_has_effects(child) for child in node)
