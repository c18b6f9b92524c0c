"""What expressions compute and change, statement by statement: the part of the machine for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, CType, Decl, Node
from s2s.rewriters.graphs.edge_lists.memory import State, fresh, joined, kind_of, plain_type
from s2s.rewriters.graphs.edge_lists.operations import (
    bytes_of,
    combine,
    element_at,
    moved_by,
    unknown,
    zero_of,
)
from s2s.rewriters.graphs.edge_lists.stores import Stores
from s2s.rewriters.graphs.edge_lists.terms import (
    Anywhere,
    Lin,
    Object,
    Op,
    Pointer,
    Record,
    Target,
    Value,
    number,
    of,
)
from s2s.source.records import dataclass

_CASTS = frozenset({"IMPLICIT_CAST", "CSTYLE_CAST_EXPR"})
_LVALUES = frozenset({"DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR"})
_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
_CHANGING = frozenset({"CALL_EXPR", "COMPOUND_ASSIGNMENT_OPERATOR", "BINARY_OPERATOR",
                       "UNARY_OPERATOR"})  # fmt: skip


@dataclass
class Frame:
    """A call: its variables, and the states in which it returns, with the values."""

    function: Node
    variables: dict[Decl, Object] = field(default_factory=dict)
    returns: list[tuple[State, Value]] = field(default_factory=list)
    calls: tuple[int, ...] = ()


class Expressions(Stores):
    """Evaluates expressions in ``state``. ``call`` and ``loaded`` are the machine's."""

    frame: Frame
    globals: dict[Decl, Object]

    def call(self, node: Node) -> Value:
        raise NotImplementedError

    def loaded(self, target: Target) -> Lin | None:
        """An element's value where it is known otherwise."""
        raise NotImplementedError

    # -- places -----------------------------------------------------------------------------

    def variable(self, decl: Decl) -> Object:
        """The object that a variable is."""
        local = decl.is_local and not decl.is_static
        known = self.frame.variables if local else self.globals
        if decl not in known:
            known[decl] = Object(
                decl.name, bytes_of(decl.type), kind=kind_of(decl.type.innermost())
            )
        return known[decl]

    def places(self, node: Node) -> list[Target] | None:
        """Where an lvalue may be; None where that is not known."""
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            if node.decl.thread_local:
                return None
            return [Target(self.variable(node.decl))]
        if node.kind == "MEMBER_REF_EXPR" and node.children:
            return self._members(node)
        if node.kind == "ARRAY_SUBSCRIPT_EXPR":
            return self._elements(node)
        if node.kind == "UNARY_OPERATOR" and node.op == "*":
            return self._pointed(self.value(node.children[0]), number(0), node.type)
        if node.kind == "COMPOUND_LITERAL_EXPR":
            made = Target(Object("literal", bytes_of(node.type)))
            self.assign([made], self.value(node.children[-1]), node.type, node)
            return [made]
        self.value(node)
        return None

    def _members(self, node: Node) -> list[Target] | None:
        base = node.children[0]
        if base.type.kind == "pointer" and base.type.element is not None:
            found = self._pointed(self.value(base), number(0), base.type.element)
        else:
            found = self.places(base)
        if found is None or (base.type.element or base.type).kind == "union":
            return None
        return [Target(t.object, (*t.path, node.name), t.index) for t in found]

    def _elements(self, node: Node) -> list[Target] | None:
        base, index = node.children
        if base.type.kind == "int":
            base, index = index, base
        if base.type.kind != "array":
            pointer = self.value(base)
            return self._pointed(pointer, self.whole(index), node.type)
        found, at = self.places(base), self.whole(index)
        return None if found is None else [element_at(t, at, node.type) for t in found]

    def _pointed(self, pointer: Value, index: Lin, type_: CType) -> list[Target] | None:
        """The elements at an index behind a pointer."""
        if not isinstance(pointer, Pointer):
            return None
        return [moved_by(t, index, type_) for t in pointer.targets]

    # -- values -----------------------------------------------------------------------------

    def whole(self, node: Node) -> Lin:
        """The value of a number."""
        found = self.value(node)
        return found if isinstance(found, Lin) else unknown()

    def value(self, node: Node) -> Value:
        """The value of an expression; what it changes, changes."""
        if node.value is not None and node.type.kind in ("int", "other"):
            return number(node.value)
        if node.op in ASSIGNMENTS and len(node.children) == 2:
            return self._assignment(node)
        if node.op in INCREMENTS:
            return self._increment(node)
        if node.kind == "CALL_EXPR":
            return self.call(node)
        if node.kind in _CASTS and node.children:
            return self._cast(node)
        if node.kind == "UNARY_OPERATOR" and node.op == "&":
            return self._address(node.children[0])
        if node.kind in _LVALUES or (node.op == "*" and node.kind == "UNARY_OPERATOR"):
            return self._loaded(node)
        if node.kind in ("BINARY_OPERATOR", "UNARY_OPERATOR"):
            return self._operation(node)
        if node.kind == "CONDITIONAL_OPERATOR":
            return self._choice(node)
        return self._other(node)

    def _other(self, node: Node) -> Value:
        if node.kind == "FLOATING_LITERAL":
            return of(Op(("literal", node.name or node.span), ()))
        if node.kind == "INIT_LIST_EXPR":
            return self._list(node)
        if node.kind == "COMPOUND_LITERAL_EXPR" and node.children:
            return self.value(node.children[-1])
        if node.kind == "STRING_LITERAL":
            return Pointer()
        if node.kind == "CXX_UNARY_EXPR":
            return unknown()
        for child in node.children:
            if child.kind.endswith("STMT"):
                self.statement(child)
            else:
                self.state.escape(self.value(child))
        return Anywhere() if node.type.kind == "pointer" else unknown()

    def statement(self, node: Node) -> None:
        raise NotImplementedError

    def _list(self, node: Node) -> Value:
        """A struct's initial value; zeros stand for members that are not named."""
        names = self.members(node.type)
        plain = all(c.kind not in ("INIT_LIST_EXPR", "MEMBER_REF") for c in node.children)
        found = [self.value(c) for c in node.children if c.kind != "MEMBER_REF"]
        if node.type.kind != "record" or not plain or len(found) > len(names):
            for value in found:
                self.state.escape(value)
            return Record({(): unknown()})
        zeros: dict[tuple[str, ...], Value | None] = {(n,): zero_of(kind) for n, kind in names}
        given: dict[tuple[str, ...], Value | None] = {
            (n,): v for (n, _), v in zip(names, found, strict=False)
        }
        return Record({**zeros, **given} if None not in zeros.values() else {(): unknown()})

    def _cast(self, node: Node) -> Value:
        inner = node.children[-1]
        value = self.value(inner)
        if node.type.kind == "int" and isinstance(value, Lin):
            wider = node.type.size > inner.type.size
            alike = node.type.size == inner.type.size and (
                node.type.signed == inner.type.signed or node.type.size == 8
            )
            if wider or alike or value.number is not None:
                return value
        if node.type.kind in ("int", "float") and isinstance(value, Lin):
            return of(Op(("cast", plain_type(node.type)), (value,)))
        if node.type.kind == "pointer" and isinstance(value, (Pointer, Anywhere)):
            return value
        if node.type.kind == "pointer" and value == number(0):
            return Pointer()
        self.state.escape(value)
        return Anywhere() if node.type.kind == "pointer" else unknown()

    def _address(self, node: Node) -> Value:
        found = self.places(node)
        if found is None:
            return Anywhere()
        return Pointer(frozenset(found))

    def _loaded(self, node: Node) -> Value:
        named = node.decl if node.kind == "DECL_REF_EXPR" else None
        if named is not None and named.kind not in ("VAR_DECL", "PARM_DECL"):
            return Anywhere()
        found = self.places(node)
        if node.type.kind == "array":
            if found is None:
                return Anywhere()
            return Pointer(frozenset(element_at(t, number(0), node.type.element) for t in found))
        values = [self._held(t, node.type) for t in found or ()]
        if found is None or not values or node.type.volatile:
            return Anywhere() if node.type.kind == "pointer" else unknown()
        return values[0] if len(values) == 1 else self._one_of(values, node.type)

    def _held(self, target: Target, type_: CType) -> Value:
        if type_.kind == "record":
            return self._record(target, type_)
        if target.index is not None:
            return Anywhere() if type_.kind == "pointer" else self._number(target)
        return self.state.value(target.array, type_)

    def _number(self, target: Target) -> Lin:
        """The value of an element."""
        known = self.loaded(target)
        if known is not None or target.index is None:
            return known or unknown()
        return self.state.element(target.array, target.index)

    def _record(self, target: Target, type_: CType) -> Value:
        if target.index is not None:
            names = self.members(type_) or [("", "none")]
            members: dict[tuple[str, ...], Value] = {}
            for name, kind in names:
                place = Target(target.object, (*target.path, name), target.index)
                members[(name,)] = self._number(place) if kind != "pointer" else Anywhere()
            plain = all(kind in ("int", "float", "pointer") for _, kind in names)
            return Record(members if plain else {(): unknown()})
        depth, owner = len(target.path), target.object
        return Record({
            path[depth:]: value for (o, path), value in self.state.cells.items()
            if o is owner and path[:depth] == target.path
        })  # fmt: skip

    def _choice(self, node: Node) -> Value:
        condition, yes, no = node.children
        asked = self.value(condition)
        before = self.state.copy()
        first = self.value(yes)
        after, self.state = self.state, before
        second = self.value(no)
        self._rejoin([after, self.state])
        if isinstance(asked, Lin) and isinstance(first, Lin) and isinstance(second, Lin):
            return of(Op("?", (asked, first, second)))
        return self._one_of([first, second], node.type)

    def _rejoin(self, states: Sequence[State]) -> None:
        found = joined(states, fresh())
        if found is not None:
            self.state = found

    def _operation(self, node: Node) -> Value:
        if node.op in ("&&", "||"):
            return self._lazy(node)
        values = [self.value(c) for c in node.children]
        if node.op == ",":
            return values[-1]
        if node.type.kind == "pointer" and len(values) == 2:
            return self._stepped(node, values)
        if not all(isinstance(v, Lin) for v in values):
            return unknown()
        numbers = [v for v in values if isinstance(v, Lin)]
        if node.op in _COMPARISONS:
            return of(Op((node.op, plain_type(node.children[0].type)), tuple(numbers)))
        return combine(node.op, numbers, node.type)

    def _lazy(self, node: Node) -> Value:
        left = self.value(node.children[0])
        before = self.state.copy()
        right = self.value(node.children[1])
        if not node.children[1].kinds.isdisjoint(_CHANGING):
            self._rejoin([before, self.state])
        if isinstance(left, Lin) and isinstance(right, Lin):
            return of(Op(node.op, (left, right)))
        return unknown()

    def _stepped(self, node: Node, values: Sequence[Value]) -> Value:
        """A pointer and a number of elements."""
        pointer, by = values if not isinstance(values[0], Lin) else values[::-1]
        if not isinstance(pointer, Pointer) or not isinstance(by, Lin) or node.type.element is None:
            return Anywhere()
        by = by.scaled(-1) if node.op == "-" else by
        return Pointer(frozenset(moved_by(t, by, node.type.element) for t in pointer.targets))

    # -- changes ----------------------------------------------------------------------------

    def _assignment(self, node: Node) -> Value:
        target, source = node.children
        if node.op == "=":
            value = self.value(source)
            places = self.places(target)
        else:
            places = self.places(target)
            old, by = self._read(places, target), self.value(source)
            value = self._updated(node.op.removesuffix("="), old, by, target.type)
        self.assign(places, value, target.type, node)
        return value

    def _read(self, places: Sequence[Target] | None, node: Node) -> Value:
        values = [self._held(t, node.type) for t in places or ()]
        if not values:
            return Anywhere() if node.type.kind == "pointer" else unknown()
        return values[0] if len(values) == 1 else self._one_of(values, node.type)

    def _updated(self, op: str, old: Value, by: Value, type_: CType) -> Value:
        if isinstance(old, Lin) and isinstance(by, Lin):
            return combine(op, [old, by], type_)
        if isinstance(old, Pointer) and isinstance(by, Lin) and type_.element is not None:
            step = by.scaled(-1) if op == "-" else by
            return Pointer(frozenset(moved_by(t, step, type_.element) for t in old.targets))
        return Anywhere() if type_.kind == "pointer" else unknown()

    def _increment(self, node: Node) -> Value:
        target = node.children[0]
        places = self.places(target)
        old = self._read(places, target)
        new = self._updated("+" if "++" in node.op else "-", old, number(1), target.type)
        self.assign(places, new, target.type, node)
        return old if node.op.startswith("post") else new
