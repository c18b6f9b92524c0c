"""Expressions of the text to instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.diagnostics import UserError
from s2s.simulators.aie.instructions import Load, Store
from s2s.simulators.aie.preprocess import error
from s2s.simulators.aie.reading.builder import Builder
from s2s.simulators.aie.reading.declarations import Declarations
from s2s.simulators.aie.reading.kinds import (
    INT,
    Address,
    ArrayOf,
    Kind,
    Number,
    Place,
    PointerTo,
    Registers,
    Result,
    Scope,
    Variable,
    Window,
    bytes_of,
    said,
    value_type,
)
from s2s.simulators.aie.reading.lanes import lane_by_lane
from s2s.simulators.aie.values import (
    AccumulatorType,
    Constant,
    Operand,
    PointerType,
    ScalarType,
    Value,
    VectorType,
)

Node = Any
Target = Variable | Place
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class NotConstant(UserError):
    """What has to be a constant is none, unless a loop around it is unrolled."""


class Expressions:
    """Lowers expressions in the present scope; ``call`` is filled in by a subclass."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.builder = Builder()
        self.scope = Scope()
        self.declarations = Declarations(self.fail, self.constant)

    def fail(self, node: Node, text: str) -> UserError:
        """The error to raise about a node."""
        place = getattr(node, "coord", None)
        line = place.line if place else self.builder.line
        return error(text, (place and place.file) or self.path, line or 1)

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
        return found.value

    # ---- values

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
        if content is None or isinstance(content, Variable | Registers):
            raise self.fail(node, "a value is needed here")
        return self.builder.solid(content)

    def vector(self, node: Node) -> Value:
        """The value of an expression that is a vector or an accumulator."""
        found = self.operand(node)
        if not isinstance(found, Value) or isinstance(found.type, ScalarType | PointerType):
            raise self.fail(node, "a vector is needed here")
        return found

    def _constant(self, node: Node) -> Result:
        text = node.value.lower()
        if node.type == "char":
            return Result(INT, Constant(ord(node.value.strip("'")[-1])))
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
        if isinstance(found, Registers):
            return Result(found.kind, found)
        return self.loaded(found)

    def loaded(self, target: Target) -> Result:
        """What lies at a place, or what a variable holds."""
        if isinstance(target, Variable):
            return Result(target.kind, self.builder.read(target))
        if isinstance(target.kind, ArrayOf):
            return Result(target.kind, target.address)
        if isinstance(target.kind, Window):
            return Result(target.kind, target.address)
        pointer, displacement = self.builder.pointer(target.address)
        made = self.builder.value(value_type(target.kind))
        loaded = self.builder.emit(Load(made, pointer, displacement, target.address.through))
        content = Address(loaded) if isinstance(target.kind, PointerTo) else loaded
        return Result(target.kind, content)

    def _cast(self, node: Node) -> Result:
        kind = self.declarations.kind(node.to_type, self.scope)
        value = self.rvalue(node.expr)
        return value if kind is None else self.converted(node, value, kind)

    def converted(self, node: Node, value: Result, kind: Kind) -> Result:
        """A value in another kind, as C's assignments and casts convert. Raises UserError."""
        source = value.kind
        if source == kind:
            return value
        if isinstance(kind, PointerTo):
            if not isinstance(source, PointerTo | ArrayOf):
                raise self.fail(node, "a number is no pointer here")
            return Result(kind, value.content)
        if isinstance(kind, ScalarType) and isinstance(source, ScalarType):
            content = value.content
            if not isinstance(content, Constant | Value):
                raise self.fail(node, "a number is needed here")
            return Result(kind, self._cast_scalar(content, source, kind))
        raise self.fail(node, f"a value of type {said(source)} where {said(kind)} is needed")

    def _cast_scalar(self, content: Operand, source: ScalarType, kind: ScalarType) -> Operand:
        widens = kind.bits > source.bits and (kind.signed or not source.signed)
        if widens and isinstance(content, Value):
            return content
        return self.builder.scalar("cast", kind, content)

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

    def _address_of(self, node: Node) -> Result:
        if type(node).__name__ == "ID":
            found = self.scope.find(node.name)
            if isinstance(found, Registers):
                return Result(PointerTo(found.kind.element), found)
        target = self.target(node)
        if isinstance(target, Variable):
            return Result(PointerTo(target.kind), target)
        return Result(PointerTo(target.kind), target.address)

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
        first, second = self.solid(node, left), self.solid(node, right)
        if op in _COMPARISONS:
            return Result(INT, self.builder.scalar(op, INT, first, second))
        return Result(kind, self.builder.scalar(op, kind, first, second))

    def _promoted(self, node: Node, kind: Kind) -> ScalarType:
        if not isinstance(kind, ScalarType):
            raise self.fail(node, f"no arithmetic on {said(kind)}: use an intrinsic")
        return INT if kind.bits < 32 else kind

    def _common(self, node: Node, left: Kind, right: Kind) -> ScalarType:
        first, second = self._promoted(node, left), self._promoted(node, right)
        if first.bits != second.bits:
            return max(first, second, key=lambda kind: kind.bits)
        return first if not first.signed else second

    # ---- pointers

    def _with_pointers(self, node: Node, op: str, left: Result, right: Result) -> Result:
        if op == "+" and not isinstance(left.kind, PointerTo | ArrayOf):
            left, right = right, left
        if op in ("+", "-") and isinstance(right.kind, ScalarType):
            return self._moved(node, left, right, 1 if op == "+" else -1)
        if op == "-" or op in _COMPARISONS:
            return self._pointer_difference(node, op, left, right)
        raise self.fail(node, f"'{op}' on pointers is not understood")

    def _moved(self, node: Node, pointer: Result, count: Result, sign: int) -> Result:
        target = _target(pointer.kind)
        if isinstance(pointer.content, Registers):
            index = self.solid(node, count)
            if not isinstance(index, Constant):
                text = "an index of an array of registers has to be a constant"
                raise self.not_constant(node, text)
            moved = pointer.content.first + sign * index.value
            content = Registers(pointer.content.kind, pointer.content.variables, moved)
            return Result(PointerTo(target), content)
        address = self._address(node, pointer)
        offset = self.builder.form(self.solid(node, count)).times(sign * bytes_of(target))
        const = isinstance(pointer.kind, PointerTo) and pointer.kind.const
        return Result(PointerTo(target, const), address.moved(offset))

    def _address(self, node: Node, pointer: Result) -> Address:
        content = pointer.content
        if isinstance(content, Value) and isinstance(content.type, PointerType):
            return Address(content)
        if not isinstance(content, Address):
            raise self.fail(node, "this pointer is not understood")
        return content

    def _pointer_difference(self, node: Node, op: str, left: Result, right: Result) -> Result:
        size = bytes_of(_target(left.kind)) if op == "-" else 1
        first, second = self._address(node, left), self._address(node, right)
        if first.base == second.base:
            difference = first.offset.plus(second.offset.times(-1))
            if not difference.terms:
                values = [Constant(difference.constant // size), Constant(0)]
                operation = "+" if op == "-" else op
                return Result(INT, self.builder.scalar(operation, INT, *values))
        pointers = [self.builder.solid(first), self.builder.solid(second)]
        found = self.builder.scalar(op, INT, *pointers)
        if op == "-" and size != 1:
            found = self.builder.scalar("/", INT, found, Constant(size))
        return Result(INT, found)

    # ---- what can be assigned to

    def target(self, node: Node) -> Target:
        """The variable or the memory that an expression stands for. Raises UserError."""
        name = type(node).__name__
        if name == "ID":
            found = self.scope.find(node.name)
            if isinstance(found, Variable | Place):
                return found
        if name == "UnaryOp" and node.op == "*":
            return self.pointee(node, self.rvalue(node.expr))
        if name == "ArrayRef":
            base, index = self.rvalue(node.name), self.rvalue(node.subscript)
            if isinstance(base.kind, ScalarType):
                base, index = index, base
            return self.pointee(node, self._moved(node, base, index, 1))
        if name == "Cast":
            return self.target(node.expr)
        raise self.fail(node, "this can not be assigned to")

    def pointee(self, node: Node, pointer: Result) -> Target:
        """What a pointer points to."""
        content = pointer.content
        if isinstance(content, Variable):
            return content
        if isinstance(content, Registers):
            return self._register(node, content)
        return Place(self._address(node, pointer), _target(pointer.kind))

    def _register(self, node: Node, array: Registers) -> Variable:
        if not 0 <= array.first < len(array.variables):
            raise self.fail(node, "an index outside its array of registers")
        return array.variables[array.first]

    def _arrayref(self, node: Node) -> Result:
        base = self.rvalue(node.name)
        if isinstance(base.content, Registers) and isinstance(_target(base.kind), ArrayOf):
            return self._row(node, base.content)
        return self.loaded(self.target(node))

    def _row(self, node: Node, array: Registers) -> Result:
        """One row of an array of registers with more than one dimension."""
        inner = array.kind.element
        assert isinstance(inner, ArrayOf)
        length = len(array.variables) // (array.kind.count or 1)
        first = self.constant(node.subscript) * length + array.first
        return Result(inner, Registers(inner, array.variables[first : first + length]))

    def store(self, node: Node, target: Target, value: Result) -> None:
        """Assign; the value is converted to the target's kind."""
        value = self.converted(node, value, target.kind)
        if isinstance(target, Variable):
            if isinstance(value.content, Variable | Registers) or value.content is None:
                raise self.fail(node, "the address of a register can only be passed on")
            self.builder.write(target, value.content)
            return
        stored = self.solid(node, value)
        pointer, displacement = self.builder.pointer(target.address)
        kind, through = value_type(target.kind), target.address.through
        self.builder.emit(Store(pointer, stored, kind, displacement, through))

    def _assignment(self, node: Node) -> Result:
        value = self.rvalue(node.rvalue)
        target = self.target(node.lvalue)
        if node.op != "=":
            value = self.combined(node, node.op[:-1], self.loaded(target), value)
        self.store(node, target, value)
        return self.converted(node, value, target.kind)

    def _structref(self, node: Node) -> Result:
        """``window->ptr``: the place that a window has come to."""
        window = self.rvalue(node.name)
        if not isinstance(window.kind, Window) or node.field.name != "ptr":
            raise self.fail(node, "structures and unions are not understood")
        return Result(PointerTo(window.kind.element), window.content)

    def _ternaryop(self, node: Node) -> Result:
        condition = self.operand(node.cond)
        if isinstance(condition, Constant):
            return self.rvalue(node.iftrue if condition.value else node.iffalse)
        then, otherwise = self.rvalue(node.iftrue), self.rvalue(node.iffalse)
        if isinstance(then.kind, ScalarType):
            kind: Kind = self._common(node, then.kind, otherwise.kind)
        else:
            kind = then.kind
        values = [self.solid(node, self.converted(node, one, kind)) for one in (then, otherwise)]
        if not isinstance(kind, ScalarType):
            raise self.fail(node, "'?:' chooses between numbers only")
        return Result(kind, self.builder.scalar("select", kind, condition, *values))

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


def _target(kind: Kind) -> Kind:
    assert isinstance(kind, PointerTo | ArrayOf)
    return kind.target if isinstance(kind, PointerTo) else kind.element
