"""Operands of operations: where elements lie, in indices that count from 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from s2s.analyses.operators.boxes import Box
from s2s.analyses.operators.subscripts import NotAnOperator, Places
from s2s.scop.expressions import Load, Type
from s2s.scop.nodes import Array, Statement
from s2s.scop.operation import Operand, Role
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Operands:
    """Makes operands of one operation, whose indices are those of a box."""

    places: Places
    box: Box

    def output(
        self, array: str, type_: Type, subscripts: Sequence[Polynomial], role: Role
    ) -> Operand:
        """What the operation stores to. Raises NotAnOperator."""
        return self._operand("out", array, type_, subscripts, role)

    def input(self, name: str, load: Load, statements: Sequence[Statement]) -> Operand:
        """What the operation loads in one of some statements. Raises NotAnOperator."""
        subscripts = self.places.of_load(load, statements)
        return self._operand(name, load.tensor, load.type, subscripts, Role.READ)

    def _operand(
        self, name: str, array: str, type_: Type, subscripts: Sequence[Polynomial], role: Role
    ) -> Operand:
        found = self.places.scop.arrays[array]
        sizes = self.places.sizes(found, tuple(subscripts)) if found.rank else ()
        base, inside = found.base, 0
        if found.member is not None:
            base, inside = self._member(found, subscripts)
        elif found.row_rank:
            base = self._first_row(found)
        if base is None:
            raise NotAnOperator(f"the address of '{found.spelling}' is not known before the loops")
        moved = tuple(shifted(s, self.box.first) for s in subscripts[inside:])
        made = Operand(
            name, array, base, type_, role, moved, sizes[inside:],
            rows=0 if inside else found.row_rank, scalar=not moved,
        )  # fmt: skip
        return replace(made, limits=(None,) * len(moved))

    def _member(self, array: Array, subscripts: Sequence[Polynomial]) -> tuple[str, int]:
        """C text of the member that an array is, and how many subscripts lead to it."""
        assert array.member is not None
        text, inside = array.member
        if array.row_rank > inside:
            raise NotAnOperator(f"the rows of '{array.spelling}' may lie anywhere")
        known = set(self.places.scop.parameter_names())
        if any(not s.names <= known for s in subscripts[:inside]):
            raise NotAnOperator(f"the address of '{array.spelling}' is not known before the loops")
        return text, inside

    def _first_row(self, array: Array) -> str:
        """C text of the first row that a pointer leads to. Raises NotAnOperator."""
        written = {a.array for s in self.places.scop.statements for a in s.accesses if a.write}
        others = self.places.scop.arrays.values()
        pointers = {a.name for a in others if a.spelling == array.spelling and not a.row_rank}
        if array.row_rank > 1 or not array.spelling.isidentifier() or pointers & written:
            raise NotAnOperator(f"the rows of '{array.spelling}' may lie anywhere")
        return f"{array.spelling}[0]"


def shifted(value: Polynomial, first: Mapping[str, Polynomial]) -> Polynomial:
    """A value with each index counted from its first."""
    found = Polynomial.integer(value.constant)
    for names, times in value.terms.items():
        product = Polynomial.integer(times)
        for name in names:
            one = Polynomial.name(name)
            product = product * (one + first[name] if name in first else one)
        found = found + product
    return found
