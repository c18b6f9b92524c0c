"""A region that was chosen, as the function that a device gets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.driver.offload.blocks import Block, is_mentioned_elsewhere
from s2s.driver.offload.captures import Captured
from s2s.driver.offload.facts import Touched, direction, join_text, join_touched
from s2s.driver.offload.pieces import Assumed, Piece
from s2s.driver.offload.preamble import preamble
from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, Node
from s2s.frontends.c.unit import Unit
from s2s.source.offload import Argument
from s2s.source.records import dataclass
from s2s.transforms.outline.partition import Region
from s2s.transforms.outline.table import Function


@dataclass(frozen=True, eq=False)
class Outlined:
    """``function`` is for the device; ``pieces`` in the order of the program are for the host."""

    function: Function
    region: Region
    block: Block
    pieces: tuple[Piece, ...]

    @property
    def assumed(self) -> dict[str, Assumed]:
        """Scalars and the values that they have to have."""
        return {n: v for piece in self.pieces for n, v in piece.assumed.items()}


def outline(unit: Unit, block: Block, region: Region, name: str) -> Outlined:
    """The region's function, with its exact arguments."""
    facts = [block.facts[number] for number in sorted(region.pieces)]
    pieces = tuple(one.piece for one in facts)
    captured = {c.name: c for piece in pieces for c in piece.captured}
    arguments, private = [], set()
    for array, one in captured.items():
        parts = [f.touched[array] for f in facts if array in f.touched]
        if not parts:
            private.add(array)
            continue
        touched = join_touched(parts)
        if _is_private(unit, block, pieces, one, touched):
            private.add(array)
            continue
        known = [a for f in facts for a in f.arguments if a.name == array]
        extents = max((a.extents for a in known), key=lambda e: e[0])
        way = direction(touched, extents)
        if all(a.direction == "constant" for a in known):
            way = "constant"
        arguments.append(Argument(array, one.type, extents, way))
    inputs = {a.name for a in arguments if not a.is_written}
    inputs -= {c.name for piece in pieces for c in piece.captured if _is_assigned(piece, c)}
    text = join_text(unit, pieces, name, inputs, private)
    needed = {d.name for piece in pieces for d in piece.node.decls if d is not None}
    text = f"{preamble(unit, needed)}{text}"
    constants = {
        a.name: values
        for a in arguments
        if a.direction == "constant" and (values := list(_elements(captured[a.name])))
    }
    function = Function(
        name, text, region.nodes, tuple(arguments), constants, unit.flags,
        tuple(one.name for one in region.composites),
    )  # fmt: skip
    return Outlined(function, region, block, pieces)


def _is_assigned(piece: Piece, one: Captured) -> bool:
    """Whether a statement assigns to elements of an array, though it may be one that never runs."""
    spans = [
        node.children[0].span
        for node in piece.node.walk()
        if node.op in ASSIGNMENTS | INCREMENTS and node.children
    ]
    named = one.places or [
        node.span
        for node in piece.node.walk()
        if node.kind == "DECL_REF_EXPR" and node.decl is one.decl
    ]
    return any(s.start <= at.start and at.end <= s.end for s in spans for at in named)


def _is_private(
    unit: Unit, block: Block, pieces: Sequence[Piece], one: Captured, touched: Touched
) -> bool:
    """Whether an array only holds what the region hands on to itself."""
    if one.is_pointer or not touched.read.is_empty() or touched.written.is_empty():
        return False
    decl = one.decl
    if decl.is_global and not decl.is_static:
        return False
    others = [block.whole]
    if decl.is_static:
        others = [unit.convert(cursor) for cursor in unit.functions()]
    return not any(is_mentioned_elsewhere(node, pieces, decl) for node in others)


def _elements(one: Captured) -> Iterator[float]:
    """The elements of a table, where all are written out as numbers."""
    count = 1
    for extent in one.extents:
        count *= extent
    node = one.decl.node
    found = list(_numbers(node.children[-1])) if node is not None and node.children else []
    if len(found) == count and None not in found:
        yield from (number for number in found if number is not None)


def _numbers(node: Node) -> Iterator[float | None]:
    if node.kind == "INIT_LIST_EXPR":
        for child in node.children:
            yield from _numbers(child)
        return
    bare = node.uncast
    sign = 1
    if bare.op == "-" and len(bare.children) == 1:
        sign, bare = -1, bare.children[0].uncast
    number = bare.value if bare.value is not None else bare.real
    yield None if number is None else sign * number
