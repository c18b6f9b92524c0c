"""Operations: what a nest of a program computes, as an operator on arrays of symbolic sizes.

An operation is one statement over a box of indices, in which the order of the reductions is open::

    out[o(d)] = beta * out[o(d)] + alpha * sum over reductions of a[f(d)] * b[g(d)]     PRODUCT
    out[o(d)] = max (or sum) over reductions of a[f(d)]                                 REDUCTION
    out[o(d)] = value of elements a[f(d)], b[g(d)], ...                                 ELEMENTWISE

Extents, subscripts and sizes are polynomials over the parameters of the region, by the names of its
SCoP (``Operation.spellings`` has the C texts), subscripts over the dimensions too. Which dimensions
occur where says what it is: matrix products and convolutions are products.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from functools import cached_property

from s2s.scop.expressions import Expr, Type
from s2s.scop.polynomial import Polynomial
from s2s.source import Span
from s2s.source.records import dataclass


class Role(Enum):
    """What an operation does with an operand: UPDATE reads the old elements and stores new ones."""

    READ = "read"
    WRITE = "write"
    UPDATE = "update"


class Kind(Enum):
    """What is computed; ``MATMUL`` may have batches, ``CONTRACTION`` is any other product."""

    MATMUL = "matmul"
    MATVEC = "matvec"
    OUTER = "outer"
    DOT = "dot"
    SYRK = "syrk"
    SYR2K = "syr2k"
    CONVOLUTION = "convolution"
    CONTRACTION = "contraction"
    POOL_MAX = "max_pool"
    POOL_SUM = "sum_pool"
    REDUCE = "reduce"
    SOFTMAX = "softmax"
    SCALE = "scale"
    AXPY = "axpy"
    COPY = "copy"
    FILL = "fill"
    ELEMENTWISE = "elementwise"


PRODUCTS = frozenset({Kind.MATMUL, Kind.MATVEC, Kind.OUTER, Kind.DOT, Kind.SYRK, Kind.SYR2K,
                      Kind.CONVOLUTION, Kind.CONTRACTION})  # fmt: skip
"""Kinds that multiply and accumulate: ``CalcMAC`` is positive for these alone."""


@dataclass(frozen=True)
class Dim:
    """An index from 0 to ``extent``; ``source`` is the loop's name in the program."""

    name: str
    extent: Polynomial
    reduction: bool = False
    source: str = field(default="", compare=False)


@dataclass(frozen=True)
class Operand:
    """Elements ``base[flat(subscripts)]``, row-major, subscripts outermost first.

    ``array``: the SCoP's name. ``base``: C text of the address from which elements count. ``sizes``
    has the elements in each dimension (None: the outermost, unknown). ``limits``: of an axis that
    is only read where 0 <= subscript < limit, the limit; elsewhere the element adds nothing to a
    sum or maximum (None: always read). The first ``rows`` subscripts select a pointer in memory.
    ``scalar``: one variable of the program.
    """

    name: str
    array: str
    base: str
    type: Type
    role: Role
    subscripts: tuple[Polynomial, ...]
    sizes: tuple[Polynomial | None, ...]
    limits: tuple[Polynomial | None, ...] = ()
    rows: int = 0
    scalar: bool = False

    @property
    def reads(self) -> bool:
        return self.role is not Role.WRITE

    @property
    def writes(self) -> bool:
        return self.role is not Role.READ

    @property
    def is_padded(self) -> bool:
        """Whether some of the subscripts lead to no element."""
        return any(limit is not None for limit in self.limits)

    @cached_property
    def address(self) -> Polynomial:
        """The place counted in elements from ``base``."""
        found = Polynomial()
        for subscript, size in zip(self.subscripts, self.sizes, strict=True):
            found = (found * size if size is not None else found) + subscript
        return found

    def stride(self, dim: str) -> Polynomial:
        """Elements from one value of a dimension to the next; zero where it does not move."""
        return self.address.divide(dim)[0]

    def offset(self, dims: frozenset[str]) -> Polynomial:
        """The place at the first value of each dimension."""
        return self.address.part(lambda names: not dims & set(names), self.address.constant)

    def axis_stride(self, axis: int, dim: str) -> int:
        """The coefficient of a dimension in one subscript."""
        return self.subscripts[axis].coefficient((dim,))


@dataclass(frozen=True)
class Operation:
    """One operator: ``operands`` are its output first, then its inputs.

    ``alpha`` and ``beta`` (None: 1 and 1, Const 0: what was there does not count) and ``value``
    are typed expressions over parameters, in which ``Variable(operand.name)`` stands for the
    operand's element. ``function``: of an element-wise one the name of its activation if it has
    one (relu, logistic, tanh, exp, ...). ``attributes``: numbers of windows, as ``strides``.
    ``statements``: of the SCoP. ``order`` says in which order a sum was taken: to be told to users
    of floating point.
    """

    kind: Kind
    dims: tuple[Dim, ...]
    operands: tuple[Operand, ...]
    statements: tuple[str, ...]
    where: Span
    alpha: Expr | None = None
    beta: Expr | None = None
    value: Expr | None = None
    function: str = ""
    attributes: Mapping[str, int | float | str | tuple[int, ...]] = field(default_factory=dict)
    held: bool = False
    """Whether the source has the sum in a variable, not in memory."""
    spellings: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def output(self) -> Operand:
        return self.operands[0]

    @property
    def inputs(self) -> tuple[Operand, ...]:
        return self.operands[1:]

    @property
    def live_in(self) -> tuple[Operand, ...]:
        """What is read before it is stored."""
        return tuple(o for o in self.operands if o.reads)

    @property
    def live_out(self) -> tuple[Operand, ...]:
        return tuple(o for o in self.operands if o.writes)

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of the dimensions."""
        return frozenset(dim.name for dim in self.dims)

    def dim(self, name: str) -> Dim:
        """The dimension with a name; KeyError where there is none."""
        for dim in self.dims:
            if dim.name == name:
                return dim
        raise KeyError(name)

    def moves(self, operand: Operand) -> tuple[Dim, ...]:
        """The dimensions that tell an operand's elements apart."""
        return tuple(d for d in self.dims if operand.stride(d.name) != Polynomial())

    @property
    def macs(self) -> Polynomial:
        """Multiplications and additions; zero where nothing is multiplied and accumulated."""
        if self.kind not in PRODUCTS:
            return Polynomial()
        found = Polynomial.integer(1)
        for dim in self.dims:
            found = found * dim.extent
        return found


@dataclass(frozen=True)
class Unrecognised:
    """A nest, or a part of it, that is no operator: why, and where."""

    reason: str
    where: Span


@dataclass(frozen=True)
class Recognised:
    """What consecutive statements of a function are: operations in the order in which they run.

    All that the source does there is done by them where the numbers fulfil ``assumptions`` (isl
    text of a set of the parameters), none of the ``disjoint`` pairs (names of arrays) share memory
    and the subscripts, computed in ``int``, do not overflow. Elsewhere the source's text has to
    run. ``lost``: private scalars that nothing reads afterwards.
    """

    where: Span
    function: str
    operations: tuple[Operation, ...]
    assumptions: str
    disjoint: frozenset[frozenset[str]] = frozenset()
    spellings: Mapping[str, str] = field(default_factory=dict, compare=False)
