"""C expressions as typed expressions, every conversion of C written out."""

from __future__ import annotations

from s2s.frontends.c import clang
from s2s.frontends.c.syntax import CASTS, CType, Decl, Node
from s2s.frontends.c.typed.addresses import rows_of
from s2s.frontends.c.typed.arithmetic import (
    INT,
    LONG,
    binary,
    common,
    compare,
    magnitude,
    opposite,
    promoted,
    range_of,
    rounded_to_zero,
    type_of,
)
from s2s.frontends.c.typed.calls import evaluate_call
from s2s.frontends.c.typed.choices import chosen
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.memory import Address, array_tensor
from s2s.frontends.c.typed.scope import Scope
from s2s.scop.build import both, either
from s2s.scop.expressions import BOOL, Binary, Call, Const, Expr, Load, Type, Unary, Variable
from s2s.scop.literals import cast

_OPERATORS = {
    "+": "add", "-": "sub", "*": "mul", "&": "band", "|": "bor", "^": "bxor",
    "<<": "shl", ">>": "shr", "/": "div", "%": "mod",
}  # fmt: skip
_COMPARISONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}

_INFINITIES = ("__builtin_inff", "__builtin_inf", "__builtin_huge_val", "__builtin_huge_valf")
_EXTREMA = {"fmaxf": "max", "fmax": "max", "fminf": "min", "fmin": "min"}
"""Functions of the library that are operators here; operands that are no numbers aside."""
_MAGNITUDES = frozenset({"abs", "labs", "llabs"})
"""Of integers, whose smallest one has no magnitude in C either."""


