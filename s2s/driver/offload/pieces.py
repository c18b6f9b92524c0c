"""Pieces of a program that could become regions: statements that only touch arrays.

A piece is a statement of a block: a loop, or a call of a function of the file. As a function of its
own it has the arrays that it names as parameters. Other scalars that it reads are taken to have the
value that the file gives them; the host asks, before it calls the device, whether they do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from s2s.driver.offload.captures import (
    Captured,
    NoPiece,
    capture_array,
    capture_members,
    capture_scalar,
    may_change,
)
from s2s.driver.offload.rows import capture_rows
from s2s.driver.offload.scalars import begins_with, first_assigned, known_value
from s2s.frontends.c import clang
from s2s.frontends.c.own_statement import is_one_statement
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.unit import Unit
from s2s.source import Span
from s2s.source.records import dataclass

_LEAVING = frozenset({"GOTO_STMT", "RETURN_STMT", "LABEL_STMT", "INDIRECT_GOTO_STMT"})
_VALUES = frozenset({"VAR_DECL", "PARM_DECL"})


@dataclass(frozen=True)
class Assumed:
    """The value that a scalar of a type is taken to have, as C."""

    type: str
    value: str

    def __str__(self) -> str:
        """The value in that type."""
        return self.value if self.type == "int" else f"({self.type}){self.value}"


@dataclass(frozen=True, eq=False)
class Piece:
    """A statement of ``block`` in ``function``, the ``number``-th there.

    ``captured`` are the arrays, scalars and members that it has from around it. ``span`` has the
    pragmas before it and the semicolon after it; ``assumed`` are scalars with the values that the
    host has to check, ``own`` scalars that are of no use before and after it.
    """

    function: str
    block: Node
    number: int
    node: Node
    span: Span
    captured: tuple[Captured, ...]
    assumed: Mapping[str, Assumed]
    own: tuple[str, ...]

    def text(self, unit: Unit) -> str:
        """As it stands in the file, but for what is called otherwise in the region's function."""
        edits = sorted(edit for one in self.captured for edit in one.edits())
        return unit.buffer.edited(self.span, edits)

    def column(self, unit: Unit) -> int:
        """How far the statement is indented."""
        data = unit.buffer.data
        return self.span.start - (data.rfind(b"\n", 0, self.span.start) + 1)

    def line(self, unit: Unit) -> int:
        return unit.buffer.location(self.node.span).line


def blocks(unit: Unit) -> Iterator[tuple[str, Node, Node]]:
    """The functions' names and nodes with the blocks that are their bodies."""
    for cursor in unit.functions():
        node = unit.convert(cursor)
        if node.children and node.children[-1].kind == "COMPOUND_STMT":
            yield clang.spelling(cursor), node, node.children[-1]


def inner_blocks(node: Node) -> Iterator[Node]:
    """The outermost blocks in a statement."""
    if node.kind == "COMPOUND_STMT":
        yield node
        return
    for child in node.children:
        yield from inner_blocks(child)


def piece_of(
    unit: Unit, function: tuple[str, Node], block: Node, number: int, given: Mapping[str, int]
) -> Piece:
    """A statement as a piece. Raises NoPiece."""
    name, whole = function
    node = block.children[number]
    if node.kind not in ("FOR_STMT", "CALL_EXPR"):
        raise NoPiece("is neither a loop nor a call", node.span)
    span = _whole(unit, node)
    if not _is_own(unit, node, span):
        raise NoPiece("its text comes from a macro", node.span)
    leaving = next((n for n in node.walk() if n.kind in _LEAVING), None)
    if leaving is not None:
        raise NoPiece("leaves the loop", leaving.span)
    _check_calls(unit, node)
    _check_memory(unit, node)
    inside = {n.decl for n in node.walk() if n.kind == "VAR_DECL"}
    captured: list[Captured] = []
    members: set[int] = set()
    rows: set[int] = set()
    for member, bases in capture_members(unit, node, inside):
        captured.append(member)
        members |= bases

    def is_passed(decl: Decl) -> bool:
        return not first_assigned(decl, node, whole) and _assumed(unit, decl, given) is None

    for row, names in capture_rows(unit, node, inside, is_passed):
        captured.append(row)
        rows |= names
    assumed, own = {}, []
    for decl, at in _named(node, members | rows):
        if decl in inside or decl.kind not in _VALUES:
            continue
        if decl.type.kind in ("array", "pointer"):
            captured.append(capture_array(decl, at))
        elif decl.type.kind not in ("int", "float"):
            raise NoPiece(f"'{decl.name}' is a {decl.type.kind}", at.span)
        elif first_assigned(decl, node, whole):
            own.append(f"{decl.type.spelling} {decl.name}")
        elif begins_with(node, decl):
            raise NoPiece(f"the value of '{decl.name}' is not known", at.span)
        elif (one := _assumed(unit, decl, given)) is not None:
            assumed[decl.name] = one
        else:
            captured.append(capture_scalar(unit, decl, node, rows))
    if members and any(one.type in ("int8", "uint8") for one in captured):
        raise NoPiece("bytes may be those of the structure", node.span)
    if len({one.name for one in captured}) < len(captured):  # a_b.c beside a.b_c
        raise NoPiece("two parts of structures or arrays would have one name", node.span)
    return Piece(name, block, number, node, span, tuple(captured), assumed, tuple(own))


