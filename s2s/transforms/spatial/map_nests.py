"""A loop nest over tensors in the order of a mapping: tile loops around the loops that it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.scop import build
from s2s.scop.expressions import Expr
from s2s.scop.nest import Allocate, Block, Define, For, Hoist, Nest, Node, Produce, Store
from s2s.source.records import dataclass
from s2s.transforms.spatial.tiled import Step


@dataclass(frozen=True)
class OwnLoops:
    """The loops around one store, outermost first, of which each is the only thing in the last."""

    loops: tuple[For, ...]
    store: Store


def own_loops(node: Node) -> list[OwnLoops]:
    """The perfect nests of a program that are in no other loop."""
    match node:
        case Block(children):
            return [found for child in children for found in own_loops(child)]
        case Produce() | Allocate() | Hoist() | Define():
            return own_loops(node.body)
        case For():
            found = _perfect(node)
            return [] if found is None else [found]
    return []


def _perfect(node: Node) -> OwnLoops | None:
    loops: list[For] = []
    while True:
        match node:
            case For():
                loops.append(node)
                node = node.body
            case Block(children=(only,)):
                node = only
            case Produce():
                node = node.body
            case Store():
                return OwnLoops(tuple(loops), node)
            case _:
                return None


def map_nest(nest: Nest, own: OwnLoops, steps: Sequence[Step]) -> Nest:
    """The nest with tile loops around the loops of one store; tiles end where the loops do."""

    def change(node: Node) -> Node:
        if node is own.loops[0]:
            return _mapped(own, steps)
        match node:
            case Block(children):
                return Block(tuple(change(child) for child in children))
            case Produce() | Allocate() | Hoist() | Define():
                return replace(node, body=change(node.body))
        return node

    return replace(nest, body=change(nest.body))


def _mapped(own: OwnLoops, steps: Sequence[Step]) -> Node:
    """Tile loops, the loops in their tiles, the store."""
    first = [loop.minimum for loop in own.loops]
    end = [build.add(loop.minimum, loop.extent) for loop in own.loops]
    around: list[tuple[str, Expr, Expr, tuple[tuple[str, Expr], tuple[str, Expr]]]] = []
    for step in steps:
        k = step.place
        name = f"{own.store.func or own.store.tensor}.{step.name}"
        count = build.div(build.add(build.sub(end[k], first[k]), step.size - 1), step.size)
        start = build.add(first[k], build.mul(build.var(name), step.size))
        stop = build.minimum(build.add(build.var(f"{name}.from"), step.size), end[k])
        named = ((f"{name}.from", start), (f"{name}.to", stop))
        around.append((name, build.const(0), count, named))
        first[k], end[k] = build.var(f"{name}.from"), build.var(f"{name}.to")
    body: Node = own.store
    for k, loop in reversed(list(enumerate(own.loops))):
        extent = build.sub(end[k], first[k])
        body = replace(loop, minimum=first[k], extent=extent, kind="serial", body=body)
    for name, low, count, named in reversed(around):
        for variable, value in reversed(named):
            body = Define(variable, value, body)
        body = For(name, low, count, "serial", body, var=name)
    return body
