"""C types as the interpreter needs them: sizes, ranges, where the scalars of an object lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cache
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.converter import Converter
from s2s.frontends.c.syntax import CType
from s2s.net.errors import NotExecuted
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Shape:
    """A type. ``width`` is Python text of its size in bytes, which may be known only at run time.

    ``count`` is the text of an array's length, "" where that is not known.
    """

    kind: str
    size: int
    width: str
    signed: bool = True
    boolean: bool = False
    element: Shape | None = None
    count: str = ""
    leaves: tuple[tuple[int, Shape], ...] = field(default=(), compare=False)

    @property
    def is_scalar(self) -> bool:
        return self.kind in ("int", "float", "pointer")

    @property
    def is_vector(self) -> bool:
        return self.kind == "vector"

    @property
    def bits(self) -> int:
        return self.size * 8

    @property
    def least(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def most(self) -> int:
        return (1 << (self.bits - self.signed)) - 1 if not self.boolean else 1

    @property
    def target(self) -> Shape:
        """What a pointer or array is of."""
        if self.element is None:
            raise NotExecuted("a pointer to nothing")
        return self.element

    def innermost(self) -> Shape:
        return self.element.innermost() if self.kind == "array" and self.element else self


INT = Shape("int", 4, "4")
LONG = Shape("int", 8, "8")
SIZE = Shape("int", 8, "8", signed=False)
DOUBLE = Shape("float", 8, "8")
FLOAT = Shape("float", 4, "4")
CHAR = Shape("int", 1, "1")
VOID = Shape("void", 0, "1")
ADDRESS = Shape("pointer", 8, "8", element=VOID)


def pointer_to(target: Shape) -> Shape:
    return Shape("pointer", 8, "8", element=target)


@dataclass
class Shapes:
    """Makes shapes of types; those of records are remembered."""

    converter: Converter
    _records: dict[str, tuple[tuple[int, Shape], ...]] = field(default_factory=dict)

    def of(self, type_: CType, widths: Sequence[str] = ()) -> Shape:
        """The shape of a type; ``widths`` are texts of its array lengths, innermost first."""
        shape, _ = self._of(type_, list(widths))
        return shape

    def _of(self, type_: CType, lengths: list[str]) -> tuple[Shape, list[str]]:
        if type_.volatile:
            raise NotExecuted("volatile")
        kind, size = type_.kind, type_.size
        if kind == "int":
            boolean = type_.canonical.replace("const ", "") in ("_Bool", "bool")
            if size not in (1, 2, 4, 8):
                raise NotExecuted(f"'{type_.spelling}'")
            return Shape("int", size, str(size), type_.signed, boolean), lengths
        if kind == "float":
            return Shape("float", 4 if size == 4 else 8, str(size)), lengths
        if kind == "pointer" and type_.element is not None:
            target, lengths = self._of(type_.element, lengths)
            return pointer_to(target), lengths
        if kind == "array" and type_.element is not None:
            return self._array(type_, lengths)
        if kind in ("record", "union") and type_.record is not None:
            return Shape(kind, size, str(size), leaves=self._leaves(type_)), lengths
        if kind == "vector" and type_.element is not None:
            element, lengths = self._of(type_.element, lengths)
            return Shape(
                "vector", size, str(size), element=element, count=str(type_.count)
            ), lengths
        return VOID if kind == "void" else Shape("other", 0, "0"), lengths

    def _array(self, type_: CType, lengths: list[str]) -> tuple[Shape, list[str]]:
        assert type_.element is not None
        element, lengths = self._of(type_.element, lengths)
        if type_.count is not None:
            size = type_.count * element.size
            width = str(size) if size else f"({type_.count}*{element.width})"
            return Shape("array", size, width, element=element, count=str(type_.count)), lengths[1:]
        if lengths:
            width = f"({lengths[0]}*{element.width})"
            return Shape("array", 0, width, element=element, count=lengths[0]), lengths[1:]
        return Shape("array", 0, "0", element=element), lengths

    def _leaves(self, type_: CType) -> tuple[tuple[int, Shape], ...]:
        known = self._records.get(type_.canonical)
        if known is None:
            self._records[type_.canonical] = ()  # a record may hold pointers to itself
            known = tuple(self._fields(type_.record)) if type_.kind == "record" else ()
            self._records[type_.canonical] = known
        return known

    def _fields(self, record: Any) -> list[tuple[int, Shape]]:
        found: list[tuple[int, Shape]] = []
        for cursor in clang.children(record):
            if clang.kind(cursor) == "FIELD_DECL" and not cursor.is_bitfield():
                offset = cursor.get_field_offsetof() // 8
                shape = self.of(self.converter.type_of(cursor))
                found += [(offset + inner, leaf) for inner, leaf in scalars_of(shape)]
        return found


def scalars_of(shape: Shape) -> list[tuple[int, Shape]]:
    """The scalars of an object of known size, with their offsets."""
    if shape.is_scalar:
        return [(0, shape)]
    if shape.kind == "record":
        return list(shape.leaves)
    if shape.kind == "array" and shape.element is not None and shape.count.isdigit():
        inner = scalars_of(shape.element)
        size = shape.element.size
        return [(i * size + o, leaf) for i in range(int(shape.count)) for o, leaf in inner]
    return []


@cache
def widened(shape: Shape) -> Shape:
    """The type after integer promotion."""
    if shape.kind == "int" and (shape.size < 4 or shape.boolean):
        return INT
    return shape


def common(left: Shape, right: Shape) -> Shape:
    """The type of an operation on two arithmetic types."""
    left, right = widened(left), widened(right)
    if "float" in (left.kind, right.kind):
        floats = [s for s in (left, right) if s.kind == "float"]
        return max(floats, key=lambda s: s.size)
    if left.size != right.size:
        return max(left, right, key=lambda s: s.size)
    return left if not left.signed else right
