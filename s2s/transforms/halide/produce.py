"""What computes a group of Funcs: the loop nests of their stages one after the other.

A group has one member, or those that ``compute_with`` puts into each other's loops
(``fused_loops``); its last one owns the loops.
"""

from __future__ import annotations

from dataclasses import replace

from s2s.scop.errors import Illegal
from s2s.scop.nest import Block, Define, For, Node
from s2s.scop.pipeline import Func, FusedPair, LevelKind, LoopLevel
from s2s.scop.rewrite import map_children
from s2s.transforms.halide.environment import Environment
from s2s.transforms.halide.fused_loops import FusedLoops
from s2s.transforms.halide.levels import is_at
from s2s.transforms.halide.sharing import Pairs, shared_stages
from s2s.transforms.halide.stage_nest import StageNest

StageOf = tuple[int, int]
"""A Func's place in its group, and a stage of it."""


def produce_group(group: list[Func], funcs: Environment, pairs: Pairs) -> Node:
    """The nest that computes a group; around it the bounds of all its loops are defined.

    Raises Illegal where no order of the stages is right for all ``compute_with``.
    """
    fused = FusedLoops(group, funcs, pairs)
    bounds: list[Define] = []
    nest: Node | None = None
    for place, index in stages_in_order(group):
        func = group[place]
        shared = fused.enter(func, index)
        made: Node = StageNest(func, index, funcs, shared).build()
        while isinstance(made, Define):
            bounds.append(made)
            made = made.body
        level = func.stages[index].schedule.compute_with
        if nest is None:
            nest = made
        else:
            nest = Block((nest, made)) if level is None else _put_at(nest, made, level)
    assert nest is not None
    for definition in reversed(bounds):
        nest = Define(definition.name, definition.value, nest)
    return fused.united(nest) if len(group) > 1 else nest


def _put_at(nest: Node, made: Node, level: FusedPair) -> Node:
    """The nest with a stage at the end of the loop whose iterations it shares."""
    loop = LoopLevel(LevelKind.LOOP, level.func, level.var, level.stage)

    def visit(node: Node) -> Node:
        changed = map_children(node, visit)
        if isinstance(changed, For) and is_at(loop, changed.name):
            return replace(changed, body=Block((changed.body, made)))
        return changed

    return visit(nest)


def stages_in_order(group: list[Func]) -> list[StageOf]:
    """The stages of a group so that each comes after the one in whose loops it runs.

    Stages of a Func keep their order and stay together where they can. What runs in the loops of
    a stage ``s`` needs its own earlier stages before ``s``.
    """
    waits, edges = _dependences(group)
    done = [0] * len(group)
    found: list[StageOf] = []
    while any(done[i] < len(f.stages) for i, f in enumerate(group)):
        before = len(found)
        for place, func in enumerate(group):
            while done[place] < len(func.stages) and not waits.get((place, done[place])):
                current = (place, done[place])
                for later in edges.get(current, ()):
                    waits[later] -= 1
                found.append(current)
                done[place] += 1
        if len(found) == before:
            _refuse_circle(group)
    return found


def _dependences(group: list[Func]) -> tuple[dict[StageOf, int], dict[StageOf, list[StageOf]]]:
    """How many stages each stage waits for, and which ones wait for it."""
    place_of = {func.name: place for place, func in enumerate(group)}
    waits: dict[StageOf, int] = {}
    edges: dict[StageOf, list[StageOf]] = {}

    def order(first: StageOf, second: StageOf) -> None:
        edges.setdefault(first, []).append(second)
        waits[second] = waits.get(second, 0) + 1

    for place, func in enumerate(group):
        previous: StageOf | None = None
        for index, level in shared_stages(func):
            host = (place_of[level.func], level.stage)
            order(host, (place, index))
            if host != previous:
                for earlier in range(index):
                    order((place, earlier), host)
            previous = host
    return waits, edges


def _refuse_circle(group: list[Func]) -> None:
    names = " and ".join(func.name for func in group)
    at = next((level.at for func in group for _, level in shared_stages(func)), None)
    raise Illegal(f"compute_with: the stages of {names} wait for each other", at)
