"""Bounds inference: defines, at each loop, the region of every Func that is computed inside.

The names ``f.s0.x.min`` and ``f.s0.x.max`` of the loops' bounds get values in terms of the
regions of their consumers; at a loop of a consumer, that region is what one iteration stores.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from s2s.scop.build import add, const, div, maximum, minimum, mul, sub, var
from s2s.scop.expressions import Expr
from s2s.scop.nest import Block, Define, For, If, Node, Produce, children
from s2s.scop.pipeline import Bound, LevelKind
from s2s.scop.rewrite import around, map_children, substitute
from s2s.scop.simplify.interval import Interval, ValueBounds
from s2s.scop.simplify.intervals import Bounds
from s2s.scop.simplify.simplify import Simplifier
from s2s.transforms.halide.boxes import Box, Boxes, find_stored, merged
from s2s.transforms.halide.levels import ROOT_LOOP, is_at, same_level
from s2s.transforms.halide.sharing import Pairs
from s2s.transforms.halide.stages import Stage, StageName, always_pure

Definitions = list[tuple[str, Expr]]
"""Names and values, innermost first."""


class BoundsInference:
    """Changes a nest. ``groups``: Funcs that share loops; ``pairs``: which stages do."""

    def __init__(
        self,
        stages: list[Stage],
        groups: Sequence[Collection[str]],
        pairs: Pairs,
        by: Simplifier,
        values: ValueBounds,
    ) -> None:
        self.stages, self.by, self.values = stages, by, values
        self._group_of = {name: group for group in groups for name in group}
        self._pairs = pairs
        self._computing: set[str] = set()
        self._inner: set[str] = set()
        self._names: list[str] = []

    def root(self, body: Node) -> Node:
        """The whole program, seen as one iteration of a loop around it."""
        loop = For(ROOT_LOOP, const(0), const(1), "serial", body)
        changed = self._loop(loop)
        assert isinstance(changed, For)
        return changed.body

    def _visit(self, node: Node) -> Node:
        match node:
            case For():
                return self._loop(node)
            case Produce():
                return self._produce(node)
            case Block():
                return self._block(node)
            case Define():
                self._names.append(node.name)
                changed = map_children(node, self._visit)
                self._names.pop()
                return changed
        return map_children(node, self._visit)

    def _produce(self, node: Produce) -> Node:
        fresh = node.func not in self._computing
        self._computing.add(node.func)
        body = self._visit(node.body)
        if fresh:
            self._computing.remove(node.func)
        self._inner.add(node.func)
        return replace(node, body=body)

    def _block(self, node: Block) -> Node:
        """After what computes a Func, that Func is consumed: nothing more is needed of it."""
        consumed: set[str] = set()
        below: list[Node] = []
        for child in node.children:
            below.append(self._visit(child))
            for name in produced_by(child):
                if name not in self._computing:
                    consumed.add(name)
                    self._computing.add(name)
        self._computing -= consumed
        return Block(tuple(below))

    def _loop(self, node: For) -> Node:
        outer, self._inner = self._inner, set()
        layers, body = _outer_layers(node.body)
        self._names += [layer.name for layer in layers if isinstance(layer, Define)]
        before = body
        body = self._visit(body)
        if not isinstance(before, For):
            body = self._defined(node, before, body)
        self._inner |= outer
        for layer in reversed(layers):
            if isinstance(layer, Define):
                self._names.pop()
            body = around(layer, body)
        return replace(node, body=body)

    def _defined(self, loop: For, before: Node, body: Node) -> Node:
        producing = self._producing(loop)
        names: Definitions = []
        needed = [False] * len(self.stages)
        for place, stage in enumerate(self.stages):
            name = stage.func.name
            needed[place] = name not in self._computing and (needed[place] or name in self._inner)
            if needed[place]:
                for consumer in stage.consumers:
                    needed[consumer] = True
                names += self._needed_region(stage, producing, loop)
        if producing is not None:
            members = self._sharing(producing, loop)
            if self._inner:
                names += self._computed_regions(producing, members, before)
            for member in members:
                names += self._reduction_regions(member, before)
        for name, value in names:
            body = Define(name, value, body)
        return body

    def _producing(self, loop: For) -> Stage | None:
        for stage in self.stages:
            if loop.name.startswith(stage.prefix):
                return stage
        return None

    def _shares(self, stage: Stage, consumer: StageName, loop: For) -> bool:
        """Whether a stage runs in this loop together with a stage of another Func."""
        dims = [d.name for d in stage.func.stages[stage.index].schedule.dims]
        own = _place(dims, loop.name.rsplit(".", 1)[-1])
        if own is None:
            return False
        for pair in self._group_pairs(stage):
            if consumer in ((pair.parent, pair.parent_stage), (pair.child, pair.child_stage)):
                shared = _place(dims, pair.var)
                if shared is not None and own >= shared:
                    return True
        return False

    def _group_pairs(self, stage: Stage) -> Pairs:
        group = self._group_of.get(stage.func.name, ())
        return [p for p in self._pairs if p.parent in group or p.child in group]

    def _sharing(self, producing: Stage, loop: For) -> list[Stage]:
        found = [producing]
        for pair in self._group_pairs(producing):
            for name in ((pair.parent, pair.parent_stage), (pair.child, pair.child_stage)):
                if any(stage.name == name for stage in found):
                    continue
                if self._shares(producing, name, loop):
                    found += [stage for stage in self.stages if stage.name == name]
        return found

    def _needed_region(self, stage: Stage, producing: Stage | None, loop: For) -> Definitions:
        """The names of the region of a stage that this loop's body needs."""
        box: Box | None = None
        for consumer, part in stage.needed.items():
            counts = (producing is not None and consumer == producing.name) or (
                consumer[0] in self._inner
                or (producing is not None and self._shares(producing, consumer, loop))
            )
            if counts:
                box = merged(self.by, box, part)
        names: Definitions = []
        for bound in stage.func.schedule.bounds:
            names += _explicit(stage, bound, loop.name)
        for place, interval in enumerate(_last_stage_decides(stage, box)):
            names += _between(stage.prefix + stage.func.vars[place], interval)
        for rvar in stage.rvars if stage.index else ():
            last = sub(add(rvar.extent, rvar.minimum), const(1))
            names += [(f"{stage.prefix}{rvar.name}.min", rvar.minimum)]
            names += [(f"{stage.prefix}{rvar.name}.max", last)]
        return names

    def _computed_regions(
        self, producing: Stage, members: list[Stage], before: Node
    ) -> Definitions:
        """The names of the region that one iteration computes."""
        only = producing.func.name if len(members) == 1 else None
        boxes: Boxes = find_stored(before, Bounds(self.by, {}, self.values), only)
        names: Definitions = []
        for stage in members:
            box = boxes.get(stage.func.name)
            for variable, interval in zip(stage.func.vars, box.bounds if box else (), strict=False):
                name = stage.prefix + variable
                assert interval.low is not None and interval.high is not None
                same = interval.low is interval.high
                high = var(f"{name}.min") if same else interval.high
                names += [(f"{name}.max", high), (f"{name}.min", interval.low)]
        return names

    def _reduction_regions(self, stage: Stage, before: Node) -> Definitions:
        names: Definitions = []
        for rvar in stage.rvars if stage.index else ():
            name = stage.prefix + rvar.name
            low, high = var(f"{name}.min"), var(f"{name}.max")
            inside = self._of_inner(name, before)
            if inside is not None and inside.low is not None and inside.high is not None:
                low, high = maximum(inside.low, low), minimum(inside.high, high)
            else:
                guarded = f"{name}.guarded"
                low = high = var(guarded if guarded in self._names else name)
            names += [(f"{name}.min", low), (f"{name}.max", high)]
        return names

    def _of_inner(self, name: str, node: Node) -> Interval | None:
        """The values of a loop variable or name inside a node, outside of which it is unknown."""
        match node:
            case Define() if node.name == name:
                return Interval(node.value, node.value)
            case For() if node.name == name:
                return _of_loop(node)
            case Define():
                found = self._of_inner(name, node.body)
                return _substituted(found, node)
            case For():
                found = self._of_inner(name, node.body)
                return self._over(found, node)
        for child in reversed(children(node)):
            found = self._of_inner(name, child)
            if found is not None:
                return found
        return None

    def _over(self, found: Interval | None, loop: For) -> Interval | None:
        if found is None or found.low is None or found.high is None:
            return found
        bounds = Bounds(self.by, {loop.name: _of_loop(loop)}, self.values)
        low = bounds(found.low).low if loop.name in found.low.variables else found.low
        high = bounds(found.high).high if loop.name in found.high.variables else found.high
        return Interval(low, high)


