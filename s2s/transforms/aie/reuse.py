"""Step 3: vector register reuse, unaligned vectors and broadcasts (section III.C).

Vectors whose ranges of memory overlap are nodes of one connected component of the reuse graph;
each component becomes one larger aligned load, a block, out of which the shuffle network selects.
Scalars near each other share a window: one aligned load that broadcasts select from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from s2s.source.records import dataclass
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.triplets import Vector


@dataclass(frozen=True)
class Block:
    """``parts`` aligned loads of ``part`` elements from ``start`` on, covering some vectors."""

    array: str
    start: int
    part: int
    parts: int
    is_alone: bool = False
    """Loaded once more for instructions that want no other block in the register."""

    def index(self, place: int) -> int:
        """Where an element lies in the block."""
        return place - self.start

    def __str__(self) -> str:
        return f"{self.array}[{self.start}..{self.start + self.part * self.parts - 1}]"


def components(vectors: Iterable[Vector], gap: int = 0) -> list[list[Vector]]:
    """The connected components of the reuse graph, in the order of memory.

    Vectors not more than ``gap`` elements apart count as overlapping.
    """
    ordered = sorted(set(vectors), key=lambda v: (v.array, min(v.places), max(v.places)))
    found: list[list[Vector]] = []
    array, end = "", -1
    for vector in ordered:
        if vector.array == array and min(vector.places) <= end + gap:
            found[-1].append(vector)
            end = max(end, *vector.places)
        else:
            found.append([vector])
            array, end = vector.array, max(vector.places)
    return found


def blocks(
    vectors: Iterable[Vector],
    *,
    part: int,
    align: int,
    limit: int,
    split: bool,
    whole: bool = False,
) -> dict[Vector, Block]:
    """The block of each vector.

    ``part`` elements are one load, ``align`` of them the distance of legal addresses, ``limit``
    parts are the largest register. A component that is larger is refused (the paper), or cut in
    pieces that fit if ``split``. ``whole``: registers are loaded to their last part, and what
    lies next to each other shares one, for instructions of so many columns that those without
    a product read somewhere.
    """
    found: dict[Vector, Block] = {}
    for component in components(vectors, part if whole else 0):
        for members in _fitting(component, part, align, limit, split):
            block = _block(members, part, align)
            if whole:
                block = replace(block, parts=2 if block.parts <= 2 else 4)
            found |= dict.fromkeys(members, block)
    return found


def _fitting(
    component: Sequence[Vector], part: int, align: int, limit: int, split: bool, gap: int = 0
) -> list[list[Vector]]:
    """The component, or runs of it that fit the largest register."""
    runs: list[list[Vector]] = [[]]
    for vector in component:
        if runs[-1] and _block([*runs[-1], vector], part, align).parts > limit:
            if not split:
                needed = _block(component, part, align).parts
                raise Unmappable(
                    "reuse",
                    f"{component[0]} to {component[-1]} need {needed} parts of {part} elements "
                    f"in one register, the largest has {limit}",
                )
            runs.append([])
        runs[-1].append(vector)
    for run in runs:
        if _block(run, part, align).parts > limit:
            reach = max(run[0].places) - min(run[0].places) + 1
            raise Unmappable(
                "reuse",
                f"the lanes of {run[0]} reach over {reach} elements, "
                f"the largest register has {part * limit}",
            )
    return runs


def _block(members: Sequence[Vector], part: int, align: int) -> Block:
    low = min(min(v.places) for v in members)
    high = max(max(v.places) for v in members)
    start = low // align * align
    return Block(members[0].array, start, part, -(-(high + 1 - start) // part))


def windows(
    uses: Iterable[tuple[Vector, ...]], *, part: int, align: int
) -> dict[tuple[Vector, ...], Block]:
    """A window for each tuple of scalars that one instruction needs; few windows in all.

    Raises Unmappable where the scalars of one instruction lie too far apart.
    """
    found: dict[tuple[Vector, ...], Block] = {}
    ordered = sorted(set(uses), key=lambda u: (min(p for v in u for p in v.places), len(u)))
    current: Block | None = None
    for use in ordered:
        places = [p for v in use for p in v.places]
        if current is None or not _covers(current, places):
            start = min(places) // align * align
            current = Block(use[0].array, start, part, 1)
            if not _covers(current, places):
                names = " and ".join(map(str, use))
                raise Unmappable("broadcast", f"{names} do not lie in one load of {part} elements")
        found[use] = current
    return found


def _covers(block: Block, places: Sequence[int]) -> bool:
    return all(block.start <= p < block.start + block.part for p in places)
