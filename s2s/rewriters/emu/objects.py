"""Which pointers point into the same memory, after Steensgaard: for layouts, not for legality.

Every variable and field has a place; a place has one object that its value points to, if any.
Fields are those of all structures of a type. Assignments, arguments and results make objects one.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import Any

from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.emu.program import Program
from s2s.source.records import dataclass

ALLOCATORS = {"malloc": 0, "calloc": 0, "realloc": 1}


@dataclass(frozen=True, eq=False)
class Site:
    """A call that allocates, and the lvalue or variable that gets the memory (None: neither)."""

    call: Node
    destination: Node | None
    function: Node


@dataclass
class Objects:
    """The objects of a program by number; numbers are those of representatives (``find``)."""

    program: Program
    _above: list[int] = field(default_factory=list)
    _pointee: dict[int, int] = field(default_factory=dict)
    _places: dict[Any, int] = field(default_factory=dict)
    _sites: list[tuple[int, Site]] = field(default_factory=list)
    _calls: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for function in self.program.functions.values():
            for node in function.walk():
                self._visit(node, function)

    @cached_property
    def sites(self) -> dict[int, list[Site]]:
        """Where the memory of each object is allocated."""
        found: dict[int, list[Site]] = {}
        for number, site in self._sites:
            found.setdefault(self.find(number), []).append(site)
        return found

    def find(self, number: int) -> int:
        while self._above[number] != number:
            self._above[number] = self._above[self._above[number]]
            number = self._above[number]
        return number

    def fields(self) -> list[Decl]:
        """All fields that have a place."""
        return [k for k in self._places if isinstance(k, Decl) and k.kind == "FIELD_DECL"]

    def place_of(self, decl: Decl) -> int:
        return self.find(self._place(decl))

    def pointee(self, number: int) -> int:
        """What the values in an object's memory point to."""
        number = self.find(number)
        if number not in self._pointee:
            self._pointee[number] = self._new()
        return self.find(self._pointee[number])

    def location(self, node: Node) -> int | None:
        """The object that an lvalue is part of; a field is an object of its own."""
        node = node.uncast
        if node.kind in ("DECL_REF_EXPR", "VAR_DECL", "PARM_DECL", "MEMBER_REF_EXPR"):
            return self._place(node.decl) if node.decl is not None else None
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" or (
            node.kind == "UNARY_OPERATOR" and node.op == "*"
        ):
            return self.target(node.children[0])
        return None

    def target(self, node: Node) -> int | None:
        """The object that a pointer's value points into."""
        node = node.uncast
        if node.kind == "CALL_EXPR":
            return self._result(node)
        if node.kind == "UNARY_OPERATOR" and node.op == "&":
            return self.location(node.children[0])
        if node.kind == "CONDITIONAL_OPERATOR":
            return self._joined(self.target(node.children[1]), self.target(node.children[2]))
        if node.kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"):
            pointers = [c for c in node.children if c.uncast.type.kind in ("pointer", "array")]
            return self.target(pointers[0]) if pointers else None
        if node.kind == "UNARY_OPERATOR" and node.op != "*":
            return self.target(node.children[0])
        place = self.location(node)
        if place is None:
            return None
        return self.find(place) if node.type.kind == "array" else self.pointee(place)

    def _visit(self, node: Node, function: Node) -> None:
        if node.kind == "VAR_DECL" and node.children and node.type.kind in ("pointer", "record"):
            self._initialize(node, node.children[-1])
        elif node.kind == "BINARY_OPERATOR" and node.op == "=":
            self._assign(self.location(node.children[0]), node.children[1])
        elif node.kind == "CALL_EXPR":
            self._call(node, function)
        elif node.kind == "RETURN_STMT" and node.children:
            self._assign(self._place(("result", id(function))), node.children[0])

    def _initialize(self, target: Node, value: Node) -> None:
        """A variable's initial value; members of a structure in order or by name."""
        if value.kind != "INIT_LIST_EXPR":
            self._assign(self.location(target), value)
            return
        fields = self._fields(value)
        for item, place in zip(value.children, fields, strict=False):
            if item.type.kind == "pointer" or item.uncast.kind == "CALL_EXPR":
                self._assign(self._place(place), item)

    def _fields(self, value: Node) -> list[Decl]:
        handle = value.type.spelling
        for decl in self.program.unit.converter._decls.values():
            if decl.kind == "FIELD_DECL" and decl.cursor is not None:
                parent = decl.cursor.semantic_parent
                if parent.type.get_canonical().spelling == value.type.canonical or (
                    parent.type.spelling == handle
                ):
                    found = (self.program.unit.converter.decl_of(c) for c in parent.get_children())
                    return [d for d in found if d is not None and d.kind == "FIELD_DECL"]
        return []

    def _assign(self, place: int | None, value: Node) -> None:
        if place is None or value.uncast.type.kind not in ("pointer", "array"):
            return
        target = self.target(value)
        if target is not None:
            self._join(self.pointee(place), target)

    def _call(self, node: Node, function: Node) -> None:
        called = self.program.functions.get(node.decl) if node.decl is not None else None
        if called is None:
            if node.name in ALLOCATORS:
                number = self._result(node)
                assert number is not None
                self._sites.append((number, Site(node, self._destination(node), function)))
            return
        parameters = [c for c in called.children if c.kind == "PARM_DECL"]
        for parameter, value in zip(parameters, node.children[1:], strict=False):
            self._assign(self.location(parameter), value)

    def _destination(self, node: Node) -> Node | None:
        for above in self.program.outward(node):
            if above.kind == "VAR_DECL":
                return above
            if above.kind == "BINARY_OPERATOR" and above.op == "=":
                return above.children[0].uncast
            if above.kind == "INIT_LIST_EXPR" or above.type.kind != "pointer":
                return None
        return None

    def _result(self, node: Node) -> int | None:
        called = self.program.functions.get(node.decl) if node.decl is not None else None
        if called is not None:
            return self.pointee(self._place(("result", id(called))))
        if node.name == "realloc":
            return self.target(node.children[1])
        if id(node) not in self._calls:
            self._calls[id(node)] = self._new()
        return self.find(self._calls[id(node)])

    def _place(self, key: Any) -> int:
        if key not in self._places:
            self._places[key] = self._new()
        return self._places[key]

    def _new(self) -> int:
        self._above.append(len(self._above))
        return len(self._above) - 1

    def _joined(self, left: int | None, right: int | None) -> int | None:
        if left is None or right is None:
            return right if left is None else left
        self._join(left, right)
        return self.find(left)

    def _join(self, left: int, right: int) -> None:
        waiting = [(left, right)]
        while waiting:
            a, b = map(self.find, waiting.pop())
            if a == b:
                continue
            self._above[b] = a
            below = self._pointee.pop(b, None)
            if below is not None:
                if a in self._pointee:
                    waiting.append((self._pointee[a], below))
                else:
                    self._pointee[a] = below
