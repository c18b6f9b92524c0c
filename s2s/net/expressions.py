"""C expressions as text of Python expressions.

Integers are Python's; where an operation could leave its type's range the result is ``loose``,
equal to the right one modulo two to the number of bits, and it is wrapped before anybody can tell.
Single precision is rounded after each operation. An address is a number: the memory ``M`` maps
addresses to the scalars that lie there.
"""

from __future__ import annotations

import math
from dataclasses import field, replace

from s2s.frontends.c.facts import dimension_lengths
from s2s.frontends.c.syntax import Decl, Node
from s2s.net.calls import evaluate_call
from s2s.net.errors import NotExecuted
from s2s.net.operations import Operations
from s2s.net.program import Program
from s2s.net.shapes import CHAR, INT, SIZE, Shape, common, pointer_to, widened
from s2s.net.texts import Place, Term, in_row, scaled, storing
from s2s.source.records import dataclass


@dataclass
class Expressions(Operations):
    """Writes the expressions of one function; ``variables`` are its own, by declaration."""

    program: Program
    in_memory: frozenset[Decl] = frozenset()
    variables: dict[Decl, Place] = field(default_factory=dict)
    free: dict[str, tuple[Decl, Place]] = field(default_factory=dict)
    lifted: bool = False
    """Whether local variables that are met without a declaration come from around the text."""
    guard: Node | None = None
    """The branch that chooses new code; its conditions about gains are taken for true."""
    _in_guard: bool = False

    # -- values ---------------------------------------------------------------------------------

    def value(self, node: Node) -> Term:
        """The value of an expression."""
        term = self._term(node)
        if term.shape.kind == "array":
            return Term(term.text, pointer_to(term.shape.target))
        return term

    def exact(self, node: Node) -> str:
        """Text of an expression's value, wrapped."""
        return self.wrapped(self.value(node))

    def condition(self, node: Node) -> str:
        """Text that Python takes for true where C does."""
        if node.kind == "BINARY_OPERATOR" and node.op in ("&&", "||"):
            parts = [self.condition(child) for child in node.children]
            return f"({parts[0]} {'and' if node.op == '&&' else 'or'} {parts[1]})"
        if self._in_guard and _asks_for_much(node):
            return "True"
        if node.kind == "UNARY_OPERATOR" and node.op == "!":
            return f"(not {self.condition(node.children[0])})"
        return self.exact(node)

    def choice(self, branch: Node) -> str:
        """Text of a branch's condition."""
        self._in_guard = branch is self.guard
        try:
            return self.condition(branch.children[0])
        finally:
            self._in_guard = False

    def converted(self, node: Node, to: Shape) -> str:
        """Text of an expression's value as another type."""
        return self.convert(self.value(node), to)

    def _term(self, node: Node) -> Term:
        if node.value is not None and node.kind != "DECL_REF_EXPR":
            if self.program.gains and node.value == self.program.gains:
                return Term("3", self.program.shapes.of(node.type))
            shape = self.program.shapes.of(node.type)
            return Term(str(node.value) if node.value >= 0 else f"({node.value})", shape)
        found = getattr(self, "_" + node.kind.lower(), None)
        if found is None:
            raise NotExecuted(f"a {node.kind.lower().replace('_', ' ')}")
        term = found(node)
        assert isinstance(term, Term)
        return term

    def _floating_literal(self, node: Node) -> Term:
        if node.real is None:
            raise NotExecuted("a literal")
        text = repr(node.real) if math.isfinite(node.real) else f"float('{node.real}')"
        return Term(text, self.program.shapes.of(node.type))

    def _string_literal(self, node: Node) -> Term:
        name = self.program.literals.setdefault(node.name, f"s_{len(self.program.literals)}")
        return Term(name, pointer_to(CHAR))

    def _decl_ref_expr(self, node: Node) -> Term:
        if node.value is not None:
            return Term(str(node.value), INT)
        return self._loaded(self.place(node))

    def _array_subscript_expr(self, node: Node) -> Term:
        return self._loaded(self.place(node))

    _member_ref_expr = _array_subscript_expr

    def _loaded(self, place: Place) -> Term:
        if place.in_memory and place.shape.is_scalar:
            return Term(f"M[{place.text}]", place.shape)
        if place.in_memory and place.shape.is_vector:
            return Term(f"_lanes(M, {place.text}, {lanes_of(place.shape)})", place.shape)
        if place.shape.kind in ("other", "void"):
            raise NotExecuted("a function as a value")
        return Term(place.text, place.shape)

    def _implicit_cast(self, node: Node) -> Term:
        shape = self.program.shapes.of(node.type)
        return Term(self.converted(node.children[-1], shape), shape)

    def _cstyle_cast_expr(self, node: Node) -> Term:
        sizes = [c for c in node.children[:-1] if c.kind not in ("TYPE_REF",)]
        shape = self.program.shapes.of(node.type, [self.exact(size) for size in sizes])
        if shape.kind == "void":
            return Term(self.exact(node.children[-1]), shape)
        operand = self.value(node.children[-1])
        if shape.kind == "pointer" and operand.shape.kind == "pointer":
            check_reinterpretation(operand.shape.target.innermost(), shape.target.innermost())
        return Term(self.convert(operand, shape), shape)

    def _conditional_operator(self, node: Node) -> Term:
        test, then, other = node.children
        left, right = self.value(then), self.value(other)
        shape = left.shape
        if left.shape.kind in ("int", "float") and right.shape.kind in ("int", "float"):
            shape = common(left.shape, right.shape)
        elif right.shape.kind == "pointer" and shape.kind != "pointer":
            shape = right.shape
        parts = self.convert(left, shape), self.convert(right, shape)
        return Term(f"({parts[0]} if {self.condition(test)} else {parts[1]})", shape)

    def _unexposed_expr(self, node: Node) -> Term:
        if len(node.children) == 1:
            return self._term(node.children[0])
        raise NotExecuted("an extension of the language")

    def _compound_literal_expr(self, node: Node) -> Term:
        raise NotExecuted("a compound literal")

    def _cxx_unary_expr(self, node: Node) -> Term:
        """The size of something whose type has lengths that are known at run time."""
        if len(node.children) == 1:
            shape = self._term(node.children[0]).shape
            if shape.width not in ("0", ""):
                return Term(f"({shape.width})", SIZE)
        raise NotExecuted("'sizeof'")

    # -- operators ------------------------------------------------------------------------------

    def _unary_operator(self, node: Node) -> Term:
        op, operand = node.op, node.children[0]
        if op in ("post++", "post--", "++", "--"):
            return self._counted(node)
        if op == "&":
            return self._address(operand)
        if op == "*":
            return self._loaded(self.place(node))
        if op == "!":
            return Term(f"(not {self.condition(operand)})", INT)
        if op == "__extension__":
            return self._term(operand)
        term = self.value(operand)
        shape = widened(term.shape)
        if op == "+":
            return Term(term.text, shape, term.loose)
        if op == "-" and shape.kind == "float":
            return Term(f"(-{term.text})", shape)
        if op in ("-", "~") and shape.kind == "int":
            return Term(f"({op}{term.text})", shape, loose=True)
        raise NotExecuted(f"'{op}'")

    def _address(self, operand: Node) -> Term:
        place = self.place(operand)
        if not place.in_memory:
            raise NotExecuted(f"the address of '{operand.name}'")
        return Term(place.text, pointer_to(place.shape))

    def _binary_operator(self, node: Node) -> Term:
        op = node.op
        if op in ("&&", "||"):
            return Term(self.condition(node), INT)
        if op == "=":
            return self._assigned(node)
        if op == ",":
            first, last = self.value(node.children[0]), self.value(node.children[1])
            return Term(f"({first.text}, {self.wrapped(last)})[1]", last.shape)
        left, right = self.value(node.children[0]), self.value(node.children[1])
        return self.operation(op, left, right)

    # -- assignments ----------------------------------------------------------------------------

    def _assigned(self, node: Node) -> Term:
        place = self.place(node.children[0])
        if not place.shape.is_scalar:
            return self._copied(place, node.children[1])
        text = self.converted(node.children[1], place.shape)
        return Term(storing(place, text), place.shape)

    def _copied(self, place: Place, source: Node) -> Term:
        if place.shape.is_vector:
            text = self.converted(source, place.shape)
            lanes = lanes_of(place.shape)
            return Term(f"_set_lanes(M, {place.text}, {lanes}, {text}, _w)", place.shape)
        if place.shape.kind != "record" or not place.shape.leaves:
            raise NotExecuted("an assignment of a union")
        return Term(self.moved(place.text, self.value(source).text, place.shape), place.shape)

    def moved(self, target: str, source: str, shape: Shape) -> str:
        """Text that copies a record."""
        self.program.tables.append(list(shape.leaves))
        return f"_move(M, {target}, {source}, _scalars[{len(self.program.tables) - 1}])"

    def _compound_assignment_operator(self, node: Node) -> Term:
        place = self.place(node.children[0])
        term = self.combined(node, self._loaded(place))
        return Term(storing(place, self.convert(term, place.shape)), place.shape)

    def combined(self, node: Node, current: Term) -> Term:
        """What a compound assignment stores, before it is converted."""
        return self.operation(node.op[:-1], current, self.value(node.children[1]))

    def _counted(self, node: Node) -> Term:
        place = self.place(node.children[0])
        text = self.counted(node, self._loaded(place))
        new = Term(storing(place, text), place.shape)
        if not node.op.startswith("post"):
            return new
        if place.in_memory:
            return Term(f"(M[{place.text}], {new.text})[0]", place.shape)
        return Term(f"({place.text}, {new.text})[0]", place.shape)

    def counted(self, node: Node, current: Term) -> str:
        """The value after ``++`` or ``--``."""
        one = Term("1" if current.shape.kind != "float" else "1.0", INT)
        if current.shape.kind == "float":
            one = replace(one, shape=current.shape)
        return self.convert(self.operation(node.op[-1], current, one), current.shape)

    # -- places ---------------------------------------------------------------------------------

    def place(self, node: Node) -> Place:
        """Where an lvalue is."""
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            return self.place_of(node.decl)
        if node.kind == "ARRAY_SUBSCRIPT_EXPR":
            return self._element(node)
        if node.kind == "MEMBER_REF_EXPR":
            return self._member(node)
        if node.kind == "UNARY_OPERATOR" and node.op == "*":
            pointer = self.value(node.children[0])
            if pointer.shape.kind != "pointer":
                raise NotExecuted("'*' of no pointer")
            return Place(pointer.text, pointer.shape.target, True)
        if node.kind == "UNARY_OPERATOR" and node.op == "__extension__":
            return self.place(node.children[0])
        term = self._term(node)
        if term.shape.kind in ("record", "array"):
            return Place(term.text, term.shape, True)
        raise NotExecuted(f"a place given by {node.kind.lower()}")

    def place_of(self, decl: Decl) -> Place:
        """Where a variable is."""
        known = self.variables.get(decl)
        if known is not None:
            return known
        if decl.kind not in ("VAR_DECL", "PARM_DECL"):
            raise NotExecuted(f"'{decl.name}' as a value")
        if decl.is_global or decl.is_static:
            name, shape = self.program.place_of(decl)
            return Place(name, shape, True)
        if not self.lifted:
            raise NotExecuted(f"'{decl.name}' is declared elsewhere")
        place = self.outer(decl)
        self.variables[decl] = place
        return place

    def outer(self, decl: Decl) -> Place:
        """A variable from around the text."""
        widths = self.lengths(decl)
        shape = self.program.shapes.of(decl.type, widths)
        in_memory = decl in self.in_memory or not shape.is_scalar
        place = Place(f"v_{decl.name}", shape, in_memory)
        self.free[decl.name] = decl, place
        return place

    def lengths(self, decl: Decl) -> list[str]:
        """Texts of a declared variable's array lengths, innermost first."""
        if decl.node is None or not _is_variable(decl):
            return []
        lengths = dimension_lengths(decl.node)
        if lengths is None:
            raise NotExecuted(f"the lengths of '{decl.name}'")
        return [str(n) if isinstance(n, int) else self._length(n, decl) for n in lengths[::-1]]

    def _length(self, node: Node, decl: Decl) -> str:
        return self.exact(node)

    def _element(self, node: Node) -> Place:
        base, subscript = node.children
        term = self._term(base)
        if term.shape.kind not in ("pointer", "array"):
            base, subscript = subscript, base
            term = self._term(base)
        text = self.exact(subscript)
        if self.program.strict and term.shape.kind == "array" and term.shape.count:
            text = in_row(text, term.shape.count)
        if term.shape.kind not in ("pointer", "array"):
            raise NotExecuted("a subscript of no array")
        times = scaled(text, term.shape)
        address = f"{term.text}+{times}" if times != "0" else term.text
        return Place(f"({address})", term.shape.target, True)

    def _member(self, node: Node) -> Place:
        if not node.children or node.decl is None or node.decl.cursor.is_bitfield():
            raise NotExecuted(f"the member '{node.name}'")
        offset = node.decl.cursor.get_field_offsetof() // 8
        base = node.children[0]
        record = self._term(base)
        target = record.shape.target if record.shape.kind in ("pointer", "array") else record.shape
        if target.kind != "record":
            raise NotExecuted("a member of a union")
        shape = self.program.shapes.of(node.decl.type)
        return Place(f"({record.text}+{offset})" if offset else record.text, shape, True)

    def _call_expr(self, node: Node) -> Term:
        return evaluate_call(self, node)


def lanes_of(shape: Shape) -> str:
    """Text of a vector's length in bytes and that of a lane."""
    return f"{shape.width}, {shape.target.width}"


def check_reinterpretation(old: Shape, new: Shape) -> None:
    """Refuse pointers to memory of one type as memory of another one."""
    if not (old.is_scalar and new.is_scalar) or CHAR.size in (old.size, new.size):
        return
    if (old.kind, old.size) != (new.kind, new.size):
        raise NotExecuted("memory read as another type")


def _is_variable(decl: Decl) -> bool:
    """Whether a type has array lengths that are no constants."""
    type_ = decl.type
    while type_.element is not None:
        if type_.kind == "array" and type_.count is None:
            return True
        type_ = type_.element
    return False


def _asks_for_much(node: Node) -> bool:
    """Whether a condition asks for gains: sizes for each thread, or of whole arrays."""
    if node.kind != "BINARY_OPERATOR" or node.op not in (">", ">="):
        return False
    most = node.children[1].uncast
    if any(n.name.endswith("_threads") for n in node.walk()):
        return True
    number = most.value if most.value is not None else most.real
    return number is not None and number >= 2048