def _is_own(unit: Unit, node: Node, span: Span) -> bool:
    """Whether a statement's text is the statement and nothing else, and nothing of a macro."""
    text = unit.buffer.text(Span(node.span.start, span.end))
    if node.kind == "FOR_STMT":
        return is_one_statement(text, unit.macros)
    name = text.partition("(")[0].strip()
    return node.decl is not None and name == node.decl.name and name not in unit.macros


def _assumed(unit: Unit, decl: Decl, given: Mapping[str, int]) -> Assumed | None:
    """The value that a scalar is taken to have, where it has the same all along."""
    if may_change(unit, decl):
        return None
    value = given.get(decl.name)
    text = known_value(unit, decl) if value is None else str(value)
    return None if text is None else Assumed(decl.type.canonical or decl.type.spelling, text)


def _named(node: Node, but: Collection[int]) -> Iterator[tuple[Decl, Node]]:
    """What a statement names, each once, ``but`` in some nodes."""
    found: dict[Decl, Node] = {}
    for part in node.walk():
        if part.kind == "DECL_REF_EXPR" and part.decl is not None and id(part) not in but:
            found.setdefault(part.decl, part)
    yield from found.items()


def _check_memory(unit: Unit, node: Node) -> None:
    """Raise NoPiece where two names may be one memory: in calls, which are read without that.

    Calls pass arrays that begin where they are named, each once, and functions use no others.
    """
    for called in _called(unit, node):
        for part in called.walk():
            decl = part.decl if part.kind == "DECL_REF_EXPR" else None
            if decl is None or decl.kind != "VAR_DECL":
                continue
            if decl.is_global or decl.is_static:
                raise NoPiece(f"calls what uses '{decl.name}'", node.span)
    for call in (n for n in node.walk() if n.kind == "CALL_EXPR"):
        given = [a.uncast for a in call.children if a.type.kind in ("pointer", "array")]
        passed = [a for a in given if a.decl is None or a.decl.kind in _VALUES]
        names = [a.decl for a in passed if a.kind == "DECL_REF_EXPR"]
        if len(names) < len(passed) or len(set(names)) < len(names):
            raise NoPiece("passes memory that may overlap", call.span)


def _called(unit: Unit, node: Node, seen: set[str] | None = None) -> Iterator[Node]:
    """The file's functions that a statement calls, directly or not."""
    seen = set() if seen is None else seen
    known = unit.functions_by_name
    for part in node.walk():
        if part.kind == "CALL_EXPR" and part.decl is not None:
            name = part.decl.name
            if name in known and name not in seen:
                seen.add(name)
                body = unit.convert(known[name])
                yield body
                yield from _called(unit, body, seen)


def _check_calls(unit: Unit, node: Node) -> None:
    """Raise NoPiece for a call of what is not in the file, and of a function that loops back."""
    known = unit.functions_by_name
    for one in (node, *_called(unit, node)):
        for part in one.walk():
            if part.kind == "CALL_EXPR":
                name = part.decl.name if part.decl is not None else "a pointer"
                if name not in known and name not in _MATHEMATICAL:
                    raise NoPiece(f"calls '{name}'", part.span)


_MATHEMATICAL = frozenset(
    f"{name}{suffix}"
    for name in ("exp", "sqrt", "tanh", "fabs", "fmax", "fmin", "log", "pow", "floor", "ceil")
    for suffix in ("", "f")
) | {"abs", "labs"}


def _whole(unit: Unit, node: Node) -> Span:
    """A statement with the pragmas before it and the semicolon after it."""
    data = unit.buffer.data
    end = node.span.end
    after = data[end : end + 200].lstrip()
    if after[:1] == b";":
        end = data.index(b";", end) + 1
    start = node.span.start
    for line in reversed(unit.directive_lines):
        is_next = line.span.end <= start and not data[line.span.end : start].strip()
        if is_next and line.text.startswith("pragma"):
            start = line.span.start
    return Span(start, end)
