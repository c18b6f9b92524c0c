"""Steps 1 and 2: the loop body as triplets, grouped by output (sections III.A and III.B).

A triplet names the output vector that a statement updates, and both factors of its product. Here
a vector is known by the places of its lanes in packed memory, relative to pointers that move with
the loops around the body.
"""

from __future__ import annotations

from collections.abc import Mapping as Dictionary
from collections.abc import Sequence
from dataclasses import field
from functools import cached_property
from itertools import product

from s2s.scop.contraction import Access, Contraction, Subscript
from s2s.scop.layouts import Tiled, Windows
from s2s.source.records import dataclass
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.mapping import Mapping, Piece


@dataclass(frozen=True)
class Vector:
    """``places`` of the lanes in packed memory; a scalar, which all lanes share, has one."""

    array: str
    text: str
    places: tuple[int, ...]

    @property
    def is_scalar(self) -> bool:
        return len(self.places) == 1

    def __str__(self) -> str:
        return self.text


def is_run(vector: Vector) -> bool:
    """Whether lanes are neighbours in memory."""
    first = vector.places[0]
    return vector.places == tuple(range(first, first + len(vector.places)))


@dataclass(frozen=True)
class Triplet:
    """``output += vector * scalar``."""

    output: Vector
    vector: Vector
    scalar: Vector


@dataclass(frozen=True)
class OutputGroup:
    """All products of one output vector: it is stored once (lazy stores, Table II)."""

    output: Vector
    terms: tuple[Triplet, ...]


@dataclass(frozen=True)
class Roles:
    """Which access varies with the lanes (operand X) and which is broadcast (operand Z)."""

    vector: Access
    scalar: Access


def roles_of(contraction: Contraction, loop: str) -> Roles | str:
    """The roles if ``loop`` is vectorized, or why it cannot be."""
    image, weight = contraction.image, contraction.weight
    if loop in image.loops and loop in weight.loops:
        return Roles(image, weight)
    if loop in image.loops:
        return Roles(image, weight)
    if loop in weight.loops:
        return Roles(weight, image)
    return f"neither {image.array.name} nor {weight.array.name} varies with {loop}"


def triplets(
    contraction: Contraction,
    mapping: Mapping,
    piece: Piece,
    lanes: int,
    roles: Roles,
    layouts: Dictionary[str, Tiled],
) -> tuple[Triplet, ...]:
    """The body of one piece, one triplet for each iteration of its unrolled loops."""
    maker = _Maker(contraction, mapping.vector, lanes, layouts, piece)
    found = []
    for point in _points(contraction, mapping, piece, lanes):
        found.append(
            Triplet(
                maker.vector(contraction.output, point),
                maker.vector(roles.vector, point),
                maker.vector(roles.scalar, point),
            )
        )
    return tuple(found)


def vectors_beside(
    access: Access | None,
    contraction: Contraction,
    mapping: Mapping,
    piece: Piece,
    lanes: int,
    layouts: Dictionary[str, Tiled],
) -> dict[Vector, Vector]:
    """The elements beside each output vector, such as what its sum starts with."""
    if access is None:
        return {}
    maker = _Maker(contraction, mapping.vector, lanes, layouts, piece)
    found: dict[Vector, Vector] = {}
    for point in _points(contraction, mapping, piece, lanes):
        output = maker.vector(contraction.output, point)
        if output not in found:
            found[output] = maker.vector(access, point)
    return found


def lazy_stores(body: Sequence[Triplet]) -> tuple[OutputGroup, ...]:
    """Triplets grouped by what they update, in the order of the first of each group."""
    groups: dict[Vector, list[Triplet]] = {}
    for triplet in body:
        groups.setdefault(triplet.output, []).append(triplet)
    return tuple(OutputGroup(output, tuple(terms)) for output, terms in groups.items())


