"""What calls of emitted C have to give, by the definitions, and whether they gave it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product

from s2s.net import Mismatch
from s2s.net.pipelines.arrays import Values
from s2s.net.pipelines.boxes import Box, Outside, volume
from s2s.net.pipelines.building import Build, NotRun, Text
from s2s.net.pipelines.cases import Case, Cases, Place
from s2s.net.pipelines.compare import differing
from s2s.net.pipelines.definitions import Direct, TooMuch
from s2s.net.pipelines.native import Result, TooSlow, run
from s2s.net.pipelines.widths import vectors
from s2s.scop.nest import Nest
from s2s.scop.pipeline import Func, Pipeline

_AT_EASE, _AT_MOST = 5.0e7, 1.0e9
"""The work for definitions, about in nanoseconds: after the first no further call is looked at, a
call that takes more than the second is not judged."""
_PATIENCE = 3
"""Calls that take too much before none is tried any more."""
_ODD = (
    Outside,
    ArithmeticError,
    LookupError,
    ValueError,
    TypeError,
    AssertionError,
    NotImplementedError,
)
_WHOLE = 1 << 17
"""Outputs with more elements are looked at in some places only."""
_SAMPLE = 3
_HUGE = 1 << 26


class Judge:
    """Compares what calls gave with the definitions."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._wanted: dict[int, list[tuple[Place, Box, list[Values]]]] = {}
        self._undefined: set[int] = set()
        self._loose = _may_reassociate(pipeline)
        self.calls = self.elements = 0

    def chosen(self, nest: Nest) -> list[Case]:
        """The calls whose values are known; raises NotRun where there are none.

        The definitions are the source's, not ours: what cannot be evaluated is no defect of the C.
        """
        try:
            return self._chosen(nest)
        except _ODD as error:
            raise NotRun(f"the definitions use {error or type(error).__name__}") from error

    def _chosen(self, nest: Nest) -> list[Case]:
        found: list[Case] = []
        spent, patience, reason = 0.0, _PATIENCE, "no size was found for which it has results"
        for case in Cases(self._pipeline, nest).all():
            if spent > _AT_EASE and not case.failing:
                continue
            try:
                spent += self._evaluate(case)
            except (TooMuch, MemoryError, RecursionError):
                patience, reason = patience - 1, "its definitions take too long to evaluate"
                if not patience:
                    break
                continue
            found.append(case)
        if not any(not case.failing for case in found):
            raise NotRun(reason)
        return found

    def _evaluate(self, case: Case) -> float:
        """Find what a call has to give."""
        if sum(place.count for place in case.places) > _HUGE:
            raise TooMuch
        direct = Direct(self._pipeline, case.inputs, case.scalars, _AT_MOST)
        wanted = []
        for place in [] if case.failing else case.outputs:
            for box in _boxes(self._pipeline, place):
                minima = tuple(low for low, _ in box)
                extents = tuple(high - low + 1 for low, high in box)
                made = direct.output(place.argument.name, minima, extents)
                wanted.append((place, box, [component.values for component in made]))
        self._wanted[id(case)] = wanted
        if direct.undefined:
            self._undefined.add(id(case))
        return direct.work

    def call(self, build: Build, text: Text, cases: Sequence[Case]) -> None:
        """Judge all calls that end in time; raises NotRun and Mismatch."""
        made = build.program()
        with suppress(TooSlow):
            for case, result in zip(cases, run(made, text, cases), strict=True):
                self.judge(case, result)

    def call_again(self, build: Build, text: Text, cases: Sequence[Case]) -> None:
        """Judge the same calls in another order of what is concurrent; they are not counted."""
        calls, elements = self.calls, self.elements
        try:
            with suppress(NotRun):
                self.call(build, text, cases)
        except Mismatch as error:
            raise Mismatch(f"{error} (with concurrent iterations in another order)") from error
        finally:
            self.calls, self.elements = calls, elements

    def judge(self, case: Case, result: Result) -> None:
        """Raises Mismatch."""
        if case.sure and bool(case.failing) != (result.status > 1) and result.status != 1:
            said = "is not refused" if case.failing else f"ends with status {result.status}"
            raise Mismatch(f"a call for {case.shown} {said}")
        if case.failing or result.status:
            return
        given = {p.argument.name: c for p, c in zip(case.outputs, result.outputs, strict=True)}
        for place, box, wanted in self._wanted[id(case)]:
            assert place.argument.tensor is not None
            types = place.argument.tensor.types
            for type, have, want in zip(types, given[place.argument.name], wanted, strict=True):
                inside = _part(have, place, box)
                wrong = differing(type, inside, want, self._loose)
                if wrong and id(case) not in self._undefined:
                    raise Mismatch(f"{place.argument.name} is wrong for {case.shown}: {wrong}")
                self.elements += want.size
        self.calls += 1


def _part(values: Values, place: Place, box: Box) -> Values:
    """The elements of a box, the first dimension last."""
    shaped = values.reshape(tuple(reversed(place.extents)))
    index = tuple(
        slice(low - start, high - start + 1)
        for (low, high), start in zip(box, place.minima, strict=True)
    )
    part: Values = shaped[tuple(reversed(index))]
    return part


def _boxes(pipeline: Pipeline, place: Place) -> Iterator[Box]:
    """All of an output, or its corners, the middle and what lies around widths of its tiles."""
    whole = tuple((m, m + e - 1) for m, e in zip(place.minima, place.extents, strict=True))
    if place.count == 0:
        return
    if volume(whole) <= _WHOLE:
        yield whole
        return
    telling = next(vectors(pipeline, place.argument.name))
    choices = []
    for (low, high), width in zip(whole, telling, strict=True):
        middle = low + (high - low) // 2
        width = max((width - 3) // 2, 1)
        starts = {low, high - _SAMPLE + 1, low + width - 1, high - width, middle}
        choices.append(sorted(s for s in starts if low <= s <= high))
    for number, corner in enumerate(product(*choices)):
        if number % max(1, _count(choices) // 24) == 0 or number == _count(choices) - 1:
            ends = zip(corner, whole, strict=True)
            yield tuple((s, min(s + _SAMPLE - 1, high)) for s, (_, high) in ends)


def _count(choices: list[list[int]]) -> int:
    total = 1
    for each in choices:
        total *= len(each)
    return total


def _may_reassociate(pipeline: Pipeline) -> bool:
    """Whether a schedule may add floats in another order than the definitions."""
    return any(_adds_floats(func) for func in pipeline.funcs.values())


def _adds_floats(func: Func) -> bool:
    return any(t.is_float for t in func.types) and any(
        update.rvars and update.schedule.touched for update in func.updates
    )