def _of_loop(loop: For) -> Interval:
    return Interval(var(f"{loop.name}.loop_min"), var(f"{loop.name}.loop_max"))


def _substituted(found: Interval | None, node: Define) -> Interval | None:
    if found is None:
        return None
    ends = (None if e is None else substitute(e, {node.name: node.value}) for e in found)
    return Interval(*ends)


def produced_by(node: Node) -> list[str]:
    """The Funcs that a node computes and does nothing else."""
    found: list[str] = []
    while isinstance(node, Produce):
        found.append(node.func)
        node = node.body
    return found


def _place(dims: list[str], name: str) -> int | None:
    for place, dim in enumerate(dims):
        if dim == name or dim.endswith("." + name):
            return place
    return None


def _outer_layers(body: Node) -> tuple[list[Define | If], Node]:
    """Definitions and guards directly in a loop that no region decides, and what is below."""
    layers: list[Define | If] = []
    while True:
        match body:
            case Define(value=value) if not _names_region(value):
                layers.append(body)
                body = body.body
            case If(condition=condition, otherwise=None) if not _names_region(condition):
                layers.append(body)
                body = body.then
            case _:
                return layers, body


def _names_region(expr: Expr) -> bool:
    return any(name.endswith((".min", ".max")) for name in expr.variables)


