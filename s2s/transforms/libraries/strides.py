"""Dimensions of operands by what they are for: batches, rows, columns, sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.scop.library_calls import NotTaken
from s2s.scop.operation import Dim, Operand, Operation
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

ZERO, ONE = Polynomial(), Polynomial.integer(1)


@dataclass(frozen=True)
class Group:
    """Dimensions that count as one: ``extent`` iterations, moving by ``step`` of the innermost."""

    dims: tuple[Dim, ...]
    extent: Polynomial

    @property
    def inner(self) -> Dim:
        return self.dims[-1]

    def step(self, operand: Operand) -> Polynomial:
        """Elements from one iteration to the next."""
        return operand.stride(self.inner.name)


@dataclass(frozen=True)
class Roles:
    """The dimensions of a sum of products, by the operands that they move in."""

    batch: tuple[Dim, ...]
    rows: tuple[Dim, ...]
    columns: tuple[Dim, ...]
    sums: tuple[Dim, ...]


def roles_of(operation: Operation) -> Roles:
    """``rows`` are in the first input and the output, ``columns`` in the second."""
    output, first, second = operation.operands
    found: dict[str, list[Dim]] = {"batch": [], "rows": [], "columns": [], "sums": []}
    for dim in operation.dims:
        own, left, right = (o.stride(dim.name) != ZERO for o in (output, first, second))
        word = {
            (True, True, True): "batch",
            (True, True, False): "rows",
            (True, False, True): "columns",
            (False, True, True): "sums",
        }.get((own, left, right))
        if word is not None:
            found[word].append(dim)
    return Roles(*(tuple(found[w]) for w in ("batch", "rows", "columns", "sums")))


def fuse(dims: Sequence[Dim], operands: Sequence[Operand]) -> list[Group]:
    """The dimensions with those joined that go on where the others end, in all operands.

    Those of the smallest steps in the last operand come last.
    """
    groups: list[Group] = []
    for dim in _from_outside(dims, operands):
        joined = groups and all(
            o.stride(groups[-1].inner.name) == o.stride(dim.name) * dim.extent for o in operands
        )
        if joined:
            last = groups[-1]
            groups[-1] = Group((*last.dims, dim), last.extent * dim.extent)
        else:
            groups.append(Group((dim,), dim.extent))
    return groups


def _from_outside(dims: Sequence[Dim], operands: Sequence[Operand]) -> list[Dim]:
    """Dimensions by their steps, the largest first: by degree, then by numbers."""

    def size(dim: Dim) -> tuple[int, int]:
        step = operands[-1].stride(dim.name)
        return step.degree, abs(step.number or 0)

    return sorted(dims, key=size, reverse=True)


@dataclass(frozen=True)
class Matrix:
    """A matrix in memory by rows: ``transposed`` where its rows are the product's columns."""

    transposed: bool
    leading: Polynomial
    columns: Polynomial


def matrix_of(operand: Operand, rows: Group, columns: Group) -> Matrix:
    """How a matrix lies in memory. Raises NotTaken where no dimension has neighbours."""
    if columns.step(operand) == ONE:
        return Matrix(False, rows.step(operand), columns.extent)
    if rows.step(operand) == ONE:
        return Matrix(True, columns.step(operand), rows.extent)
    raise NotTaken(f"neither rows nor columns of '{operand.base}' are contiguous")


def squeeze(operation: Operation) -> Operation:
    """The operation without dimensions that have one index."""
    gone = frozenset(d.name for d in operation.dims if d.extent == ONE)
    if not gone:
        return operation

    def at_zero(value: Polynomial) -> Polynomial:
        return value.part(lambda names: not gone & set(names), value.constant)

    operands = tuple(replace(o, subscripts=tuple(map(at_zero, o.subscripts)))
                     for o in operation.operands)  # fmt: skip
    dims = tuple(d for d in operation.dims if d.name not in gone)
    return replace(operation, dims=dims, operands=operands)
