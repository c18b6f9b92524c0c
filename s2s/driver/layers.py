"""The layers of a file: of ``.m`` text, of an ONNX model, of the nests of C or of a pipeline."""

from __future__ import annotations

import os
from collections.abc import Sequence

from s2s.source import SourceBuffer
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.reading import read_source
from s2s.source.spatial.layers import Layer, Network
from s2s.targets.source_options import SourceOptions


def read_layers(
    path: str, flags: Sequence[str] = (), given: SourceOptions | None = None
) -> tuple[Network, tuple[Diagnostic, ...]]:
    """The network in a file, and what of it is left out, each with why.

    ``given`` has values of open sizes. Raises UserError where nothing of the file is a layer.
    """
    given = given or SourceOptions()
    if path.endswith(".onnx"):
        return _model(path)
    data = read_source(path)
    if path.endswith(".m"):
        from s2s.source.spatial.reading import read_network

        return read_network(path, data), ()
    buffer = SourceBuffer(path, data)
    layers: list[Layer] = []
    left: list[Diagnostic] = []
    from s2s.driver.transform import is_pipeline

    found = _of_pipeline if is_pipeline(path, flags, data) else _of_c
    for layer, refusal in found(buffer, flags, given):
        if layer is not None:
            layers.append(layer)
        if refusal is not None:
            left.append(refusal)
    if not layers:
        if not left:
            text = "there is no loop nest in the file"
            left = [Diagnostic(Severity.MISSED, text, "spatial", buffer.place(None))]
        errors = [Diagnostic(Severity.ERROR, d.text, d.id, d.location) for d in left]
        raise UserError(*errors)
    return Network(os.path.basename(path).partition(".")[0], tuple(layers)), tuple(left)


def _model(path: str) -> tuple[Network, tuple[Diagnostic, ...]]:
    from s2s.source.spatial.onnx_models import read_model

    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError as error:
        text = f"{path}: {error.strerror or error}"
        raise UserError(Diagnostic(Severity.ERROR, text, "input")) from None
    network, left = read_model(path, data)
    return network, tuple(
        Diagnostic(Severity.MISSED, f"{path}: left out: {one}", "spatial") for one in left
    )


def _of_c(
    buffer: SourceBuffer, flags: Sequence[str], given: SourceOptions
) -> list[tuple[Layer | None, Diagnostic | None]]:
    from s2s.frontends.c.parse import parse_as_compiled
    from s2s.targets.spatial.nests import check_used, judged_nests, numbers_of
    from s2s.targets.spatial.printed import others, printed_nests

    unit = parse_as_compiled(buffer, flags)
    if unit.errors:
        raise UserError(*unit.errors[:1])
    numbers = numbers_of(given)
    printed = printed_nests(unit)
    nests = others(list(judged_nests(unit, numbers)), printed)
    check_used(nests, numbers)
    found: list[tuple[Layer | None, Diagnostic | None]] = [
        (one.layer, None) for one in printed if given.generator in ("", one.nest.name)
    ]
    for nest in nests:
        if given.generator not in ("", nest.name):
            continue
        parts = [nest] if nest.made is None else list(nest.made.nests)
        layers = [one.layer.layer for one in parts if one.layer is not None]
        found += [(layer, None) for layer in layers]
        if not layers and nest.refusal is not None:
            text, at = nest.refusal
            said = f"the nest of '{nest.name}' is left out: {text}"
            place = buffer.place(at)
            found.append((None, Diagnostic(Severity.MISSED, said, "spatial", place)))
    return found


def _of_pipeline(
    buffer: SourceBuffer, flags: Sequence[str], given: SourceOptions
) -> list[tuple[Layer | None, Diagnostic | None]]:
    from s2s.driver.pipelines import lower_pipeline
    from s2s.targets.spatial.pipelines import stages

    found: list[tuple[Layer | None, Diagnostic | None]] = []
    for stage in stages(lower_pipeline(buffer, flags, given).nest):
        if stage.layer is not None:
            found.append((stage.layer.layer, None))
        elif stage.refusal is not None:
            said = f"the nest of '{stage.name}' is left out: {stage.refusal[0]}"
            place = buffer.place(stage.refusal[1])
            found.append((None, Diagnostic(Severity.MISSED, said, "spatial", place)))
    return found


def letters_of(path: str) -> dict[str, str]:
    """Each function's last nest by the rules R1 to R4, as ``YYYY Y``; ``NNNN N`` if unread."""
    from s2s.frontends.c.parse import parse_as_compiled
    from s2s.targets.spatial.nests import judged_nests

    unit = parse_as_compiled(SourceBuffer(path, read_source(path)), ())
    if unit.errors:
        raise UserError(*unit.errors[:1])
    return {
        nest.name: "NNNN N" if nest.verdicts is None else nest.verdicts.letters
        for nest in judged_nests(unit)
    }
