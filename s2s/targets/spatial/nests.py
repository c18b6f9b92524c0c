"""The loop nests of a C file that a mapping may be for, with the verdicts on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import islpy as isl

from s2s.analyses.conformability import Conformability, judge
from s2s.analyses.conformability.normal_form import Normal
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.parse import parse_again
from s2s.frontends.c.regions import Attempt, Function, candidates, functions
from s2s.frontends.c.text import free_prefix
from s2s.frontends.c.unit import Unit
from s2s.scop.budget import budget
from s2s.scop.nodes import Scop
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.diagnostics import UsageError
from s2s.source.records import dataclass
from s2s.targets.source_options import SourceOptions
from s2s.targets.spatial.choices import write_extremes
from s2s.transforms.spatial.nest_layers import NestLayer, NoLayer, layer_of
from s2s.transforms.spatial.permute import copy_permuted
from s2s.transforms.spatial.separate import NotSeparable, Separated, separate


@dataclass(frozen=True)
class Made:
    """Nests in place of one: the file with them, what was done, and the verdicts on each.

    ``text`` is what stands in the place of the one.
    """

    unit: Unit
    text: str
    words: tuple[str, ...]
    nests: tuple[Judged, ...]


@dataclass(frozen=True)
class Judged:
    """One outermost loop of a function: its SCoP and the verdicts, or why there are none.

    ``layer`` is there where it is conformable and a layer, ``no_layer`` says why not. ``made`` are
    conformable nests that do the same, where it is none itself. ``sizes`` are the values of
    parameters that were given (None: none), for which all of this holds.
    """

    unit: Unit
    function: Function
    attempt: Attempt
    scop: Scop | None = None
    verdicts: Conformability | None = None
    layer: NestLayer | None = None
    no_layer: tuple[str, Span] | None = None
    unread: tuple[str, Span] | None = None
    made: Made | None = None
    sizes: isl.Set | None = None

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.node.name

    @property
    def normal(self) -> Normal:
        """The normal form of a nest that has a layer."""
        assert self.verdicts is not None
        found = self.verdicts.dimensions[0].normal
        assert found is not None
        return found

    @property
    def refusal(self) -> tuple[str, Span] | None:
        """Why no directives are for it, and the place; None where some are."""
        if self.unread is not None:
            return f"R1: this is no loop nest that can be judged: {self.unread[0]}", self.unread[1]
        assert self.verdicts is not None
        for verdict in self.verdicts.verdicts:
            if not verdict.holds:
                return f"{verdict.rule}: {verdict.reason}", verdict.at
        return self.no_layer


def numbers_of(given: SourceOptions) -> dict[str, int]:
    """The values of variables that the user gave. Raises UsageError for what is no integer."""
    found = {}
    for name, sizes in given.sizes:
        if len(sizes) != 1:
            raise UsageError(f"--size: '{name}' is one integer")
        found[name] = sizes[0]
    return found


def check_used(nests: Sequence[Judged], numbers: Mapping[str, int]) -> None:
    """Raise UsageError for a size of what is no variable of a nest."""
    known = {p.spelling for nest in nests if nest.scop is not None for p in nest.scop.parameters}
    for name in numbers:
        if name not in known:
            raise UsageError(f"--size: '{name}' is no variable of a loop nest")


def judged_nests(unit: Unit, numbers: Mapping[str, int] | None = None) -> Iterator[Judged]:
    """All outermost loops of a file, judged; those that are no perfect nests are made some.

    ``numbers`` are values of variables that do not change in them.
    """
    numbers = numbers or {}
    for function in functions(unit, every=True):
        for attempt in candidates(function):
            found = _judged(unit, function, attempt, numbers)
            if found.verdicts is not None and not found.verdicts.holds:
                found = replace(found, made=_made(found, numbers))
            yield found


def _made(found: Judged, numbers: Mapping[str, int]) -> Made | None:
    """Perfect nests in place of one; None where they cannot be made, or none is conformable."""
    assert found.scop is not None
    unit, span = found.unit, found.scop.span
    edits = list(write_extremes(found.attempt, unit.buffer))
    if edits:
        return _with_extremes(found, numbers, edits)
    try:
        with budget():
            done = _changed(found, free_prefix(unit.buffer.data))
    except (NotSeparable, isl.Error):
        return None
    made = _in_place_of(found, Edit(span.start, span.end, done.text.encode()), numbers)
    if made is None or not any(n.verdicts is not None and n.verdicts.holds for n in made[1]):
        return None
    return Made(made[0], done.text, done.words, made[1])


def _with_extremes(found: Judged, numbers: Mapping[str, int], edits: Sequence[Edit]) -> Made | None:
    """The nest with maxima and minima for its conditions, and what is made of that."""
    assert found.scop is not None
    span = found.scop.span
    text = found.unit.buffer.edited(span, edits)
    made = _in_place_of(found, Edit(span.start, span.end, text.encode()), numbers)
    if made is None or len(made[1]) != 1:
        return None
    (nest,) = made[1]
    several = f"{len(edits)} conditions are maxima or minima"
    words = ("the condition is a maximum or minimum" if len(edits) == 1 else several,)
    if nest.verdicts is not None and not nest.verdicts.holds:
        again = _made(nest, numbers)
        return again and replace(again, words=(*words, *again.words))
    return Made(made[0], text, words, made[1])


def _in_place_of(
    found: Judged, edit: Edit, numbers: Mapping[str, int]
) -> tuple[Unit, tuple[Judged, ...]] | None:
    """The file with another text for a nest, and the nests in that; None where it is no C."""
    data = apply_edits(found.unit.buffer.data, [edit])
    again = parse_again(found.unit, SourceBuffer(found.unit.buffer.path, data))
    if again.errors:
        return None
    whole = Span(edit.start, edit.start + len(edit.text))
    return again, tuple(
        _judged(again, function, attempt, numbers)
        for function in functions(again, every=True)
        if function.node.name == found.name
        for attempt in candidates(function)
        if attempt.span in whole
    )


def _changed(found: Judged, prefix: str) -> Separated:
    """Statements apart where the nest is not perfect, else an array copied. Raises NotSeparable."""
    assert found.scop is not None
    assert found.verdicts is not None
    shape, dependences, order, plain = found.verdicts.verdicts
    if not shape.holds:
        return separate(found.scop, found.unit.buffer, prefix)
    dimensions = found.verdicts.dimensions[0]
    normal = dimensions.normal
    if not (dependences.holds and order.holds) or normal is None or len(found.scop.statements) > 1:
        raise NotSeparable(plain.at, "nothing is known that helps")
    crooked = next(node for node in dimensions.independent if not node.affine.is_plain)
    return copy_permuted(found.scop, normal, crooked.array, found.unit.buffer, prefix)


def _sizes(scop: Scop, numbers: Mapping[str, int]) -> isl.Set | None:
    """The parameters with the values that are given; None where none of them is."""
    found = None
    for parameter in scop.parameters:
        if parameter.spelling in numbers:
            value = isl.Val.int_from_si(isl.DEFAULT_CONTEXT, numbers[parameter.spelling])
            known = scop.context if found is None else found
            place = known.find_dim_by_name(isl.dim_type.param, parameter.name)
            found = isl.Set.universe(known.get_space()) if found is None else found
            found = found.fix_val(isl.dim_type.param, place, value)
    return found


def _judged(unit: Unit, function: Function, attempt: Attempt, numbers: Mapping[str, int]) -> Judged:
    try:
        with budget():
            scop = attempt.scop(separate=True)
            sizes = _sizes(scop, numbers)
            context = scop.context if sizes is None else scop.context.intersect(sizes)
            verdicts = judge(replace(scop, context=context))
    except NotLiftable as problem:
        return Judged(unit, function, attempt, unread=(problem.reason, problem.span))
    found = Judged(unit, function, attempt, scop, verdicts, sizes=sizes)
    if not verdicts.holds:
        return found
    if len(scop.statements) != 1:
        several = "several statements in the innermost loop", scop.statements[1].span
        return replace(found, no_layer=several)
    normal = verdicts.dimensions[0].normal
    assert normal is not None
    try:
        return replace(found, layer=layer_of(function.node.name, normal))
    except NoLayer as problem:
        return replace(found, no_layer=(problem.reason, problem.at))
