"""What is found of a case, number by number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from s2s.bench.mappings.cases import Case, Group, Searched
from s2s.bench.records import geometric_mean
from s2s.source.records import dataclass

ANY, DIVIDING = "any tiles", "dividing tiles"
MAESTRO, MAESTRO_DIVIDING = "any tiles, maestro", "dividing tiles, maestro"
VARIANTS = {
    ANY: ("exact", False),
    DIVIDING: ("exact", True),
    MAESTRO: ("maestro", False),
    MAESTRO_DIVIDING: ("maestro", True),
}
"""The model that says what mappings cost, and whether tiles divide."""
CYCLES, PEAK = "cycles", "roofline"
OVER, BOUND = "cycles over the roofline", "lower bound over the roofline"
TILE, PARALLEL = "tile in L2", "in parallel"
SPACES = ("all mappings", "for DRAM", "on chip")


@dataclass(frozen=True)
class Row:
    """A number or a verdict of a case; ``published`` None where there is none."""

    case: Case
    variant: str
    metric: str
    value: float | str | None
    unit: str = ""
    published: float | str | None = None
    note: str = ""


@dataclass(frozen=True)
class Layers:
    """Numbers of the layers of one shape: by variant and metric."""

    case: Searched
    numbers: dict[tuple[str, str], float]

    def number(self, variant: str, metric: str) -> float | None:
        """One of them, None where nothing was found."""
        return self.numbers.get((variant, metric))


def by_layer(rows: Sequence[Row]) -> list[Layers]:
    """The layers that were searched, with their numbers."""
    found: dict[Searched, dict[tuple[str, str], float]] = {}
    for row in rows:
        if isinstance(row.case, Searched):
            numbers = found.setdefault(row.case, {})
            if isinstance(row.value, int | float):
                numbers[row.variant, row.metric] = row.value
    return [Layers(case, numbers) for case, numbers in found.items()]


def mean(group: Group, layers: Sequence[Layers], variant: str, metric: str) -> float | None:
    """The geometric mean over the roofline, as the group has it.

    Of each layer once for every layer of its shape; or of whole networks, whose cycles are added.
    """
    found = [one for one in layers if one.number(variant, metric) is not None]
    if len(found) != len(layers) or not found:
        return None
    if group.mean == "each":
        return geometric_mean(one.numbers[variant, metric] for one in found for _ in one.case.names)
    ratios = []
    for _, members in groupby(found, lambda one: one.case.network):
        own = list(members)
        peak = sum(one.numbers[variant, PEAK] * len(one.case.names) for one in own)
        total = sum(
            one.numbers[variant, metric] * one.numbers[variant, PEAK] * len(one.case.names)
            for one in own
        )
        ratios.append(total / peak)
    return geometric_mean(ratios)
