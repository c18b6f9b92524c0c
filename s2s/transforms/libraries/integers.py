"""Products of matrices of integers: exact by BLAS where floating point holds all of their sums.

The runtime looks at the largest elements and computes by loops where sums may have more bits.
"""

from __future__ import annotations

from collections.abc import Sequence

from s2s.scop.expressions import Expr, Type
from s2s.scop.library_calls import Address, Argument, AtLeast, LibraryCall, NotTaken, Scalar
from s2s.scop.operation import Dim, Operation
from s2s.scop.polynomial import Polynomial
from s2s.transforms.libraries.strides import Group, Matrix

_LEAST = Polynomial.integer(16)
"""Rows, columns and terms from which on copying the matrices is paid for."""


def size_of(type_: Type) -> int:
    """The runtime's name of a type: bytes of an element, negative with a sign. Raises NotTaken."""
    if not type_.is_integer or type_.bits not in (8, 16, 32, 64):
        raise NotTaken(f"BLAS has no {type_}")
    return type_.bits // 8 * (-1 if type_.code == "int" else 1)


def product(
    operation: Operation, sizes: Sequence[Group], matrices: Sequence[Matrix],
    addresses: Sequence[Address], loops: tuple[Dim, ...], conditions: tuple[AtLeast, ...],
) -> LibraryCall:  # fmt: skip
    """``C = beta * C + alpha * A * B``; of ``sizes`` rows, columns and terms."""
    first, second, c = matrices
    a, b, to = addresses
    type_ = operation.output.type
    if type_.bits < 32:
        raise NotTaken(f"sums in {type_} are cut off at each step")
    of = [size_of(x.operand.type) for x in addresses]
    arguments: tuple[Argument, ...] = (
        int(first.transposed), int(second.transposed), *(s.extent for s in sizes),
        _factor(operation.alpha, 1), a, of[0], first.leading, b, of[1], second.leading,
        _factor(operation.beta, 0), to, of[2], c.leading,
    )  # fmt: skip
    work = sizes[0].extent * sizes[1].extent * sizes[2].extent
    return LibraryCall(
        "blas", "cblas_dgemm of integers", "s2s_igemm", arguments, operation, loops,
        (*conditions, *(AtLeast(s.extent, _LEAST) for s in sizes)),
        (*(s.extent for s in sizes), first.leading, second.leading, c.leading),
        work, "integers",
    )  # fmt: skip


def _factor(value: Expr | None, otherwise: int) -> Argument:
    return otherwise if value is None else Scalar(value, value.type)
