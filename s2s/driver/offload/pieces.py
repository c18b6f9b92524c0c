"""Pieces of a program that could become regions: statements that only touch arrays.

A piece is a statement of a block: a loop, or a call of a function of the file. As a function of its
own it has the arrays that it names as parameters. Other scalars that it reads are taken to have the
value that the file gives them; the host asks, before it calls the device, whether they do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from s2s.driver.offload.scalars import first_assigned, is_changed, known_value
from s2s.frontends.c import clang
from s2s.frontends.c.parse import Unit
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.source import Span

_LEAVING = frozenset({"GOTO_STMT", "RETURN_STMT", "LABEL_STMT", "INDIRECT_GOTO_STMT"})
_VALUES = frozenset({"VAR_DECL", "PARM_DECL"})


class NoPiece(Exception):
    """A statement that is none, and why."""

    def __init__(self, reason: str, at: Span | None = None) -> None:
        super().__init__(reason)
        self.reason, self.at = reason, at


@dataclass(frozen=True)
class Captured:
    """An array that a piece names: its C element, manifest type and the extents that are declared.

    The first extent is 0 for a pointer.
    """

    decl: Decl
    element: str
    type: str
    extents: tuple[int, ...]

    @property
    def name(self) -> str:
        return self.decl.name

    def parameter(self, *, const: bool) -> str:
        """As a parameter of the function that a region is."""
        word = f"{'const ' if const else ''}{self.element} "
        if self.extents[:1] == (0,) and len(self.extents) == 1:
            return f"{word}*restrict {self.name}"
        extents = "".join(f"[{extent or ''}]" for extent in self.extents)
        return f"{word}{self.name}{extents}"

    @property
    def is_pointer(self) -> bool:
        """Whether it may be the memory of another array."""
        return self.decl.type.kind == "pointer" or self.decl.kind == "PARM_DECL"

    @property
    def is_constant(self) -> bool:
        """Whether nothing may change its elements: a table of the file's."""
        innermost = self.decl.type.innermost()
        return (
            self.decl.type.kind == "array"
            and self.decl.kind == "VAR_DECL"
            and (innermost.const or self.decl.type.spelling.startswith("const "))
        )

    def local(self) -> str:
        """As a variable of the function that a region is."""
        extents = "".join(f"[{extent}]" for extent in self.extents)
        return f"{self.element} {self.name}{extents}"


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

    ``span`` has the pragmas before it and the semicolon after it; ``assumed`` are scalars with the
    values that the host has to check, ``own`` scalars that are of no use before and after it.
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
        """As it stands in the file."""
        data = unit.buffer.data[self.span.start : self.span.end]
        return data.decode("utf-8", "surrogateescape")

    def column(self, unit: Unit) -> int:
        """How far the statement is indented."""
        data = unit.buffer.data
        return self.span.start - (data.rfind(b"\n", 0, self.span.start) + 1)

    def line(self, unit: Unit) -> int:
        return unit.buffer.location(self.node.span).line


def element_type(type_: CType) -> str | None:
    """The manifest's name for a type of elements; None where it has none."""
    if type_.kind == "int" and type_.size in (1, 2, 4, 8):
        return f"{'' if type_.signed else 'u'}int{8 * type_.size}"
    if type_.kind == "float" and type_.size in (2, 4, 8):
        return f"float{8 * type_.size}"
    return None


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
    leaving = next((n for n in node.walk() if n.kind in _LEAVING), None)
    if leaving is not None:
        raise NoPiece("leaves the loop", leaving.span)
    _check_calls(unit, node)
    _check_memory(unit, node)
    inside = {n.decl for n in node.walk() if n.kind == "VAR_DECL"}
    captured, assumed, own = [], {}, []
    for decl, at in _named(node):
        if decl in inside or decl.kind not in _VALUES:
            continue
        if decl.type.kind in ("array", "pointer"):
            captured.append(_array(decl, at))
        elif decl.type.kind not in ("int", "float"):
            raise NoPiece(f"'{decl.name}' is a {decl.type.kind}", at.span)
        elif first_assigned(decl, node, whole):
            own.append(f"{decl.type.spelling} {decl.name}")
        else:
            value = given.get(decl.name)
            text = known_value(unit, decl) if value is None else str(value)
            if text is None:
                raise NoPiece(f"the value of '{decl.name}' is not known", at.span)
            if any(is_changed(part, decl) for part in node.walk()):
                raise NoPiece(f"changes '{decl.name}', which is no array", at.span)
            assumed[decl.name] = Assumed(decl.type.canonical or decl.type.spelling, text)
    span = _whole(unit, node)
    return Piece(name, block, number, node, span, tuple(captured), assumed, tuple(own))


def _named(node: Node) -> Iterator[tuple[Decl, Node]]:
    """What a statement names, each once."""
    found: dict[Decl, Node] = {}
    for part in node.walk():
        if part.kind == "DECL_REF_EXPR" and part.decl is not None:
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
    known = {clang.spelling(c): c for c in unit.functions()}
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
    known = {clang.spelling(c) for c in unit.functions()}
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
)


def _array(decl: Decl, at: Node) -> Captured:
    extents: list[int] = []
    type_: CType | None = decl.type
    if decl.type.kind == "pointer" or (decl.kind == "PARM_DECL" and decl.type.count is None):
        extents, type_ = [0], decl.type.element
    while type_ is not None and type_.kind == "array":
        if not type_.count:
            raise NoPiece(f"the extents of '{decl.name}' are not known", at.span)
        extents.append(type_.count)
        type_ = type_.element
    type_name = element_type(type_) if type_ is not None else None
    if type_ is None or type_name is None or type_.volatile:
        raise NoPiece(f"'{decl.name}' has elements that no device takes", at.span)
    word = type_.spelling.replace("const ", "")
    return Captured(decl, word, type_name, tuple(extents))


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
