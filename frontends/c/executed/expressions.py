"""Evaluates expressions in the order of the text and records what they access."""

from __future__ import annotations

from dataclasses import replace

from s2s.frontends.c.executed.memory import Memory
from s2s.frontends.c.executed.values import ZERO, Data, Pointer, Value, bound_subscript, inside
from s2s.frontends.c.facts import initializer
from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, CType, Decl, Node
from s2s.scop.executions import Among, Atom, Place
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

_CASTS = frozenset({"IMPLICIT_CAST", "CSTYLE_CAST_EXPR"})
_LARGEST_TABLE = 400


@dataclass(frozen=True)
class Lvalue:
    """Memory that an expression names: a place, where known, and a variable, where it is one."""

    place: Place | None
    type: CType
    decl: Decl | None = None
    dims: tuple[Polynomial, ...] | None = ()
    """The sizes of an array, outermost first; None where they are not known."""


@dataclass
class Expressions(Memory):
    """Values of expressions; calls are for those who know functions."""

    def call(self, node: Node) -> Value:
        raise NotImplementedError

    def evaluate(self, node: Node) -> Value:
        """The value of an expression, its accesses recorded."""
        if node.value is not None:
            return Polynomial.integer(node.value)
        kind = node.kind
        if kind in ("DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR"):
            return self._loaded(node)
        if kind in _CASTS and node.children:
            return self._cast(node)
        if kind == "UNARY_OPERATOR" and node.children:
            return self._unary(node)
        if kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR") and len(node.children) == 2:
            return self._binary(node)
        if kind == "CALL_EXPR":
            return self.call(node)
        if kind == "CONDITIONAL_OPERATOR" and len(node.children) == 3:
            return self.choose(node)
        if kind.endswith("_LITERAL"):
            return Data.LOADED
        return self._parts(node)

    def choose(self, node: Node) -> Value:
        raise NotImplementedError

    def chain(self, node: Node) -> Value:
        raise NotImplementedError

    def _parts(self, node: Node) -> Value:
        if node.kind == "CXX_UNARY_EXPR":  # sizeof evaluates nothing
            return Data.LOADED
        for child in node.children:
            self.evaluate(child)
        return None

    def _cast(self, node: Node) -> Value:
        value = self.evaluate(node.children[-1])
        if node.type.kind == "pointer" and isinstance(value, Pointer):
            inner = node.type.element
            same = inner is None or inner.kind == "void" or self._keeps(node, inner)
            return value if same else None
        if node.type.kind == "int" and isinstance(value, Polynomial):
            return value
        return Data.LOADED if isinstance(value, Polynomial | Data) else None

    def _keeps(self, node: Node, inner: CType) -> bool:
        source = node.children[-1].type.element
        return source is None or source.kind == "void" or source.canonical == inner.canonical

    # -- memory -----------------------------------------------------------------------------

    def _loaded(self, node: Node) -> Value:
        found = self.lvalue(node)
        if found.type.kind == "array":
            known = found.place is not None and found.dims
            return Pointer(found.place, found.dims[1:]) if known else None  # type: ignore[arg-type,index]
        return self.load(found, node)

    def load(self, found: Lvalue, node: Node) -> Value:
        """The value in memory; a variable's own may be known."""
        decl = found.decl
        if decl is not None and decl.kind not in ("VAR_DECL", "PARM_DECL"):
            return None
        if found.place is not None:
            self.access(found, node, write=False)
            if self.is_atomic(found.place):
                return None
        if decl is not None:
            return self.value_of(decl)
        if found.type.kind == "pointer" and found.place is not None:
            return self.behind(found.place, found.type)
        table = self._tabled(found)
        if table is not None:
            return table
        return Data.LOADED

    def access(self, found: Lvalue, node: Node, *, write: bool) -> None:
        volatile = found.type.volatile or (found.decl is not None and found.decl.type.volatile)
        private = found.decl is not None and found.decl.thread_local
        if found.place is not None and not volatile and not private:
            self.record(found.place, node.span, write=write)

    def lvalue(self, node: Node) -> Lvalue:
        """What an expression names, its subscripts evaluated."""
        if node.kind == "DECL_REF_EXPR":
            return self._variable(node)
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
            return self._element(node)
        if node.kind == "UNARY_OPERATOR" and node.op == "*":
            return self._at(self.evaluate(node.children[0]), ZERO, node.type)
        if node.kind == "MEMBER_REF_EXPR" and node.children:
            return self._member(node)
        if node.kind in _CASTS and node.children:
            return self.lvalue(node.children[-1])
        self._parts(node)
        return Lvalue(None, node.type)

    def _variable(self, node: Node) -> Lvalue:
        decl = node.decl
        if decl is None or decl.kind not in ("VAR_DECL", "PARM_DECL") or decl.type.reference:
            return Lvalue(None, node.type, decl)
        dims = self.dims.get(decl) if decl.type.kind == "array" else ()
        sizes = dims if dims is not None else self.sizes(decl.type)
        place = None if decl.thread_local else self.variable(decl)
        scalar = decl.type.kind != "array"
        return Lvalue(place, decl.type, decl if scalar else None, sizes)

    def _element(self, node: Node) -> Lvalue:
        base, index = node.children
        if base.type.kind == "int":
            base, index = index, base
        pointer, where = self.evaluate(base), self.evaluate(index)
        found = self._at(pointer, where if isinstance(where, Polynomial) else None, node.type)
        if found.place is None or not isinstance(where, Polynomial) or base.type.count is None:
            return found
        return replace(found, place=bound_subscript(found.place, where, base.type.count))

    def _at(self, pointer: Value, index: Polynomial | None, type_: CType) -> Lvalue:
        if not isinstance(pointer, Pointer) or index is None:
            return Lvalue(None, type_, dims=None)
        place = pointer.at(index).place
        return Lvalue(place, type_, dims=(pointer.dims or None) if type_.kind == "array" else ())

    def _member(self, node: Node) -> Lvalue:
        base = node.children[0]
        if base.type.kind == "pointer":
            found = self._at(self.evaluate(base), ZERO, base.type)
        else:
            found = self.lvalue(base)
        owner = base.type.element if base.type.kind == "pointer" else base.type
        if found.place is None or node.decl is None or owner is None or owner.kind == "union":
            return Lvalue(None, node.type, dims=None)
        place = inside(found.place, f".{node.decl.name}")
        return Lvalue(place, node.type, dims=self.sizes(node.type))

    def _tabled(self, found: Lvalue) -> Polynomial | None:
        """The element of an array of constants that nothing changes."""
        place = found.place
        if place is None or place.path or found.type.kind != "int":
            return None
        decl = place.root.identity
        table = self.table(decl) if isinstance(decl, Decl) else None
        if table is None:
            return None
        value = self.symbol("x", local=True)
        return self.define(value, Among(place.subscripts[0], value, table))

    def table(self, decl: Decl) -> tuple[int, ...] | None:
        """The values of a one-dimensional array, None where anything may change them."""
        if decl.type.kind != "array" or not self.is_constant(decl):
            return None
        listed = initializer(self.declaration(decl))
        if listed is None or listed.kind != "INIT_LIST_EXPR":
            return None
        values = tuple(_number(n) for n in listed.children)
        if len(values) != decl.type.count or len(values) > _LARGEST_TABLE or None in values:
            return None
        return tuple(v for v in values if v is not None)

    def declaration(self, decl: Decl) -> Node:
        """The syntax of a variable's declaration."""
        raise NotImplementedError

    def is_constant(self, decl: Decl) -> bool:
        return decl.type.const or (decl.type.element is not None and decl.type.element.const)

    # -- operators --------------------------------------------------------------------------

    def _unary(self, node: Node) -> Value:
        operand, op = node.children[0], node.op
        if op in INCREMENTS:
            return self._step(node)
        if op == "&":
            found = self.lvalue(operand)
            known = found.place is not None and found.dims is not None
            return Pointer(found.place, found.dims) if known else None  # type: ignore[arg-type]
        if op == "*":
            found = self.lvalue(node)
            if found.type.kind == "array":
                return self._loaded(node)
            return self.load(found, node)
        if op == "!":
            return self.chain(node)
        value = self.evaluate(operand)
        if isinstance(value, Polynomial) and op in ("-", "+"):
            return -value if op == "-" else value
        return Data.LOADED if isinstance(value, Polynomial | Data) else None

    def _step(self, node: Node) -> Value:
        """``x++`` and kin."""
        found = self.lvalue(node.children[0])
        old = self._read_for_update(found, node.children[0])
        one = Polynomial.integer(1 if "++" in node.op else -1)
        new = self._sum(old, one, "+")
        self.store(found, new, node)
        return old if node.op.startswith("post") else new

    def _read_for_update(self, found: Lvalue, node: Node) -> Value:
        before, self.updating = self.updating, True
        try:
            return self.load(found, node)
        finally:
            self.updating = before

    def store(self, found: Lvalue, value: Value, node: Node, *, update: bool = True) -> None:
        before, self.updating = self.updating, update
        try:
            self.access(found, node, write=True)
        finally:
            self.updating = before
        if found.decl is not None:
            self.assign(found.decl, value)

    def _binary(self, node: Node) -> Value:
        left, right = node.children
        if node.op in ("&&", "||"):
            return self.chain(node)
        if node.op == "=":
            value = self.evaluate(right)
            self.store(self.lvalue(left), value, node, update=False)
            return value
        if node.op in ASSIGNMENTS:
            value = self.evaluate(right)
            found = self.lvalue(left)
            old = self._read_for_update(found, left)
            new = self._sum(old, value, node.op[:-1])
            self.store(found, new if node.type.kind != "float" else Data.LOADED, node)
            return new
        first, second = self.evaluate(left), self.evaluate(right)
        return second if node.op == "," else self._sum(first, second, node.op)

    def _sum(self, left: Value, right: Value, op: str) -> Value:
        if isinstance(left, Pointer) and isinstance(right, Polynomial) and op in ("+", "-"):
            return left.at(right if op == "+" else -right)
        if isinstance(right, Pointer) and isinstance(left, Polynomial) and op == "+":
            return right.at(left)
        if isinstance(left, Polynomial) and isinstance(right, Polynomial):
            return self._arithmetic(left, right, op)
        known = all(isinstance(v, Polynomial | Data) for v in (left, right))
        return Data.LOADED if known else None

    def _arithmetic(self, left: Polynomial, right: Polynomial, op: str) -> Value:
        if op in ("+", "-", "*"):
            return left + right if op == "+" else left - right if op == "-" else left * right
        if op in ("/", "%"):
            return self._divided(left, right, op)
        amount = right.number
        if op == "<<" and amount is not None and 0 <= amount < 31:
            return left * Polynomial.integer(2**amount)
        return Data.LOADED

    def _divided(self, left: Polynomial, right: Polynomial, op: str) -> Value:
        """The quotient of numbers that are not negative as a symbol of its own."""
        a, b = left.number, right.number
        if a is not None and b is not None and b:
            whole = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return Polynomial.integer(whole if op == "/" else a - b * whole)
        if b is not None and b <= 0:
            return Data.LOADED
        symbol = self.symbol("q", local=True)
        quotient = Polynomial.name(symbol)
        rest = left - quotient * right
        below = Atom(right - rest - Polynomial.integer(1), ">=")
        self.define(symbol, Atom(left, ">="), Atom(rest, ">="), below)
        return quotient if op == "/" else rest


def _number(node: Node) -> int | None:
    if node.value is not None:
        return node.value
    if node.kind in _CASTS and node.children:
        return _number(node.children[-1])
    if node.kind == "UNARY_OPERATOR" and node.op == "-":
        inner = _number(node.children[0])
        return None if inner is None else -inner
    return None
