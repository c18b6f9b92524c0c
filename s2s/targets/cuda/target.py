"""What the target ``cuda`` takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s.targets.request import Edited
from s2s.targets.target import Edits, Refused, Target

if TYPE_CHECKING:
    from s2s.frontends.c.unit import Unit
    from s2s.targets.request import Request


def edit(unit: Unit, request: Request) -> Edited:
    """Kernels before the functions of a file, and calls of them in the place of loops."""
    from s2s.frontends.c.regions import functions
    from s2s.targets.cuda.kernels import Offload

    work = Offload(unit, request.strict, list(functions(unit, lambda loop: "[" in loop.body)))
    edits = work.run()
    return Edited(tuple(edits), tuple(work.diagnostics))


CUDA = Target(
    name="cuda",
    help="CUDA kernels for innermost loops, to be compiled with nvcc",
    c=Edits(edit),
    halide=Refused("kernels are made of loops of C, and a pipeline's loops would run on the host"),
)
