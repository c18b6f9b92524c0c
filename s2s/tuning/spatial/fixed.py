"""What a user has decided of a mapping; the search does the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from s2s.source.records import dataclass
from s2s.source.spatial.problems import meant, problem

KINDS = ("units", "l1", "l2", "l3", "order", "parallel", "innermost")


@dataclass(frozen=True)
class Fixed:
    """``units``, tiles of L1, L2 (``shared``) and L3 (``deep``) by dimension; ``order``: the loops
    inside and outside of L2's tiles, outermost first, some may be left out. ``parallel``: no other
    dimensions have several units (None: all may); ``innermost``: the loops inside of L2's
    tiles that are inside of all others, in any order.
    """

    units: Mapping[str, int] = field(default_factory=dict)
    tile: Mapping[str, int] = field(default_factory=dict)
    shared: Mapping[str, int] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    parallel: frozenset[str] | None = None
    innermost: frozenset[str] = frozenset()
    deep: Mapping[str, int] = field(default_factory=dict)

    def choices(self, dim: str, useful: list[int]) -> list[int]:
        """Of the useful numbers of units along a dimension those that are allowed."""
        if dim in self.units:
            return [self.units[dim]]
        return useful if self.parallel is None or dim in self.parallel else [1]

    def allows(self, dim: str, units: int) -> bool:
        """Whether a dimension may have so many units."""
        return self.choices(dim, [units]) == [units]

    def sorted_inside(self, order: Sequence[int], dims: Sequence[str]) -> tuple[int, ...]:
        """Loops inside of L2's tiles, with those innermost that have to be."""
        return tuple(sorted(order, key=lambda d: dims[d] in self.innermost))

    def tiles(self, dim: str) -> list[int]:
        """The tile of one element, where it was said."""
        return [self.tile[dim]] if dim in self.tile else []

    def full_order(self, dims: Sequence[str]) -> tuple[int, ...]:
        """Numbers of all dimensions, those that were not said outermost."""
        said = [dims.index(dim) for dim in self.order]
        return (*(d for d in range(len(dims)) if d not in said), *said)


def fixed_by(texts: Sequence[str], loops: Mapping[str, int]) -> Fixed:
    """What texts like ``units:K=8,C=4``, ``l1:K=2``, ``order:K,C`` and ``parallel:K`` say.

    Raises UserError for what a layer does not have.
    """
    numbers: dict[str, dict[str, int]] = {"units": {}, "l1": {}, "l2": {}, "l3": {}}
    names: dict[str, tuple[str, ...]] = {"order": (), "innermost": ()}
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
            if kind not in numbers:
                if sign:
                    raise problem(f"'{part}' is no dimension: '{kind}' has no numbers")
                names[kind] = (*names.get(kind, ()), dim)
            elif not sign or not value.isascii() or not value.isdigit() or int(value) < 1:
                raise problem(f"'{part}' is not DIMENSION=NUMBER")
            elif int(value) > loops[dim]:
                raise problem(f"{value} is more than the {loops[dim]} iterations of {dim}")
            else:
                numbers[kind][dim] = int(value)
    order = names["order"]
    if len(set(order)) < len(order):
        raise problem(f"an order names a dimension twice: {', '.join(order)}")
    parallel = frozenset(names["parallel"]) if "parallel" in names else None
    for dim, count in numbers["units"].items():
        if parallel is not None and dim not in parallel and count > 1:
            raise problem(f"{dim} has {count} units and is not among those that are parallel")
    return Fixed(
        numbers["units"], numbers["l1"], numbers["l2"], order, parallel,
        frozenset(names["innermost"]), numbers["l3"],
    )  # fmt: skip
