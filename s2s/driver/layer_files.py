"""A file of layers with mappings through the house."""

from __future__ import annotations

from s2s.driver.options import Options, Outcome
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.spatial.reading import read_network
from s2s.targets.request import Request
from s2s.targets.target import Target


def transform(target: Target, request: Request, options: Options) -> Outcome:
    """What a target makes of a layer file. Raises UserError for what is refused."""
    buffer = request.buffer
    if target.layers is None:
        text = f"'--target {target.name}' has no use for this file: it is one of layers"
        raise UserError(Diagnostic(Severity.ERROR, text, target.name, buffer.place(None)))
    output = target.layers(read_network(buffer.path, buffer.data), request)
    return Outcome.of(buffer, output, output.check(options.check))
