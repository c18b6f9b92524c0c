"""The types of the text, as far as kernels need them, and what expressions and names stand for."""

from __future__ import annotations

from dataclasses import field, replace

from s2s.simulators.aie.values import (
    AccumulatorType,
    Affine,
    Constant,
    Operand,
    PointerType,
    ScalarType,
    Type,
    Value,
    VectorType,
    size_of,
)
from s2s.source.records import dataclass

INT = ScalarType(32)


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """``element[count]``; ``count`` is None where the text leaves it open."""

    element: Kind
    count: int | None


@dataclass(frozen=True, slots=True)
class PointerTo:
    """A pointer or (``is_reference``) a C++ reference to a kind; ``const`` is its target's.

    ``restrict`` is the pointer's own and no part of what it points to.
    """

    target: Kind
    const: bool = False
    is_reference: bool = False
    restrict: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Window:
    """A window or stream of the vendor's data flow: a pointer that moves on with every access."""

    element: ScalarType
    is_input: bool
    is_stream: bool = False


@dataclass(frozen=True, slots=True)
class Void:
    """No value."""


@dataclass(frozen=True, slots=True)
class StructOf:
    """A structure: its members' names and kinds, in order."""

    name: str
    members: tuple[tuple[str, Kind], ...]

    def __str__(self) -> str:
        return f"struct {self.name}"


Kind = ScalarType | VectorType | AccumulatorType | ArrayOf | PointerTo | Window | StructOf | Void
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def bytes_of(kind: Kind) -> int:
    """Bytes of an object of this kind."""
    if isinstance(kind, ArrayOf):
        return bytes_of(kind.element) * (kind.count or 0)
    if isinstance(kind, PointerTo | Window):
        return 4
    if isinstance(kind, StructOf):
        return sum(bytes_of(member) for _, member in kind.members)
    return 1 if isinstance(kind, Void) else size_of(kind)


def scalar_of(kind: Kind) -> Type:
    """The innermost element of arrays, as a type of values; pointers to void point to bytes."""
    while isinstance(kind, ArrayOf):
        kind = kind.element
    if isinstance(kind, PointerTo):
        return PointerType(scalar_of(kind.target))
    if isinstance(kind, Window):
        return PointerType(kind.element)
    return ScalarType(8) if isinstance(kind, Void | StructOf) else kind


def is_restrict(kind: Kind) -> bool:
    """Whether memory behind a pointer of this kind is reached through it alone.

    Windows and streams are buffers of their own.
    """
    return isinstance(kind, Window) or (isinstance(kind, PointerTo) and kind.restrict)


def value_type(kind: Kind) -> Type:
    """The type of a register that holds a value of this kind."""
    return PointerType(scalar_of(kind.element)) if isinstance(kind, ArrayOf) else scalar_of(kind)


def said(kind: Kind) -> str:
    """A kind in quotes, for messages."""
    if isinstance(kind, PointerTo):
        return f"'{said(kind.target)[1:-1]} *'"
    return f"'{kind}'"


# -------------------------------------------------------------------------------- affine forms


@dataclass(frozen=True, slots=True)
class Address:
    """A place in memory: a pointer and an affine number of bytes after it.

    ``through`` is the variable of the text that the pointer was taken from; ``alone`` says that a
    ``restrict`` pointer is among those, ``around`` that the place goes around a window's end,
    ``asked`` that a stream is asked for one word.
    """

    base: Value
    offset: Affine = field(default_factory=Affine)
    through: str = field(default="", compare=False)
    alone: bool = field(default=False, compare=False)
    around: bool = field(default=False, compare=False)
    asked: bool = field(default=False, compare=False)

    def moved(self, offset: Affine) -> Address:
        return replace(self, offset=self.offset.plus(offset))


# ------------------------------------------------------------------------- what names stand for


@dataclass(eq=False)
class Variable:
    """A variable that lives in registers; what it holds is the builder's to know."""

    name: str
    kind: Kind
    const: bool = False


@dataclass(frozen=True, eq=False)
class Registers:
    """An array of vectors, accumulators or pointers: one variable for each element."""

    kind: ArrayOf
    variables: tuple[Variable, ...]
    first: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Memory of a kind at an address: what ``*p`` and ``a[i]`` stand for."""

    address: Address
    kind: Kind


@dataclass(frozen=True, slots=True)
class Number:
    """A name for a constant: an enumerator."""

    value: Constant


@dataclass(frozen=True, eq=False)
class Members:
    """A structure: what each of its members' names stands for."""

    kind: StructOf
    names: dict[str, Binding]


@dataclass(frozen=True, slots=True)
class Result:
    """The value of an expression; a Variable, Registers or Members as content is its address.

    The value of a structure are its members.
    """

    kind: Kind
    content: Operand | Address | Variable | Registers | Members | None = None


# A name for a Result is a parameter or a variable that points to registers.
Binding = Variable | Registers | Place | Number | Result | Members
Target = Variable | Place | Members


def variables_of(binding: Binding | None) -> list[Variable]:
    """The variables that what a name stands for consists of."""
    if isinstance(binding, Result):
        content = binding.content
        binding = content if isinstance(content, Variable | Registers | Members) else None
    if isinstance(binding, Members):
        return [v for member in binding.names.values() for v in variables_of(member)]
    if isinstance(binding, Registers):
        return list(binding.variables)
    if isinstance(binding, Variable) and not isinstance(binding.kind, Void):
        return [binding]
    return []


@dataclass
class Scope:
    """The names of a block, after those of the blocks around it."""

    outer: Scope | None = None
    names: dict[str, Binding] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)

    def find(self, name: str) -> Binding | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def kind(self, name: str) -> Kind | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.kinds:
                return scope.kinds[name]
            scope = scope.outer
        return None
