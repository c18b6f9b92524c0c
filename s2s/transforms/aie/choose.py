"""A mapping without measurements: the best of the space by counting."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.scop.contraction import Contraction, Wishes
from s2s.source.records import dataclass
from s2s.transforms.aie.compile import Compiled, compile_contraction
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.estimate import Estimate, estimate
from s2s.transforms.aie.mapping import Mapping
from s2s.transforms.aie.space import DEFAULT, Limits, mappings, size_of

_MOVING = 0.1
_TRIED = 12
"""Mappings that are carried out, of those that look best by their sizes alone."""


@dataclass(frozen=True)
class Candidate:
    """A mapping with its kernel, and what that costs by counting."""

    mapping: Mapping
    compiled: Compiled
    estimate: Estimate


def carried_out(contraction: Contraction, mapping: Mapping) -> Candidate:
    """A mapping's kernel and what it costs. Raises Unmappable."""
    compiled = compile_contraction(contraction, mapping)
    return Candidate(mapping, compiled, estimate(compiled.kernel))


def candidates(
    contraction: Contraction,
    wishes: Wishes | None = None,
    limits: Limits = DEFAULT,
    tried: int = _TRIED,
) -> list[Candidate]:
    """The mappings that can be carried out, the cheapest first.

    Raises Unmappable with the reason of the first one where none can.
    """
    found: list[Candidate] = []
    refused: list[Unmappable] = []
    for mapping in _promising(contraction, wishes, limits):
        try:
            found.append(carried_out(contraction, mapping))
        except Unmappable as error:
            refused.append(error)
            continue
        if len(found) >= tried:
            break
    if not found:
        raise (
            refused[0]
            if refused
            else Unmappable("schedule", f"no mapping has what is asked for: {wishes}")
        )
    fitting = [c for c in found if c.estimate.fits] or found
    return sorted(fitting, key=lambda c: (_cost(c), c.estimate.instructions))


def _cost(candidate: Candidate) -> float:
    """Cycles, and what it costs a user to bring images into another layout and results back."""
    mapping = candidate.mapping
    moved = (mapping.image is not None) + (mapping.output is not None)
    return candidate.estimate.cycles * (1 + _MOVING * moved)


def _promising(
    contraction: Contraction, wishes: Wishes | None, limits: Limits
) -> Iterator[Mapping]:
    """Mappings by what is known before any step: few runs of long loops, short bodies."""

    def key(mapping: Mapping) -> tuple[float, int, int]:
        size = size_of(contraction, mapping)
        layouts = sum(m is not None for m in (mapping.image, mapping.output))
        return round(size.cycles * (1 + _MOVING * layouts), -1), layouts, size.body

    yield from sorted(mappings(contraction, wishes, limits), key=key)


def best(contraction: Contraction, wishes: Wishes | None = None) -> Candidate:
    """The cheapest mapping by counting. Raises Unmappable."""
    return candidates(contraction, wishes)[0]
