"""The mappings of a contraction that are worth a look (section III.F of the paper)."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Dictionary
from dataclasses import replace
from itertools import combinations, permutations, product
from math import prod

from s2s.scop.contraction import Access, Contraction, Loop, Wishes
from s2s.scop.layouts import Tiled, windows
from s2s.source.records import dataclass
from s2s.transforms.aie.datapath import datapath_of
from s2s.transforms.aie.layouts import along, for_vector, in_columns, in_pairs, whole_vectors
from s2s.transforms.aie.mapping import Mapping

Kept = tuple[tuple[str, int], ...]
"""Reductions that stay loops, with how many iterations one pass of their body does."""

_FACTORS = (1, 2, 4, 8, 16)
_PUBLISHED = 8
"""The greatest factor in the paper's space, and copies of one body in all."""
_COPIES = 64
"""Copies of one body: what is too long to be pipelined waits once for all of them."""
_ACCUMULATORS = 4
_BODY = 1024
"""Multiplying instructions that a loop body may have: program memory of that many full words."""
_PIPELINED = 64
"""Those of bodies that are surely software-pipelined; with its loads the model takes 74."""
_ALONE = 13
"""Cycles that each iteration of a longer body waits for its first load and its last sum."""


@dataclass(frozen=True)
class Limits:
    """``paper``: the paper's own space; ``products``: bound on instructions of one body."""

    paper: bool = False
    products: int = _BODY


DEFAULT = Limits()


def mappings(
    contraction: Contraction, wishes: Wishes | None = None, limits: Limits = DEFAULT
) -> Iterator[Mapping]:
    """Mappings in the space; with wishes those of them that the program asks for."""
    wanted = wishes or Wishes()
    for base in _vectorized(contraction, limits):
        if wanted.vector and base.vector != wanted.vector:
            continue
        for mapping in _jammed(contraction, base, limits, dict(wanted.jam)):
            if _agrees(mapping, wanted):
                yield mapping


def _agrees(mapping: Mapping, wishes: Wishes) -> bool:
    """Whether a mapping has the factors and the order that a program asks for."""
    if any(mapping.factor(name) != factor for name, factor in wishes.jam):
        return False
    if wishes.pipelined and mapping.order[-1] != wishes.pipelined:
        return False
    asked = [name for name in wishes.order if name in mapping.order]
    return asked == [name for name in mapping.order if name in asked]


def _vectorized(contraction: Contraction, limits: Limits) -> Iterator[Mapping]:
    """A vector loop with layouts that suit it; without factors and order."""
    output = contraction.output
    for loop in contraction.output_loops:
        lanes, columns = _datapath(contraction, loop.name)
        name = "image" if loop.name in contraction.image.loops else "weight"
        access = contraction.image if name == "image" else contraction.weight
        place = along(access, loop.name)
        if place is None or along(output, loop.name) is None:
            continue
        room = whole_vectors(output, contraction.extents, loop.name, lanes)
        mapping = Mapping(loop.name, paper=limits.paper, copies=1 if limits.paper else 2)
        mapping = replace(mapping, output=for_vector(output, loop.name, room))
        if name == "weight":
            layout = _broadcast(contraction)
            layouts = [None] if layout is None else [None, layout]
            bases = [_with(mapping, "image", layout) for layout in layouts]
        else:
            bases = [mapping]
        for base in bases:
            yield from _arranged(contraction, base, name, access, lanes, columns)


