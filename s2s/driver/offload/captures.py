"""What a piece has from its surroundings: arrays, scalars that are passed, members of structures.

As a function of its own a piece has each of them as a parameter. A scalar is an array of one
element there, so that what is done with it is known as exactly as of arrays, and comes back:
``s += a[i]`` is ``s2s_s[0] += a[i]``, and the host passes ``&s``. ``layer->w[i]`` is
``s2s_layer_w[i]``, and the host passes ``layer->w``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, CType, Decl, Node
from s2s.frontends.c.text import free_prefix
from s2s.frontends.c.unit import Unit
from s2s.source import Edit, Span
from s2s.source.offload import C_TYPES
from s2s.source.records import dataclass

_VALUES = frozenset({"VAR_DECL", "PARM_DECL"})


class NoPiece(Exception):
    """A statement that is none, and why."""

    def __init__(self, reason: str, at: Span | None = None) -> None:
        super().__init__(reason)
        self.reason, self.at = reason, at


@dataclass(frozen=True)
class Captured:
    """An array that a piece names: its C element, manifest type and the extents that are declared.

    The first extent is 0 for a pointer. ``alias``: what it is called in the region's function where
    that is not the variable's own name; ``expression`` is then what the host passes, and
    ``places`` are where the piece names it.
    """

    decl: Decl
    element: str
    type: str
    extents: tuple[int, ...]
    alias: str = ""
    expression: str = ""
    places: tuple[Span, ...] = ()
    is_row: bool = False
    """Whether it is a row of ``decl``, another one each time (``rows.py``)."""

    @property
    def name(self) -> str:
        return self.alias or self.decl.name

    @property
    def is_scalar(self) -> bool:
        return self.expression.startswith("&")

    def edits(self) -> Iterator[Edit]:
        """The changes of the piece's text."""
        text = f"{self.alias}[0]" if self.is_scalar else self.alias
        return (Edit(at.start, at.end, text.encode()) for at in self.places)

    def parameter(self, *, const: bool) -> str:
        """As a parameter of the function that a region is."""
        word = f"{'const ' if const else ''}{self.element} "
        if self.is_scalar or (self.extents[:1] == (0,) and len(self.extents) == 1):
            return f"{word}*restrict {self.name}"
        extents = "".join(f"[{extent or ''}]" for extent in self.extents)
        return f"{word}{self.name}{extents}"

    @property
    def is_pointer(self) -> bool:
        """Whether it may be the memory of another array."""
        if self.alias and self.decl.kind in _VALUES:
            return self.is_row
        return bool(self.alias) or self.decl.type.kind == "pointer" or self.decl.kind == "PARM_DECL"

    @property
    def is_constant(self) -> bool:
        """Whether nothing may change its elements: a table of the file's."""
        innermost = self.decl.type.innermost()
        return (
            not self.is_row
            and self.decl.type.kind == "array"
            and self.decl.kind == "VAR_DECL"
            and (innermost.const or self.decl.type.spelling.startswith("const "))
        )

    def local(self) -> str:
        """As a variable of the function that a region is."""
        extents = "".join(f"[{extent}]" for extent in self.extents)
        return f"{self.element} {self.name}{extents}"


def element_type(type_: CType) -> str | None:
    """The manifest's name for a type of elements; None where it has none."""
    if type_.kind == "int" and type_.size in (1, 2, 4, 8):
        return f"{'' if type_.signed else 'u'}int{8 * type_.size}"
    if type_.kind == "float" and type_.size in (2, 4, 8):
        return f"float{8 * type_.size}"
    return None


def capture_array(decl: Decl, at: Node) -> Captured:
    """An array or a pointer, by its declaration. Raises NoPiece."""
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


def capture_scalar(unit: Unit, decl: Decl, piece: Node, but: Collection[int] = ()) -> Captured:
    """A scalar that the host passes the address of, ``but`` in some nodes. Raises NoPiece."""
    named = (n for n in piece.walk() if n.kind == "DECL_REF_EXPR" and n.decl is decl)
    places = [n for n in named if id(n) not in but]
    return _scalar(unit, decl, decl.name, decl.name, places)


