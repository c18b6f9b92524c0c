"""Whose memory a statement touches: only that of one vertex, or that of others, too.

    struct vertex *u = graph.vertices[source];       u owns its structure, and what hangs off it
    insert(&u->out, target);                         touches what u owns, and nothing else

A pointer into an owner's structure is its own, and so is what is read from a field of it that only
ever gets fresh memory (``Unique``): no other structure leads there. What else is loaded may be
anybody's, may be compared and stored, and may not be followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from enum import Enum

from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, CType, Decl, Node
from s2s.rewriters.emu.objects import Objects
from s2s.rewriters.emu.program import Program, root
from s2s.source.records import dataclass


class Whose(Enum):
    """Where a pointer points; ``NOTHING``: nowhere, as far as is known yet."""

    NOTHING = "nothing"
    OWN = "own"
    LOCAL = "local"
    GLOBAL = "global"
    ANY = "any"


class NotOwned(Exception):
    """What may touch the memory of others, or what is not known to leave it alone."""


_BLOCKS = frozenset(
    {
        *("COMPOUND_STMT", "DECL_STMT", "IF_STMT", "FOR_STMT", "WHILE_STMT", "DO_STMT"),
        *("NULL_STMT", "BREAK_STMT", "CONTINUE_STMT", "SWITCH_STMT", "CASE_STMT", "DEFAULT_STMT"),
        *("INIT_LIST_EXPR", ""),
    }
)
_CONSTANTS = frozenset(
    {"INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "STRING_LITERAL", "CXX_UNARY_EXPR"}
)
_ACCESSES = ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR")
_COMPUTING = frozenset({"abs", "labs", "llabs"})


@dataclass
class Code:
    """A statement with the functions that it calls, which an owner's thread is to run.

    ``is_owner`` says which expressions are pointers to the owner, ``given`` which nodes are values
    that are worked out before. ``run`` raises NotOwned; ``read`` and ``written`` are then the
    objects (``Objects``) of the owner that it touches, ``globals`` the variables that it reads.
    """

    program: Program
    objects: Objects
    unique: frozenset[Decl]
    is_owner: Callable[[Node], bool]
    given: frozenset[int]
    read: set[int] = field(default_factory=set)
    written: set[int] = field(default_factory=set)
    globals: set[Decl] = field(default_factory=set)
    _known: dict[Decl, Whose] = field(default_factory=dict)
    _own: set[Decl] = field(default_factory=set)
    _function: Decl | None = None
    _reached: list[Decl] = field(default_factory=list)
    _changed: bool = False

    def run(self, statements: list[Node]) -> None:
        self._changed = True
        while self._changed:
            self._changed, self._function = False, None
            for statement in statements:
                self._visit(statement)
            for called in self._reached:
                self._function = called
                for child in self.program.functions[called].children:
                    self._visit(child)

    def _learn(self, decl: Decl, whose: Whose) -> None:
        before = self._known.get(decl, Whose.NOTHING)
        after = _joined(before, whose)
        if after is not before:
            self._known[decl], self._changed = after, True

    def _visit(self, node: Node) -> Whose:
        """Where an expression's value points, after a look at all that it does."""
        if id(node) in self.given:
            return Whose.ANY
        if self.is_owner(node):
            return Whose.OWN
        bare = node.uncast
        if bare is not node:
            return self._visit(bare)
        if node.kind in _BLOCKS or node.kind in ("PARM_DECL", "VAR_DECL"):
            return self._declared(node)
        if node.kind in _CONSTANTS:
            return Whose.NOTHING if node.value == 0 else Whose.ANY
        visit = {
            "DECL_REF_EXPR": self._load,
            "MEMBER_REF_EXPR": self._load,
            "ARRAY_SUBSCRIPT_EXPR": self._load,
            "UNARY_OPERATOR": self._unary,
            "BINARY_OPERATOR": self._binary,
            "COMPOUND_ASSIGNMENT_OPERATOR": self._binary,
            "CONDITIONAL_OPERATOR": self._choice,
            "CALL_EXPR": self._call,
            "RETURN_STMT": self._result,
        }.get(node.kind)
        if visit is None:
            raise NotOwned("a construct that is not looked through")
        return visit(node)

    def _declared(self, node: Node) -> Whose:
        whose = [self._visit(child) for child in node.children]
        if node.kind in ("VAR_DECL", "PARM_DECL") and node.decl is not None:
            if node.decl.is_static or node.type.volatile:
                raise NotOwned(f"'{node.name}' is not each call's own")
            self._own.add(node.decl)
            if whose and node.type.kind == "pointer":
                self._learn(node.decl, whose[-1])
        return Whose.ANY

    def _load(self, node: Node) -> Whose:
        decl = node.decl
        if node.kind == "DECL_REF_EXPR" and decl is not None and decl.kind not in _VARIABLES:
            return Whose.ANY
        whose = self._place(node)
        if node.type.kind == "array":
            return whose
        self._touch(node, whose, self.read)
        if node.kind == "DECL_REF_EXPR" and decl is not None and whose is Whose.LOCAL:
            return self._known.get(decl, Whose.NOTHING)
        is_own = whose is Whose.OWN and node.kind == "MEMBER_REF_EXPR" and decl in self.unique
        return Whose.OWN if is_own else Whose.ANY

    def _place(self, node: Node) -> Whose:
        """Whose memory an lvalue is in."""
        if self.is_owner(node):
            raise NotOwned("the pointer to a vertex is not its own")
        node = node.uncast
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            if node.decl.is_global or node.decl.is_static:
                return Whose.GLOBAL
            if node.decl not in self._own:
                raise NotOwned(f"'{node.name}' belongs to the loop")
            return Whose.LOCAL
        if node.kind == "ARRAY_SUBSCRIPT_EXPR":
            self._visit(node.children[1])
            return self._base(node.children[0])
        if node.kind == "MEMBER_REF_EXPR" and node.children:
            return self._base(node.children[0])
        if node.kind == "UNARY_OPERATOR" and node.op == "*":
            return self._visit(node.children[0])
        raise NotOwned("a place that is not looked through")

    def _base(self, node: Node) -> Whose:
        inside = node.uncast.type.kind in ("array", "record") and not self.is_owner(node.uncast)
        return self._place(node) if inside else self._visit(node)

    def _touch(self, node: Node, whose: Whose, kept: set[int]) -> None:
        if node.type.volatile or node.type.kind == "union":
            raise NotOwned("a volatile or shared place")
        if whose is Whose.GLOBAL:
            top = root(node)
            if kept is self.written or top is None or top.decl is None:
                raise NotOwned("memory of all")
            self.globals.add(top.decl)
            self.read.update(touched(self.objects, node))
        elif whose is Whose.ANY:
            text = self.program.flat.buffer.text(node.span)
            raise NotOwned(f"'{text}' may belong to others")
        elif whose is Whose.OWN:
            kept.update(touched(self.objects, node))

    def _store(self, node: Node) -> Whose:
        whose = self._place(node)
        if not (node.uncast.kind == "DECL_REF_EXPR" and whose is Whose.LOCAL):
            self._touch(node.uncast, whose, self.written)
        return whose

    def _unary(self, node: Node) -> Whose:
        (inner,) = node.children
        if node.op == "&":
            whose = self._place(inner)
            if inner.uncast.kind == "DECL_REF_EXPR" and inner.uncast.decl is not None:
                self._learn(inner.uncast.decl, Whose.ANY)  # it may be changed from elsewhere
            return whose
        if node.op == "*":
            whose = self._visit(inner)
            if node.type.kind == "array":
                return whose
            self._touch(node, whose, self.read)
            return Whose.ANY
        whose = self._visit(inner)
        if node.op in INCREMENTS:
            self._store(inner)
        return whose

    def _binary(self, node: Node) -> Whose:
        left, right = node.children
        if node.op not in ASSIGNMENTS:
            found = (self._visit(left), self._visit(right))
            if node.op == ",":
                return found[1]
            pointers = [w for w, n in zip(found, node.children, strict=True) if _points(n)]
            return _joined_all(pointers) if node.type.kind == "pointer" else Whose.ANY
        value = self._visit(right)
        if node.op != "=":
            value = self._visit(left)
        whose = self._store(left)
        target = left.uncast
        is_variable = target.kind == "DECL_REF_EXPR" and whose is Whose.LOCAL
        if is_variable and target.type.kind == "pointer" and target.decl is not None:
            self._learn(target.decl, value)
        return value

    def _choice(self, node: Node) -> Whose:
        self._visit(node.children[0])
        return _joined(self._visit(node.children[1]), self._visit(node.children[2]))

    def _result(self, node: Node) -> Whose:
        if self._function is None:
            raise NotOwned("the loop is left")
        if node.children:
            whose = self._visit(node.children[0])
            if node.children[0].uncast.type.kind in ("pointer", "array"):
                self._learn(self._function, whose)
        return Whose.ANY

    def _call(self, node: Node) -> Whose:
        given = node.children[1:]
        whose = [self._visit(one) for one in given]
        if node.decl is not None and node.decl in self.program.functions:
            return self._enter(node.decl, whose)
        if node.decl is None or node.decl.kind != "FUNCTION_DECL":
            raise NotOwned("a function is called through a pointer")
        if node.name in ("malloc", "calloc"):
            return Whose.OWN
        if node.name in ("realloc", "free", "memset") and whose:
            if whose[0] not in (Whose.OWN, Whose.NOTHING):
                raise NotOwned(f"'{node.name}' of what may belong to others")
            target = self.objects.target(given[0])
            if target is not None:
                self.written.add(self.objects.find(target))
            if node.name == "memset" or self.is_owner(given[0].uncast):
                self.written.update(fields_inside(self.objects, given[0].uncast.type))
            return Whose.OWN
        if node.name in _COMPUTING:
            return Whose.ANY
        raise NotOwned(f"'{node.name or 'a function'}' is called")

    def _enter(self, called: Decl, whose: list[Whose]) -> Whose:
        if called not in self._reached:
            self._reached.append(called)
            self._changed = True
        parameters = [c for c in self.program.functions[called].children if c.kind == "PARM_DECL"]
        for parameter, one in zip(parameters, whose, strict=False):
            if parameter.decl is not None:
                if parameter.type.kind == "record":
                    raise NotOwned("a structure is copied")
                self._own.add(parameter.decl)
                self._learn(parameter.decl, one)
        return self._known.get(called, Whose.NOTHING)


