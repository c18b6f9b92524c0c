"""The loops that ``compute_with`` unites.

The parent's loop runs over the union of both ranges. The child's own loop stays, as a place where
something can be computed, with one iteration: the parent's. Each stage is guarded to run over its
own range only (``StageNest.shared_from``). The united loop of ``f.s0.y`` is ``f.s0.fused.y``.
"""

from __future__ import annotations

from dataclasses import field, replace

from s2s.scop.build import (
    add,
    const,
    is_one,
    maximum,
    minimum,
    sub,
    var,
)
from s2s.scop.expressions import Expr, Variable
from s2s.scop.nest import Define, For, Node
from s2s.scop.pipeline import Definition, Dim, Func, matches
from s2s.scop.rewrite import map_children, substitute_in
from s2s.source.records import dataclass
from s2s.transforms.halide.environment import Environment
from s2s.transforms.halide.sharing import Pair, Pairs, loops_from

Ranges = dict[str, tuple[Expr, Expr]]
"""First and last iteration by loop."""


def fused_name(loop: str) -> str:
    """The name of the loop that unites ``loop`` with others."""
    head, _, last = loop.rpartition(".")
    return f"{head}.fused.{last}"


@dataclass
class FusedLoops:
    """Collects what the stages of a group share, then unites their loops."""

    group: list[Func]
    funcs: Environment
    pairs: Pairs
    ranges: Ranges = field(default_factory=dict)
    """Of loops that run with another one: that one's iteration."""
    aliases: dict[str, dict[str, None]] = field(default_factory=dict)
    """By united loop: the loops whose variables are its variable."""

    def enter(self, func: Func, index: int) -> int | None:
        """Note the loops of a stage that are shared; the place in ``dims`` of the innermost."""
        definition = func.stages[index]
        dims = definition.schedule.dims
        starts = [self._enter_pair(p, dims) for p in self._children(func.name, index)]
        level = definition.schedule.compute_with
        if level is not None:
            starts.append(_start(dims, level.var))
        return min(starts, default=None)

    def _children(self, parent: str, stage: int) -> list[Pair]:
        return [p for p in self.pairs if (p.parent, p.parent_stage) == (parent, stage)]

    def _definition(self, func: str, stage: int) -> Definition:
        return self.funcs[func].stages[stage]

    def _enter_pair(self, pair: Pair, dims: list[Dim]) -> int:
        start = _start(dims, pair.var)
        for ours, theirs in self._shared(pair, dims, start):
            self.ranges.setdefault(theirs, (var(ours), var(ours)))
            self.aliases.setdefault(fused_name(ours), {}).update({ours: None, theirs: None})
        return start

    def _shared(self, pair: Pair, dims: list[Dim], start: int) -> list[tuple[str, str]]:
        """The loops of parent and child that are one, by lowered names, innermost first."""
        below = self._definition(pair.child, pair.child_stage).schedule.dims
        offset = len(below) - len(dims)
        return [
            (
                f"{pair.parent}.s{pair.parent_stage}.{dims[i].name}",
                f"{pair.child}.s{pair.child_stage}.{below[i + offset].name}",
            )
            for i in range(start, len(dims) - 1)
        ]

    def united(self, nest: Node) -> Node:
        """The nest of the group with its loops united."""
        bounds = _loops_bounded_in(nest)
        shifts = self._shifts(bounds)
        nest = _with_ranges(_shifted(nest, shifts), self.ranges)
        nest = _with_ranges(nest, self._unions(bounds))
        return _with_aliases(nest, self.aliases)

    def _unions(self, bounds: Ranges) -> Ranges:
        """The ranges of the loops of the group's owner: the union over all that share them."""
        owner = self.group[-1]
        found: Ranges = {}
        for stage, definition in enumerate(owner.stages):
            pairs = self._all_children(owner.name, stage, {})
            for one in (definition, *(s.definition for s in definition.specializations)):
                for pair in pairs:
                    self._unite(owner.name, stage, pair, one.schedule.dims, bounds, found)
        return found

    def _all_children(self, parent: str, stage: int, seen: dict[str, None]) -> list[Pair]:
        """The pairs of a stage, and those of the stages that run in its loops."""
        found: list[Pair] = []
        for pair in self._children(parent, stage):
            key = f"{pair.child}.s{pair.child_stage}.{pair.var}"
            if key not in seen:
                seen[key] = None
                found.append(pair)
                found += self._all_children(pair.child, pair.child_stage, seen)
        return found

    def _unite(
        self, owner: str, stage: int, pair: Pair, dims: list[Dim], bounds: Ranges, found: Ranges
    ) -> None:
        as_owner = pair._replace(parent=owner, parent_stage=stage)
        for ours, theirs in self._shared(as_owner, dims, _start(dims, pair.var)):
            low, high = found.get(ours, bounds[ours])
            other_low, other_high = bounds[theirs]
            found[ours] = (minimum(low, other_low), maximum(high, other_high))

    def _shifts(self, bounds: Ranges) -> dict[str, Expr]:
        """By how much loops move so that they start or end with their parent's (LoopAlignStrategy).

        ``bounds`` become those after the move.
        """
        found: dict[str, Expr] = {}
        for func in reversed(self.group):
            for index, definition in enumerate(func.stages):
                self._shifts_of(func.name, index, definition, bounds, found)
        return found

    def _shifts_of(
        self, func: str, index: int, definition: Definition, bounds: Ranges, found: dict[str, Expr]
    ) -> None:
        level = definition.schedule.compute_with
        if level is None:
            return
        dims = definition.schedule.dims
        above = self._definition(level.func, level.stage).schedule.dims
        for i in range(_start(dims, level.var), len(dims) - 1):
            strategy = _strategy(level.align, dims[i].name)
            if strategy not in ("AlignStart", "AlignEnd"):
                continue
            own = f"{func}.s{index}.{dims[i].name}"
            parent = above[i - len(dims) + len(above)].name
            end = 0 if strategy == "AlignStart" else 1
            target = bounds[f"{level.func}.s{level.stage}.{parent}"][end]
            low, high = bounds[own]
            distance = sub(target, (low, high)[end])
            found[own] = sub(const(0), distance)
            bounds[own] = (add(distance, low), add(distance, high))


