"""What a schedule may choose: axes of values, of which a candidate takes one each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from s2s.driver.designs import Steps, steps
from s2s.source.records import dataclass

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

    @property
    def is_number(self) -> bool:
        """Whether it is one number, not several that change together."""
        return self.is_ordered and len(self.names) == 1


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


def distance(first: Places, second: Places) -> int:
    """On how many axes two candidates differ."""
    return sum(a != b for a, b in zip(first, second, strict=True))


def near(
    space: Space,
    places: Places,
    axis: int,
    *,
    far: bool = False,
    fails: Callable[[Places], bool] = lambda _: False,
) -> Iterator[list[Places]]:
    """Candidates that differ on one axis, nearest first.

    Of numbers these are the next on either side among those that divide the base's value or are
    multiples of it (tiles, lanes of a layer), then the next of all; of pairs, which divide nothing,
    the next two. A number of 0 is a word (as many as another number): every one that divides the
    largest is next to it, and it is next to every one. Of words it is all others. With ``far`` all
    numbers that divide or are multiples come last. Behind one that ``fails`` the next is near.
    """
    one, place = space.axes[axis], places[axis]

    def at(k: int) -> Places:
        return (*places[:axis], k, *places[axis + 1 :])

    if not one.is_ordered:
        groups = [list(range(len(one.values)))]
    elif len(one.names) > 1:
        groups = [[place - 1, place + 1], [place - 2, place + 2]]
    else:
        numbers = [int(value) for (value,) in one.values]
        whole = _whole(numbers, numbers[space.base[axis]] or max(numbers))
        zero = [k for k, number in enumerate(numbers) if not number]
        below = next(([k] for k in reversed(whole) if k < place and not fails(at(k))), [])
        above = next(([k] for k in whole if k > place and not fails(at(k))), [])
        groups = [below + above, [place - 1, place + 1], zero]
        groups = [*groups, whole] if far else groups
        groups = groups if numbers[place] else [whole]
    for group in groups:
        inside = [k for k in group if 0 <= k < len(one.values) and k != place]
        yield [at(k) for k in inside]


def _whole(numbers: Sequence[int], base: int) -> list[int]:
    """Where numbers divide another or are multiples of it."""
    return [k for k, n in enumerate(numbers) if n and (base % n == 0 or n % base == 0)]
