"""The stages of a pipeline and what each needs of the ones before it, by names of regions.

``f.s1.x.min`` and ``f.s1.x.max`` stand for the region of Func ``f`` that its stage 1 computes;
the boxes here say in such names what a consumer needs of its producers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field

from s2s.scop.build import both, conjuncts, negate, var
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Call, Expr, Load, Variable
from s2s.scop.pipeline import Definition, Func, ReductionVariable
from s2s.scop.rewrite import substitute, transform
from s2s.scop.simplify.interval import Interval, ValueBounds
from s2s.scop.simplify.intervals import Bounds
from s2s.scop.simplify.simplify import Simplifier
from s2s.source.records import dataclass
from s2s.transforms.halide.boxes import Box, Boxes, conditional_loads, find_required, merged

StageName = tuple[str, int]
"""A Func and a stage of it."""


@dataclass
class Stage:
    """``needed``: what a consumer needs of this stage, by consumer."""

    func: Func
    index: int
    rvars: list[ReductionVariable]
    consumers: list[int] = field(default_factory=list)
    needed: dict[StageName, Box] = field(default_factory=dict)

    @property
    def name(self) -> StageName:
        """The Func's name and the place of the stage."""
        return self.func.name, self.index

    @property
    def prefix(self) -> str:
        """What the names of its loops begin with."""
        return f"{self.func.name}.s{self.index}."

    def scope(self) -> dict[str, Interval]:
        """The names of the region that it computes, by variable."""
        names = [*self.func.vars, *((r.name for r in self.rvars) if self.index else ())]
        return {n: named_interval(self.prefix + n) for n in names}


def named_interval(name: str) -> Interval:
    """``name.min`` to ``name.max``."""
    return Interval(var(f"{name}.min"), var(f"{name}.max"))


class Inliner:
    """Puts the values of Funcs that are computed inline in the place of their loads."""

    def __init__(self, funcs: Collection[Func]) -> None:
        self._funcs = {f.name: f for f in funcs}
        self._bodies: dict[tuple[str, int], Expr] = {}

    def __call__(self, expr: Expr) -> Expr:
        return transform(expr, self._change) if self._funcs and expr.reads else expr

    def _change(self, node: Expr) -> Expr:
        if not isinstance(node, Load) or node.tensor not in self._funcs:
            return node
        func = self._funcs[node.tensor]
        body = self._body(func, node.component)
        return substitute(body, dict(zip(func.vars, node.subscripts, strict=True)))

    def _body(self, func: Func, component: int) -> Expr:
        key = func.name, component
        if key not in self._bodies:
            assert func.definition is not None
            self._bodies[key] = self(func.definition.values[component])
        return self._bodies[key]


def stages_of(
    funcs: Collection[Func], inlined: Collection[str], by: Simplifier, values: ValueBounds
) -> list[Stage]:
    """All stages that are computed, producers first, with what they need of each other.

    Raises Illegal where a Func is called over an unbounded region.
    """
    inline = Inliner([f for f in funcs if f.name in inlined])
    found: list[Stage] = []
    for func in funcs:
        if func.name not in inlined:
            for index, definition in enumerate(func.stages):
                found.append(Stage(func, index, list(_rvars(definition))))
    for place, consumer in enumerate(found):
        boxes = _needed_by(consumer, inline, by, values)
        for producer in found[:place]:
            box = boxes.get(producer.func.name)
            if box is not None:
                _check_bounded(box, consumer, producer)
                producer.needed[consumer.name] = box
                producer.consumers.append(place)
    return found


def _needed_by(consumer: Stage, inline: Inliner, by: Simplifier, values: ValueBounds) -> Boxes:
    bounds = Bounds(by, consumer.scope(), values)
    definition = consumer.func.stages[consumer.index]
    boxes: Boxes = {}
    for condition, expr in _expressions(definition, consumer.index > 0, by):
        for name, box in find_required(conditional_loads(inline(expr)), bounds).items():
            total = merged(by, boxes.get(name), Box(box.bounds, condition))
            assert total is not None
            boxes[name] = total
    return boxes


def _rvars(definition: Definition) -> Iterator[ReductionVariable]:
    seen: dict[str, ReductionVariable] = {r.name: r for r in definition.rvars}
    for special in definition.specializations:
        for rvar in _rvars(special.definition):
            seen.setdefault(rvar.name, rvar)
    yield from seen.values()


Conditional = tuple[Expr | None, Expr]
"""An expression, and the specialization's condition under which it is evaluated."""


def _expressions(definition: Definition, update: bool, by: Simplifier) -> list[Conditional]:
    """What a definition evaluates: values, for updates subscripts too, only where it is needed."""
    values = [*(definition.args if update else ()), *definition.values]
    own: list[Conditional] = [(None, _guarded(v, definition.predicate)) for v in values]
    groups: list[list[Conditional]] = [[value] for value in own]
    for special in reversed(definition.specializations):
        inside = _expressions(special.definition, update, by)
        for place, (group, (condition, value)) in enumerate(zip(groups, inside, strict=False)):
            rest = [(_and(by, negate(special.condition), c), v) for c, v in group]
            groups[place] = [*rest, (_and(by, special.condition, condition), value)]
    found: list[Conditional] = []
    for group in groups:
        same = all(v is group[0][1] for _, v in group)
        found += [(None, group[0][1])] if same else group
    return found


def _and(by: Simplifier, a: Expr, b: Expr | None) -> Expr:
    return by(a if b is None else both(a, b))


def _guarded(value: Expr, predicate: Expr | None) -> Expr:
    for condition in conjuncts(predicate):
        value = Call(value.type, "if_then_else", (condition, value))
    return value


def _check_bounded(box: Box, consumer: Stage, producer: Stage) -> None:
    for dimension, interval in enumerate(box.bounds):
        if not interval.bounded:
            index = consumer.index
            what = f"update definition {index - 1}" if index else "the pure definition"
            raise Illegal(
                f"{what} of {consumer.func.name} calls {producer.func.name} in an unbounded way "
                f"in dimension {dimension}; legal: to clamp the coordinate",
                consumer.func.stages[index].at,
            )


def always_pure(func: Func) -> list[bool]:
    """By dimension: whether all updates run over it as the pure definition does."""
    return [
        all(_is_pure(update, name, place) for update in func.updates)
        for place, name in enumerate(func.vars)
    ]


def _is_pure(definition: Definition, name: str, place: int) -> bool:
    arg = definition.args[place]
    if not isinstance(arg, Variable) or arg.name != name:
        return False
    return all(_is_pure(s.definition, name, place) for s in definition.specializations)


def value_bounds(funcs: Collection[Func], by: Simplifier) -> dict[tuple[str, int], Interval]:
    """Bounds of the values of Funcs that have a pure definition alone, wherever evaluated."""
    found: dict[tuple[str, int], Interval] = {}
    for func in funcs:
        if func.definition is None or func.updates or func.definition.specializations:
            continue
        bounds = Bounds(by, {v: Interval(None, None) for v in func.vars}, found)
        for component, value in enumerate(func.definition.values):
            interval = bounds(value)
            if interval.low is not None or interval.high is not None:
                found[func.name, component] = interval
    return found
