"""Step 4: products of one output fused onto the columns of the datapath (section III.D).

An instruction does as many products per lane as the datapath has columns, out of one register X
and one register Z. The paper fuses neighbours of one row and refuses what is left over. Here what
is left over in one block is fused with what is left over in another, if the shuffle network can
pick both from one register that holds both blocks, one in each slot; only then a column is padded
with zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from s2s.scop.vector_kernel import Datapath
from s2s.source.records import dataclass
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.reuse import Block
from s2s.transforms.aie.selection import Wanted, select_x
from s2s.transforms.aie.triplets import OutputGroup, Triplet, Vector, is_run


@dataclass(frozen=True)
class Fused:
    """One instruction: ``terms`` by column, None where the column is padded with zero."""

    output: Vector
    terms: tuple[Triplet | None, ...]
    is_alone: bool = False
    """Whether its block must have a register of its own."""

    def home(self, term: Triplet, homes: dict[Vector, Block]) -> Block:
        """The block that a product's vector is selected from."""
        block = homes[term.vector]
        return replace(block, is_alone=True) if self.is_alone else block

    @property
    def products(self) -> tuple[Triplet, ...]:
        return tuple(term for term in self.terms if term is not None)


@dataclass
class Slots:
    """Which half of a register a block has to lie in: blocks that are fused lie in different ones.

    A disjoint-set forest with parities.
    """

    parent: dict[Block, Block] = field(default_factory=dict)
    parity: dict[Block, int] = field(default_factory=dict)

    def find(self, block: Block) -> tuple[Block, int]:
        """The block that stands for the register, and the parity of this one to it."""
        side = 0
        while (above := self.parent.get(block, block)) != block:
            side ^= self.parity[block]
            block = above
        return block, side

    def join(self, one: Block, other: Block) -> bool:
        """Puts two blocks in different slots of one register; False where that cannot be."""
        (root, side), (other_root, other_side) = self.find(one), self.find(other)
        if root == other_root:
            return side != other_side
        self.parent[other_root], self.parity[other_root] = root, 1 ^ side ^ other_side
        return True

    def is_shared(self, block: Block) -> bool:
        """Whether the block's register has another slot."""
        return block in self.parent or block in self.parent.values()


@dataclass(frozen=True)
class Fusion:
    """All instructions, and the slots of blocks."""

    instructions: tuple[Fused, ...]
    slots: Slots


def wanted(terms: Sequence[Triplet | None], datapath: Datapath, bases: dict[Vector, int]) -> Wanted:
    """What lanes and columns take of X; ``bases`` are places minus indices in the register."""
    columns: list[list[int | None]] = []
    for term in terms:
        if term is None:
            columns.append([None] * datapath.lanes)
        else:
            base = bases[term.vector]
            columns.append([place - base for place in term.vector.places])
    return tuple(zip(*columns, strict=True))


def fuse_in_order(
    groups: Sequence[OutputGroup], datapath: Datapath, homes: dict[Vector, Block]
) -> Fusion:
    """The paper's fusion: products of one block in their order; raises where that cannot be."""
    found = []
    for group in groups:
        for terms in _by_block(group, homes):
            if len(terms) % datapath.columns:
                raise Unmappable(
                    "fusion",
                    f"{len(terms)} products of {homes[terms[0].vector]} for {group.output}: "
                    f"no multiple of the {datapath.columns} columns, pad the weights",
                )
            for first in range(0, len(terms), datapath.columns):
                chosen = tuple(terms[first : first + datapath.columns])
                if not _selectable(chosen, datapath, homes):
                    raise Unmappable("fusion", _incompatible(chosen))
                found.append(Fused(group.output, chosen))
    return Fusion(tuple(found), Slots())


def fuse(
    groups: Sequence[OutputGroup], datapath: Datapath, homes: dict[Vector, Block], limit: int
) -> Fusion:
    """Fuses as many products as the shuffle network allows, also of different blocks.

    ``limit``: parts of the largest register.
    """
    slots, found = Slots(), []
    for group in groups:
        rest: list[Terms] = []
        for terms in _by_block(group, homes):
            paired, left = _within(terms, datapath, homes)
            found += [Fused(group.output, pair) for pair in paired]
            rest += _halves(left, datapath, homes)
        across, alone = _across(rest, datapath, homes, slots, limit)
        found += [Fused(group.output, pair) for pair in across]
        for terms_ in alone:
            filled = (*terms_, *(None,) * (datapath.columns - len(terms_)))
            if not _selectable(filled, datapath, homes):
                raise Unmappable("fusion", _incompatible(terms_))
            found.append(Fused(group.output, filled, datapath.columns > 2))
    return Fusion(tuple(found), slots)


