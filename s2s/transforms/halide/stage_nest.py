"""The loop nest of one definition: its splits applied to its store, loops around it.

The bounds of its loops are names: ``f.s0.x.min`` and ``f.s0.x.max`` stand for the region that is
asked for (bounds inference defines them), everything else is defined here in terms of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import field, replace
from itertools import takewhile

from s2s.scop.build import add, both, call, conjuncts, const, le, sub, var
from s2s.scop.errors import Illegal
from s2s.scop.expressions import BOOL, Binary, Call, Const, Expr, Load, Select, Variable, walk
from s2s.scop.nest import Check, Define, For, If, Node, Store
from s2s.scop.pipeline import (
    OUTERMOST,
    PREDICATED,
    Definition,
    Dim,
    Func,
    Specialization,
    Split,
    shown,
)
from s2s.scop.rewrite import change_own, substitute, transform
from s2s.scop.splits import Effect, Step, loop_bounds, steps
from s2s.source.records import dataclass


@dataclass(frozen=True)
class StageNest:
    """Builds the loop nest of a stage with those of its specializations.

    ``funcs`` are the names of all Funcs (other tensors are images). ``shared_from``: the place in
    ``dims`` from which outwards loops are shared (compute_with).
    """

    func: Func
    index: int
    funcs: Collection[str]
    shared_from: int | None = None

    def build(self) -> Node:
        """The nest; its outermost nodes define the bounds of its loops."""
        return self._of(self.func.stages[self.index])

    def _of(self, definition: Definition) -> Node:
        nest = _LoopNest(self, definition).build()
        for special in reversed(definition.specializations):
            nest = self._specialized(special, nest)
        return nest

    def _specialized(self, special: Specialization, otherwise: Node) -> Node:
        if special.failure is not None:
            text = f"specialize_fail of {self.func.name}: {special.failure}"
            return Check(Const(BOOL, 0), text)
        return If(special.condition, self._of(special.definition), otherwise)


@dataclass
class _Body:
    """A store and what stands around it, the innermost first: definitions and guards (no name)."""

    store: Store
    around: list[tuple[str, Expr]] = field(default_factory=list)

    def replace_everywhere(self, name: str, value: Expr) -> None:
        values = {name: value}
        self.store = change_own(self.store, lambda e: substitute(e, values))
        self.around = [(n, substitute(e, values)) for n, e in self.around]


@dataclass(frozen=True)
class _Layer:
    """One thing around the store: a loop (``dim``), a definition (``name``) or a guard.

    ``name`` is what the layer gives a value to: of a guard on a shared loop, that loop.
    """

    name: str
    value: Expr | None = None
    dim: Dim | None = None
    guard: bool = False

    def uses(self, name: str) -> bool:
        assert self.value is not None
        return any(isinstance(n, Variable) and n.name == name for n in walk(self.value))


class _LoopNest:
    def __init__(self, stage: StageNest, definition: Definition) -> None:
        self.func, self.index, self.definition = stage.func, stage.index, definition
        self.shared_from, self.funcs = stage.shared_from, stage.funcs
        self.prefix = f"{stage.func.name}.s{stage.index}."

    def build(self) -> Node:
        body = self._split_up(_Body(self._store()))
        node: Node = body.store
        for layer in reversed(self._ordered_layers(body)):
            node = self._around(layer, node)
        for name, value in self._bounds():
            node = Define(name, value, node)
        return node

    def qualified(self, expr: Expr) -> Expr:
        """An expression of the definition with its loop variables by their lowered names."""
        names = [*self.func.vars, *(r.name for r in self.definition.rvars)]
        return substitute(expr, {n: var(self.prefix + n) for n in names})

    def _store(self) -> Store:
        definition = self.definition
        pairs = zip(definition.args, self.func.vars, strict=True)
        pure = [v for a, v in pairs if isinstance(a, Variable) and a.name == v]
        names = [*pure, *(r.name for r in definition.rvars)]
        return Store(
            self.func.name,
            tuple(self.qualified(a) for a in definition.args),
            tuple(self.qualified(v) for v in definition.values),
            func=self.func.name,
            stage=self.index,
            instance=tuple(var(self.prefix + n) for n in names),
            atomic=definition.schedule.atomic,
            at=definition.at,
        )

    def _split_up(self, body: _Body) -> _Body:
        multiples = self._known_multiples()
        for split in self.definition.schedule.splits:
            self._check_predicated(split)
            for step in steps(split, self.prefix, multiples):
                self._apply(step, body)
        return body

    def _check_predicated(self, split: Split) -> None:
        """Refuse to split the inner loop of a split that guards loads or stores only."""
        for earlier in self.definition.schedule.splits:
            if earlier.tail in PREDICATED and earlier.inner == split.old:
                raise Illegal(
                    f"schedule of {self.func.name}: '{shown(split.old)}' is the inner loop of a "
                    "split with PredicateLoads or PredicateStores, which cannot be split again",
                    split.at,
                )

    def _known_multiples(self) -> dict[str, Expr]:
        """Variables whose extent is known to be a multiple of something."""
        found: dict[str, Expr] = {}
        for bound in self.func.schedule.bounds:
            if bound.extent is not None:
                found[bound.var] = bound.extent
            if bound.modulus is not None:
                found[bound.var] = bound.modulus
        return found | {r.name: r.extent for r in self.definition.rvars}

    def _apply(self, step: Step, body: _Body) -> None:
        match step.effect:
            case Effect.DEFINE:
                body.around.append((step.name, step.value))
            case Effect.GUARD:
                body.around.append(("", step.value))
            case Effect.REPLACE:
                body.replace_everywhere(step.name, step.value)
            case Effect.REPLACE_IN_LOADS:
                self._change_loads(body, lambda e: substitute(e, {step.name: step.value}))
            case Effect.GUARD_LOADS:
                self._change_loads(body, lambda e: Call(e.type, "if_then_else", (step.value, e)))
            case Effect.REPLACE_IN_STORES:
                sites = tuple(substitute(e, {step.name: step.value}) for e in body.store.subscripts)
                body.store = replace(body.store, subscripts=sites)
            case Effect.GUARD_STORES:
                earlier = body.store.predicate
                both_hold = step.value if earlier is None else both(earlier, step.value)
                body.store = replace(body.store, predicate=both_hold)
            case Effect.BLEND:
                body.store = self._blended(body.store, step.value)

    def _change_loads(self, body: _Body, change: Callable[[Expr], Expr]) -> None:
        """Change loads of Funcs (not of input images: their accesses are checked)."""

        def at_loads(node: Expr) -> Expr:
            ours = isinstance(node, Load) and node.tensor in self.funcs
            return change(node) if ours else node

        body.store = change_own(body.store, lambda e: transform(e, at_loads))

    def _blended(self, store: Store, mask: Expr) -> Store:
        values = tuple(
            Select(v.type, mask, v, Load(v.type, store.tensor, store.subscripts, place))
            for place, v in enumerate(store.values)
        )
        return replace(store, values=values, blended=store.blended + 1)

    def _ordered_layers(self, body: _Body) -> list[_Layer]:
        """Loops, definitions and guards, outermost first, the latter two as far out as they go."""
        schedule = self.definition.schedule
        nest = [_Layer(self.prefix + d.name, dim=d) for d in reversed(schedule.dims)]
        outside_in = list(reversed(body.around))
        for layer in (_Layer(n, e) for n, e in outside_in if n):
            self._sink(nest, layer, through_loops=True)
        for layer in self._shared_guards():
            self._sink(nest, layer, through_loops=False)
        guards = [e for n, e in outside_in if not n]
        guards += [self.qualified(p) for p in conjuncts(self.definition.predicate)]
        for condition in guards:
            self._sink(nest, _Layer("", condition, guard=True), through_loops=True)
        return nest

    def _sink(self, nest: list[_Layer], layer: _Layer, *, through_loops: bool) -> None:
        """Add a layer innermost, then move it out past all that it does not depend on.

        What reads a Func stays: it could move out of the loop where that is computed.
        """

        def passes(outer: _Layer) -> bool:
            return not layer.uses(outer.name) and (through_loops or outer.dim is None)

        depth = len(nest)
        if self._moves(layer):
            depth -= sum(1 for _ in takewhile(passes, reversed(nest)))
        nest.insert(depth, layer)

    def _moves(self, layer: _Layer) -> bool:
        assert layer.value is not None
        return not any(isinstance(n, Load) and n.tensor in self.funcs for n in walk(layer.value))

    def _shared_guards(self) -> Iterable[_Layer]:
        """Loops that are shared with other stages run over all their iterations: only ours."""
        if self.shared_from is None:
            return
        for dim in self.definition.schedule.dims[self.shared_from : -1]:
            name = self.prefix + dim.name
            loop = var(name)
            lowest = Binary(BOOL, "ge", loop, var(f"{name}.loop_min"))
            for condition in (lowest, le(loop, var(f"{name}.loop_max"))):
                yield _Layer(name, call("likely", condition), guard=True)

    def _around(self, layer: _Layer, node: Node) -> Node:
        if layer.dim is not None:
            return For(
                layer.name,
                var(f"{layer.name}.loop_min"),
                var(f"{layer.name}.loop_extent"),
                layer.dim.kind.value,
                node,
                self.func.name,
                self.index,
                layer.dim.name,
            )
        assert layer.value is not None
        return If(layer.value, node) if layer.guard else Define(layer.name, layer.value, node)

    def _bounds(self) -> Iterable[tuple[str, Expr]]:
        """Definitions of the bounds of all loops, innermost first."""
        for split in reversed(self.definition.schedule.splits):
            yield from loop_bounds(split, self.prefix)
        outermost = self.prefix + OUTERMOST
        yield f"{outermost}.loop_min", const(0)
        yield f"{outermost}.loop_max", const(0)
        yield f"{outermost}.loop_extent", const(1)
        for name in (*self.func.vars, *(r.name for r in self.definition.rvars)):
            loop = self.prefix + name
            low, high = var(f"{loop}.min"), var(f"{loop}.max")
            yield f"{loop}.loop_extent", sub(add(high, const(1)), low)
            yield f"{loop}.loop_min", low
            yield f"{loop}.loop_max", high