def _arranged(
    contraction: Contraction, base: Mapping, name: str, access: Access, lanes: int, columns: int
) -> Iterator[Mapping]:
    """Layouts of the operand that is loaded as vectors."""
    loop = base.vector
    room = whole_vectors(access, contraction.extents, loop, lanes)
    slides = name == "image" and _slides(contraction, loop)
    tile = 0 if slides else lanes
    plain = _with(base, name, for_vector(access, loop, room, tile=tile))
    yield rows_padded(contraction, plain) if base.paper else plain
    place = along(access, loop)
    if columns > 4 and name == "image" and place is not None:
        count = -(-contraction.extents[loop] // lanes)
        yield _with(base, name, windows(access.array.extents, place, count, lanes))
    for reduction in contraction.reductions:
        if columns == 1:
            break
        neighbours = 2 if columns == 4 else columns
        pad = -(-reduction.extent // neighbours) * neighbours
        padded = base if pad == reduction.extent else _pad(base, reduction, pad)
        paired = in_columns(access, loop, reduction.name, neighbours, room, tile=tile)
        if paired is not None and reduction.extent >= 2:
            yield _with(padded, name, paired)
        if columns > 4 and name == "weight" and tile and _is_channel(contraction, reduction.name):
            pairs = in_pairs(access, loop, reduction.name, neighbours, room, tile=tile)
            if pairs is not None and reduction.extent >= 2:
                yield _with(padded, name, pairs)


def _is_channel(contraction: Contraction, reduction: str) -> bool:
    """Whether the image has a dimension of its own for a reduction."""
    place = along(contraction.image, reduction)
    return place is not None and len(contraction.image.subscripts[place].terms) == 1


def rows_padded(contraction: Contraction, mapping: Mapping) -> Mapping:
    """With rows of weights that fill all columns, as the paper has them."""
    _, columns = _datapath(contraction, mapping.vector)
    inside = set(contraction.weight.subscripts[0].terms)
    for reduction in contraction.reductions:
        if reduction.name in inside and reduction.extent % columns:
            return _pad(mapping, reduction, -(-reduction.extent // columns) * columns)
    return mapping


def _broadcast(contraction: Contraction) -> Tiled | None:
    """The image with what is summed up without sliding as neighbours: ``Y'X'C``."""
    for reduction in reversed(contraction.reductions):
        place = along(contraction.image, reduction.name)
        if place is not None and len(contraction.image.subscripts[place].terms) == 1:
            return for_vector(contraction.image, reduction.name, contraction.image.array.extents)
    return None


def _with(mapping: Mapping, name: str, layout: Tiled | None) -> Mapping:
    if layout is None:
        return mapping
    return replace(mapping, image=layout) if name == "image" else replace(mapping, weight=layout)


def _pad(mapping: Mapping, reduction: Loop, extent: int) -> Mapping:
    return replace(mapping, pad=((reduction.name, extent),))


def _datapath(contraction: Contraction, vector: str) -> tuple[int, int]:
    """Lanes and columns if a loop is vectorized; what it moves in is the wider operand."""
    bits = [a.array.type.bits for a in (contraction.image, contraction.weight)]
    if vector not in contraction.image.loops:
        bits.reverse()
    datapath = datapath_of(*bits)
    return datapath.lanes, datapath.columns


def _slides(contraction: Contraction, loop: str) -> bool:
    """Whether windows move along a loop: a reduction is in the same dimension of the image."""
    place = along(contraction.image, loop)
    if place is None:
        return False
    inside = set(contraction.image.subscripts[place].terms)
    return any(r.name in inside for r in contraction.reductions)


def _jammed(
    contraction: Contraction, base: Mapping, limits: Limits, wanted: Dictionary[str, int]
) -> Iterator[Mapping]:
    """Factors of unroll-and-jam (some may be ``wanted``), orders, and reductions that stay loops
    where they must.
    """
    _, columns = _datapath(contraction, base.vector)
    counts = _counts(contraction, base.vector)
    outputs = list(counts)
    taps = prod(loop.extent for loop in contraction.reductions)
    most = _PUBLISHED if limits.paper else _COPIES
    for jam in factors(contraction, base.vector, wanted, most):
        copies = prod(factor for _, factor in jam)
        instructions = copies * -(-taps // columns)
        length = instructions + _weight_loads(contraction, base.vector, dict(jam), instructions)
        for keep in _kept(contraction, base, instructions, length, limits):
            for order in _orders(outputs, counts, dict(jam), bool(keep)):
                yield replace(base, jam=jam, order=order, keep=keep)
                if copies > 1 and not limits.paper:
                    yield replace(base, jam=jam, order=order, keep=keep, window=_ACCUMULATORS)
                alone = [name for name, _ in jam] == [base.vector] == [order[-1]]
                plain = not (keep or limits.paper or contraction.floats)
                if alone and columns <= 2 and plain:
                    yield replace(base, jam=jam, order=order, wrap=True)


def factors(
    contraction: Contraction,
    vector: str,
    wanted: Dictionary[str, int] | None = None,
    most: int = _PUBLISHED,
) -> Iterator[tuple[tuple[str, int], ...]]:
    """Factors of unroll-and-jam of the output's loops, those that are 1 left out.

    Beside those that are ``wanted`` they make ``most`` copies.
    """
    given = wanted or {}
    counts = _counts(contraction, vector)
    choices = [
        [given[name]] if name in given else [f for f in _FACTORS if f <= min(count, most)]
        for name, count in counts.items()
    ]
    for chosen in product(*choices):
        if prod(chosen) <= most * prod(given.values()):
            yield tuple((n, f) for n, f in zip(counts, chosen, strict=True) if f > 1)


def _counts(contraction: Contraction, vector: str) -> dict[str, int]:
    """Iterations of the output's loops, of the vector loop in vectors."""
    lanes, _ = _datapath(contraction, vector)
    return {
        loop.name: -(-loop.extent // (lanes if loop.name == vector else 1))
        for loop in contraction.output_loops
    }


def _weight_loads(
    contraction: Contraction, vector: str, jam: Dictionary[str, int], instructions: int
) -> int:
    """Loads of a body of 8-bit products whose vectors are weights: 128 bytes of them for each
    block, which what is jammed along the image's loops shares.
    """
    lanes, columns = _datapath(contraction, vector)
    if columns <= 4 or vector in contraction.image.loops:
        return 0
    shared = prod(f for name, f in jam.items() if name not in contraction.weight.loops)
    return lanes * columns // 32 * (instructions // shared)


def _kept(
    contraction: Contraction, base: Mapping, instructions: int, length: int, limits: Limits
) -> Iterator[Kept]:
    """Nothing, if the body is short enough; a reduction as a loop where that makes it so.

    ``length``: instructions of the body with what is sure to be loaded for them.
    """
    _, columns = _datapath(contraction, base.vector)
    if instructions <= limits.products:
        yield ()
    if contraction.floats is not None:
        yield from _kept_in_order(contraction, instructions, limits)
        return
    found: dict[Kept, None] = {}
    for most in (limits.products,) if limits.paper else (limits.products, _PIPELINED):
        size = length if most == _PIPELINED else instructions
        if size <= most:
            continue
        for loop in contraction.reductions:
            padded = dict(base.pad).get(loop.name, loop.extent)
            counts = [d for d in range(1, padded) if padded % d == 0 == loop.extent % d]
            short = [d for d in counts if size * d // padded <= most]
            if short:
                found[((loop.name, max(short)),)] = None
        if columns > 4 and most == _PIPELINED:
            found |= dict.fromkeys(_pairs(contraction, base, size))
    yield from found


def _kept_in_order(contraction: Contraction, instructions: int, limits: Limits) -> Iterator[Kept]:
    """The outermost reductions of a sum of floats as loops: its terms stay in their order."""
    assert contraction.floats is not None
    outer: Kept = ()
    if contraction.floats.is_empty:
        return
    for name, is_backward in contraction.floats.order:
        if is_backward:
            return
        extent = contraction.extents[name]
        for most in (limits.products, _PIPELINED):
            counts = [d for d in range(1, extent) if extent % d == 0]
            short = [d for d in counts if instructions * d // extent <= most]
            if short and instructions > most:
                yield (*outer, (name, max(short)))
        outer, instructions = (*outer, (name, 1)), max(1, instructions // extent)


def _pairs(contraction: Contraction, base: Mapping, size: int) -> Iterator[Kept]:
    """Two reductions that slide as loops of one iteration each, where that is short enough."""
    padded = dict(base.pad)
    sliding = [r for r in contraction.reductions if not _is_channel(contraction, r.name)]
    for first, second in combinations(sliding, 2):
        extents = [padded.get(r.name, r.extent) for r in (first, second)]
        if size <= _PIPELINED * prod(extents) and extents == [first.extent, second.extent]:
            yield (first.name, 1), (second.name, 1)


def _orders(
    outputs: list[str], counts: dict[str, int], jam: dict[str, int], kept: bool
) -> Iterator[tuple[str, ...]]:
    """Orders of the loops; those of which only one iteration is left stand outermost."""
    alone = [n for n in outputs if -(-counts[n] // jam.get(n, 1)) == 1]
    rest = [n for n in outputs if n not in alone]
    if not rest or kept:
        yield (*alone, *rest)
        return
    for last in rest:
        others = [n for n in rest if n != last]
        if len(others) > 2:
            yield (*alone, *others, last)
        else:
            yield from ((*alone, *order, last) for order in permutations(others))


@dataclass(frozen=True)
class Size:
    """What a mapping costs by its factors alone.

    ``body``: multiplying cycles of one iteration, ``products`` of all; ``entries``: how often the
    innermost loop is entered; ``cycles``: what that may come to; ``is_even``: factors divide loops.
    """

    body: int
    products: int
    entries: int
    cycles: float
    is_even: bool


def size_of(contraction: Contraction, mapping: Mapping) -> Size:
    """The size of a mapping's loops, as if every column could be used."""
    lanes, columns = _datapath(contraction, mapping.vector)
    pads, keeps = dict(mapping.pad), dict(mapping.keep)
    trips, copies, outputs = [], 1, 1
    for name in mapping.order:
        count = -(-contraction.extents[name] // (lanes if name == mapping.vector else 1))
        factor = min(mapping.factor(name), count)
        trips.append(-(-count // factor))
        copies *= factor
        outputs *= count
    taps = prod(
        keeps.get(loop.name, pads.get(loop.name, loop.extent)) for loop in contraction.reductions
    )
    passes = prod(
        pads.get(loop.name, loop.extent) // keeps[loop.name]
        for loop in contraction.reductions
        if loop.name in keeps
    )
    products = -(-taps // columns)
    body = copies * products
    cost = body * (_RELOADED if _reloads(contraction, mapping) else 1.0)
    cost += _ALONE if body > _PIPELINED else 0
    entries = prod(trips) if keeps else prod(trips[:-1])
    cycles = prod(trips) * passes * cost + entries * _ENTRY
    return Size(body, outputs * passes * products, entries, cycles, prod(trips) * copies == outputs)


_ENTRY = 24
"""Cycles around one run of a pipelined loop."""
_RELOADED = 1.3
"""What it costs that the factors which all lanes share are others in each iteration."""


def _reloads(contraction: Contraction, mapping: Mapping) -> bool:
    """Whether the innermost loop changes the factors that all lanes share."""
    image, weight = contraction.image.loops, contraction.weight.loops
    shared = weight if mapping.vector in image else image
    return mapping.order[-1] in shared and mapping.order[-1] != mapping.vector
