"""``--target cpu``: C with OpenMP for the host: regions in their places, pipelines as functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass
from s2s.targets.flags import flag
from s2s.targets.target import Nests, Regions, Target

if TYPE_CHECKING:
    from s2s.emitters.c.nests import Emitted
    from s2s.net.pipelines.check import Checked as Compared
    from s2s.scop.nest import Nest
    from s2s.targets.forms import NestProgram
    from s2s.targets.request import Checked, Output, Request


@dataclass(frozen=True)
class CpuOptions:
    """Of functions made of pipelines. ``strided``: the caller describes where each array is."""

    strided: bool = field(
        default=False,
        metadata=flag(
            "of Halide-like C++: the function takes minima, extents and strides of its arrays, and"
            " one more, NAME_needs, says what outputs of a size need of the inputs"
        ),
    )


def print_pipeline(program: NestProgram, request: Request) -> Output:
    """The C of a pipeline with its header. Raises UserError for what C cannot say."""
    from s2s.scop.errors import Inexpressible
    from s2s.targets.request import Checked, Output

    try:
        emitted = print_nest(program.nest, request.header or None)
    except Inexpressible as error:
        from s2s.emitters.c.nests.whereabouts import inexpressible
        from s2s.transforms.nest.narrow_floats import widen_floats

        at = request.buffer.place(error.at or inexpressible(widen_floats(program.nest)))
        text = f"no C for this pipeline: {error}"
        raise UserError(Diagnostic(Severity.ERROR, text, "halide", at)) from None
    text = f"{program.described} become a C function"
    return Output(
        emitted.source.encode(),
        lambda execute: compare(program, emitted, request.header) if execute else Checked(),
        (Diagnostic(Severity.REMARK, text, "halide", program.at),),
        ((request.header, emitted.header.encode()),) if request.header else (),
        suffix=".c",
    )


def print_nest(nest: Nest, header: str | None) -> Emitted:
    """The C of a lowered nest, after the passes on nests. Raises Inexpressible."""
    from s2s.emitters.c.nests import emit
    from s2s.transforms.nest.prepare import prepare

    return emit(prepare(nest), header)


def compare(program: NestProgram, emitted: Emitted, header: str) -> Checked:
    """The text against the pipeline's definitions. Raises Mismatch."""
    from s2s.net.pipelines.check import check
    from s2s.targets.request import Checked

    pipeline = program.pipeline
    assert pipeline is not None

    def make_again(sizes: Mapping[str, tuple[int, ...]]) -> tuple[Nest, Emitted]:
        from s2s.transforms.halide import lower

        nest = lower(pipeline, sizes, strided=bool(program.nest.needs))
        return nest, print_nest(nest, None)

    found = check(pipeline, program.nest, emitted, header, make_again)
    if not (program.unproved and found.unknown):
        return Checked(_words(found))
    text = f"the C was not executed against its definitions: {found.unknown}"
    return Checked(_words(found), (Diagnostic(Severity.MISSED, text, "net", program.at),))


def _words(found: Compared) -> str:
    """How the emitted text was tried."""
    if found.unknown:
        return f"none, {found.unknown}"
    what = "the same pipeline at smaller sizes" if found.smaller else "the emitted C"
    return (
        f"{what} gave what the definitions give, {found.elements} elements in {found.calls} calls"
    )


CPU = Target(
    name="cpu",
    help="C with OpenMP for the host's processor",
    options=CpuOptions,
    c=Regions(),
    halide=Nests(print_pipeline),
)
