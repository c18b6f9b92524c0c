"""Sums of cycles whose parts have names: ``4*64 + 4 + 59*64 + 59 + 1``."""

from __future__ import annotations

from collections.abc import Mapping

from s2s.scop.accelerator import Accelerator
from s2s.scop.cycles import Start, Term


def offset_terms(
    offset: int, cycles: tuple[int, ...], names: tuple[str, ...], latency: int
) -> tuple[Term, ...]:
    """An offset as iterations of loops that it waits for, outermost first, and latencies."""
    found, left = [], offset
    for step, name in zip(cycles, names, strict=True):
        count, left = divmod(left, step)
        found.append(product(f"wait for {name}", count, step))
    found.append(product("wait", left, 1))
    found.append(product("latency", latency, 1))
    return tuple(term for term in found if term.cycles)


def total_terms(
    accelerator: Accelerator,
    starts: Mapping[str, Start],
    terms: Mapping[str, tuple[Term, ...]],
) -> tuple[Term, ...]:
    """What the operation that gives the last output waits for, and its own iterations.

    Others may end later: lanes that are rounded up compute what no output needs.
    """
    outputs = [o for o in accelerator.operations if o.store.tensor in accelerator.outputs]
    last = max(outputs, key=lambda o: starts[o.name].last)
    start = starts[last.name]
    own = [
        product(loop.name, extent - 1, stride)
        for loop, extent, stride in zip(last.loops, start.extents, start.strides, strict=True)
    ]
    ends = [product("latency", start.latency, 1), product("last cycle", 1, 1)]
    return (*terms[last.name], *(t for t in (*own, *ends) if t.cycles))


def product(name: str, count: int, step: int) -> Term:
    return Term(name, count * step, str(count) if step == 1 else f"{count}*{step}")
