"""``--target emu``: a program with parallel loops as C for Emu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s.targets.emu.options import EmuOptions
from s2s.targets.request import Checked, Output
from s2s.targets.target import Programs, Refused, Target

if TYPE_CHECKING:
    from s2s.targets.forms import ProgramText
    from s2s.targets.request import Request


def lower(program: ProgramText, request: Request) -> Output:
    """The program in one file, its own headers included.

    Raises UserError for what cannot be parsed or has no counterpart on Emu.
    """
    from s2s.net.emu import check
    from s2s.rewriters.emu.lower import Choices, lower
    from s2s.source.compiler_answers import parser_flags

    options: EmuOptions = request.options
    steps = ("arrays", "remote", "home", "batch", "registers", "buckets")
    on = {step: step in options.steps for step in steps}
    system = parser_flags(request.flags)
    done = lower(program.text, request.flags, system, Choices(**on, headers=options.headers))

    def compare(execute: bool) -> Checked:
        said = check(program.source, request.flags, done.text, execute=execute)
        return Checked(said=tuple(said))

    return Output(done.text, compare, done.diagnostics)


def choose_passes(options: EmuOptions) -> tuple[str, ...]:
    """Fusing of loops and flipping of edges, C to C, come before what is Emu's own."""
    steps = options.steps
    if "fuse" not in steps and "flip" not in steps:
        return ()
    switches = (f"{name}={str(name in steps).lower()}" for name in ("fuse", "changed", "remote"))
    flip = "any" if "flip" in steps else "no"
    return (":".join(("graph:machine=emu", *switches, f"flip={flip}")),)


EMU = Target(
    name="emu",
    help="C for Emu, for a program with parallel loops over a graph",
    c=Programs(lower, choose_passes, ("-fopenmp",)),
    halide=Refused("it takes whole programs in C, and a pipeline is one function"),
    options=EmuOptions,
    machines=("emu-chick",),
)
