"""What the target ``toy`` takes, and what it makes of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.targets.flags import flag
from s2s.targets.forms import NestProgram
from s2s.targets.request import Checked, Output, Request
from s2s.targets.target import Nests, Target


@dataclass(frozen=True)
class ToyOptions:
    """How the text looks."""

    indent: int = field(default=4, metadata=flag("blanks of one level (default: 4)", metavar="N"))


def emit(program: NestProgram, request: Request) -> Output:
    """A Python function. Raises UserError for what has no form here."""
    from s2s_toy import printing

    try:
        text = printing.print_nest(program.nest, request.options.indent)
    except printing.Unprintable as error:
        at = request.buffer.place(error.at) if error.at else program.at
        text = f"no Python for this nest: {error}"
        raise UserError(Diagnostic(Severity.ERROR, text, "toy", at)) from None

    def check(execute: bool) -> Checked:
        from s2s_toy.check import compare

        why = compare(program, text) if execute else ""
        said = Diagnostic(Severity.MISSED, f"the Python was not executed: {why}", "net", program.at)
        return Checked(why or "the Python gave what the source gives", (said,) if why else ())

    remark = Diagnostic(Severity.REMARK, f"{program.described} becomes Python", "toy", program.at)
    return Output(text.encode(), check, (remark,), suffix=".py")


TOY = Target(
    name="toy",
    help="plain Python, for a loop nest over integers",
    c=Nests(emit),
    halide=Nests(emit),
    options=ToyOptions,
    machines=("toy",),
)