_VARIABLES = ("VAR_DECL", "PARM_DECL")


def touched(objects: Objects, node: Node) -> Iterator[int]:
    """The objects that an access to an lvalue reaches: those of all fields, of a structure."""
    place = objects.location(node)
    if place is None:
        raise NotOwned("a place that is not known")
    yield objects.find(place)
    if node.type.kind != "pointer":
        yield from fields_inside(objects, node.type)


def fields_inside(objects: Objects, type_: CType) -> Iterator[int]:
    """The objects of the fields of a structure, or of that which a pointer points to."""
    while type_.kind in ("pointer", "array") and type_.element is not None:
        type_ = type_.element
    if type_.kind == "record":
        inner = {_named(type_)}
        fields = objects.fields()
        for _ in fields:
            more = {_named(f.type.innermost()) for f in fields if _parent(f) in inner}
            if more <= inner:
                break
            inner |= more
        yield from (objects.place_of(f) for f in fields if _parent(f) in inner)


def _named(type_: CType) -> str:
    return type_.canonical.replace("const ", "")


def _parent(decl: Decl) -> str:
    """The structure that a field is in."""
    spelling: str = decl.cursor.semantic_parent.type.get_canonical().spelling
    return spelling


def _points(node: Node) -> bool:
    return node.uncast.type.kind in ("pointer", "array")


def _joined(left: Whose, right: Whose) -> Whose:
    if left is right or right is Whose.NOTHING:
        return left
    return right if left is Whose.NOTHING else Whose.ANY


def _joined_all(whose: list[Whose]) -> Whose:
    found = Whose.NOTHING
    for one in whose:
        found = _joined(found, one)
    return found
