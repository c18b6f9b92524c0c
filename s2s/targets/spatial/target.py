"""``--target spatial``: mappings for spatial accelerators, as directives and as C."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.targets.request import Edited
from s2s.targets.spatial.options import SpatialOptions
from s2s.targets.target import Edits, Refused, Target

if TYPE_CHECKING:
    from s2s.frontends.c.parse import Unit
    from s2s.targets.request import Request

_NO_MAPPING = "'--target spatial' has no use for this file: no mapping is given (--mapping FILE.m)"


def edit(unit: Unit, request: Request) -> Edited:
    """A file's nests as their mappings have them. Raises UserError."""
    from s2s.targets.spatial.nests import judged_nests

    options = request.options or SpatialOptions()
    if request.explain:
        from s2s.targets.spatial.explain import explained

        text = explained(unit.buffer, judged_nests(unit))
        return Edited((), (), text)
    if not options.mapping:
        raise UserError(Diagnostic(Severity.ERROR, _NO_MAPPING, "spatial", unit.buffer.place(None)))
    from s2s.targets.spatial.mapped import mapped

    return mapped(unit, options, request)


SPATIAL = Target(
    name="spatial",
    help="mappings for spatial accelerators (Marvel, MAESTRO), as a tiled loop nest in C",
    c=Edits(edit),
    halide=Refused("mappings are made of loops of C, whose text they keep"),
    options=SpatialOptions,
)
