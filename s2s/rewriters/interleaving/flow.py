"""What statements do with variables and memory, in the order in which they do it.

A *tracked* variable is a local scalar that nobody else can reach: its address is taken, if at all,
as an argument of calls that are known and that keep no pointers. All else is memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from operator import eq, ge, gt, le, lt, ne

from s2s.frontends.c.facts import initializer
from s2s.frontends.c.integer_constants import constant_value
from s2s.frontends.c.lvalues import resolve
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import CASTS, CType, Decl, Node
from s2s.rewriters.idioms.loops import Unsuitable
from s2s.source.records import dataclass

_VALUES = frozenset(
    {"INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "STRING_LITERAL",
     "CXX_UNARY_EXPR", "UNARY_EXPR", "NULL_STMT"}
)  # fmt: skip
_OPERATIONS = frozenset(
    {"UNARY_OPERATOR", "BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR", "CONDITIONAL_OPERATOR",
     "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR"} | CASTS
)  # fmt: skip
_LOCATIONS = ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR")


@dataclass(frozen=True)
class MemoryUse:
    """One access of memory: of a variable's own, or (``root`` None) of what a pointer leads to."""

    root: Decl | None
    type: CType
    write: bool
    node: Node


@dataclass
class Flow:
    """``exposed`` are variables that are read before they are set for sure, ``set_`` those that
    are set on every way through.
    """

    reads: set[Decl] = field(default_factory=set)
    writes: set[Decl] = field(default_factory=set)
    exposed: set[Decl] = field(default_factory=set)
    set_: set[Decl] = field(default_factory=set)
    memory: list[MemoryUse] = field(default_factory=list)
    output: bool = False


def is_direct_scalar(decl: Decl) -> bool:
    """Whether a variable is a local scalar of the function that refers to it."""
    local = decl.is_local and not decl.is_static and not decl.thread_local
    return local and decl.type.scalar and not decl.type.volatile and not decl.type.reference


def keeps_no_pointers(function: Function, call: Node) -> bool:
    """Whether a call is known, and neither stores nor returns an address that it is given."""
    effects = function.calls.of(call)
    if effects.anything or effects.global_writes or call.type.kind not in ("int", "float", "void"):
        return False
    return all(
        a.type.kind in ("int", "float")
        or (a.type.kind in ("pointer", "array") and a.type.element is not None
            and a.type.element.kind in ("int", "float"))
        for a in call.children[1:]
    )  # fmt: skip


class Tracked:
    """Which variables of a function are tracked."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self._confined = _Confined(function)
        self._known: dict[Decl, bool] = {}

    def __contains__(self, decl: Decl) -> bool:
        if decl not in self._known:
            direct = is_direct_scalar(decl)
            escapes = decl in self.function.facts.escaped
            self._known[decl] = direct and (not escapes or self.is_confined(decl))
        return self._known[decl]

    def is_confined(self, decl: Decl) -> bool:
        """Whether a variable's address goes to no more than known calls, while these run."""
        return decl not in self._confined.leaked


