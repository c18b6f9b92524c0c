"""Maxima over windows of an image, from C and from Halide-like C++, as kernels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.targets.request import Checked, Output

if TYPE_CHECKING:
    from s2s.net.aie.check import Emitted
    from s2s.scop.pooling import Pooling
    from s2s.targets.forms import TracedProgram
    from s2s.targets.request import Request


def print_maxima(found: TracedProgram, request: Request) -> Output | None:
    """The kernel's text, and a header with packing functions; None for what is no maximum.

    Raises UserError for what cannot be mapped.
    """
    from s2s.analyses.operators.pooling import read_maxima
    from s2s.emitters.aie.kernel import emit
    from s2s.emitters.aie.packing import packing
    from s2s.net.aie.check import Emitted
    from s2s.scop.symbols import NotSymbolic
    from s2s.targets.aie.companions import intrinsics
    from s2s.transforms.aie.errors import Unmappable
    from s2s.transforms.aie.pooling import map_maxima

    try:
        readings = read_maxima(found.trace)
    except NotSymbolic:
        return None
    try:
        if request.options and any(request.options.cores):
            raise Unmappable("pooling", "a graph of several cores is made of sums only")
        pooling, kernel = map_maxima(readings, found.trace.types)
    except Unmappable as error:
        text = f"the maxima of '{found.trace.name}' cannot be mapped: {error}"
        raise UserError(Diagnostic(Severity.ERROR, text, "aie", found.at)) from None
    around = packing(kernel)
    emitted = Emitted(kernel, emit(kernel), around)
    header = request.header
    return Output(
        emitted.text.encode(),
        partial(_check, found, emitted),
        (Diagnostic(Severity.REMARK, _said(pooling, emitted), "aie", found.at),),
        ((header, around.encode()), intrinsics()) if header else (),
        suffix=".cc",
    )


def _said(pooling: Pooling, emitted: Emitted) -> str:
    y, x = pooling.y, pooling.x
    packed = [
        f"{array.size * array.type.bits // 8} bytes of {array.name}"
        for array in emitted.kernel.arrays
        if not array.is_natural
    ]
    packs = f"; packs {', '.join(packed)}" if packed else ""
    return (
        f"'{pooling.name}' becomes a kernel: the largest of {y.kernel} x {x.kernel},"
        f" {emitted.kernel.datapath.lanes} at once{packs}"
    )


def _check(found: TracedProgram, emitted: Emitted, execute: bool) -> Checked:
    """Run the kernel against its source; a remark where that is not possible. Raises Mismatch."""
    from s2s.net.aie.check import compare
    from s2s.net.aie.data import compared_elements

    if not execute:
        return Checked()
    memory = {array.name: array.source.memory for array in emitted.kernel.arrays}
    arrays = [memory[name] for name in found.trace.types if name in memory]
    why = compare(arrays, lambda n: compared_elements(arrays, n), found.source, emitted)
    text = f"the kernel of '{found.trace.name}' is not compared with its source: {why}"
    return Checked(said=(Diagnostic(Severity.MISSED, text, "check", found.at),) if why else ())
