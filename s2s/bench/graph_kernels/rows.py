"""What one run of a variant gave, and what that saves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from s2s.bench.graph_kernels.kernels import Kernel
from s2s.bench.records import geometric_mean


@dataclass(frozen=True)
class Row:
    """One variant on one graph; ``cycles`` are the kernel's; ``same`` as plain C."""

    scale: int
    variant: str
    migrations: int
    cycles: int
    same: bool


def reductions(rows: Sequence[Row], variant: str, before: str) -> dict[int, float]:
    """Percent of the migrations of ``before`` that a variant saves, by scale."""
    base = {row.scale: row.migrations for row in rows if row.variant == before}
    return {
        row.scale: 100 * (1 - row.migrations / base[row.scale])
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


def total_reduction(kernel: Kernel, rows: Sequence[Row], variant: str) -> float | None:
    """The mean of what all transformations of a kernel up to a variant save together."""
    return geometric_mean(reductions(rows, variant, kernel.variants[0].name).values())
