"""``--target aie``: a file's convolution as a kernel for the AI Engine."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.targets.aie.companions import intrinsics
from s2s.targets.aie.maxima import print_maxima
from s2s.targets.aie.options import AieOptions
from s2s.targets.request import Checked, Output
from s2s.targets.target import Contractions, Target

if TYPE_CHECKING:
    from s2s.net.aie.check import Emitted
    from s2s.scop.contraction import Contraction
    from s2s.scop.cores import Cores
    from s2s.targets.forms import ContractionProgram
    from s2s.targets.request import Request, Searches
    from s2s.transforms.aie.choose import Candidate
    from s2s.transforms.aie.errors import Unmappable
    from s2s.transforms.aie.mapping import Mapping


def print_kernel(found: ContractionProgram, request: Request) -> Output:
    """The kernel's text; a header with packing functions beside it where it has a file.

    Raises UserError for what cannot be mapped.
    """
    from s2s.transforms.aie.errors import Unmappable

    shape = request.options.cores if request.options else (0, 0)
    if found.layers:
        return _print_layers(found, shape)
    if any(shape):
        return _print_graph(found, request, shape)
    try:
        found, chosen, cores = _mapped(found, request.search)
    except Unmappable as error:
        raise UserError(_unmapped(found, error)) from None
    said = [_said(found, chosen), *([_said_of(found, cores)] if cores else [])]
    explanation = explained(found, chosen) if request.explain else ""
    return _output(found, chosen, cores, request.header, said, explanation)


def _print_graph(found: ContractionProgram, request: Request, shape: tuple[int, int]) -> Output:
    from s2s.targets.aie.graph import print_graph
    from s2s.transforms.aie.errors import Unmappable

    try:
        return print_graph(found, request, shape)
    except Unmappable as error:
        raise UserError(_unmapped(found, error)) from None


def _print_layers(found: ContractionProgram, shape: tuple[int, int]) -> Output:
    from s2s.targets.aie.layers import print_layers
    from s2s.transforms.aie.errors import Unmappable

    if not any(shape):
        text = (
            f"'{found.contraction.name.rpartition('_')[0]}' computes {len(found.layers)} layers one"
            " after the other: --cores ROWSxCOLUMNS makes a graph of them"
        )
        raise UserError(Diagnostic(Severity.ERROR, text, "aie", found.at))
    try:
        return print_layers(found, shape)
    except Unmappable as error:
        raise UserError(_unmapped(found, error)) from None


def print_mapped(found: ContractionProgram, mapping: Mapping, header: str = "") -> Output:
    """The kernel of a mapping that was chosen before. Raises Unmappable."""
    from s2s.transforms.aie.choose import carried_out

    return _output(found, carried_out(found.contraction, mapping), None, header, [], "")


def _output(
    found: ContractionProgram, chosen: Candidate, cores: Cores | None, header: str,
    said: list[Diagnostic], explanation: str,
) -> Output:  # fmt: skip
    from s2s.emitters.aie.cores import spreading
    from s2s.emitters.aie.kernel import emit
    from s2s.emitters.aie.packing import packing
    from s2s.net.aie.check import Emitted

    kernel = chosen.compiled.kernel
    around = packing(kernel) + (spreading(cores) if cores else "")
    emitted = Emitted(kernel, emit(kernel), around, cores)
    return Output(
        emitted.text.encode(),
        partial(_check, found, emitted),
        tuple(said),
        ((header, around.encode()), intrinsics()) if header else (),
        suffix=".cc",
        explanation=explanation,
    )


def _check(found: ContractionProgram, emitted: Emitted, execute: bool) -> Checked:
    """Run the kernel against its source; a remark where that is not possible. Raises Mismatch."""
    from s2s.net.aie.check import check

    why = check(found.contraction, found.source, emitted) if execute else ""
    text = f"the kernel of '{found.contraction.name}' is not compared with its source: {why}"
    return Checked(said=(Diagnostic(Severity.MISSED, text, "check", found.at),) if why else ())


def _mapped(
    found: ContractionProgram, search: Searches | None
) -> tuple[ContractionProgram, Candidate, Cores | None]:
    """The contraction's mapping, with wider elements where there is none of its bytes."""
    from s2s.transforms.aie.widening import mapped_as_it_is_or_wider

    def mapped(one: Contraction) -> tuple[ContractionProgram, Candidate, Cores | None]:
        return _mapped_as_it_is(replace(found, contraction=one), search)

    return mapped_as_it_is_or_wider(found.contraction, mapped)


