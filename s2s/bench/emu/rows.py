"""What one run of a variant gave, and what that saves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from s2s.bench.emu.suite import Kernel


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
    return mean(reductions(rows, variant, kernel.variants[0].name).values())


def mean(values: Iterable[float]) -> float | None:
    """The geometric mean, or None where there is none: nothing, or a value that is not positive."""
    given = list(values)
    if not given or min(given) <= 0:
        return None
    return prod(given) ** (1 / len(given))
