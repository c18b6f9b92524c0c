"""``--target davinci``: a file's pooling as CCE C for the Ascend 910's core."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.targets.flags import flag
from s2s.targets.request import Checked, Output
from s2s.targets.target import Nests, Target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from s2s.net.davinci.check import Emitted
    from s2s.scop.pooling import Pooling
    from s2s.targets.forms import NestProgram
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
    machine: str = field(
        default=_MACHINES[0],
        metadata=flag(f"whose numbers decide (default: {_MACHINES[0]})", choices=_MACHINES),
    )


def print_pooling(found: NestProgram, request: Request) -> Output:
    """The kernel's text and the host's function. Raises UserError for what is no pooling."""
    from s2s.analyses.operators.pooling import find_pooling
    from s2s.analyses.operators.symbolic import NotSymbolic

    try:
        pooling = find_pooling(found.nest)
    except NotSymbolic as error:
        place = request.buffer.place(error.at) if error.at else found.at
        text = (
            "'--target davinci' has no use for this file: "
            f"no pooling in '{found.nest.name}': {error.reason}"
        )
        raise UserError(Diagnostic(Severity.ERROR, text, "davinci", place)) from None
    options = request.options or DavinciOptions()
    made = _made(pooling, options, found)
    return _output(found, request, pooling, made)


def _made(pooling: Pooling, options: DavinciOptions, found: NestProgram) -> Sequence[Made]:
    from s2s.net.davinci.numbers import numbers_of
    from s2s.transforms.davinci.choose import make_all

    made = make_all(pooling, numbers_of(options.machine), options.variant)
    if made[0].program is None:
        reasons = "; ".join(f"{one.variant}: {one.reason}" for one in made)
        text = f"no program for the pooling of '{found.nest.name}': {reasons}"
        raise UserError(Diagnostic(Severity.ERROR, text, "davinci", found.at))
    return made


def _output(found: NestProgram, request: Request, pooling: Pooling, made: Sequence[Made]) -> Output:
    from s2s.emitters.davinci.host import arrays, c_type, print_host
    from s2s.emitters.davinci.kernel import print_program
    from s2s.net.davinci.check import Emitted

    chosen = made[0]
    assert chosen.program is not None
    program = replace(chosen.program, about=(describe(pooling), *chosen.program.about))
    types = {a.name: str(a.type) for a in found.nest.arguments}
    listed = tuple((places, c_type(types[places.array])) for places in arrays(pooling))
    mask = types[pooling.masks.array] if pooling.masks else ""
    text = f"{print_program(program)}\n{print_host(pooling, program, mask)}"
    emitted = Emitted(pooling, program, text, listed)
    said = Diagnostic(
        Severity.REMARK,
        f"{describe(pooling)} as {chosen.variant}, {chosen.cycles:,.0f} cycles expected; "
        "elements become half precision",
        "davinci",
        found.at,
    )
    explanation = _explained(found, pooling, made) if request.explain else ""
    return Output(
        text.encode(), partial(_check, found, emitted), (said,), suffix=".cce.c",
        explanation=explanation,
    )  # fmt: skip


def describe(pooling: Pooling) -> str:
    """A line about a pooling: ``maximum over 3 x 3, stride 2 x 2, of 147 x 147 x 64``."""
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
    return f"{text}, backward" if pooling.backward else text


def _explained(found: NestProgram, pooling: Pooling, made: Sequence[Made]) -> str:
    lines = [f"{found.at.path}:{found.at.line}: {found.nest.name}", f"  {describe(pooling)}"]
    for one in made:
        said = (
            f"{one.cycles:,.0f} cycles expected" if one.program else f"not possible: {one.reason}"
        )
        lines.append(f"  {one.variant}: {said}")
    return "\n".join(lines) + "\n"


def _check(found: NestProgram, emitted: Emitted, execute: bool) -> Checked:
    """Run the kernel beside its source. Raises Mismatch."""
    from s2s.net.davinci.check import check

    why = check(found.source, emitted) if execute else ""
    text = f"the kernel of '{found.nest.name}' is not compared with its source: {why}"
    return Checked(said=(Diagnostic(Severity.MISSED, text, "check", found.at),) if why else ())


DAVINCI = Target(
    name="davinci",
    help="pooling as CCE C for the Ascend 910's core (DaVinci)",
    c=Nests(print_pooling, again=True),
    halide=Nests(print_pooling),
    options=DavinciOptions,
    machines=_MACHINES,
)
