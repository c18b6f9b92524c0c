"""Calls of library functions that do operations: what stands for an operation on the host."""

from __future__ import annotations

from dataclasses import field

from s2s.scop.expressions import Expr, Type
from s2s.scop.operation import Dim, Operand, Operation
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Address:
    """``base + offset`` elements; in loops around the call dimensions of these count, too."""

    operand: Operand
    offset: Polynomial


@dataclass(frozen=True)
class Scalar:
    """A value of the program; None: the number 1, or 0 for one that is not to be read."""

    value: Expr | float
    type: Type


Argument = Address | Scalar | Polynomial | str | int


@dataclass(frozen=True)
class AtLeast:
    """A condition on sizes: ``left >= right``."""

    left: Polynomial
    right: Polynomial


@dataclass(frozen=True)
class NotZero:
    """A condition on a value of the program."""

    value: Expr


@dataclass(frozen=True)
class LibraryCall:
    """A call of ``function`` of the runtime, which calls ``entry`` of ``library``.

    ``loops``: dimensions around it, one call for each of their indices. ``conditions`` have to hold
    at run time; ``work`` counts multiplications and additions, or elements, of one call.
    """

    library: str
    entry: str
    function: str
    arguments: tuple[Argument, ...]
    operation: Operation
    loops: tuple[Dim, ...] = ()
    conditions: tuple[AtLeast | NotZero, ...] = ()
    narrow: tuple[Polynomial, ...] = ()
    """Sizes that have to fit ``int``."""
    work: Polynomial = field(default_factory=Polynomial)
    kind: str = ""
    """What thresholds are listed by: matmul, matvec, ..."""
    is_optional: bool = False
    """Whether the runtime does without the library where that is not there, or not loaded yet."""

    @property
    def whole_work(self) -> Polynomial:
        """The work of all calls of the loops."""
        work = self.work
        for dim in self.loops:
            work = work * dim.extent
        return work


class NotTaken(Exception):
    """A library has no function for an operation: ``reason``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
