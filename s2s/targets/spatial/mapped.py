"""Nests of a C file in the order of the mappings that a person wrote, proved and executed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.region import analyse
from s2s.emitters.c.errors import Unprintable
from s2s.emitters.c.guard import Emission
from s2s.emitters.spatial.nest import PrintedLoop, PrintedNest, emit
from s2s.frontends.c.reread import reread
from s2s.frontends.c.text import free_prefix
from s2s.frontends.c.unit import Unit
from s2s.net import nests
from s2s.net.check import Net
from s2s.net.errors import OutOfSteps
from s2s.scop.nodes import Scop
from s2s.source import Edit, Span, apply_edits
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.flags import is_c90, may_reassociate
from s2s.source.reading import read_source
from s2s.source.spatial.layers import Layer
from s2s.source.spatial.problems import problem
from s2s.source.spatial.reading import read_network
from s2s.source.spatial.tiles import TileLevel, tile_levels
from s2s.targets.request import Edited, Request
from s2s.targets.spatial.agreement import as_written, check_same
from s2s.targets.spatial.nests import Judged, check_used, judged_nests, numbers_of
from s2s.targets.spatial.options import SpatialOptions
from s2s.transforms.assume import assume_disjoint
from s2s.transforms.errors import NotApplicable
from s2s.transforms.spatial.nest_layers import NestLayer
from s2s.transforms.spatial.tiled import Step, TiledNest, tiled_nest


def mapped(unit: Unit, options: SpatialOptions, request: Request) -> Edited:
    """The edits of all nests that have a mapping. Raises UserError, and Mismatch if wrong."""
    layers = read_network(options.mapping, read_source(options.mapping)).layers
    numbers = numbers_of(request.given)
    found = list(judged_nests(unit, numbers))
    check_used(found, numbers)
    edits: list[Edit] = []
    said: list[Diagnostic] = []
    for whole, layer in _pairs(unit, found, layers):
        nest = _part(whole)
        own = as_written(layer, _layer(nest), nest.normal)
        check_same(layer, own, nest.name)
        with _placed(unit, whole):
            edit = map_nest(nest, layer, own, options, request)
        edits.append(_in_place(whole, edit))
        text = f"mapped as layer '{layer.name}' in {options.mapping} says"
        if whole.made is not None:
            text += f", made conformable: {'; '.join(whole.made.words)}"
        said.append(_said(unit, Severity.REMARK, text, whole.attempt.span))
    execute(unit, edits, options, request)
    return Edited(tuple(edits), tuple(said))


def execute(unit: Unit, edits: Sequence[Edit], options: SpatialOptions, request: Request) -> None:
    """Run the new text beside the source's, where that is asked for. Raises Mismatch."""
    if request.check:
        net = Net(unit, _free(options, request), request.strict)
        for failure in net.failures(edits):
            raise failure.problem


def map_nest(
    nest: Judged, layer: Layer, own: NestLayer, options: SpatialOptions, request: Request
) -> Edit:
    """The edit of a nest in the order of a layer's mapping. Raises UserError, Mismatch."""
    levels = tile_levels(layer, elements=options.elements or None)
    return edit_of(nest, own, levels, _free(options, request))


@contextmanager
def _placed(unit: Unit, whole: Judged) -> Iterator[None]:
    """Says where the source has a nest what is wrong with one that was made of it."""
    try:
        yield
    except UserError as error:
        if whole.made is None:
            raise
        place = unit.buffer.place(whole.attempt.span)
        raise UserError(*(replace(one, location=place) for one in error.diagnostics)) from None


def _part(nest: Judged) -> Judged:
    """The nest that gets the mapping: the one itself, or that of those made of it."""
    if nest.made is None:
        return nest
    able = [one for one in nest.made.nests if one.layer is not None]
    return able[0] if len(able) == 1 else nest


def _in_place(whole: Judged, edit: Edit) -> Edit:
    """The edit of the file as it is, of one of the file with the nests that were made."""
    made = whole.made
    if made is None:
        return edit
    assert whole.scop is not None
    start, end = whole.scop.span.start, whole.scop.span.end
    text = made.text.encode()
    moved = Edit(edit.start - start, edit.end - start, edit.text)
    return Edit(start, end, apply_edits(text, [moved]))


def _free(options: SpatialOptions, request: Request) -> bool:
    return options.reassociate or may_reassociate(request.flags)


def _said(unit: Unit, severity: Severity, text: str, at: Span) -> Diagnostic:
    return Diagnostic(severity, text, "spatial", unit.buffer.place(at))


def _error(unit: Unit, text: str, at: Span) -> UserError:
    return UserError(_said(unit, Severity.ERROR, text, at))


