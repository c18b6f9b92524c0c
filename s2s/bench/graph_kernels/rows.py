"""What one run of a variant gave, and what that saves."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.bench.records import geometric_mean
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Row:
    """One variant on one graph; ``cycles`` are the kernel's; ``same`` as plain C.

    ``migrations`` are those of the whole program, ``in_kernel`` those of its kernel alone.
    """

    scale: int
    variant: str
    migrations: int
    cycles: int
    same: bool
    in_kernel: int = 0

    def counted(self, kernel_only: bool) -> int:
        return self.in_kernel if kernel_only else self.migrations


def reductions(
    rows: Sequence[Row], variant: str, before: str, *, kernel_only: bool = False
) -> dict[int, float]:
    """Percent of the migrations of ``before`` that a variant saves, by scale."""
    base = {row.scale: row.counted(kernel_only) for row in rows if row.variant == before}
    return {
        row.scale: 100 * (1 - row.counted(kernel_only) / base[row.scale])
        for row in rows
        if row.variant == variant and base.get(row.scale)
    }


def speedups(rows: Sequence[Row], variant: str, before: str) -> dict[int, float]:
    """Estimated time of the kernel in ``before`` over that in a variant, by scale."""
    base = {row.scale: row.cycles for row in rows if row.variant == before}
    return {
        row.scale: base[row.scale] / row.cycles
        for row in rows
        if row.variant == variant and row.scale in base and row.cycles
    }


def total_reduction(
    rows: Sequence[Row], variant: str, before: str, *, kernel_only: bool
) -> float | None:
    """The mean of what all transformations of a kernel up to a variant save together."""
    return geometric_mean(reductions(rows, variant, before, kernel_only=kernel_only).values())