class _Confined:
    """Variables whose address goes elsewhere than to calls that keep no pointers."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.leaked: set[Decl] = set()
        self._visit(function.node, argument=False)

    def _visit(self, node: Node, *, argument: bool) -> None:
        if node.kind == "CALL_EXPR":
            fine = keeps_no_pointers(self.function, node)
            for child in node.children[1:]:
                self._visit(child, argument=fine)
            return
        if node.kind == "UNARY_OPERATOR" and node.op == "&":
            self._address(node.children[0], argument)
            return
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            if node.type.kind in ("array", "record", "union") and not argument:
                self.leaked.add(node.decl)
            return
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
            base, index = node.children
            if base.type.kind == "int":
                base, index = index, base
            self._visit(base, argument=node.type.scalar or argument)
            self._visit(index, argument=False)
            return
        if node.kind == "MEMBER_REF_EXPR":
            for child in node.children:
                self._visit(child, argument=node.type.scalar or argument)
            return
        inside = argument and (
            node.kind in CASTS or (node.kind == "BINARY_OPERATOR" and node.op in ("+", "-"))
        )
        for child in node.children:
            self._visit(child, argument=inside)

    def _address(self, node: Node, argument: bool) -> None:
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            if not argument:
                self.leaked.add(node.decl)
        else:
            self._visit(node, argument=argument)


class Reader:
    """Reads statements into a ``Flow``. Raises Unsuitable for what is not understood."""

    def __init__(self, function: Function, tracked: Tracked) -> None:
        self.function = function
        self.tracked = tracked

    def read(self, statements: Iterable[Node]) -> Flow:
        """What these do, one after the other."""
        flow = Flow()
        self.extend(flow, statements)
        return flow

    def extend(self, flow: Flow, statements: Iterable[Node]) -> None:
        """Add what these do after all that a flow has."""
        self._sequence(statements, flow, flow.set_)

    def _sequence(self, statements: Iterable[Node], flow: Flow, done: set[Decl]) -> None:
        for statement in statements:
            self._statement(statement, flow, done)

    def _statement(self, node: Node, flow: Flow, done: set[Decl]) -> None:
        kind = node.kind
        if kind == "COMPOUND_STMT":
            self._sequence(node.children, flow, done)
        elif kind == "DECL_STMT":
            for child in node.children:
                self._declaration(child, flow, done)
        elif kind == "IF_STMT":
            self._branch(node, flow, done)
        elif kind == "FOR_STMT" and len(node.children) == 4:
            first, condition, increment, body = node.children
            self._statement(first, flow, done)
            self._value(condition, flow, done)
            self._statement(body, flow, set(done))
            self._value(increment, flow, set(done))
        elif kind in ("WHILE_STMT", "DO_STMT"):
            inside = set(done)
            for child in node.children:
                self._statement(child, flow, set(inside))
        elif kind in ("BREAK_STMT", "CONTINUE_STMT"):
            return
        else:
            self._value(node, flow, done)

    def _declaration(self, node: Node, flow: Flow, done: set[Decl]) -> None:
        if node.kind != "VAR_DECL" or node.decl is None:
            raise Unsuitable(node, "a declaration is not understood")
        if node.decl not in self.tracked:
            raise Unsuitable(node, f"'{node.decl.name}', declared here, is no scalar")
        value = initializer(node)
        if value is not None:
            self._value(value, flow, done)
            flow.writes.add(node.decl)
        done.add(node.decl)

    def _branch(self, node: Node, flow: Flow, done: set[Decl]) -> None:
        condition, *ways = node.children
        known = _decided(condition)
        if known is not None:
            taken = 0 if known else 1
            for way in ways[taken : taken + 1]:
                self._statement(way, flow, done)
            return
        self._value(condition, flow, done)
        after = [set(done) for _ in range(2)]
        for way, inside in zip(ways, after, strict=False):
            self._statement(way, flow, inside)
        done |= after[0] & after[1]

    def _value(self, node: Node, flow: Flow, done: set[Decl]) -> None:
        kind = node.kind
        if kind == "DECL_REF_EXPR":
            self._reference(node, flow, done)
        elif kind == "CALL_EXPR":
            self._call(node, flow, done)
        elif node.assigns:
            self._assignment(node, flow, done)
        elif kind == "CONDITIONAL_OPERATOR" or node.op in ("&&", "||"):
            self._value(node.children[0], flow, done)
            for child in node.children[1:]:
                self._value(child, flow, set(done))
        elif kind == "UNARY_OPERATOR" and node.op == "&":
            raise Unsuitable(node, "an address is taken")
        elif kind in _LOCATIONS or (kind == "UNARY_OPERATOR" and node.op == "*"):
            self._location(node, flow, done, write=False)
        elif kind in _OPERATIONS:
            for child in node.children:
                self._value(child, flow, done)
        elif kind not in _VALUES:
            raise Unsuitable(node, "a statement is not understood")

    def _reference(self, node: Node, flow: Flow, done: set[Decl]) -> None:
        decl = node.decl
        if decl is None or decl.kind not in ("VAR_DECL", "PARM_DECL"):
            if node.value is None and (decl is None or decl.kind != "ENUM_CONSTANT_DECL"):
                raise Unsuitable(node, "a reference is not understood")
        elif decl in self.tracked:
            flow.reads.add(decl)
            if decl not in done:
                flow.exposed.add(decl)
        elif not decl.type.scalar:
            raise Unsuitable(node, f"'{decl.name}' is used as a whole")
        else:
            self._use(node, flow, write=False)

    def _assignment(self, node: Node, flow: Flow, done: set[Decl]) -> None:
        target = node.children[0]
        for child in node.children[1:]:
            self._value(child, flow, done)
        decl = target.decl if target.kind == "DECL_REF_EXPR" else None
        if decl is not None and decl in self.tracked:
            if node.op != "=":
                self._reference(target, flow, done)
            flow.writes.add(decl)
            done.add(decl)
        else:
            if node.op != "=":
                self._location(target, flow, done, write=False)
            self._location(target, flow, done, write=True)

    def _location(self, node: Node, flow: Flow, done: set[Decl], *, write: bool) -> None:
        """An element, a member, what a pointer points to, or a variable that is not tracked."""
        self._use(node, flow, write=write)
        for part in _parts(node):
            self._value(part, flow, done)
        if node.kind != "DECL_REF_EXPR":
            self._through(node, flow, done)

    def _through(self, node: Node, flow: Flow, done: set[Decl]) -> None:
        """The pointers on the way to a location, which are loaded."""
        for base in _bases(node):
            if base.kind == "DECL_REF_EXPR":
                if base.type.kind == "pointer":
                    self._reference(base, flow, done)
            elif base.kind in _LOCATIONS or base.op == "*":
                if base.type.kind == "pointer":
                    self._use(base, flow, write=False)
                for part in _parts(base):
                    self._value(part, flow, done)
                self._through(base, flow, done)
            else:
                self._value(base, flow, done)

    def _use(self, node: Node, flow: Flow, *, write: bool) -> None:
        path = resolve(node)
        if path is None or node.type.volatile or path.union:
            raise Unsuitable(node, "an access is not understood")
        root = path.root if path.root is not None and not path.pointer_depth else None
        flow.memory.append(MemoryUse(root, node.type, write, node))

    def _call(self, node: Node, flow: Flow, done: set[Decl]) -> None:
        effects = self.function.calls.of(node)
        if effects.anything:
            raise Unsuitable(node, f"call to '{node.name}' may do anything")
        flow.output |= effects.output
        for decl in effects.global_reads:
            flow.memory.append(MemoryUse(decl, decl.type.innermost(), False, node))
        for decl in effects.global_writes:
            flow.memory.append(MemoryUse(decl, decl.type.innermost(), True, node))
        for position, argument in enumerate(node.children[1:]):
            touched = position in effects.reads or position in effects.writes
            self._argument(argument, flow, done, touched, position in effects.writes)

    def _argument(
        self, node: Node, flow: Flow, done: set[Decl], touched: bool, write: bool
    ) -> None:
        bare = node.uncast
        if bare.type.kind not in ("pointer", "array"):
            self._value(node, flow, done)
            return
        variable = pointed_variable(node)
        if variable is not None and variable in self.tracked:
            if touched:
                flow.reads.add(variable)
                if variable not in done:
                    flow.exposed.add(variable)
            if write:
                flow.writes.add(variable)
            return
        if bare.kind != "STRING_LITERAL":
            raise Unsuitable(node, "memory is handed to a call")


_COMPARISONS = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def _decided(condition: Node) -> bool | None:
    """The value of a condition that compares constants."""
    if condition.op in _COMPARISONS:
        left, right = (constant_value(c) for c in condition.children)
        return None if left is None or right is None else _COMPARISONS[condition.op](left, right)
    value = constant_value(condition)
    return None if value is None else bool(value)


def pointed_variable(argument: Node) -> Decl | None:
    """The variable ``v`` of an argument ``&v``."""
    bare = argument.uncast
    if bare.kind == "UNARY_OPERATOR" and bare.op == "&":
        target = bare.children[0]
        return target.decl if target.kind == "DECL_REF_EXPR" else None
    return None


def _bases(node: Node) -> Iterator[Node]:
    if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
        base, index = node.children
        yield index if base.type.kind == "int" else base
    elif node.kind == "MEMBER_REF_EXPR" or node.op == "*":
        yield from node.children[:1]


def _parts(node: Node) -> Iterator[Node]:
    """The subscripts of a location."""
    if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
        base, index = node.children
        yield base if base.type.kind == "int" else index


def may_be_same(function: Function, one: MemoryUse, other: MemoryUse, tracked: Tracked) -> bool:
    """Whether two accesses may meet in memory."""
    if one.root is not None and other.root is not None:
        return one.root is other.root
    for this, that in ((one, other), (other, one)):
        hidden = this.root is not None and this.root.is_local and tracked.is_confined(this.root)
        if hidden and that.root is None:
            return False
    return not _differ(function, one.type, other.type)


def _differ(function: Function, one: CType, other: CType) -> bool:
    """Whether C lets no access of one type meet one of another type."""
    if "-fno-strict-aliasing" in function.unit.flags:
        return False
    if not (one.scalar and other.scalar) or one.character or other.character:
        return False
    return one.kind != other.kind or one.size != other.size