def _points(
    contraction: Contraction, mapping: Mapping, piece: Piece, lanes: int
) -> list[dict[str, int]]:
    """The iterations that the body does at once, outputs outermost."""
    ranges: list[list[tuple[str, int]]] = []
    for name, origin, _, _ in piece.loops:
        width = lanes if name == mapping.vector else 1
        ranges.append([(name, origin + k * width) for k in range(piece.jam[name])])
    terms = _terms(contraction, dict(mapping.keep))
    return [dict((*point, *term)) for point in product(*ranges) for term in terms]


def _terms(
    contraction: Contraction, kept: Dictionary[str, int]
) -> list[tuple[tuple[str, int], ...]]:
    """The iterations of the reductions that the body does at once; of floats in their order."""
    floats = contraction.floats
    if floats is None:
        loops = contraction.reductions
        return list(
            product(*(_counted(loop.name, kept.get(loop.name, loop.extent)) for loop in loops))
        )
    ranges = []
    for name, is_backward in floats.order:
        range_ = _counted(name, kept.get(name, contraction.extents[name]))
        ranges.append(range_[::-1] if is_backward else range_)
    return [(*term, *tap) for term in product(*ranges) for tap in floats.taps or ((),)]


def _counted(name: str, count: int) -> list[tuple[str, int]]:
    return [(name, k) for k in range(count)]


@dataclass(frozen=True)
class _Maker:
    """Makes vectors of accesses at points."""

    contraction: Contraction
    loop: str
    lanes: int
    layouts: Dictionary[str, Tiled]
    piece: Piece
    known: dict[tuple[str, tuple[int, ...]], Vector] = field(default_factory=dict)

    def vector(self, access: Access, point: Dictionary[str, int]) -> Vector:
        """The vector, or scalar, of an access at a point."""
        key = (access.array.name, tuple(s.value(point) for s in access.subscripts))
        if key not in self.known:
            self.known[key] = self._make(access, point, key[1])
        return self.known[key]

    def _make(self, access: Access, point: Dictionary[str, int], values: Sequence[int]) -> Vector:
        lanes = self.lanes if self.loop in access.loops else 1
        layout = self.layouts[access.array.name]
        first = list(values)
        steps = [s.coefficient(self.loop) for s in access.subscripts]
        if isinstance(layout, Windows) and lanes > 1:
            places = self._run(access, layout, first, point)
        else:
            places = tuple(
                layout.place([f + lane * s for f, s in zip(first, steps, strict=True)])
                for lane in range(lanes)
            )
        subscripts = [self._text(s, point, lanes) for s in access.subscripts]
        return Vector(access.array.name, f"{access.array.name}({', '.join(subscripts)})", places)

    def _run(
        self, access: Access, layout: Windows, first: list[int], point: Dictionary[str, int]
    ) -> tuple[int, ...]:
        """Neighbouring lanes in the window of the vector loop's iteration."""
        steps = {n: s.coefficient(self.loop) for n, s in enumerate(access.subscripts)}
        if {n: c for n, c in steps.items() if c} != {layout.dimension: 1}:
            raise Unmappable("layout", f"{access} is not what its windows are made for")
        start = layout.run(first, point[self.loop] // self.lanes)
        if start is None:
            raise Unmappable("layout", f"{access} reaches beyond windows of {layout.reach}")
        return tuple(range(start, start + self.lanes))

    @cached_property
    def _moving(self) -> set[str]:
        """The loops that stay loops."""
        moving = {name for name, _, trips, _ in self.piece.loops if trips > 1}
        return moving | {name for name, trips, _ in self.piece.kept if trips > 1}

    def _text(self, subscript: Subscript, point: Dictionary[str, int], lanes: int) -> str:
        terms = {n: c for n, c in subscript.terms.items() if n in self._moving}
        low = str(Subscript(terms, subscript.value(point)))
        step = subscript.coefficient(self.loop)
        if not step or lanes == 1:
            return low
        high = Subscript(terms, subscript.value(point) + step * (lanes - 1))
        return f"{low}:{high}" + (f":{step}" if step != 1 else "")
