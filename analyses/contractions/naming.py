"""Canonical order and names of a contraction's loops, by what they do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.analyses.contractions.statements import Range
from s2s.analyses.contractions.uses import Use

_SPATIAL = ("x", "y", "z", "u", "v")
_SLIDING = ("r", "s", "t", "p", "q")


def name_loops(
    loops: Sequence[Range], output: Use, image: Use, weight: Use, start: Sequence[Use]
) -> tuple[list[Range], dict[str, str]]:
    """The loops in canonical order, and the name of each.

    The output's loops by its dimensions, outermost first; the others by the image's dimensions,
    then the weights'.
    """
    places = {name: k for k, name in enumerate(_outermost_first((output, image, weight, *start)))}
    order = sorted(loops, key=lambda loop: places.get(loop.name, len(places)))
    names = dict(_spatial(output, image, weight))
    names |= dict(_others([r.name for r in order if r.name not in names], names, image))
    return order, names


def _outermost_first(uses: Sequence[Use]) -> Iterator[str]:
    """Loops as the dimensions have them; within one by falling coefficient."""
    seen: set[str] = set()
    for use in uses:
        for subscript in reversed(use.subscripts):
            for name in sorted(subscript.terms, key=lambda n: (-abs(subscript.terms[n]), n)):
                if name not in seen:
                    seen.add(name)
                    yield name


def _spatial(output: Use, image: Use, weight: Use) -> Iterator[tuple[str, str]]:
    """x, y, z: loops that only image and output have, innermost first; k: others of the output."""
    spatial = iter(_SPATIAL)
    filters = 0
    for subscript in output.subscripts:
        for name in sorted(subscript.terms):
            if name in image.loops and name not in weight.loops:
                yield name, next(spatial)
            else:
                filters += 1
                yield name, "k" if filters == 1 else f"k{filters}"


def _others(loops: Sequence[str], names: dict[str, str], image: Use) -> Iterator[tuple[str, str]]:
    """r, s, t: reductions that slide over x, y, z; c: those that do not."""
    taken = set(names.values())
    for loop in loops:
        name = next(_slid(loop, names, image), "c")
        unique, count = name, 1
        while unique in taken:
            count += 1
            unique = f"{name}{count}"
        taken.add(unique)
        yield loop, unique


def _slid(loop: str, names: dict[str, str], image: Use) -> Iterator[str]:
    for subscript in image.subscripts:
        inside = sorted(subscript.terms)
        if loop in inside:
            for other in inside:
                if names.get(other) in _SPATIAL:
                    yield _SLIDING[_SPATIAL.index(names[other])]
