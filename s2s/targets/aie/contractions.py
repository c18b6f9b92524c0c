"""Both roads to a contraction: a C function, and Halide-like C++."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from s2s.net.aie.source import OfFunction, OfNest
from s2s.scop.contraction import Contraction, NotAContraction, Wishes
from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError

if TYPE_CHECKING:
    from s2s.driver.pipelines import PipelineOptions
    from s2s.frontends.c.parse import Unit
    from s2s.frontends.c.syntax import Node
    from s2s.scop.nest import Nest
    from s2s.scop.pipeline import Pipeline


@dataclass(frozen=True)
class Found:
    """A contraction on its way from a file: where it stands there, and what it asks for.

    ``source`` is its program, to be run; ``asked_at`` the last directive of its schedule, if there
    is one.
    """

    contraction: Contraction
    wishes: Wishes
    at: Location
    source: OfFunction | OfNest = field(repr=False, compare=False)
    asked_at: Location | None = None


def contraction_of(buffer: SourceBuffer, flags: Sequence[str], options: PipelineOptions) -> Found:
    """The contraction of a file. Raises UserError where there is none, with places and reasons."""
    from s2s.driver import pipelines as tensor_pipelines

    is_halide = b"Halide.h" in buffer.data
    if is_halide and tensor_pipelines.is_pipeline(buffer.path, flags, buffer.data):
        return _from_halide(buffer, flags, options)
    return _from_c(buffer, flags, options)


def _from_halide(buffer: SourceBuffer, flags: Sequence[str], options: PipelineOptions) -> Found:
    from s2s.driver import pipelines as tensor_pipelines
    from s2s.frontends.halide.algorithm import unscheduled, wishes
    from s2s.frontends.halide.evaluate import evaluate
    from s2s.scop.errors import Illegal
    from s2s.transforms.halide import lower
    from s2s.transforms.nest.prepare import prepare

    pipeline = evaluate(
        buffer.path,
        buffer.data,
        flags,
        generator=options.generator or None,
        parameters=dict(options.parameters),
    )
    sizes = _by_variable(pipeline, options.sizes)
    try:
        nest = lower(unscheduled(pipeline), tensor_pipelines.sizes(pipeline, sizes))
    except Illegal as error:
        raise tensor_pipelines.refusal(buffer, error) from None
    found = _extracted(buffer, nest, None)
    asked = wishes(pipeline)
    names = {loop.source: loop.name for loop in found.loops}
    outputs = {loop.name for loop in found.output_loops}
    jam = [(names[n], f) for n, f in asked.unrolled if n in names and names[n] in outputs and f]
    if asked.vector and asked.vector not in names:
        text = f"'{asked.vector}' is vectorized, which is no loop of the convolution"
        raise UserError(_error(buffer, text, asked.at))
    if asked.vector and names[asked.vector] not in outputs:
        text = f"'{asked.vector}' is vectorized, a loop of the sum: its lanes would be added up"
        raise UserError(_error(buffer, text, asked.at))
    canonical = Wishes(
        names.get(asked.vector, ""),
        tuple((n, f) for n, f in jam if n != names.get(asked.vector)),
        tuple(names[n] for n in asked.order if names.get(n) in outputs),
        names.get(asked.pipelined, ""),
        asked.at,
    )
    at, asked_at = _place(buffer, _last_store(nest)), _asked_at(buffer, asked.at)
    return Found(found, canonical, at, OfNest(nest, prepare), asked_at)


def _asked_at(buffer: SourceBuffer, at: Span | None) -> Location | None:
    return None if at is None else _place(buffer, at)


def _last_store(nest: Nest) -> Span | None:
    """Where the program says what its output is."""
    from s2s.scop.nest import Store, walk

    places = [node.at for node in walk(nest.body) if isinstance(node, Store)]
    return places[-1] if places else None


def _by_variable(
    pipeline: Pipeline, given: Sequence[tuple[str, tuple[int, ...]]]
) -> list[tuple[str, tuple[int, ...]]]:
    """Sizes of which those of single variables are gathered to the size of the output."""
    if len(pipeline.outputs) != 1:
        return list(given)
    output = pipeline.funcs[pipeline.outputs[0]]
    single = {name: sizes[0] for name, sizes in given if len(sizes) == 1 and name in output.vars}
    rest = [(name, sizes) for name, sizes in given if name not in single]
    if not single:
        return rest
    missing = [name for name in output.vars if name not in single]
    if missing:
        text = f"--size: how large is '{missing[0]}'?"
        raise UserError(Diagnostic(Severity.ERROR, text, "size"))
    return [*rest, (output.name, tuple(single[name] for name in output.vars))]


def _from_c(buffer: SourceBuffer, flags: Sequence[str], options: PipelineOptions) -> Found:
    from s2s.frontends.c.parse import language_is_cxx, parse
    from s2s.frontends.c.typed import functions_with_loops
    from s2s.source.compiler import parser_flags

    language = "c++" if language_is_cxx(buffer.path, flags) else "c"
    unit = parse(buffer, flags, parser_flags(flags, "gcc", language))
    if unit.errors:
        raise UserError(*unit.errors[:1])
    numbers = {name: sizes[0] for name, sizes in options.sizes if len(sizes) == 1}
    numbers |= {n: int(v) for n, v in options.parameters if v.lstrip("-").isdigit()}
    refused: list[Diagnostic] = []
    found: list[Found] = []
    for name, node in functions_with_loops(unit):
        if options.generator in ("", name):
            try:
                at = _place(buffer, node.span)
                contraction = _of_function(buffer, name, node, numbers, unit)
                source = OfFunction(unit, name, node, numbers)
                found.append(Found(contraction, Wishes(), at, source))
            except UserError as error:
                refused += error.diagnostics
    inner = _called_by_others(unit, [f.contraction.name for f in found])
    found = [f for f in found if f.contraction.name not in inner] or found
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(f.contraction.name for f in found)
        text = f"several functions are convolutions: {names}; --generator NAME picks one"
        raise UserError(_error(buffer, text, None))
    if not refused:
        raise UserError(_error(buffer, "no function with a loop nest", None))
    raise UserError(*refused)


def _called_by_others(unit: Unit, names: Sequence[str]) -> set[str]:
    """Those of some functions that others of them call: parts of these."""
    from s2s.frontends.c.typed import calls, functions_with_loops

    known = {name: calls(node) for name, node in functions_with_loops(unit)}
    found: set[str] = set()
    for name in names:
        todo, seen = [name], {name}
        while todo:
            for called in known.get(todo.pop(), set()) - seen:
                seen.add(called)
                todo.append(called)
        found |= seen - {name}
    return found


def _of_function(
    buffer: SourceBuffer, name: str, node: Node, numbers: dict[str, int], unit: Unit
) -> Contraction:
    from s2s.frontends.c.typed import NotATensorNest, tensor_nest

    try:
        nest = tensor_nest(name, node, numbers, unit)
    except NotATensorNest as error:
        text = f"no kernel for '{name}': {error.reason}"
        raise UserError(_error(buffer, text, error.span)) from None
    return _extracted(buffer, nest, node.span)


def _extracted(buffer: SourceBuffer, nest: Nest, whole: Span | None) -> Contraction:
    from s2s.analyses.contractions import extract

    try:
        return extract(nest)
    except NotAContraction as error:
        text = f"'{nest.name}' is no convolution or product of matrices: {error.reason}"
        raise UserError(_error(buffer, text, error.at or whole)) from None


def _error(buffer: SourceBuffer, text: str, at: Span | None) -> Diagnostic:
    return Diagnostic(Severity.ERROR, text, "aie", _place(buffer, at))


def _place(buffer: SourceBuffer, at: Span | None) -> Location:
    if at is None or not buffer.is_own(at.start):
        return Location(buffer.path, 1, 1, 1, 1)
    return buffer.location(at)