def _mapped_as_it_is(
    found: ContractionProgram, search: Searches | None
) -> tuple[ContractionProgram, Candidate, Cores | None]:
    """The contraction's mapping; that of one tile, and the tiles, where it fits no core.

    Layouts pad arrays, so that a tile may have to be smaller than its elements alone would be.
    """
    from s2s.transforms.aie.choose import best
    from s2s.transforms.aie.cores import MEMORY, is_too_large, spread

    def map_one(one: ContractionProgram) -> Candidate:
        chosen = _searched(one, search) if search else None
        return chosen or best(one.contraction, one.wishes)

    if not is_too_large(found.contraction):
        return found, map_one(found), None
    memory = MEMORY
    while True:
        cores = spread(found.contraction, memory)
        tile = replace(found, contraction=cores.contraction)
        chosen = map_one(tile)
        arrays = chosen.compiled.kernel.arrays
        if sum(a.size * a.type.bits // 8 for a in arrays) <= MEMORY:
            return tile, chosen, cores
        memory = memory * 7 // 8


def _searched(found: ContractionProgram, search: Searches) -> Candidate | None:
    """The best mapping that a search finds; None where it finds none."""
    from s2s.transforms.aie.choose import carried_out

    mapping = search.best_mapping(found.contraction, found.wishes)
    return carried_out(found.contraction, mapping) if mapping else None


def explained(found: ContractionProgram, chosen: Candidate) -> str:
    """The contraction, the mapping, and the state of the kernel after each step."""
    from s2s.transforms.aie.states import states

    text = f"{found.contraction}\n\nmapping: {chosen.mapping}\n\n{states(chosen.compiled)}\n"
    return f"{found.at.path}:{found.at.line}: {found.contraction.name}\n{text}"


def _said(found: ContractionProgram, chosen: Candidate) -> Diagnostic:
    cycles, macs = chosen.estimate.cycles, found.contraction.macs
    text = (
        f"'{found.contraction.name}' becomes a kernel of at least {cycles} cycles,"
        f" {macs / cycles:.2f} MACs each ({chosen.mapping}{_packing_of(found, chosen)})"
    )
    return Diagnostic(Severity.REMARK, text, "aie", found.at)


def _packing_of(found: ContractionProgram, chosen: Candidate) -> str:
    """What is brought into another layout around each run."""
    weight = found.contraction.weight.array.name
    packed = [
        f"{array.size * array.type.bits // 8} bytes of {array.name}"
        for array in chosen.compiled.kernel.arrays
        if not array.is_natural and array.name != weight
    ]
    return f"; packs {', '.join(packed)}" if packed else ""


def _said_of(found: ContractionProgram, cores: Cores) -> Diagnostic:
    tile = ", ".join(f"{lp.name}: {lp.extent}" for lp in cores.contraction.output_loops)
    text = f"'{found.contraction.name}' is spread over {len(cores.origins)} cores, each has {tile}"
    return Diagnostic(Severity.REMARK, text, "aie", found.at)


def _unmapped(found: ContractionProgram, error: Unmappable) -> Diagnostic:
    text = f"'{found.contraction.name}' cannot be mapped: {error}"
    at = found.asked_at if found.asked_at is not None and found.wishes.vector else found.at
    return Diagnostic(Severity.ERROR, text, "aie", at)


AIE = Target(
    name="aie",
    help="C with intrinsics of the AI Engine, for a convolution, a product or a maximum of windows",
    c=Contractions(print_kernel, layers=True, maxima=print_maxima),
    halide=Contractions(print_kernel, layers=True, maxima=print_maxima),
    options=AieOptions,
    machines=("aie1",),
    searches=True,
)
