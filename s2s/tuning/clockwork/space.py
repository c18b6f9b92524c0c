"""What a schedule may choose: axes of values, of which a candidate takes one each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from s2s.driver.designs import Steps, steps

Places = tuple[int, ...]
"""A candidate: the place of its value on each axis."""


@dataclass(frozen=True)
class Axis:
    """Values in an order in which neighbours are alike; several names that change together."""

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]

    @property
    def is_ordered(self) -> bool:
        """Whether values are numbers, so that only near ones are neighbours."""
        return all(part.lstrip("-").isdigit() for value in self.values for part in value)


@dataclass(frozen=True)
class Program:
    """A source with values for its generator's parameters, as it is compiled.

    ``memory``: the kind of memories (``MappingOptions``), empty for the default.
    """

    path: str
    data: bytes
    parameters: tuple[tuple[str, str], ...] = ()
    generator: str = ""
    sizes: tuple[tuple[str, tuple[int, ...]], ...] = ()
    flags: tuple[str, ...] = ()
    memory: str = ""

    def with_parameters(self, values: Mapping[str, str]) -> Program:
        """The same with these values besides its own."""
        return replace(self, parameters=tuple({**dict(self.parameters), **values}.items()))

    @property
    def steps(self) -> Steps:
        return steps(
            self.path, self.data, dict(self.parameters),
            generator=self.generator, sizes=self.sizes, flags=self.flags, memory=self.memory,
        )  # fmt: skip


class Space(Protocol):
    """All candidates; ``base`` is the source's own."""

    @property
    def axes(self) -> tuple[Axis, ...]: ...

    @property
    def base(self) -> Places: ...

    def values(self, places: Places) -> dict[str, str]:
        """A candidate's values by name."""
        ...

    def program(self, places: Places) -> Program:
        """A candidate as a program."""
        ...


def values_at(axes: Sequence[Axis], places: Places) -> dict[str, str]:
    """The values at these places, by name."""
    found: dict[str, str] = {}
    for axis, place in zip(axes, places, strict=True):
        found |= zip(axis.names, axis.values[place], strict=True)
    return found


def neighbours(space: Space, places: Places) -> Iterator[Places]:
    """Candidates that differ on one axis: the next two values on either side, or any.

    A number of 0 is a word (as many as another number): every one is next to it.
    """
    for k, axis in enumerate(space.axes):
        near = range(places[k] - 2, places[k] + 3)
        if not axis.is_ordered or "0" in axis.values[places[k]]:
            near = range(len(axis.values))
        for place in near:
            if place != places[k] and 0 <= place < len(axis.values):
                yield (*places[:k], place, *places[k + 1 :])
