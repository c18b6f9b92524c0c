"""A contraction on several cores: tiles of the output, and who holds what of the image.

All tiles have one shape, so that one kernel serves all cores. A core holds the part of the image
that its tile reads. Each element of the image is sent to one core, its owner; what other cores
read of it (the halo) they get from the owner.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.scop.contraction import Access, Contraction
from s2s.source.records import dataclass

Box = tuple[tuple[int, int], ...]
"""Index ranges [first, end) per dimension, innermost first."""


@dataclass(frozen=True)
class Copy:
    """Elements of the image that core ``to`` gets from core ``source``."""

    to: int
    source: int
    box: Box
    """In the whole image."""


@dataclass(frozen=True)
class Cores:
    """``contraction`` is one tile's; ``origins`` are the first iterations of all tiles."""

    whole: Contraction
    contraction: Contraction
    origins: tuple[tuple[tuple[str, int], ...], ...]

    def region(self, access: Access, core: int) -> Box:
        """The part of an array that a core holds."""
        point = dict(self.origins[core])
        found = []
        for subscript in access.subscripts:
            low, high = subscript.reach(self.contraction.extents)
            moved = subscript.value(point) - subscript.constant
            found.append((low + moved, high + moved + 1))
        return tuple(found)

    def owned(self, core: int) -> Box:
        """The part of the image that is sent to a core: up to where the next core's begins."""
        found = []
        image = self.whole.image
        for dimension, (low, high) in enumerate(self.region(image, core)):
            starts = {self.region(image, n)[dimension][0] for n in range(len(self.origins))}
            later = [start for start in starts if start > low]
            found.append((low, min([high, *later])))
        return tuple(found)

    def exchange(self) -> Iterator[Copy]:
        """Who gives what to whom, so that every core has all of its region."""
        image, seen = self.whole.image, set()
        for to in range(len(self.origins)):
            region, own = self.region(image, to), self.owned(to)
            for source in range(len(self.origins)):
                box = _common(region, self.owned(source))
                if box is not None and self.owned(source) != own and (to, box) not in seen:
                    seen.add((to, box))
                    yield Copy(to, source, box)


def _common(one: Box, other: Box) -> Box | None:
    found = tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(one, other, strict=True))
    return found if all(low < high for low, high in found) else None