class Expressions:
    """Evaluates expressions in a scope; all methods raise NotATensorNest."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def value(self, node: Node) -> Expr:
        """The value of an arithmetic expression."""
        if node.value is not None and node.type.kind == "int":
            return Const(self.type(node), node.value)
        match node.kind:
            case "DECL_REF_EXPR":
                return self._name(node)
            case "ARRAY_SUBSCRIPT_EXPR":
                return self._element(node)
            case "MEMBER_REF_EXPR" if self.scope.symbolic_members is not None:
                return self.scope.symbolic_members.value(node, self)
            case "UNARY_OPERATOR":
                return self._unary(node)
            case "BINARY_OPERATOR":
                return self._binary(node)
            case "CONDITIONAL_OPERATOR":
                return self._choice(node)
            case "FLOATING_LITERAL" if node.real is not None:
                return Const(self.type(node), node.real)
            case "CALL_EXPR" if node.name in _INFINITIES:
                return Const(self.type(node), float("inf"))
            case "CALL_EXPR" if node.name in _EXTREMA and not self._has_body(node):
                left, right = (cast(self.type(node), self.value(c)) for c in node.children[1:])
                if self.scope.null_tests:  # what they make of NaN is not what a choice makes
                    return Call(self.type(node), node.name, (left, right))
                return binary(_EXTREMA[node.name], left, right)
            case "CALL_EXPR" if node.name in _MAGNITUDES and self._is_magnitude(node):
                return magnitude(cast(self.type(node), self.value(node.children[1])))
            case "CALL_EXPR":
                return self._call(node)
            case kind if kind in CASTS and node.children:
                return cast(self.type(node), self.value(node.children[-1]))
        raise NotATensorNest(node.span, _about(node))

    def _call(self, node: Node) -> Expr:
        """The value of a call, in the caller's names, or as a call of what only computes it."""
        called = self.scope.computes(node)
        definition = None if node.decl is None else self.scope.definition(node.decl)
        try:
            if definition is not None:
                return evaluate_call(node, definition, self)
        except NotATensorNest:
            if not called:
                raise
        if not called:
            raise NotATensorNest(node.span, _about(node))
        return Call(self.type(node), called, tuple(map(self._argument, node.children[1:])))

    def _argument(self, node: Node) -> Expr:
        """What is passed to a function that is called: a number, or a pointer by its name."""
        if type_of(node.type) is not None:
            return self.value(node)
        inner = node.uncast
        named = inner.kind == "DECL_REF_EXPR" and inner.decl is not None
        if not named or inner.decl in self.scope.addresses:
            raise NotATensorNest(node.span, "a call with a pointer that changes")
        return Variable(INT, inner.name)

    def _is_magnitude(self, call: Node) -> bool:
        return self.scope.quotients and not self._has_body(call)

    def _has_body(self, call: Node) -> bool:
        """Whether the program itself defines what is called."""
        return call.decl is not None and self.scope.definition(call.decl) is not None

    def type(self, node: Node) -> Type:
        """The type of an arithmetic expression."""
        found = type_of(node.type)
        if found is None:
            raise NotATensorNest(node.span, f"type '{node.type.spelling}' is no number's")
        return found

    def _name(self, node: Node) -> Expr:
        decl = node.decl
        if decl is None:
            raise NotATensorNest(node.span, _about(node))
        if decl in self.scope.values:
            return self.scope.values[decl]
        if decl in self.scope.memory and not self.scope.memory[decl].dimensions:
            return Load(self.type(node), self.scope.memory[decl].name, ())
        type_ = type_of(decl.type)
        if type_ is not None and decl.is_global and decl.type.const and type_.is_integer:
            number = clang.evaluate(decl.cursor)
            if number is not None:
                return Const(type_, number)
        what = "is not known; give it as a size" if decl.kind == "PARM_DECL" else "is not known"
        raise NotATensorNest(node.span, f"the value of '{decl.name}' {what}")

    def index(self, node: Node) -> Expr:
        """A subscript, as INT32; where values may stay open, in 64 bits if C has more than 32."""
        value = self.value(node)
        if not value.type.is_integer:
            raise NotATensorNest(node.span, "a subscript is no integer")
        wide = self.scope.symbolic and value.type.smallest < INT.smallest
        wide |= self.scope.symbolic and value.type.largest > INT.largest
        return cast(LONG if wide else INT, value)

    def _element(self, node: Node) -> Expr:
        where = self.place(node)
        return Load(self.type(node), where.tensor.name, where.subscripts)

    def place(self, node: Node) -> Address:
        """The address of the element that an lvalue names."""
        found = self._lvalue(node)
        if not found.is_element:
            raise NotATensorNest(node.span, "a whole array where a number is needed")
        return found

    def _lvalue(self, node: Node) -> Address:
        """The address of what stands there, an element or an array."""
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
            base, index = node.children
            if base.type.kind == "int":
                base, index = index, base
            return self.address(base).moved(self.index(index))
        if node.kind == "UNARY_OPERATOR" and node.op == "*":
            return self.address(node.children[0])
        raise NotATensorNest(node.span, _about(node))

    def address(self, node: Node) -> Address:
        """The value of an expression that is a pointer, or an array that becomes one."""
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            return self._base(node, node.decl)
        if node.kind == "MEMBER_REF_EXPR" and self.scope.symbolic_members is not None:
            return self.scope.symbolic_members.address(node, self)
        if node.kind == "BINARY_OPERATOR" and node.op in ("+", "-"):
            left, right = node.children
            if left.type.kind == "int" and node.op == "+":
                left, right = right, left
            by = self.index(right)
            by = binary("sub", Const(by.type, 0), by) if node.op == "-" else by
            return self.address(left).moved(by)
        if node.kind == "UNARY_OPERATOR" and node.op == "&":
            found = self._lvalue(node.children[0])
            if found.is_element:
                self.scope.walked.add(found.tensor.name)
            return found
        if node.kind in CASTS and node.children:
            return self._converted(node, node.children[-1])
        found = self._lvalue(node)
        if found.is_element:
            raise NotATensorNest(node.span, "a pointer that is loaded from memory")
        return found.inside()

    def _converted(self, node: Node, inner: Node) -> Address:
        """A conversion between pointers to the same elements, or to arrays of them."""
        address = self.address(inner)
        target = node.type.element
        if target is None or target.kind == "void":
            return address
        return self.pointer_to(target, address, node)

    def pointer_to(self, target: CType, address: Address, node: Node) -> Address:
        """An address as a pointer to elements or arrays of elements. Raises NotATensorNest."""
        if type_of(target.innermost()) != address.tensor.types[0]:
            raise NotATensorNest(node.span, "a pointer becomes one to another type")
        rows = rows_of(target)
        if rows == address.pointed:
            return address
        found = None if None in rows else address.to_rows(tuple(n for n in rows if n is not None))
        if found is None:
            raise NotATensorNest(node.span, "a pointer becomes one to arrays of unknown extents")
        self.scope.walked.add(found.tensor.name)
        return found

    def _base(self, node: Node, decl: Decl) -> Address:
        if decl in self.scope.addresses:
            return self.scope.addresses[decl]
        if decl not in self.scope.memory:
            if decl.type.kind not in ("array", "pointer") or not _is_lasting(decl):
                raise NotATensorNest(node.span, f"'{decl.name}' is set while the function runs")
            self.scope.memory[decl] = array_tensor(decl, node.span, self.value)
        tensor = self.scope.memory[decl]
        return Address(tensor, (Const(INT, 0),))

    def _unary(self, node: Node) -> Expr:
        inner = node.children[0]
        match node.op:
            case "*":
                return self._element(node)
            case "+" | "-" | "~":
                value = cast(self.type(node), self.value(inner))
                if node.op == "~":
                    return Unary(value.type, "bnot", value)
                zero = Const(value.type, 0 if value.type.is_integer else -0.0)
                return value if node.op == "+" else binary("sub", zero, value)
            case "!":
                return cast(self.type(node), self.condition(node))
        raise NotATensorNest(node.span, _about(node))

    def _binary(self, node: Node) -> Expr:
        left, right = node.children
        if node.op in _COMPARISONS or node.op in ("&&", "||"):
            return cast(self.type(node), self.condition(node))
        if node.op not in _OPERATORS:
            raise NotATensorNest(node.span, _about(node))
        return self.combined(node, node.op, self.value(left), self.value(right))

    def combined(self, node: Node, op: str, left: Expr, right: Expr) -> Expr:
        """An arithmetic operation with C's conversions of its operands."""
        if op in ("<<", ">>"):
            type_ = promoted(left.type)
            return binary(_OPERATORS[op], cast(type_, left), cast(type_, right))
        type_ = common(left.type, right.type)
        left, right = cast(type_, left), cast(type_, right)
        found = binary(_OPERATORS[op], left, right)
        if op in "/%" and isinstance(found, Binary) and type_.code == "int":
            ends = [range_of(value, self.scope.ranges)[0] for value in (left, right)]
            if ends[0] >= 0 and ends[1] > 0:
                return found
            if ends[1] <= 0:
                raise NotATensorNest(node.span, "a division by what may be no positive number")
            if not self.scope.quotients:
                text = "a division of signed numbers, which rounds to zero"
                raise NotATensorNest(node.span, text)
            return rounded_to_zero(found, ends[0])
        return found

    def condition(self, node: Node) -> Expr:
        """A truth value."""
        if node.kind == "BINARY_OPERATOR" and node.op in _COMPARISONS:
            named = self._null_test(node)
            if named is not None:
                return named
            left, right = (self.value(child) for child in node.children)
            type_ = common(left.type, right.type)
            return compare(_COMPARISONS[node.op], cast(type_, left), cast(type_, right))
        if node.kind == "BINARY_OPERATOR" and node.op in ("&&", "||"):
            left, right = (self.condition(child) for child in node.children)
            return both(left, right) if node.op == "&&" else either(left, right)
        if node.kind == "UNARY_OPERATOR" and node.op == "!":
            return opposite(self.condition(node.children[0]))
        value = self.value(node)
        return compare("ne", value, Const(value.type, 0))

    def _null_test(self, node: Node) -> Expr | None:
        """Whether a parameter leads to nothing, as a value that has the test for its name.

        Only where the scope allows it; None for what is no such test.
        """
        if not self.scope.null_tests or node.op not in ("==", "!="):
            return None
        pointer, null = (child.uncast for child in node.children)
        decl = pointer.decl
        tested = pointer.kind == "DECL_REF_EXPR" and decl is not None and decl.kind == "PARM_DECL"
        is_null = null.value == 0 and node.children[1].type.kind in ("pointer", "int")
        if not tested or decl is None or decl.type.kind != "pointer" or not is_null:
            return None
        return Variable(BOOL, f"({decl.name} {node.op} 0)")

    def _choice(self, node: Node) -> Expr:
        test, then, otherwise = node.children
        type_ = self.type(node)
        condition = self.condition(test)
        first, second = cast(type_, self.value(then)), cast(type_, self.value(otherwise))
        return chosen(condition, first, second)


def _is_lasting(decl: Decl) -> bool:
    """Whether a declaration is memory that the caller knows: a parameter, or a global array."""
    return decl.kind == "PARM_DECL" or (decl.is_global and decl.type.kind == "array")


def _about(node: Node) -> str:
    """What a construct is, for a message."""
    known = {
        "CALL_EXPR": f"a call of '{node.name}'" if node.name else "a call",
        "MEMBER_REF_EXPR": "a member of a structure",
        "WHILE_STMT": "a loop without a number of iterations",
        "DO_STMT": "a loop without a number of iterations",
        "GOTO_STMT": "a jump",
        "BREAK_STMT": "a jump",
        "CONTINUE_STMT": "a jump",
        "SWITCH_STMT": "a switch",
        "FLOATING_LITERAL": "a number that is no integer",
    }
    if node.kind in ("BINARY_OPERATOR", "UNARY_OPERATOR"):
        return f"the operator '{node.op.removeprefix('post')}'"
    return known.get(node.kind, "a construct that is no part of a loop nest over arrays")


about = _about
