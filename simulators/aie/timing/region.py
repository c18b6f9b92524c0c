"""The control of a kernel around its straight code."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.simulators.aie.program import Branch, Loop
from s2s.simulators.aie.timing.operation import Body, Part, Register
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Straight:
    """Operations without control."""

    body: Body


@dataclass(frozen=True)
class Handed:
    """A part of a register that iterations pass on: read as ``inside`` (a register and an index).

    ``initial`` has it in the first iteration, afterwards what the one before left in ``following``.
    """

    inside: tuple[Register, int]
    initial: Part | None
    following: Part | None


@dataclass(frozen=True)
class Repeated:
    """A loop; ``counted`` if the machine can count its iterations ahead."""

    loop: Loop
    regions: tuple[Region, ...]
    counted: bool
    handed: tuple[Handed, ...] = ()

    @property
    def kernel(self) -> Straight | None:
        """The body of a loop that holds nothing but straight code."""
        if len(self.regions) == 1 and isinstance(self.regions[0], Straight):
            return self.regions[0]
        return None


@dataclass(frozen=True)
class Either:
    """A branch."""

    branch: Branch
    then: tuple[Region, ...]
    otherwise: tuple[Region, ...]


Region = Straight | Repeated | Either


def straights(regions: tuple[Region, ...]) -> Iterator[Straight]:
    """All straight code, in the order of the text."""
    for region in regions:
        if isinstance(region, Straight):
            yield region
        elif isinstance(region, Repeated):
            yield from straights(region.regions)
        else:
            yield from straights(region.then)
            yield from straights(region.otherwise)


def find_loops(regions: tuple[Region, ...]) -> Iterator[Repeated]:
    """All loops, outer ones before those inside them."""
    for region in regions:
        if isinstance(region, Repeated):
            yield region
            yield from find_loops(region.regions)
        elif isinstance(region, Either):
            yield from find_loops(region.then)
            yield from find_loops(region.otherwise)