def _by_block(group: OutputGroup, homes: dict[Vector, Block]) -> list[list[Triplet]]:
    """The products of a group by block, in the order of memory."""
    found: dict[Block, list[Triplet]] = {}
    for term in group.terms:
        found.setdefault(homes[term.vector], []).append(term)
    for terms in found.values():
        terms.sort(key=lambda term: term.vector.places)
    return [found[block] for block in sorted(found, key=lambda b: (b.array, b.start))]


def _selectable(
    terms: Sequence[Triplet | None], datapath: Datapath, homes: dict[Vector, Block]
) -> bool:
    """Whether X can give these columns out of the block that they share."""
    block = next(homes[term.vector] for term in terms if term is not None)
    size = _register_size(block.parts, block.part)
    bases = {t.vector: block.start for t in terms if t is not None}
    return select_x(datapath, wanted(terms, datapath, bases), size) is not None


def _register_size(parts: int, part: int) -> int:
    """Elements of the smallest register X with so many parts."""
    return part * (2 if parts <= 2 else 4)


Terms = tuple[Triplet | None, ...]


def _within(
    terms: list[Triplet], datapath: Datapath, homes: dict[Vector, Block]
) -> tuple[list[Terms], list[Triplet]]:
    """Products of one block, as many columns at a time as can be; and what is left over."""
    paired: list[Terms] = []
    left = list(terms)
    if datapath.columns == 1:
        return [(term,) for term in terms], []
    rest: list[Triplet] = []
    while left:
        first = left.pop(0)
        chosen = [first]
        for other in list(left):
            if len(chosen) == datapath.columns:
                break
            padding = (None,) * (datapath.columns - len(chosen) - 1)
            if _selectable((*chosen, other, *padding), datapath, homes):
                chosen.append(other)
                left.remove(other)
        if len(chosen) == datapath.columns:
            paired.append(tuple(chosen))
        else:
            rest += chosen
    return paired, rest


def _halves(left: list[Triplet], datapath: Datapath, homes: dict[Vector, Block]) -> list[Terms]:
    """What is left over in one block as halves of instructions, to be joined with other blocks'.

    Of eight columns a half has four: of windows in two copies those that start in the same word,
    else neighbours.
    """
    half = datapath.columns // 2
    if half < 2:
        return [(term,) for term in left]
    if half < 4:
        return _neighbours(left, half)
    found: dict[int, list[Triplet | None]] = {}
    for number, term in enumerate(left):
        key, place = number // half, number % half
        if len(term.vector.places) > 1 and is_run(term.vector):
            word, place = _in_windows(homes[term.vector].index(term.vector.places[0]), half)
            key = word
        columns = found.setdefault(key, [None] * half)
        if columns[place] is not None:
            return _neighbours(left, half)
        columns[place] = term
    halves = [tuple(columns) for columns in found.values()]
    padding = (None,) * (datapath.columns - half)
    if all(_selectable((*columns, *padding), datapath, homes) for columns in halves):
        return halves
    return _neighbours(left, half)


def _in_windows(index: int, half: int) -> tuple[int, int]:
    """The word in which a run starts, and its column: both copies' even and odd units."""
    copy, offset = divmod(index, 32)
    return offset // half, 2 * copy % half + offset % half // 2


def _neighbours(left: list[Triplet], half: int) -> list[Terms]:
    return [
        (*left[first : first + half], *(None,) * (first + half - len(left)))
        for first in range(0, len(left), half)
    ]


def _across(
    rest: list[Terms], datapath: Datapath, homes: dict[Vector, Block], slots: Slots, limit: int
) -> tuple[list[Terms], list[Terms]]:
    """Pairs of leftovers of different blocks in one register, and those that stay alone."""
    paired: list[Terms] = []
    alone: list[Terms] = []
    left = list(rest)
    while left:
        first = left.pop(0)
        for other in left:
            if _joinable(first, other, datapath, homes, limit) and slots.join(
                _block_of(first, homes), _block_of(other, homes)
            ):
                left.remove(other)
                paired.append((*first, *other))
                break
        else:
            alone.append(first)
    return paired, alone


def _block_of(terms: Terms, homes: dict[Vector, Block]) -> Block:
    return next(homes[term.vector] for term in terms if term is not None)


def _joinable(
    one: Terms, other: Terms, datapath: Datapath, homes: dict[Vector, Block], limit: int
) -> bool:
    """Whether all columns can be taken with the blocks in both halves of a register."""
    blocks = _block_of(one, homes), _block_of(other, homes)
    if datapath.columns < 2 or blocks[0] == blocks[1]:
        return False
    if 2 * max(block.parts for block in blocks) > limit:
        return False
    half = blocks[0].part * limit // 2
    bases = {t.vector: blocks[0].start for t in one if t is not None}
    bases |= {t.vector: blocks[1].start - half for t in other if t is not None}
    return select_x(datapath, wanted((*one, *other), datapath, bases), 2 * half) is not None


def _incompatible(terms: Sequence[Triplet | None]) -> str:
    names = " and ".join(str(term.vector) for term in terms if term is not None)
    return f"the shuffle network cannot select {names} at once"
