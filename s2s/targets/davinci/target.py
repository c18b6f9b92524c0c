"""``--target davinci``: a file's pooling as CCE C for the Ascend 910's core."""

from __future__ import annotations

from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass
from s2s.targets.flags import flag
from s2s.targets.request import Checked, Output
from s2s.targets.target import Nests, Target, Traces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from s2s.net.davinci.check import Emitted
    from s2s.scop.pooling import Pooling
    from s2s.scop.symbols import NotSymbolic
    from s2s.scop.trace import Trace
    from s2s.source.diagnostics import Location
    from s2s.targets.forms import NestProgram, Source, TracedProgram
    from s2s.targets.request import Request
    from s2s.transforms.davinci.choose import Made

_MACHINES = ("ascend910-documented", "ascend910-paper")


_VARIANTS = (
    "auto", "standard", "im2col", "col2im", "expansion", "xy", "block-stride", "xy-block-stride",
)  # fmt: skip


@dataclass(frozen=True)
class DavinciOptions:
    """How pooling is done."""

    variant: str = field(
        default="auto",
        metadata=flag(
            "how pooling is done: auto is the fastest by the cost model (default: auto)",
            name="--variant",
            choices=_VARIANTS,
        ),
    )
    accumulate: str = field(
        default="fp16",
        metadata=flag(
            "precision of a forward average's or sum's additions (default: fp16)",
            name="--accumulate",
            choices=("fp16", "fp32"),
        ),
    )
    machine: str = field(
        default=_MACHINES[0],
        metadata=flag(f"whose numbers decide (default: {_MACHINES[0]})", choices=_MACHINES),
    )


@dataclass(frozen=True)
class _Program:
    """A program as the target needs it: what it computes, where it is, how it is run."""

    trace: Trace
    at: Location
    source: Source


def print_traced(found: TracedProgram, request: Request) -> Output:
    """A function's pooling as a kernel. Raises UserError for what is no pooling."""
    return _print(_Program(found.trace, found.at, found.source), request)


def print_nest(found: NestProgram, request: Request) -> Output:
    """A pipeline's pooling as a kernel. Raises UserError for what is no pooling."""
    from s2s.analyses.operators.symbolic import trace_nest
    from s2s.scop.symbols import NotSymbolic

    try:
        trace = trace_nest(found.nest)
    except NotSymbolic as error:
        raise _refused(found.nest.name, error, found.at, request) from None
    return _print(_Program(trace, found.at, found.source), request)


def _print(found: _Program, request: Request) -> Output:
    """The kernel's text and the host's function."""
    from s2s.analyses.operators.pooling import find_pooling
    from s2s.scop.symbols import NotSymbolic

    try:
        pooling = find_pooling(found.trace)
    except NotSymbolic as error:
        raise _refused(found.trace.name, error, found.at, request) from None
    options = request.options or DavinciOptions()
    return _output(found, request, pooling, _made(pooling, options, found))


def _refused(name: str, error: NotSymbolic, at: Location, request: Request) -> UserError:
    place = request.buffer.place(error.at) if error.at else at
    text = f"'--target davinci' has no use for this file: no pooling in '{name}': {error.reason}"
    return UserError(Diagnostic(Severity.ERROR, text, "davinci", place))


def _made(pooling: Pooling, options: DavinciOptions, found: _Program) -> Sequence[Made]:
    from s2s.net.davinci.numbers import numbers_of
    from s2s.transforms.davinci.choose import make_all

    single = options.accumulate == "fp32"
    made = make_all(pooling, numbers_of(options.machine), options.variant, single=single)
    if made[0].program is None:
        reasons = "; ".join(f"{one.variant}: {one.reason}" for one in made)
        text = f"no program for the pooling of '{found.trace.name}': {reasons}"
        raise UserError(Diagnostic(Severity.ERROR, text, "davinci", found.at))
    return made


def _output(found: _Program, request: Request, pooling: Pooling, made: Sequence[Made]) -> Output:
    from s2s.emitters.davinci.host import arrays, c_type, is_direct, print_host
    from s2s.emitters.davinci.kernel import print_program
    from s2s.net.davinci.check import Emitted

    chosen = made[0]
    assert chosen.program is not None
    program = replace(chosen.program, about=(describe(pooling), *chosen.program.about))
    types = {name: c_type(str(type_)) for name, type_ in found.trace.types.items()}
    text = f"{print_program(program)}\n{print_host(pooling, program, types)}"
    listed = tuple((one, types[one.places.array]) for one in arrays(pooling))
    emitted = Emitted(pooling, program, text, listed)
    change = "arrays stay as they are" if is_direct(pooling, types) else (
        "elements become half precision"
    )  # fmt: skip
    said = Diagnostic(
        Severity.REMARK,
        f"{describe(pooling)} as {chosen.variant}, {chosen.cycles:,.0f} cycles expected; {change}",
        "davinci",
        found.at,
    )
    explanation = _explained(pooling, made) if request.explain else ""
    return Output(
        text.encode(), partial(_check, found, emitted), (said,), suffix=".cce.c",
        explanation=explanation,
    )  # fmt: skip


def describe(pooling: Pooling) -> str:
    """A line about a pooling: ``maximum over 3 x 3, stride 2 x 2, of 147 x 147 x 64``."""
    from s2s.scop.pooling import LOWEST, Mask

    words = {"max": "maximum", "average": "average", "sum": "sum"}
    y, x = pooling.y, pooling.x
    text = (
        f"{words[pooling.kind.value]} over {y.kernel} x {x.kernel}, stride {y.stride} x {x.stride}"
    )
    if y.before or x.before or y.after or x.after:
        text += f", padding {y.before} {y.after} {x.before} {x.after}"
    if y.dilation != 1 or x.dilation != 1:
        text += f", dilation {y.dilation} x {x.dilation}"
    text += f", of {y.size} x {x.size} x {pooling.channels}"
    text += f" ({pooling.batch} of them)" if pooling.batch > 1 else ""
    text += f", at least {pooling.least:g}" if pooling.least != LOWEST else ""
    if pooling.numbers is not None:
        text += ", with the numbers of its points"
    elif pooling.mask is not Mask.NONE:
        text += ", with its mask"
    text += ", backward" if pooling.backward else ""
    return f"{text}, added to what is there" if pooling.accumulates else text


def _explained(pooling: Pooling, made: Sequence[Made]) -> str:
    lines = [describe(pooling)]
    for one in made:
        said = (
            f"{one.cycles:,.0f} cycles expected" if one.program else f"not possible: {one.reason}"
        )
        lines.append(f"  {one.variant}: {said}")
    return "\n".join(lines) + "\n"


def _check(found: _Program, emitted: Emitted, execute: bool) -> Checked:
    """Run the kernel beside its source. Raises Mismatch."""
    from s2s.net.davinci.check import check

    why = check(found.source, emitted) if execute else ""
    text = f"the kernel of '{found.trace.name}' is not compared with its source: {why}"
    return Checked(said=(Diagnostic(Severity.MISSED, text, "check", found.at),) if why else ())


DAVINCI = Target(
    name="davinci",
    help="pooling as CCE C for the Ascend 910's core (DaVinci)",
    c=Traces(print_traced),
    halide=Nests(print_nest),
    options=DavinciOptions,
    machines=_MACHINES,
)
