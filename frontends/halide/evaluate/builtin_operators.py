"""Operators that the language itself has, on numbers, pointers and what a pipeline is made of."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide.evaluate import operators
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.syntax import Node
from s2s.frontends.halide.evaluate.types import ctype
from s2s.frontends.halide.evaluate.values import (
    NULL,
    Cell,
    Number,
    Pointer,
    Ref,
    arithmetic,
    deref,
    describe,
    number,
    of_type,
    truth,
    type_name,
)
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Expr


class BuiltinOperators(Part):
    """Evaluates them; operators that a program or the headers define are functions."""

    def _unary(self, node: Node) -> Any:
        op, operand = node.operator, self.ev(node.parts[0])
        if op in ("++", "--", "p++", "p--"):
            return self._stepped(op, operand)
        if op == "&":
            return Pointer(operand if isinstance(operand, Ref) else Cell(operand))
        value = deref(operand)
        if op == "*":
            if not isinstance(value, Pointer):
                raise Illegal(f"'*' of {describe(value)}")
            return value.ref()
        if op == "!":
            return not truth(value)
        plain = number(value)
        if plain is None:
            raise Illegal(f"'{op}' of {describe(value)}")
        if op == "-":
            return (
                arithmetic("-", 0, value)
                if plain != 0 or type_name(value) == "int"
                else (arithmetic("*", -1, value))
            )
        if op == "~":
            return arithmetic("^", value, -1)
        return arithmetic("+", 0, value)

    def _stepped(self, op: str, operand: Any) -> Any:
        old = deref(operand)
        by = 1 if "++" in op else -1
        if not isinstance(operand, Ref):
            raise Illegal(f"'{op}' of a value")
        if isinstance(old, Pointer):
            operand.set(old.moved(by))
        else:
            plain = number(old)
            if plain is None:
                raise Illegal(f"'{op.strip('p')}' of {describe(old)}")
            operand.set(of_type(plain + by, type_name(old)))
        return old if op.startswith("p") else operand

    def _binary(self, node: Node) -> Any:
        op = node.operator
        left, right = node.parts
        if op == "=":
            return self.assigned(self.ev(left), self.value(right), node.type)
        if op == "&&":
            return truth(self.value(left)) and truth(self.value(right))
        if op == "||":
            return truth(self.value(left)) or truth(self.value(right))
        if op == ",":
            self.ev(left)
            return self.ev(right)
        return self.operated(op, self.value(left), self.value(right))

    def operated(self, op: str, left: Any, right: Any) -> Any:
        """A built-in operator."""
        if op in ("&&", "||") and not isinstance(left, Expr) and not isinstance(right, Expr):
            first = truth(left)
            return first and truth(right) if op == "&&" else first or truth(right)
        if number(left) is not None and number(right) is not None:
            return arithmetic(op, left, right)
        if isinstance(left, Expr) or isinstance(right, Expr):
            return operators.symbolic(op, left, right)
        if isinstance(left, Pointer):
            return self._pointers(op, left, right)
        if op == "+" and isinstance(right, Pointer):
            return self._pointers(op, right, left)
        if op in ("==", "!="):
            return (left is right) == (op == "==")
        raise Illegal(f"'{op}' of {describe(left)} and {describe(right)}")

    def _pointers(self, op: str, left: Pointer, right: Any) -> Any:
        if isinstance(right, Pointer):
            if op == "-":
                return Number(left.index - right.index, "long")
            if left.target is not None or right.target is not None:
                return (left.target is right.target) == (op == "==")
            return arithmetic(op, left.index, right.index)
        if right is NULL:
            return op == "!="
        by = number(right)
        if by is None or op not in ("+", "-"):
            raise Illegal(f"'{op}' of a pointer and {describe(right)}")
        return left.moved(int(by) if op == "+" else -int(by))

    def _compound(self, node: Node) -> Any:
        op = node.operator[:-1]
        target = self.ev(node.parts[0])
        value = self.operated(op, deref(target), self.value(node.parts[1]))
        return self.assigned(target, value, node.type)

    def assigned(self, target: Any, value: Any, type_: str) -> Any:
        """A built-in assignment."""
        if not isinstance(target, Ref):
            raise Illegal("assignment to a value")
        old = target.get()
        if number(value) is not None and number(old) is not None and ctype(type_).is_scalar:
            value = of_type(number(value) or 0, ctype(type_).name)
        target.set(value)
        return target
