"""A Halide-like C++ file called on arrays: evaluated, lowered for their sizes, compiled, run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from s2s.driver import pipelines
from s2s.driver.output_region import Asked, Sides, choose_regions
from s2s.source import SourceBuffer
from s2s.source.diagnostics import Diagnostic, InternalError, Severity, UsageError, UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.driver.pipelines import Lowered
    from s2s.emitters.c.nests import Emitted
    from s2s.net.pipelines.arrays import Array, Values
    from s2s.net.pipelines.cases import Case
    from s2s.scop.expressions import Type
    from s2s.scop.pipeline import Pipeline
    from s2s.targets.source_options import SourceOptions

_FLAGS = ("-O3", "-march=native", "-fopenmp")


@dataclass(frozen=True)
class Program:
    """A pipeline to be called."""

    buffer: SourceBuffer
    given: SourceOptions
    pipeline: Pipeline

    @property
    def inputs(self) -> dict[str, tuple[str, int]]:
        """The element type, as numpy calls it, and the rank of each array that is passed."""
        images = self.pipeline.images.items()
        own = [i for n, i in images if n not in self.pipeline.outputs and i.data is None]
        return {image.name: (_type_name(image.type), image.rank) for image in own}

    @property
    def outputs(self) -> list[str]:
        """What is computed; the components of a tuple one by one."""
        found = []
        for name in self.pipeline.outputs:
            types = self.pipeline.funcs[name].types
            found += [name] if len(types) == 1 else [f"{name}.{k}" for k in range(len(types))]
        return found

    @property
    def scalars(self) -> dict[str, int | float | None]:
        """The scalars that are passed, with their defaults."""
        return {s.name: s.default for s in self.pipeline.scalars.values()}


@dataclass(frozen=True)
class Ran:
    """What a call gave: arrays by the names of outputs, with the first coordinates of each."""

    outputs: Mapping[str, Values]
    minima: Mapping[str, tuple[int, ...]]
    said: tuple[Diagnostic, ...] = ()


def read_program(path: str, data: bytes, flags: Sequence[str], given: SourceOptions) -> Program:
    """The pipeline of a file. Raises UserError."""
    buffer = SourceBuffer(path, data)
    return Program(buffer, given, pipelines.evaluate_file(buffer, flags, given))


def run_program(
    program: Program,
    arrays: Mapping[str, Values],
    scalars: Mapping[str, int | float],
    *,
    check: bool = True,
    seconds: int = 600,
) -> Ran:
    """Call a pipeline on arrays, whose last dimension is Halide's first.

    ``check``: the C is tried against the definitions first. ``seconds`` of processor time may be
    spent in the call. Raises UserError, and InternalError where the C is wrong.
    """
    from s2s.net import Mismatch
    from s2s.net.pipelines.arrays import Array

    _check_scalars(program.pipeline, scalars)
    inputs = {n: Array(a, _minima(program.pipeline, n, a.ndim)) for n, a in arrays.items()}
    regions = _regions(program, inputs, scalars)
    sides: dict[str, Sides] = {name: _sides(array) for name, array in inputs.items()}
    lowered = pipelines.lower_evaluated(program.buffer, program.pipeline, sides | regions)
    try:
        emitted = _emit(program, lowered, check)
        outputs = _call(lowered, emitted, inputs, scalars, seconds)
    except Mismatch as error:
        raise InternalError(f"the C of this pipeline is wrong: {error}") from error
    minima = {name: tuple(low for low, _ in region) for name, region in regions.items()}
    return Ran(outputs, minima)


def _check_scalars(pipeline: Pipeline, values: Mapping[str, int | float]) -> None:
    """Raise UserError for a value that its type does not hold."""
    for name, value in values.items():
        type = pipeline.scalars[name].type
        fits = not type.is_integer or (
            isinstance(value, int) and type.smallest <= value <= type.largest
        )
        if not fits:
            text = f"scalar '{name}' is {type}, which does not hold {value}"
            raise UserError(Diagnostic(Severity.ERROR, text, "run"))


def _regions(
    program: Program, inputs: Mapping[str, Array], scalars: Mapping[str, int | float]
) -> dict[str, Sides]:
    """The regions of the outputs that these inputs allow."""
    from s2s.scop.errors import Illegal
    from s2s.transforms.halide import lower
    from s2s.transforms.halide.signature import given_bounds

    extents = pipelines.sizes(program.pipeline, program.given.sizes)
    for name in extents.keys() & inputs.keys():
        raise UsageError(f"'--size {name}=' has no effect: the file of '{name}' has its size")
    asked = Asked({n: _sides(a) for n, a in inputs.items()}, extents, scalars)
    try:
        given_bounds(program.pipeline, extents)
        known = given_bounds(program.pipeline, {}, strided=True)
        needs = lower(program.pipeline, strided=True).needs
    except Illegal as error:
        raise pipelines.refusal(program.buffer, error) from None
    return choose_regions(program.pipeline, needs, known, asked)


def _emit(program: Program, lowered: Lowered, check: bool) -> Emitted:
    from s2s.scop.errors import Inexpressible
    from s2s.targets.cpu import compare, print_nest

    try:
        emitted = print_nest(lowered.nest, None)
    except Inexpressible as error:
        where = program.buffer.place(error.at)
        text = f"no C for this pipeline: {error}"
        raise UserError(Diagnostic(Severity.ERROR, text, "halide", where)) from None
    if check:
        compare(lowered.program(program.buffer), emitted, "")
    return emitted


def _call(
    lowered: Lowered,
    emitted: Emitted,
    inputs: Mapping[str, Array],
    scalars: Mapping[str, int | float],
    seconds: int,
) -> dict[str, Values]:
    from s2s.net.pipelines.building import NotRun, Text, Way, building
    from s2s.net.pipelines.native import TooSlow, run

    text = Text(emitted.name, emitted.source, ("", ""), lowered.nest.arguments)
    case = _case(lowered, inputs, scalars)
    try:
        with building(text, Way(_FLAGS, seconds=seconds)) as build:
            (result,) = run(build.program(), text, [case], None)
    except NotRun as error:
        raise UserError(Diagnostic(Severity.ERROR, str(error), "run")) from None
    except TooSlow:
        why = f"given up after {seconds} s of processor time; '--time-limit' allows for more"
        raise UserError(Diagnostic(Severity.ERROR, why, "time")) from None
    if result.status:
        raise UserError(Diagnostic(Severity.ERROR, _refusal(emitted, result.status), "run"))
    return dict(_named(case, result.outputs))


def _named(case: Case, outputs: Sequence[Sequence[Values]]) -> Sequence[tuple[str, Values]]:
    """The arrays by their names, in their shapes."""
    found = []
    for place, components in zip(case.outputs, outputs, strict=True):
        name, shape = place.argument.name, tuple(reversed(place.extents))
        alone = len(components) == 1
        for k, values in enumerate(components):
            found.append((name if alone else f"{name}.{k}", values.reshape(shape)))
    return found


def _case(
    lowered: Lowered, inputs: Mapping[str, Array], scalars: Mapping[str, int | float]
) -> Case:
    """The call as the compiled program reads it."""
    from s2s.net.pipelines.cases import Case, place_array
    from s2s.net.pipelines.definitions import Direct

    values = dict(scalars)
    for name, array in inputs.items():
        dense = 1
        for d, (low, extent) in enumerate(_sides(array)):
            for side, value in (("min", low), ("extent", extent), ("stride", dense)):
                values[f"{name}.{side}.{d}"] = value
            dense *= extent
    direct = Direct(lowered.pipeline, {}, values)
    arguments = lowered.nest.arguments
    places = tuple(place_array(a, a.tensor, direct) for a in arguments if a.tensor)
    return Case(values, places, inputs, 0, True)


def _refusal(emitted: Emitted, status: int) -> str:
    """What a status of the function means."""
    return emitted.checks[status - 2] if status > 1 else "there is not enough memory to run it"


def _sides(array: Array) -> Sides:
    return tuple(zip(array.minima, array.extents, strict=True))


def _minima(pipeline: Pipeline, name: str, rank: int) -> tuple[int, ...]:
    """Where an input begins: at what the program sets, else at 0."""
    from s2s.scop.expressions import Const

    bounds = pipeline.images[name].bounds
    lows = [bounds.get(d, (None,))[0] for d in range(rank)]
    return tuple(int(low.value) if isinstance(low, Const) else 0 for low in lows)


def _type_name(type: Type) -> str:
    from s2s.net.pipelines.arrays import dtype

    return "bfloat16" if type.code == "bfloat" else dtype(type).name