def _start(dims: list[Dim], name: str) -> int:
    start = loops_from(dims, name)
    assert start is not None, "checked by check_shared_schedules"
    return start


def _strategy(align: dict[str, str], loop: str) -> str:
    for name, strategy in sorted(align.items()):
        if matches(loop, name) or matches(name, loop):
            return strategy
    return "Auto"


def _loops_bounded_in(nest: Node) -> Ranges:
    """All loops whose bounds are defined around a nest, with these bounds' names."""
    found: Ranges = {}
    while isinstance(nest, Define):
        if nest.name.endswith(".loop_min"):
            loop = nest.name.removesuffix(".loop_min")
            found[loop] = (var(nest.name), var(f"{loop}.loop_max"))
        nest = nest.body
    return found


def _shifted(node: Node, shifts: dict[str, Expr]) -> Node:
    """The nest with loop variables moved inside their loops."""
    if not shifts:
        return node
    changed = map_children(node, lambda child: _shifted(child, shifts))
    if isinstance(changed, For) and changed.name in shifts:
        moved = add(var(changed.name), shifts[changed.name])
        return replace(changed, body=substitute_in(changed.body, {changed.name: moved}))
    return changed


def _with_ranges(node: Node, ranges: Ranges) -> Node:
    """The nest with loops renamed (``fused_name``) and run over other ranges."""
    if not isinstance(node, For) or node.name not in ranges or not _has_own_bounds(node):
        return map_children(node, lambda child: _with_ranges(child, ranges))
    low, high = ranges[node.name]
    extent = const(1) if low is high else sub(add(high, const(1)), low)
    name = fused_name(node.name)
    body = substitute_in(_with_ranges(node.body, ranges), {node.name: var(name)})
    loop: Node = replace(
        node,
        name=name,
        minimum=var(f"{name}.loop_min"),
        extent=var(f"{name}.loop_extent"),
        kind="serial" if is_one(extent) else node.kind,
        body=body,
    )
    for side, value in (("loop_min", low), ("loop_max", high), ("loop_extent", extent)):
        loop = Define(f"{name}.{side}", value, loop)
    return loop


def _has_own_bounds(loop: For) -> bool:
    return (
        isinstance(loop.minimum, Variable)
        and loop.minimum.name == f"{loop.name}.loop_min"
        and isinstance(loop.extent, Variable)
    )


def _with_aliases(node: Node, aliases: dict[str, dict[str, None]]) -> Node:
    """The nest with the variables of loops that were united defined inside the united loop."""
    if not aliases:
        return node
    changed = map_children(node, lambda child: _with_aliases(child, aliases))
    if isinstance(changed, For) and changed.name in aliases:
        body = changed.body
        for alias in sorted(aliases[changed.name]):
            body = Define(alias, var(changed.name), body)
        return replace(changed, body=body)
    return changed
