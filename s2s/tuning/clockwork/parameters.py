"""The generator's parameters as a space: those that change the schedule and not what is computed.

Which these are is found by trying: with another value the definitions have to stay the same.
Parameters that scale the output (a tile's width and how many tiles there are) change together, so
that all tiles cover the same output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from math import ceil, lcm
from typing import TYPE_CHECKING

from s2s.driver.designs import algorithm_of
from s2s.scop.pipeline import GeneratorParameter, Pipeline
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass
from s2s.tuning.clockwork.bound import Extents, extents_of
from s2s.tuning.clockwork.space import Axis, Places, Program, values_at

if TYPE_CHECKING:
    from s2s.scop.pipeline import Func

_SMALL = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32)
"""Values of numbers that are small: lanes, factors."""
_COMPARED = re.compile(r'[!=]=\s*"(\w+)"')


@dataclass(frozen=True)
class ParameterSpace:
    """A source with a schedule whose parameters are chosen."""

    own: Program
    axes: tuple[Axis, ...]
    base: Places
    extents: Extents = ()

    def values(self, places: Places) -> dict[str, str]:
        """A candidate's values; tiles stay multiples of what they are multiples of (a rate)."""
        found, first = values_at(self.axes, places), values_at(self.axes, self.base)
        singles = [axis.names[0] for axis in self.axes if axis.is_ordered and not axis.names[1:]]
        for size, count in (axis.names for axis in self.axes if len(axis.names) == 2):
            own = int(first[size])
            factors = [int(found[n]) for n in singles if _divides(first[n], own)]
            whole = lcm(*filter(None, factors))
            if int(found[size]) % whole:
                rounded = -(-int(found[size]) // whole) * whole
                found[size] = str(rounded)
                found[count] = str(-(-own * int(first[count]) // rounded))
        return found

    def program(self, places: Places) -> Program:
        """The source with a candidate's values."""
        return self.own.with_parameters(self.values(places))


def parameter_space(program: Program) -> ParameterSpace:
    """The space of a source; values that ``program`` gives are not changed. Raises UserError."""
    found = _Trials(program)
    axes = list(found.axes())
    if not axes:
        text = "no generator parameter changes the schedule alone: there is nothing to choose"
        raise UserError(Diagnostic(Severity.ERROR, text, "tune"))
    values = {p.name: p.value for p in found.pipeline.parameters.values()}
    base = tuple(axis.values.index(tuple(values[name] for name in axis.names)) for axis in axes)
    return ParameterSpace(program, tuple(axes), base, found.extents)


@dataclass
class _Trials:
    """The pipeline with other values of its parameters."""

    program: Program
    pipeline: Pipeline = field(init=False)
    extents: Extents = field(init=False)
    algorithm: dict[str, Func] = field(init=False)

    def __post_init__(self) -> None:
        self.pipeline = self.program.steps.pipeline
        self.extents = extents_of(self.pipeline)
        self.algorithm = algorithm_of(self.pipeline)

    def axes(self) -> Iterator[Axis]:
        scaling: dict[str, GeneratorParameter] = {}
        fixed = dict(self.program.parameters)
        for one in self.pipeline.parameters.values():
            if one.name in fixed:
                continue
            if one.type != "int":
                yield from self._words(one)
            elif (tried := self._tried(one)) is not None:
                if extents_of(tried) == self.extents:
                    yield self._numbers(one)
                else:
                    scaling[one.name] = one
        yield from self._tiles(scaling)

    def _with(self, values: Mapping[str, str]) -> Pipeline | None:
        """The pipeline with these values, if it computes the same."""
        try:
            found = self.program.with_parameters(values).steps.pipeline
        except UserError:
            return None
        return found if algorithm_of(found) == self.algorithm else None

    def _tried(self, one: GeneratorParameter) -> Pipeline | None:
        """The pipeline with twice the value; None where it computes something else."""
        value = int(one.value)
        for other in (2 * value, value + 1, value - 1):
            if _allows(one, other) and other != value:
                return self._with({one.name: str(other)})
        return None

    def _words(self, one: GeneratorParameter) -> Iterator[Axis]:
        """The values of a bool; of a string what it is compared with, and what is said of it."""
        text = self.program.data.decode("utf-8", "replace")
        literals = [*_COMPARED.findall(text), *_said(text, one.name)]
        every = {"bool": ["true", "false"], "std::string": literals}.get(one.type, one.choices)
        values, seen = [one.value], [self.pipeline]
        for value in dict.fromkeys(every):
            found = self._with({one.name: value}) if value != one.value else None
            if found is not None and all(_differ(found, other) for other in seen):
                values.append(value)
                seen.append(found)
        if len(values) > 1:
            yield Axis((one.name,), tuple((value,) for value in values))

    def _numbers(self, one: GeneratorParameter) -> Axis:
        """Small numbers; of a large one fractions, multiples, and what divides the output."""
        value = int(one.value)
        values = {value}
        if value <= max(_SMALL):
            values |= set(_SMALL)
        if value > 12:
            values |= {value // 4, value // 2, 2 * value, 4 * value}
            sizes = {e for one in self.extents for e in one if e}
            near = range(1, 4 * value + 1)
            values |= {d for d in near for size in sizes if size % d == 0}
        kept = sorted(v for v in values if v == value or _allows(one, v))
        return Axis((one.name,), tuple((str(v),) for v in kept))

    def _tiles(self, scaling: Mapping[str, GeneratorParameter]) -> Iterator[Axis]:
        """Sizes of tiles with as many tiles as cover the output, for each pair that scales it."""
        groups: dict[tuple[bool, ...], list[GeneratorParameter]] = {}
        for one in scaling.values():
            found = self._tried(one)
            assert found is not None
            groups.setdefault(self._scaled(found), []).append(one)
        for group in groups.values():
            if len(group) == 2:
                size, count = sorted(group, key=lambda p: -int(p.value))
                yield _pairs(size, count)

    def _scaled(self, found: Pipeline) -> tuple[bool, ...]:
        """Which extents of the outputs differ."""
        pairs = zip(extents_of(found), self.extents, strict=True)
        return tuple(a != b for one, own in pairs for a, b in zip(one, own, strict=True))


def _said(text: str, name: str) -> Iterator[str]:
    """The words of a list in the comment after a declaration: ``// pixel, line or block: ...``."""
    match = re.search(rf'"{re.escape(name)}"[^\n]*//([^\n:;.]*)', text)
    for part in re.split(r",|\bor\b|\band\b", match[1] if match else ""):
        if re.fullmatch(r"\w+", part.strip()):
            yield part.strip()


def _pairs(size: GeneratorParameter, count: GeneratorParameter) -> Axis:
    whole = int(size.value) * int(count.value)
    counts = range(1, 4 * int(count.value) + 1)
    found = {ceil(whole / k): k for k in reversed(counts)} | {int(size.value): int(count.value)}
    pairs = sorted((s, k) for s, k in found.items() if _allows(size, s) and _allows(count, k))
    return Axis((size.name, count.name), tuple((str(s), str(k)) for s, k in pairs))


def _divides(number: str, whole: int) -> bool:
    return number != "0" and whole % int(number) == 0


def _allows(one: GeneratorParameter, value: int) -> bool:
    """Whether the declaration's bounds do."""
    if value < 1:
        return False
    return one.least is None or one.most is None or one.least <= value <= one.most


def _differ(one: Pipeline, other: Pipeline) -> bool:
    return one.funcs != other.funcs
