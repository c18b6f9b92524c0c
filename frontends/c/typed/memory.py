"""Arrays and pointers of a C function as tensors, addresses and elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod

from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.c.typed.arithmetic import INT, binary, type_of
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.scop.expressions import Const, Expr, Type, Variable
from s2s.scop.literals import cast
from s2s.scop.nest import Dimension, Tensor
from s2s.source import Span
from s2s.source.records import dataclass

Evaluate = Callable[[Node], Expr]
_NOTHING = Const(INT, 0)


@dataclass(frozen=True)
class Address:
    """``&tensor[i0]...[ik]``, of an element or of an array of the dimensions that are left.

    A pointer that was converted to one to other arrays has their extents as ``rows`` (None: the
    tensor's own), outermost first, and counts its indices from ``origin`` elements on.
    """

    tensor: Tensor
    indices: tuple[Expr, ...]
    """Outermost first, INT32, or 64 bits wide where C's are and values may stay open."""
    rows: tuple[int, ...] | None = None
    origin: Expr = _NOTHING

    def moved(self, by: Expr) -> Address:
        """The address so many of what it points to behind."""
        indices = (*self.indices[:-1], _sum(self.indices[-1], by))
        return replace(self, indices=indices)

    @property
    def is_element(self) -> bool:
        """Whether it points to an element."""
        rank = len(self.tensor.dimensions) if self.rows is None else len(self.rows) + 1
        return len(self.indices) == rank

    def inside(self) -> Address:
        """What the array that it points to becomes where a pointer is needed."""
        return replace(self, indices=(*self.indices, Const(INT, 0)))

    @property
    def pointed(self) -> tuple[int | None, ...]:
        """The extents of the array that it points to, outermost first; none for an element."""
        if self.rows is not None:
            return self.rows[len(self.indices) - 1 :]
        inner = list(reversed(self.tensor.dimensions))[len(self.indices) :]
        extents = [d.extent for d in inner]
        return tuple(int(e.value) if isinstance(e, Const) else None for e in extents)

    def to_rows(self, rows: tuple[int, ...]) -> Address | None:
        """The same place, seen as arrays of other extents; None where the own ones are unknown."""
        origin = self._flat()
        return None if origin is None else Address(self.tensor, (Const(INT, 0),), rows, origin)

    def _flat(self) -> Expr | None:
        """The place counted in elements."""
        extents: list[int] = list(self.rows or ())
        if self.rows is None:
            for dimension in reversed(self.tensor.dimensions[:-1]):
                if not isinstance(dimension.extent, Const):
                    return None
                extents.append(int(dimension.extent.value))
        total = self.origin
        for place, index in enumerate(self.indices):
            stride = Const(index.type, prod(extents[place:]))
            total = _sum(total, binary("mul", index, stride))
        return total

    @property
    def subscripts(self) -> tuple[Expr, ...]:
        """Of the element that it points to, innermost first."""
        if self.rows is None:
            return tuple(reversed(self.indices))
        flat = self._flat()
        assert flat is not None
        return (flat, *(Const(INT, 0) for _ in self.tensor.dimensions[1:]))


def _sum(left: Expr, right: Expr) -> Expr:
    """The sum of two indices, in the wider type."""
    type_ = max(left.type, right.type, key=lambda t: t.bits)
    return binary("add", cast(type_, left), cast(type_, right))


def array_tensor(
    decl: Decl, span: Span, evaluate: Evaluate, *, symbolic: bool = False, rows: bool = False
) -> Tensor:
    """The memory that a declared array is, or that a pointer parameter leads to.

    The outermost extent of what a pointer leads to is unknown: a variable. Others are numbers, or,
    with ``symbolic``, whatever ``evaluate`` gives. With ``rows`` pointers may lead to pointers to
    rows, whose extents are unknown variables, too. Raises NotATensorNest.
    """
    sizes = _written_sizes(decl)
    extents: list[Expr] = []
    type_, depth = decl.type, 0
    while type_.kind in ("array", "pointer") and type_.element is not None:
        if type_.kind == "pointer":
            if depth and not rows:
                raise NotATensorNest(span, f"{decl.name} leads to pointers")
            extents.append(Variable(INT, f"{decl.name}.extent{depth or ''}"))
        else:
            extents.append(_extent(type_, depth, sizes, span, decl.name, evaluate, symbolic))
        type_, depth = type_.element, depth + 1
    element = type_of(type_)
    if element is None:
        raise NotATensorNest(span, f"{decl.name} has elements of type {type_.spelling}")
    return tensor(decl.name, element, tuple(reversed(extents)))


def tensor(name: str, type_: Type, extents: Sequence[Expr]) -> Tensor:
    """Memory with extents innermost first, from 0."""
    return Tensor(name, (type_,), tuple(Dimension(Const(INT, 0), e) for e in extents))


def _written_sizes(decl: Decl) -> list[Node]:
    """The expressions between the brackets of a declaration, outermost first."""
    children = decl.node.children if decl.node is not None else []
    sizes = [c for c in children if not c.kind.endswith("_REF") and c.type.kind == "int"]
    return list(reversed(sizes))


def _extent(
    type_: CType,
    depth: int,
    sizes: list[Node],
    span: Span,
    name: str,
    evaluate: Evaluate,
    symbolic: bool,
) -> Expr:
    if type_.count is not None:
        return Const(INT, type_.count)
    # The sizes of a parameter stand there for all dimensions, also for the outermost one.
    place = depth - len(_dimensions(type_)) if depth >= len(sizes) else depth
    if not 0 <= place < len(sizes):
        raise NotATensorNest(span, f"{name} has an unknown extent")
    value = evaluate(sizes[place])
    if isinstance(value, Const):
        return Const(INT, int(value.value))
    if not symbolic:
        raise NotATensorNest(sizes[place].span, f"an extent of {name} is not known; give its size")
    return cast(INT, value)


def _dimensions(type_: CType) -> list[CType]:
    found = []
    while type_.kind == "array" and type_.element is not None:
        found.append(type_)
        type_ = type_.element
    return found