def _scalar(unit: Unit, decl: Decl, name: str, expression: str, places: list[Node]) -> Captured:
    type_name = element_type(decl.type)
    text = unit.buffer.data[decl.node.span.start : decl.node.span.end] if decl.node else b""
    if type_name is None or decl.type.volatile or re.search(rb"\bregister\b", text):
        raise NoPiece(f"'{expression}' cannot be passed", places[0].span)
    if any(n.in_macro for n in places):
        raise NoPiece(f"a macro names '{expression}'", places[0].span)
    spans = tuple(n.span for n in places)
    alias = f"{free_prefix(unit.buffer.data)}{name}"
    return Captured(decl, C_TYPES[type_name], type_name, (1,), alias, f"&{expression}", spans)


# ---- members


def is_member_of_variable(node: Node) -> bool:
    """Whether it is ``v.m``, ``v->m.n`` and so on."""
    return node.kind == "MEMBER_REF_EXPR" and base_of(node) is not None


def base_of(node: Node) -> Node | None:
    """The variable whose member, or member's member, it is."""
    while node.kind == "MEMBER_REF_EXPR" and len(node.children) == 1 and node.name:
        node = node.children[0]
    is_variable = node.kind == "DECL_REF_EXPR" and node.decl is not None
    return node if is_variable and node.decl is not None and node.decl.kind in _VALUES else None


def capture_members(
    unit: Unit, piece: Node, inside: Collection[Decl | None]
) -> Iterator[tuple[Captured, frozenset[int]]]:
    """Members of structures that are around a piece, with the nodes that name the variables.

    Raises NoPiece for those that are changed other than by assignments to numbers.
    """
    found: dict[tuple[Decl, str], list[Node]] = {}
    for node in _outermost(piece):
        base = base_of(node)
        if base is not None and base.decl is not None and base.decl not in inside:
            text = re.sub(r"\s+", "", unit.buffer.text(node.span))
            found.setdefault((base.decl, text), []).append(node)
    for (_, text), places in found.items():
        bases = frozenset(id(base_of(node)) for node in places)
        yield _member(unit, piece, text, places), bases


def _outermost(node: Node) -> Iterator[Node]:
    """Members that are no structures of which a member is taken."""
    if is_member_of_variable(node):
        yield node
        return
    for child in node.children:
        yield from _outermost(child)


def _member(unit: Unit, piece: Node, text: str, places: list[Node]) -> Captured:
    first = places[0]
    decl = first.decl
    name = "_".join(re.findall(r"\w+", text))
    if decl is None or any(n.in_macro for n in places):
        raise NoPiece(f"a macro names '{text}'", first.span)
    if decl.cursor is None or decl.cursor.is_bitfield() or decl.type.volatile:
        raise NoPiece(f"'{text}' cannot be passed", first.span)
    if decl.type.kind in ("int", "float"):
        if any(n.op == "&" and len(n.children) == 1 and n.children[0].uncast in places
               for n in piece.walk()):  # fmt: skip
            raise NoPiece(f"takes the address of '{text}'", first.span)
        return _scalar(unit, decl, name, text, places)
    if decl.type.kind not in ("array", "pointer"):
        raise NoPiece(f"'{text}' is a {decl.type.kind}", first.span)
    for node in piece.walk():
        if node.op in ASSIGNMENTS | INCREMENTS | {"&"} and node.children:
            binary = node.op == "&" and len(node.children) == 2
            if node.children[0].uncast in places and not binary:
                raise NoPiece(f"changes '{text}', which is no array", node.span)
    array = capture_array(decl, first)
    alias = f"{free_prefix(unit.buffer.data)}{name}"
    spans = tuple(n.span for n in places)
    return Captured(decl, array.element, array.type, array.extents, alias, text, spans)


# ---- scalars that are not what they were


@lru_cache(maxsize=256)
def _changed_in_loops(function: Node) -> frozenset[Decl]:
    """Variables that a function's loops change, or of which it takes the address."""
    found: set[Decl] = set()
    for node, looped in _walk(function, looped=False):
        taken = node.op == "&" and len(node.children) == 1
        if taken or (looped and node.op in ASSIGNMENTS | INCREMENTS):
            decl = node.children[0].uncast.decl
            found |= {decl} if decl is not None else set()
    return frozenset(found)


def _walk(node: Node, *, looped: bool) -> Iterator[tuple[Node, bool]]:
    yield node, looped
    for child in node.children:
        yield from _walk(child, looped=looped or node.kind == "FOR_STMT")


def may_change(unit: Unit, decl: Decl) -> bool:
    """Whether a variable may have another value in a piece than before it."""
    return any(decl in _changed_in_loops(unit.convert(c)) for c in unit.functions())
