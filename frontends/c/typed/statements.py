"""Statements of C as nodes of a nest."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.frontends.c.syntax import ASSIGNMENTS, Decl, Node
from s2s.frontends.c.typed.arithmetic import INT, type_of
from s2s.frontends.c.typed.choices import chosen
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.expressions import Expressions, about
from s2s.frontends.c.typed.memory import array_tensor, tensor
from s2s.frontends.c.typed.scope import Scope
from s2s.scop import nest
from s2s.scop.expressions import Const, Expr, Load, Type, walk
from s2s.scop.literals import cast
from s2s.scop.nest import Tensor

_ORDER = {"<": "lt", "<=": "le"}


class Statements:
    """Builds the nest of a function's body; all methods raise NotATensorNest.

    ``changing`` are the names that are set after their declaration, ``written`` those of arrays
    that are stored to.
    """

    def __init__(self, scope: Scope, changing: set[Decl], written: set[Decl]) -> None:
        self.scope, self.changing, self.written = scope, changing, written
        self.expressions = Expressions(scope)

    def sequence(self, nodes: Sequence[Node]) -> nest.Node:
        """Statements one after the other; memory that they declare lives until the last."""
        done: list[nest.Node] = []
        for place, node in enumerate(nodes):
            if node.kind == "DECL_STMT":
                declared: list[Tensor] = []
                first = [n for child in node.children for n in self._declared(child, declared)]
                if declared or first:
                    rest: nest.Node = nest.Block((*first, self.sequence(nodes[place + 1 :])))
                    for own in reversed(declared):
                        rest = nest.Allocate(own, rest)
                    return nest.Block((*done, rest))
            elif node.kind == "RETURN_STMT" and place == len(nodes) - 1:
                self._check_returned(node)
            else:
                done.append(self.statement(node))
        return nest.Block(tuple(done))

    def _check_returned(self, node: Node) -> None:
        for child in node.children:
            if not isinstance(self.expressions.value(child), Const):
                raise NotATensorNest(node.span, "a value that is returned")

    def statement(self, node: Node) -> nest.Node:
        """One statement."""
        match node.kind:
            case "COMPOUND_STMT":
                return self.sequence(node.children)
            case "NULL_STMT":
                return nest.Block(())
            case "IF_STMT":
                return self._branch(node)
            case "BINARY_OPERATOR" if node.op == "=":
                return self._store(node, self._assigned(node))
            case "BINARY_OPERATOR" if node.op == ",":
                return nest.Block(tuple(self.statement(child) for child in node.children))
            case "COMPOUND_ASSIGNMENT_OPERATOR" if node.op in ASSIGNMENTS:
                return self._compound(node)
            case "UNARY_OPERATOR" if node.op.removeprefix("post") in ("++", "--"):
                return self._increment(node)
            case "CSTYLE_CAST_EXPR" if node.type.kind == "void":
                return nest.Block(())  # (void)x
        raise NotATensorNest(node.span, about(node))

    def _declared(self, node: Node, declared: list[Tensor]) -> list[nest.Node]:
        """The stores of an initialization; what becomes memory is added to ``declared``."""
        decl = node.decl
        if node.kind != "VAR_DECL" or decl is None:
            raise NotATensorNest(node.span, "a declaration of something else than a variable")
        if decl.is_static:
            raise NotATensorNest(node.span, f"'{decl.name}' keeps its value between calls")
        first = node.children[-1] if _is_initialized(node) else None
        if decl.type.kind == "pointer":
            return self._pointer(node, decl, first)
        if decl.type.kind == "array":
            if first is not None:
                raise NotATensorNest(node.span, "an array that is filled where it is declared")
            memory = array_tensor(decl, node.span, self.expressions.value)
        else:
            value = None if first is None else self._initial(node, decl, first)
            if value is not None and self._is_fixed(decl, value):
                self.scope.values[decl] = value
                return []
            memory = tensor(decl.name, self._type(node, decl), ())
        memory = nest.Tensor(self.scope.fresh(memory.name), memory.types, memory.dimensions)
        self.scope.memory[decl] = memory
        declared.append(memory)
        if first is None:
            return []
        return [nest.Store(memory.name, (), (self._initial(node, decl, first),), at=node.span)]

    def _pointer(self, node: Node, decl: Decl, first: Node | None) -> list[nest.Node]:
        if first is None or decl in self.changing:
            raise NotATensorNest(node.span, f"'{decl.name}' is a pointer that moves")
        self.point(decl, first)
        return []

    def point(self, decl: Decl, value: Node) -> None:
        """Makes a pointer lead somewhere, to elements of its own type."""
        address = self.expressions.address(value)
        if decl.type.element is not None:
            address = self.expressions.pointer_to(decl.type.element, address, value)
        if address.is_element:
            self.scope.walked.add(address.tensor.name)
        self.scope.addresses[decl] = address

    def _initial(self, node: Node, decl: Decl, first: Node) -> Expr:
        return cast(self._type(node, decl), self.expressions.value(first))

    def _type(self, node: Node, decl: Decl) -> Type:
        found = type_of(decl.type)
        if found is None:
            raise NotATensorNest(node.span, f"'{decl.name}' is no number")
        return found

    def _is_fixed(self, decl: Decl, value: Expr) -> bool:
        """Whether a name may stand for its first value: nothing of it changes later."""
        memory = {t.name for d, t in self.scope.memory.items() if d in self.written}
        loads = {e.tensor for e in walk(value) if isinstance(e, Load)}
        return decl not in self.changing and not loads & memory

    def _branch(self, node: Node) -> nest.Node:
        condition = self.expressions.condition(node.children[0])
        branches = node.children[1:]
        if isinstance(condition, Const):
            taken = branches[:1] if condition.value else branches[1:2]
            return self.statement(taken[0]) if taken else nest.Block(())
        if len(branches) == 1 and (changed := self._scalar_change(branches[0])) is not None:
            old, new = self.expressions.value(changed.children[0]), self._assigned(changed)
            return self._store(changed, chosen(condition, cast(old.type, new), old))
        then, *otherwise = (self.statement(branch) for branch in branches)
        return nest.If(condition, then, otherwise[0] if otherwise else None)

    def _scalar_change(self, node: Node) -> Node | None:
        """The assignment to a local scalar that a statement is; None for other statements."""
        while node.kind == "COMPOUND_STMT" and len(node.children) == 1:
            node = node.children[0]
        if node.kind != "BINARY_OPERATOR" or node.op != "=":
            return None
        memory = self.scope.memory.get(node.children[0].decl) if node.children[0].decl else None
        scalar = node.children[0].kind == "DECL_REF_EXPR" and memory is not None
        return node if scalar and memory is not None and not memory.dimensions else None

    def _assigned(self, node: Node) -> Expr:
        return self.expressions.value(node.children[1])

    def _store(self, node: Node, value: Expr) -> nest.Node:
        target = node.children[0]
        if target.kind == "DECL_REF_EXPR" and target.decl in self.scope.memory:
            memory = self.scope.memory[target.decl]
            if not memory.dimensions:
                value = cast(memory.types[0], value)
                return nest.Store(memory.name, (), (value,), at=node.span)
        where = self.expressions.place(target)
        value = cast(where.tensor.types[0], value)
        return nest.Store(where.tensor.name, where.subscripts, (value,), at=node.span)

    def _compound(self, node: Node) -> nest.Node:
        target, operand = node.children
        old, by = self.expressions.value(target), self.expressions.value(operand)
        op = node.op.removesuffix("=")
        return self._store(node, self.expressions.combined(node, op, old, by))

    def _increment(self, node: Node) -> nest.Node:
        old = self.expressions.value(node.children[0])
        op = "+" if node.op.endswith("++") else "-"
        return self._store(node, self.expressions.combined(node, op, old, Const(INT, 1)))


def _is_initialized(node: Node) -> bool:
    """Whether a declaration's last child is a value, and not the type or an extent of an array."""
    if not node.children or node.children[-1].kind.endswith("_REF"):
        return False
    if node.type.kind != "array":
        return True
    return node.children[-1].kind == "INIT_LIST_EXPR"
