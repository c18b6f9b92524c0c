"""What the names of a C function stand for at a place: values, addresses, memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field

from s2s.frontends.c.syntax import ASSIGNMENTS, Decl, Node
from s2s.frontends.c.typed.members import Members
from s2s.frontends.c.typed.memory import Address
from s2s.scop.expressions import Expr
from s2s.scop.nest import Tensor
from s2s.source.records import dataclass


@dataclass
class Scope:
    """``values`` are of names that are never set again, ``memory`` is what may be written."""

    values: dict[Decl, Expr] = field(default_factory=dict)
    addresses: dict[Decl, Address] = field(default_factory=dict)
    memory: dict[Decl, Tensor] = field(default_factory=dict)
    walked: set[str] = field(default_factory=set)
    """Tensors to whose elements there are pointers, which may run on from row to row."""
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The least and the greatest value of loops' variables, by their names in the nest."""
    names: dict[str, int] = field(default_factory=dict)
    definition: Callable[[Decl], Node | None] = lambda decl: None
    """The syntax of a function that is called, where the file has it."""
    symbolic: bool = False
    """Whether extents may be other than numbers, and numbers other than integers."""
    null_tests: bool = False
    """Whether a test of a pointer for null is a value, named by its text."""
    symbolic_members: Members | None = None
    """How members of structures are named where values may stay open; None: not at all."""
    computes: Callable[[Node], str] = lambda call: ""
    """The name or pointer by which a function is called that only computes a value; else empty."""
    quotients: bool = False
    """Whether quotients of what may be negative, and magnitudes, are values as well."""
    depth: int = 0
    """Calls that the place is inside of."""

    def fresh(self, name: str) -> str:
        """A name that no other loop or tensor of the nest has."""
        count = self.names[name] = self.names.get(name, 0) + 1
        return name if count == 1 else f"{name}.{count}"


def set_again(body: Node) -> set[Decl]:
    """Scalars and pointers that are assigned after their declaration, but for loops' headers."""
    headers = {id(n) for loop in body.walk() if loop.kind == "FOR_STMT" for n in header(loop)}
    found = (node.changed for node in body.walk() if id(node) not in headers)
    return {decl for decl in found if decl is not None}


def header(loop: Node) -> Iterable[Node]:
    """What sets and moves the variables of a ``for`` loop in its header."""
    if len(loop.children) == 4:
        yield from (n for part in (loop.children[0], loop.children[2]) for n in part.walk())


def written_arrays(body: Node) -> set[Decl]:
    """The declarations that the targets of assignments name somewhere."""
    found: set[Decl] = set()
    for node in body.walk():
        if node.kind == "COMPOUND_ASSIGNMENT_OPERATOR" or node.op in ASSIGNMENTS:
            found |= {n.decl for n in node.children[0].walk() if n.decl is not None}
    return found


def fixed_values(body: Node) -> dict[Decl, Node]:
    """What variables of a body are declared with, one by one, that are not set again."""
    changing = set_again(body)
    declared = (
        node
        for block in body.walk() if block.kind == "COMPOUND_STMT"
        for statement in block.children if statement.kind == "DECL_STMT"
        for node in statement.children if node.kind == "VAR_DECL" and node.children
    )  # fmt: skip
    return {
        node.decl: node.children[-1]
        for node in declared
        if node.decl is not None and node.decl.type.kind == "int"
        and node.decl not in changing and not node.decl.is_static
    }  # fmt: skip
