"""``s2s transform --target aie``: a file's convolution as a kernel for the AI Engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from s2s.source import SourceBuffer
from s2s.source.diagnostics import Diagnostic, Severity, UserError

if TYPE_CHECKING:
    from s2s.driver.options import Options, Outcome
    from s2s.net.aie.check import Emitted
    from s2s.scop.cores import Cores
    from s2s.targets.aie.contractions import Found
    from s2s.targets.target import Searches
    from s2s.transforms.aie.choose import Candidate
    from s2s.transforms.aie.errors import Unmappable


def transform(buffer: SourceBuffer, flags: Sequence[str], options: Options) -> Outcome:
    """The kernel's text; a header with packing functions beside it where it has a file.

    Raises UserError for what is no contraction and for what cannot be mapped, Mismatch where the
    kernel does not compute what the source does.
    """
    from s2s.driver.options import Outcome
    from s2s.emitters.aie.kernel import emit
    from s2s.emitters.aie.packing import packing
    from s2s.net.aie.check import Emitted
    from s2s.targets.aie.contractions import contraction_of
    from s2s.transforms.aie.errors import Unmappable

    found = contraction_of(buffer, flags, options.pipeline)
    try:
        found, chosen, cores = _mapped(found, options)
    except Unmappable as error:
        raise UserError(_unmapped(found, error)) from None
    kernel = chosen.compiled.kernel
    header = options.pipeline.header
    emitted = Emitted(kernel, emit(kernel), packing(kernel) + spread_over(cores), cores)
    said = [_said(found, chosen), *([_said_of(found, cores)] if cores else [])]
    if options.check:
        said += checked(found, emitted)
    return Outcome(
        buffer.path,
        buffer.data,
        emitted.text.encode(),
        tuple(said),
        explained(found, chosen) if options.explain else "",
        ((header, emitted.header.encode()),) if header else (),
        suffix=".cc",
    )


def spread_over(cores: Cores | None) -> str:
    """The functions that spread arrays over cores, if there are several."""
    from s2s.emitters.aie.cores import spreading

    return spreading(cores) if cores else ""


def checked(found: Found, emitted: Emitted) -> list[Diagnostic]:
    """Run the kernel against its source; a remark where that is not possible. Raises Mismatch."""
    from s2s.net.aie.check import check

    why = check(found.contraction, found.source, emitted)
    text = f"the kernel of '{found.contraction.name}' is not compared with its source: {why}"
    return [Diagnostic(Severity.MISSED, text, "check", found.at)] if why else []


def _mapped(found: Found, options: Options) -> tuple[Found, Candidate, Cores | None]:
    """The contraction's mapping; that of one tile, and the tiles, where it fits no core.

    Layouts pad arrays, so that a tile may have to be smaller than its elements alone would be.
    """
    from s2s.transforms.aie.choose import best
    from s2s.transforms.aie.cores import MEMORY, is_too_large, spread

    def map_one(one: Found) -> Candidate:
        chosen = _searched(one, options.tune) if options.tune else None
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


def _searched(found: Found, searches: Searches) -> Candidate | None:
    """The best mapping that a search finds; None where it finds none."""
    from s2s.transforms.aie.choose import carried_out

    mapping = searches.best_mapping(found.contraction, found.wishes)
    return carried_out(found.contraction, mapping) if mapping else None


def explained(found: Found, chosen: Candidate) -> str:
    """The contraction, the mapping, and the state of the kernel after each step."""
    from s2s.transforms.aie.states import states

    text = f"{found.contraction}\n\nmapping: {chosen.mapping}\n\n{states(chosen.compiled)}\n"
    return f"{found.at.path}:{found.at.line}: {found.contraction.name}\n{text}"


def _said(found: Found, chosen: Candidate) -> Diagnostic:
    cycles, macs = chosen.estimate.cycles, found.contraction.macs
    text = (
        f"'{found.contraction.name}' becomes a kernel of at least {cycles} cycles,"
        f" {macs / cycles:.2f} MACs each ({chosen.mapping})"
    )
    return Diagnostic(Severity.REMARK, text, "aie", found.at)


def _said_of(found: Found, cores: Cores) -> Diagnostic:
    tile = ", ".join(f"{lp.name}: {lp.extent}" for lp in cores.contraction.output_loops)
    text = f"'{found.contraction.name}' is spread over {len(cores.origins)} cores, each has {tile}"
    return Diagnostic(Severity.REMARK, text, "aie", found.at)


def _unmapped(found: Found, error: Unmappable) -> Diagnostic:
    text = f"'{found.contraction.name}' cannot be mapped: {error}"
    at = found.asked_at if found.asked_at is not None and found.wishes.vector else found.at
    return Diagnostic(Severity.ERROR, text, "aie", at)