def _last_stage_decides(stage: Stage, box: Box | None) -> list[Interval]:
    """The region; where all updates are pure, that of the last stage is the one for all."""
    if box is None:
        return []
    found = list(box.bounds)
    last = len(stage.func.updates)
    if stage.index < last:
        for place, pure in enumerate(always_pure(stage.func)):
            if pure:
                name = f"{stage.func.name}.s{last}.{stage.func.vars[place]}"
                found[place] = Interval(var(f"{name}.min"), var(f"{name}.max"))
    return found


def _between(name: str, interval: Interval) -> Definitions:
    low, high = interval
    assert low is not None and high is not None
    if low is high:
        low = var(f"{name}.max")
    return [(f"{name}.min", low), (f"{name}.max", high)]


def _explicit(stage: Stage, bound: Bound, loop: str) -> Definitions:
    """What ``bound`` and ``align_bounds`` make of the region that is needed."""
    schedule = stage.func.schedule
    low, high = f"{stage.prefix}{bound.var}.min", f"{stage.prefix}{bound.var}.max"
    names: Definitions = []
    if bound.extent is not None:
        at_root = schedule.compute_level.kind is LevelKind.ROOT
        here = is_at(schedule.compute_level, loop) and same_level(
            schedule.compute_level, schedule.store_level
        )
        if bound.minimum is not None or at_root or here:
            first = var(low) if bound.minimum is None else bound.minimum
            last = sub(add(first, bound.extent), 1)
            names += [(low, first), (high, last)]
        names += [(f"{low}_unbounded", var(low)), (f"{high}_unbounded", var(high))]
    if bound.modulus is not None:
        first, last = aligned(var(low), var(high), bound)
        names += [(low, first), (high, last)]
    return names


def aligned(low: Expr, high: Expr, bound: Bound) -> tuple[Expr, Expr]:
    """The region rounded out as ``align_bounds`` (with a remainder) or ``align_extent`` says."""
    modulus, remainder = bound.modulus, bound.remainder
    assert modulus is not None
    if remainder is None:
        extent = add(sub(high, low), 1)
        whole = mul(div(sub(add(extent, modulus), 1), modulus), modulus)
        return low, sub(add(low, whole), 1)
    first = add(mul(div(sub(low, remainder), modulus), modulus), remainder)
    behind = sub(add(high, 1), remainder)
    whole = mul(div(sub(add(behind, modulus), 1), modulus), modulus)
    return first, sub(add(whole, remainder), 1)