def _pairs(
    unit: Unit, found: list[Judged], layers: tuple[Layer, ...]
) -> Iterator[tuple[Judged, Layer]]:
    """Nests with their layers: by the function's name, or where there is only one of each."""
    if not found:
        raise _error(unit, "there is no loop nest to map", Span(0, 0))
    if len(layers) == 1:
        named = [nest for nest in found if nest.name == layers[0].name] or found
        able = [nest for nest in named if _part(nest).refusal is None]
        if len(able) > 1:
            names = ", ".join(f"'{nest.name}'" for nest in able)
            raise problem(
                f"layer '{layers[0].name}' may be for several nests: {names}", layers[0].at
            )
        yield (able or named)[0], layers[0]
        return
    for layer in layers:
        of_layer = [nest for nest in found if nest.name == layer.name]
        if not of_layer:
            names = ", ".join(dict.fromkeys(f"'{nest.name}'" for nest in found))
            said = f"no function with a loop nest is named '{layer.name}' (there are: {names})"
            raise problem(said, layer.at)
        able = [nest for nest in of_layer if _part(nest).refusal is None]
        yield (able or of_layer)[0], layer


def _layer(nest: Judged) -> NestLayer:
    """The nest's own layer. Raises UserError with the rule that it breaks, at its line."""
    refusal = nest.refusal
    if refusal is not None:
        text, at = refusal
        raise _error(nest.unit, f"the nest of '{nest.name}' cannot be mapped: {text}", at)
    assert nest.layer is not None
    return nest.layer


def edit_of(nest: Judged, own: NestLayer, levels: tuple[TileLevel, ...], free: bool) -> Edit:
    """The edit of a nest in the order of levels; ``free``: sums of floating-point numbers may be
    added up in any order. Raises UserError, and Mismatch if wrong.
    """
    unit = nest.unit
    assert nest.scop is not None
    assert nest.verdicts is not None
    if unit.is_cxx or is_c90(unit.flags):
        raise _error(unit, "mapped nests are C99", nest.attempt.span)
    normal = nest.normal
    if normal.tiles:
        text = f"the nest of '{nest.name}' is tiled already: its loops are a mapping of their own"
        raise _error(unit, text, nest.attempt.span)
    tiled = tiled_nest(normal, levels, own.places)
    whole = replace(_disjoint(nest.scop), target=tiled.schedule(), history=("mapped",))
    scop = replace(whole, context=whole.context.intersect(nest.sizes or whole.context))
    dependences = _proved(nest, scop, free)
    prefix = free_prefix(unit.buffer.data)
    emission = Emission(unit.buffer, profitable=nest.sizes, prefix=prefix)
    try:
        rewritten = emit(whole, _printed(tiled, scop), emission)
    except Unprintable as reason:
        raise _error(unit, f"no text for the mapped nest: {reason}", nest.attempt.span) from None
    code = reread(unit, rewritten.edit, nest.name)
    known = scop.assumptions.intersect(scop.statements[0].domain.params())
    known = known.intersect(scop.context)
    try:
        nests.check(scop, dependences, known, rewritten, code, unit.buffer, emission.prefix)
    except OutOfSteps:
        text = "the mapped nest has too many iterations to be compared with the source's"
        raise _error(unit, text, nest.attempt.span) from None
    return rewritten.edit


def _disjoint(scop: Scop) -> Scop:
    """Arrays taken for disjoint where their addresses can be compared as the code runs."""
    try:
        return assume_disjoint(scop)
    except NotApplicable:
        return scop


def _proved(nest: Judged, scop: Scop, free: bool) -> isl.UnionMap:
    """The dependences that the new order keeps; without those of a sum that may be reordered."""
    unit, every = nest.unit, analyse(scop, explicit=False).pruned
    if legality.check(scop, every) is None:
        return every
    statement = scop.statements[0]
    output = statement.write
    if output.floating and not free:
        text = "the mapping adds up floating-point numbers in another order; " + (
            "--spatial-reassociate allows that"
        )
        raise _error(unit, text, output.span)
    others = tuple(a for a in statement.accesses if a.array != output.array)
    rest = replace(scop, statements=(replace(statement, accesses=others),))
    kept = analyse(rest, explicit=False).pruned
    violation = legality.check(scop, kept)
    if violation is not None:
        text = f"the nest of '{nest.name}' cannot be mapped: {violation.reason}"
        raise _error(unit, text, nest.attempt.span)
    return kept


def _printed(tiled: TiledNest, scop: Scop) -> PrintedNest:
    normal = tiled.normal
    loops = {step: _loop(step) for step in tiled.steps}
    first, stride = _values(normal.to_source, normal.statement.depth)
    return PrintedNest(
        tuple(loops.values()),
        tuple(None if step is None else loops[step] for step in tiled.inner),
        tiled.single,
        tuple(int(extent or 1) for extent in normal.extents),
        first,
        stride,
        "mapped; the tiles of each level have its number",
    )


def _loop(step: Step) -> PrintedLoop:
    return PrintedLoop(
        step.place, step.name, step.around, step.size, step.partial, step.about, step.level
    )


def _values(to_source: isl.Map, depth: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The source's iterators at the first iteration, and from there to the next one."""
    found = []
    for point in (0, 1):
        values = isl.Set(f"{{ [{', '.join([str(point)] * depth)}] }}").apply(to_source)
        found.append([int(values.dim_min_val(k).to_python()) for k in range(depth)])
    return tuple(found[0]), tuple(b - a for a, b in zip(*found, strict=True))
