"""Contractions of files: of a C function, and of a pipeline in Halide-like C++."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2s.driver.options import Options, Outcome
from s2s.net.source import OfNest
from s2s.scop.contraction import Contraction, NotAContraction, Wishes
from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError
from s2s.targets.forms import ContractionProgram, NestProgram, TracedProgram

if TYPE_CHECKING:
    from s2s.frontends.c.syntax import Node
    from s2s.scop.nest import Nest
    from s2s.targets.request import Output, Request
    from s2s.targets.source_options import SourceOptions
    from s2s.targets.target import Contractions


def transform(way: Contractions, request: Request, options: Options) -> Outcome:
    """What a target makes of a file's contraction. Raises UserError, and Mismatch if wrong."""
    buffer = request.buffer
    try:
        found = contraction_of(buffer, request.flags, request.given, options.target, way.layers)
    except UserError:
        output = _maxima(way, request, options)
        if output is None:
            raise
    else:
        output = way.emit(found, request)
    return Outcome.of(buffer, output, output.check(options.check))


def _maxima(way: Contractions, request: Request, options: Options) -> Output | None:
    """What the target makes of maxima over windows; None where the file has none.

    Raises UserError for those that it cannot print.
    """
    from s2s.driver.traces import only_traced

    emit = way.maxima
    if emit is None:
        return None

    refused: list[UserError] = []

    def take(program: TracedProgram) -> Output | None:
        try:
            return emit(program, request)
        except UserError as error:
            refused.append(error)
            return None

    found = only_traced(request, options.target, take)
    if found is None and refused:
        raise refused[0]
    return found


def contraction_of(
    buffer: SourceBuffer,
    flags: Sequence[str],
    given: SourceOptions,
    target: str,
    layers: bool = False,
) -> ContractionProgram:
    """The contraction of a file; messages are marked with the target's name.

    ``layers``: several of them one after the other are asked for as well. Raises UserError where
    there is none, with places and reasons.
    """
    if b"Halide.h" in buffer.data:
        from s2s.driver.pipelines import is_pipeline

        if is_pipeline(buffer.path, flags, buffer.data):
            return _from_halide(buffer, flags, given, target, layers)
    return _from_c(buffer, flags, given, target, layers)


def _from_halide(
    buffer: SourceBuffer, flags: Sequence[str], given: SourceOptions, target: str, layers: bool
) -> ContractionProgram:
    from s2s.driver.plain_nests import nest_of
    from s2s.frontends.halide.algorithm import wishes
    from s2s.transforms.nest.prepare import prepare

    pipeline, nest = nest_of(buffer, flags, given)
    at = buffer.place(_last_store(nest))
    every = _layers(nest) if layers else ()
    if every:
        return ContractionProgram(every[-1], Wishes(), at, OfNest(nest, prepare), layers=every)
    found = _extracted(buffer, nest, None, target)
    _check_distances(buffer, found, _last_store(nest), target)
    asked = wishes(pipeline)
    names = {loop.source: loop.name for loop in found.loops}
    outputs = {loop.name for loop in found.output_loops}
    jam = [(names[n], f) for n, f in asked.unrolled if n in names and names[n] in outputs and f]
    if asked.vector and asked.vector not in names:
        text = f"'{asked.vector}' is vectorized, which is no loop of the convolution"
        raise UserError(_error(buffer, text, asked.at, target))
    if asked.vector and names[asked.vector] not in outputs:
        text = f"'{asked.vector}' is vectorized, a loop of the sum: its lanes would be added up"
        raise UserError(_error(buffer, text, asked.at, target))
    canonical = Wishes(
        names.get(asked.vector, ""),
        tuple((n, f) for n, f in jam if n != names.get(asked.vector)),
        tuple(names[n] for n in asked.order if names.get(n) in outputs),
        names.get(asked.pipelined, ""),
        asked.at,
    )
    asked_at = _asked_at(buffer, asked.at)
    return ContractionProgram(found, canonical, at, OfNest(nest, prepare), asked_at)


def _check_distances(
    buffer: SourceBuffer, found: Contraction, at: Span | None, target: str
) -> None:
    """In Halide a shift to the right by a negative number is one to the left."""
    if found.scale is None or not found.scale.is_negative:
        return
    memory = found.scale.factor.array.memory
    if memory.type.code == "int":
        text = f"sums are shifted by elements of '{memory.name}', which may be negative: use uint"
        raise UserError(_error(buffer, text, at, target))


def _asked_at(buffer: SourceBuffer, at: Span | None) -> Location | None:
    return None if at is None else buffer.place(at)


def _last_store(nest: Nest) -> Span | None:
    """Where the program says what its output is."""
    from s2s.scop.nest import Store, walk

    places = [node.at for node in walk(nest.body) if isinstance(node, Store)]
    return places[-1] if places else None


def _from_c(
    buffer: SourceBuffer, flags: Sequence[str], given: SourceOptions, target: str, layers: bool
) -> ContractionProgram:
    from s2s.driver.c_nests import Words, only_function
    from s2s.frontends.c.typed import check_numbers
    from s2s.frontends.c.typed.region import check_known

    def take(program: NestProgram, node: Node) -> ContractionProgram:
        check_known(program.nest, node)
        every = _layers(program.nest) if layers else ()
        if every:
            return ContractionProgram(every[-1], Wishes(), program.at, program.source, layers=every)
        contraction = _extracted(buffer, program.nest, node.span, target)
        return ContractionProgram(contraction, Wishes(), program.at, program.source)

    words = Words(target, "kernel", "convolutions")
    return only_function(buffer, flags, given, words, take, check_numbers)


def _layers(nest: Nest) -> tuple[Contraction, ...]:
    """The layers of a program; none where it is not several of them."""
    from s2s.analyses.contractions.layers import extract_layers

    try:
        found = extract_layers(nest)
    except NotAContraction:
        return ()
    return found if len(found) > 1 else ()


def _extracted(buffer: SourceBuffer, nest: Nest, whole: Span | None, target: str) -> Contraction:
    from s2s.analyses.contractions import extract

    try:
        return extract(nest)
    except NotAContraction as error:
        text = f"'{nest.name}' is no convolution or product of matrices: {error.reason}"
        raise UserError(_error(buffer, text, error.at or whole, target)) from None


def _error(buffer: SourceBuffer, text: str, at: Span | None, target: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, text, target, buffer.place(at))
