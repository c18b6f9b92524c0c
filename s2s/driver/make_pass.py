"""The pass that a text asks for, with what the command line says about all passes."""

from __future__ import annotations

from s2s.driver import passes
from s2s.driver.options import Options
from s2s.transforms.scop_pass import Pass


def make_pass(spec: str, options: Options, *, spacelimit: int | None = None) -> Pass:
    """The pass that a text asks for, with what the command line says.

    ``spacelimit`` is the bound of a loop's pragma, where there is one. Raises UserError.
    """
    return passes.make(
        spec,
        parallel=options.parallel,
        force=options.force,
        reassociate=options.reassociate,
        regroups=options.regroups,
        compiler=options.compiler,
        interchanges=options.interchanges,
        vector=options.vector,
        spacelimit=options.spacelimit if spacelimit is None else spacelimit,
    )
