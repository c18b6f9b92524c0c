"""Putting the computation and the memory of a group of Funcs where its schedule says."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from s2s.scop.build import add, both, const, le, sub, var
from s2s.scop.errors import Illegal
from s2s.scop.nest import (
    Allocate,
    Block,
    Check,
    Define,
    Dimension,
    For,
    Hoist,
    If,
    Node,
    Produce,
    Store,
    Tensor,
)
from s2s.scop.pipeline import Func, LevelKind
from s2s.scop.rewrite import around, map_children
from s2s.transforms.halide.environment import Environment
from s2s.transforms.halide.levels import ROOT_LOOP, is_at, same_level
from s2s.transforms.halide.produce import produce_group
from s2s.transforms.halide.reads import tensors_allocated_in, tensors_read, tensors_read_in
from s2s.transforms.halide.sharing import Pairs


class Injection:
    """Changes a nest of consumers: ``group`` is computed in it."""

    def __init__(
        self, group: list[Func], outputs: frozenset[str], funcs: Environment, pairs: Pairs
    ) -> None:
        self.group, self.outputs, self.funcs, self.pairs = group, outputs, funcs, pairs
        self.names = {f.name for f in group}
        self._computed = False

    def into(self, node: Node) -> Node:
        """The nest with the group computed and stored in the loops of its levels."""
        if not self._concerns(node):
            return node
        match node:
            case For():
                return self._into_loop(node)
            case Store():
                return self._around_store(node)
        return map_children(node, self.into)

    def _concerns(self, node: Node) -> bool:
        if isinstance(node, For) and node.name == ROOT_LOOP:
            return True
        return not self.names.isdisjoint(tensors_read_in(node))

    def _into_loop(self, loop: For) -> Node:
        """A loop: what stands directly in it (definitions, guards) stays outside of the group."""
        layers: list[Define | If] = []
        body = loop.body
        while isinstance(body, Define) or (isinstance(body, If) and body.otherwise is None):
            if not self._may_stay_outside(body):
                break
            layers.append(body)
            body = body.body if isinstance(body, Define) else body.then
        body = self.into(body)
        if is_at(self.group[0].schedule.compute_level, loop.name):
            body = self._computed_before(body)
            self._computed = True
        if self._computed:
            body = self._stored_in(body, loop.name)
        for layer in reversed(layers):
            body = around(layer, body)
        return replace(loop, body=body)

    def _may_stay_outside(self, layer: Define | If) -> bool:
        """Whether a definition or a guard reads no Func."""
        value = layer.value if isinstance(layer, Define) else layer.condition
        return tensors_read(value).isdisjoint(self.funcs)

    def _stored_in(self, body: Node, loop: str) -> Node:
        for func in self.group:
            if is_at(func.schedule.store_level, loop):
                body = self._allocated(body, func)
        for func in self.group:
            hoist = func.schedule.hoist_level
            assert hoist is not None, "levels are final"
            if is_at(hoist, loop) and not same_level(hoist, func.schedule.store_level):
                body = Hoist(func.name, body)
        return body

    def _allocated(self, body: Node, func: Func) -> Node:
        is_output = func.name in self.outputs
        if func.name in tensors_allocated_in(body):
            return body
        if is_output or func.name in tensors_read_in(body):
            return self._with_memory(body, func)
        return body

    def _around_store(self, store: Store) -> Node:
        """A Func with updates that is computed inline is computed for each store that loads it."""
        func = self.group[0]
        inline = func.schedule.compute_level.kind is LevelKind.INLINE
        if not inline or not func.updates or store.tensor == func.name:
            return store
        self._computed = True
        return self._with_memory(self._computed_before(store), func)

    def _computed_before(self, consumer: Node) -> Node:
        """What computes the group, then what uses it; only the latter if there is no use.

        Raises Illegal where only some of the group are used.
        """
        read = tensors_read_in(consumer)
        allocated = tensors_allocated_in(consumer)
        needed = [
            f.name not in allocated and (f.name in read or f.name in self.outputs)
            for f in self.group
        ]
        if not any(needed):
            return consumer
        if not all(needed):
            used = self.group[needed.index(True)].name
            other = self.group[needed.index(False)].name
            raise Illegal(
                f"compute_with: {used} is used here, and {other}, which shares its loops, is not",
                self.group[0].schedule.compute_level.at,
            )
        nest = self._production
        if isinstance(consumer, Block) and not consumer.children:
            return nest
        return Block((nest, consumer))

    @cached_property
    def _production(self) -> Node:
        """What computes the group, the same wherever it is computed."""
        nest = produce_group(self.group, self.funcs, self.pairs)
        for func in self.group:
            nest = Produce(func.name, nest)
        return nest

    def _with_memory(self, body: Node, func: Func) -> Node:
        if func.name not in self.outputs:
            body = Allocate(_tensor(func), body)
        return _with_checks(body, func)


def _tensor(func: Func) -> Tensor:
    """The memory of a Func, its bounds by name (``f.x.min_realized``, ``f.x.extent_realized``)."""
    dimensions = tuple(
        Dimension(var(f"{func.name}.{v}.min_realized"), var(f"{func.name}.{v}.extent_realized"))
        for v in func.vars
    )
    order = func.schedule.storage_order
    places = tuple(func.vars.index(v) for v in order)
    return Tensor(func.name, tuple(func.types), dimensions, places, func.schedule.memory)


def _with_checks(body: Node, func: Func) -> Node:
    """What ``bound`` promises holds for all stages: what is needed lies within."""
    checks: list[Node] = []
    for stage in range(len(func.stages)):
        for bound in func.schedule.bounds:
            if bound.extent is None:
                continue
            prefix = f"{func.name}.s{stage}.{bound.var}"
            needed = var(f"{prefix}.min_unbounded"), var(f"{prefix}.max_unbounded")
            low = needed[0] if bound.minimum is None else bound.minimum
            high = sub(add(bound.extent, low), const(1))
            checks.append(
                Check(
                    both(le(low, needed[0]), le(needed[1], high)),
                    f"bounds of {bound.var} of {func.name} are smaller than what is needed",
                )
            )
    for check in checks:
        body = Block((check, body))
    return body
