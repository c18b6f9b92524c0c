"""What a user has decided of a mapping; the search does the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from s2s.source.spatial.problems import meant, problem

KINDS = ("units", "l1", "l2", "order")


@dataclass(frozen=True)
class Fixed:
    """``units``, ``tile`` (of L1) and ``shared`` (of L2) by dimension; ``order``: the loops inside
    and outside of L2's tiles, outermost first, of which some may be left out.
    """

    units: Mapping[str, int] = field(default_factory=dict)
    tile: Mapping[str, int] = field(default_factory=dict)
    shared: Mapping[str, int] = field(default_factory=dict)
    order: tuple[str, ...] = ()

    def allows_units(self, units: Mapping[str, int]) -> bool:
        """Whether units along each dimension are those that were said."""
        return all(units[dim] == count for dim, count in self.units.items())

    def tiles(self, dim: str) -> list[int]:
        """The tile of one element, where it was said."""
        return [self.tile[dim]] if dim in self.tile else []

    def full_order(self, dims: Sequence[str]) -> tuple[int, ...]:
        """Numbers of all dimensions, those that were not said outermost."""
        said = [dims.index(dim) for dim in self.order]
        return (*(d for d in range(len(dims)) if d not in said), *said)


def fixed_by(texts: Sequence[str], loops: Mapping[str, int]) -> Fixed:
    """What texts like ``units:K=8,C=4``, ``l1:K=2``, ``l2:C=64`` and ``order:K,C`` say.

    Raises UserError for what a layer does not have.
    """
    numbers: dict[str, dict[str, int]] = {"units": {}, "l1": {}, "l2": {}}
    order: tuple[str, ...] = ()
    for text in texts:
        kind, _, rest = text.partition(":")
        if kind not in KINDS or not rest:
            raise problem(
                f"'{text}' fixes nothing: {', '.join(KINDS)}, as in units:K=8{meant(kind, KINDS)}"
            )
        for part in rest.split(","):
            dim, sign, value = part.partition("=")
            if dim not in loops:
                known = ", ".join(loops)
                raise problem(
                    f"the layer has no dimension '{dim}' (it has: {known}){meant(dim, loops)}"
                )
            if kind == "order":
                order = (*order, dim)
            elif not sign or not value.isascii() or not value.isdigit() or int(value) < 1:
                raise problem(f"'{part}' is not DIMENSION=NUMBER")
            elif int(value) > loops[dim]:
                raise problem(f"{value} is more than the {loops[dim]} iterations of {dim}")
            else:
                numbers[kind][dim] = int(value)
    if len(set(order)) < len(order):
        raise problem(f"an order names a dimension twice: {', '.join(order)}")
    return Fixed(numbers["units"], numbers["l1"], numbers["l2"], order)
