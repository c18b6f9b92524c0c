"""The syntax of one C function as plain Python objects.

``converter`` makes it of what libclang has. A ``Node`` mirrors a clang cursor: implicit casts and
parentheses are dropped, operators have their spelling, references point to a ``Decl``, and extents
are byte offsets of the file itself (for what a macro produces, those of its use).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from s2s.source import Span
from s2s.source.records import dataclass

BINARY = (
    None, ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==",
    "!=", "&", "^", "|", "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=",
    "^=", "|=", ",",
)  # fmt: skip
UNARY = (
    None, "post++", "post--", "++", "--", "&", "*", "+", "-", "~", "!",
    "__real__", "__imag__", "__extension__", "co_await",
)  # fmt: skip

ASSIGNMENTS = frozenset(op for op in BINARY[22:33] if op)
INCREMENTS = frozenset({"post++", "post--", "++", "--"})
# Children of declarations that are names of types and parameters of functions that it points to.
TYPE_PARTS = frozenset({"NAMESPACE_REF", "TEMPLATE_REF", "PARM_DECL"})
CASTS = frozenset(
    {"IMPLICIT_CAST", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR"}
)

_NOTHING: dict[Decl, int] = {}


@dataclass(frozen=True)
class CType:
    """What the analyses ask of a C type.

    ``spelling`` is canonical: two types that C takes for one are spelled alike, whatever typedefs
    name them. ``kind`` is one of int, float, pointer, array, vector, record, union, void, other;
    ``size`` is in bytes (0 where unknown); ``element`` is set for pointers, arrays and vectors,
    ``count`` for constant arrays and vectors.
    """

    spelling: str
    kind: str
    size: int = 0
    signed: bool = True
    element: CType | None = None
    count: int | None = None
    volatile: bool = False
    restrict: bool = False
    const: bool = False
    reference: bool = False
    character: bool = False
    canonical: str = ""
    record: Any = field(default=None, compare=False, repr=False)
    """The cursor that declares a struct or union."""

    @property
    def scalar(self) -> bool:
        return self.kind in ("int", "float", "pointer")

    def innermost(self) -> CType:
        """The element type below all array dimensions."""
        return self.element.innermost() if self.kind == "array" and self.element else self


@dataclass(eq=False)
class Decl:
    """A declared variable, parameter, field, function or enumerator."""

    name: str
    kind: str
    type: CType
    usr: str
    offset: int
    is_global: bool
    is_static: bool
    in_file: bool
    thread_local: bool = False
    node: Node | None = None
    cursor: Any = field(default=None, repr=False)

    @property
    def is_local(self) -> bool:
        return not self.is_global


@dataclass(eq=False, slots=True)
class Node:
    """One construct: ``kind`` is clang's cursor kind, ``op`` an operator's spelling.

    The types that it names are no children: they have no value. The first ``dimensions`` ones of a
    variable are the lengths of arrays that its declarator has, innermost first.
    """

    kind: str
    span: Span
    type: CType
    children: list[Node]
    op: str = ""
    name: str = ""
    decl: Decl | None = None
    value: int | None = None
    real: float | None = None
    in_macro: bool = False
    parts: dict[str, Node] = field(default_factory=dict)
    type_names: tuple[str, ...] = ()
    dimensions: int = 0
    _kinds: frozenset[str] | None = field(default=None, repr=False)
    _decls: frozenset[Decl | None] | None = field(default=None, repr=False)
    _assigned: dict[Decl, int] | None = field(default=None, repr=False)
    # All nodes of the function in the order of the text, and which of them are in this tree.
    _order: list[Node] | None = field(default=None, init=False, repr=False)
    _first: int = field(default=0, init=False, repr=False)
    _end: int = field(default=0, init=False, repr=False)
    # Where it leads, if it is an lvalue (``lvalues``). For trees that are complete.
    _path: Any = field(default=None, init=False, repr=False)
    _resolved: bool = field(default=False, init=False, repr=False)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of all nodes in this tree. For trees that are complete."""
        if self._kinds is None:
            below = (child.kinds for child in self.children)
            self._kinds = frozenset({self.kind}).union(*below)
        return self._kinds

    @property
    def decls(self) -> frozenset[Decl | None]:
        """What all nodes in this tree refer to. For trees that are complete."""
        if self._decls is None:
            self._decls = frozenset({self.decl}).union(*(child.decls for child in self.children))
        return self._decls

    @property
    def assigned(self) -> Mapping[Decl, int]:
        """Variables that this tree assigns or declares, in how many places. For complete trees."""
        if self._assigned is None:
            self._assigned = self._find_assigned()
        return self._assigned

    def _find_assigned(self) -> dict[Decl, int]:
        own = self.decl if self.kind == "VAR_DECL" else None
        if self.assigns and self.children[0].kind == "DECL_REF_EXPR":
            own = self.children[0].decl
        below = [child.assigned for child in self.children]
        parts = [part for part in below if part]
        if own is None and len(parts) < 2:
            return dict(parts[0]) if parts else _NOTHING
        found = {} if own is None else {own: 1}
        for part in parts:
            for decl, count in part.items():
                found[decl] = found.get(decl, 0) + count
        return found

    def walk(self) -> Iterator[Node]:
        """The node and all below it, each before what is in it, in the order of the text."""
        order = self._order
        return self._search() if order is None else iter(order[self._first : self._end])

    def _search(self) -> Iterator[Node]:
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def with_children(self, children: Sequence[Node]) -> Node:
        """The same construct of other parts; itself where they are the same ones."""
        if len(children) == len(self.children):
            for mine, other in zip(self.children, children, strict=True):
                if mine is not other:
                    break
            else:
                return self
        return replace(self, children=list(children), _kinds=None, _decls=None, _assigned=None)

    def number(self) -> None:
        """Note where the nodes of this complete tree stand in it, for those who walk it often.

        A copy of a node, which may get other children, is not part of the tree.
        """
        order = list(self._search())
        for place, node in enumerate(order):
            node._order, node._first = order, place
        for node in reversed(order):
            node._end = node.children[-1]._end if node.children else node._first + 1

    @property
    def bare(self) -> Node:
        """The expression without the conversions that the compiler puts around it."""
        node = self
        while node.kind == "IMPLICIT_CAST" and node.children:
            node = node.children[-1]
        return node

    @property
    def uncast(self) -> Node:
        """The expression without any conversions around it."""
        node = self
        while node.kind in CASTS and node.children:
            node = node.children[-1]
        return node

    @property
    def statements(self) -> list[Node]:
        """The statements of a block; another statement is one."""
        return list(self.children) if self.kind == "COMPOUND_STMT" else [self]

    @property
    def assigns(self) -> bool:
        """Whether it stores to its first operand."""
        return self.op in ASSIGNMENTS or self.op in INCREMENTS

    @property
    def changed(self) -> Decl | None:
        """The variable that it sets, moves or takes the address of; None where it names none."""
        takes = self.op == "&" and self.kind == "UNARY_OPERATOR"
        if not (self.children and (takes or self.assigns)):
            return None
        target = self.children[0]
        return target.decl if target.kind == "DECL_REF_EXPR" else None

    @property
    def is_loop(self) -> bool:
        return self.kind in ("FOR_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT")
