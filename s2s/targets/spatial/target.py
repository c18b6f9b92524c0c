"""``--target spatial``: mappings for spatial accelerators, as directives and as C."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.targets.request import Edited
from s2s.targets.spatial.options import SpatialOptions
from s2s.targets.target import Edits, Nests, Target

if TYPE_CHECKING:
    from s2s.frontends.c.unit import Unit
    from s2s.source.spatial.layers import Network
    from s2s.targets.forms import NestProgram
    from s2s.targets.request import Output, Request

_NO_MAPPING = "'--target spatial' has no use for this file: no mapping is given (--mapping FILE.m)"


def edit(unit: Unit, request: Request) -> Edited:
    """A file's nests as their mappings have them. Raises UserError."""
    from s2s.targets.spatial.nests import check_used, judged_nests, numbers_of

    options = request.options or SpatialOptions()
    if request.explain:
        from s2s.targets.spatial.explain import explained
        from s2s.targets.spatial.printed import others, printed_nests

        numbers = numbers_of(request.given)
        printed = printed_nests(unit)
        nests = others(list(judged_nests(unit, numbers)), printed)
        check_used(nests, numbers)
        text = explained(unit.buffer, nests, printed)
        return Edited((), (), text)
    if not options.mapping:
        raise UserError(Diagnostic(Severity.ERROR, _NO_MAPPING, "spatial", unit.buffer.place(None)))
    from s2s.targets.spatial.mapped import mapped

    return mapped(unit, options, request)


def print_pipeline(program: NestProgram, request: Request) -> Output:
    """A pipeline's nests as their mappings have them, as C. Raises UserError."""
    from s2s.targets.spatial import pipelines

    options = request.options or SpatialOptions()
    if request.explain:
        return pipelines.explained(program, request)
    if not options.mapping:
        raise UserError(Diagnostic(Severity.ERROR, _NO_MAPPING, "spatial", program.at))
    return pipelines.mapped(program, options, request)


def print_layers(network: Network, request: Request) -> Output:
    """Layers with mappings as C functions. Raises UserError."""
    from s2s.targets.spatial.layer_functions import print_functions

    return print_functions(network, request.options or SpatialOptions(), request)


SPATIAL = Target(
    name="spatial",
    help="mappings for spatial accelerators (Marvel, MAESTRO), as a tiled loop nest in C",
    c=Edits(edit, sizes=True),
    halide=Nests(print_pipeline),
    options=SpatialOptions,
    layers=print_layers,
)
