"""Storage folding: a Func whose region moves along a loop needs only as much memory as it is wide.

The memory of the dimension that moves becomes a ring: subscripts count modulo ``Dimension.fold``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from s2s.scop.build import FALSE, TRUE, add, const, le, lt, maximum, sub, var
from s2s.scop.expressions import Const, Expr, Load, walk
from s2s.scop.nest import (
    Allocate,
    Block,
    Check,
    Dimension,
    For,
    Node,
    Produce,
    Store,
    children,
    expressions,
)
from s2s.scop.nest import walk as walk_nest
from s2s.scop.pipeline import Func
from s2s.scop.rewrite import block, map_children, substitute, transform
from s2s.scop.simplify.interval import ValueBounds
from s2s.scop.simplify.intervals import Bounds
from s2s.scop.simplify.ranges import Range
from s2s.scop.simplify.simplify import Simplifier
from s2s.source.records import dataclass
from s2s.transforms.halide.bounds_inference import produced_by
from s2s.transforms.halide.boxes import Box, find_loaded, find_stored, merged
from s2s.transforms.halide.environment import Environment
from s2s.transforms.halide.monotonic import decreasing, increasing

_MOST = 1024
"""The longest ring that is made without being asked for."""


@dataclass(frozen=True)
class StorageFolding:
    """Folds the memory of all Funcs of a nest that can be. ``slid``: (Func, loop) pairs."""

    funcs: Environment
    slid: set[tuple[str, str]]
    values: ValueBounds

    def __call__(self, node: Node, by: Simplifier) -> Node:
        """The nest, folded; ``by`` knows the loops around it."""
        inner = scope_of(node, by) if isinstance(node, For) else by
        node = map_children(node, lambda child: self(child, inner))
        if not isinstance(node, Allocate):
            return node
        func = self.funcs[node.tensor.name]
        automatic = sum(_produces(n, func.name) for n in walk_nest(node.body)) == 1
        attempt = _Attempt(func, automatic, self.slid, self.values)
        body = attempt.visit(node.body, by)
        dimensions = tuple(
            Dimension(const(0), attempt.factors[k], fold=attempt.factors[k])
            if k in attempt.factors
            else dimension
            for k, dimension in enumerate(node.tensor.dimensions)
        )
        return Allocate(replace(node.tensor, dimensions=dimensions), body)


def _produces(node: Node, func: str) -> bool:
    return isinstance(node, Produce) and node.func == func


def scope_of(loop: For, by: Simplifier) -> Simplifier:
    """What is known inside a loop of its variable."""
    return by.inner({loop.name: _range(loop, by)})


def _range(loop: For, by: Simplifier) -> Range:
    last = by(sub(add(loop.minimum, loop.extent), 1))
    return by.bounds(by(loop.minimum))[0], by.bounds(last)[1]


@dataclass
class _Attempt:
    """Tries to fold one Func along the loops between its memory and its computation."""

    func: Func
    automatic: bool
    slid: set[tuple[str, str]]
    values: ValueBounds
    factors: dict[int, Expr] = field(default_factory=dict)

    def visit(self, node: Node, by: Simplifier) -> Node:
        if _produces(node, self.func.name):
            return node
        match node:
            case For():
                return self._loop(node, by)
            case Block(below):
                done = list(below)
                for place, child in enumerate(below):
                    done[place] = self.visit(child, by)
                    if self.func.name in produced_by(child):
                        break
                return Block(tuple(done))
        return map_children(node, lambda child: self.visit(child, by))

    def _loop(self, loop: For, by: Simplifier) -> Node:
        if loop.kind not in ("serial", "unrolled"):
            return loop
        bounds = Bounds(by, {}, self.values)
        name = self.func.name
        needed = find_loaded(loop.body, bounds, name).get(name)
        if needed is not None:
            needed = Box(needed.bounds)
        box = merged(by, find_stored(loop.body, bounds, name).get(name), needed)
        checks: list[Node] = []
        for place in reversed(range(len(box.bounds) if box else 0)):
            assert box is not None
            low, high = box.bounds[place]
            if low is None or high is None or place in self.factors:
                continue
            ring = _Ring(loop, by, low, high)
            check = self._fold(place, ring)
            if check is None:
                continue
            checks += check
            if not ring.moves_on():
                break
        body = loop.body
        if (name, loop.name) not in self.slid:
            body = self.visit(body, scope_of(loop, by))
        return replace(loop, body=block([*checks, body]))

    def _fold(self, place: int, ring: _Ring) -> list[Node] | None:
        """Fold a dimension if it can be; checks that what the user asked for is enough."""
        if isinstance(ring.low, Const) or isinstance(ring.high, Const):
            return None
        asked = self.func.schedule.folds.get(self.func.vars[place])
        explicit = asked[0] if asked is not None and ring.follows() else None
        if not ring.monotonic() or not (self.automatic or explicit is not None):
            return None
        if explicit is not None:
            self.factors[place] = explicit
            enough = ring.by(le(ring.extent(), explicit))
            text = f"fold_storage of {self.func.name} in {self.func.vars[place]} is too small"
            return [] if enough is TRUE else [Check(enough, text)]
        factor = ring.factor()
        if factor is None or _in_lanes(ring.loop.body, self.func.name, place):
            return None
        self.factors[place] = const(factor)
        return []


@dataclass
class _Ring:
    """What an iteration of a loop touches in one dimension: ``low`` to ``high``."""

    loop: For
    by: Simplifier
    low: Expr
    high: Expr

    def follows(self) -> bool:
        """Whether the region depends on the loop."""
        return self.loop.name in self.low.variables | self.high.variables

    def monotonic(self) -> bool:
        """Whether what is left after is not needed again."""
        name = self.loop.name
        forwards = self.follows() and increasing(self.low, name)
        return forwards or (self.follows() and decreasing(self.high, name))

    def extent(self) -> Expr:
        """The largest number of elements, in the first iteration and in all others."""
        first, name = self.loop.minimum, self.loop.name
        later = self.by(lt(first, var(name)))
        opposite = self.by(le(var(name), first))
        low, high = _range(self.loop, self.by)
        steady = self.by.inner({name: (None if low is None else low + 1, high)})
        width = sub(self.high, self.low)
        usual = steady(add(_decided(_decided(width, later, TRUE), opposite, FALSE), 1))
        initial = _decided(_decided(width, later, FALSE), opposite, TRUE)
        start = self.by(add(substitute(initial, {name: first}), 1))
        return scope_of(self.loop, self.by)(maximum(start, usual))

    def factor(self) -> int | None:
        """The power of two that holds the extent, if there is a short one."""
        by = scope_of(self.loop, self.by)
        _, most = by.bounds(self.extent())
        if most is None or most > _MOST:
            return None
        return 1 << max(most - 1, 0).bit_length()

    def moves_on(self) -> bool:
        """Whether no element is touched in two iterations."""
        following = substitute(self.low, {self.loop.name: add(var(self.loop.name), 1)})
        return scope_of(self.loop, self.by).proves(lt(self.high, following))


def _decided(expr: Expr, condition: Expr, value: Expr) -> Expr:
    if isinstance(condition, Const):
        return expr
    return transform(expr, lambda node: value if node is condition else node)


def _in_lanes(node: Node, func: str, place: int) -> bool:
    """Whether lanes of a vector differ in a dimension of a Func."""
    return any(_accesses_in_lanes(node, func, place, frozenset()))


def _accesses_in_lanes(node: Node, func: str, place: int, lanes: frozenset[str]) -> Iterator[bool]:
    if isinstance(node, For) and node.kind == "vectorized":
        lanes |= {node.name}
    if lanes:
        for expr in expressions(node):
            for part in walk(expr):
                if isinstance(part, Load) and part.tensor == func:
                    yield not lanes.isdisjoint(part.subscripts[place].variables)
        if isinstance(node, Store) and node.tensor == func:
            yield not lanes.isdisjoint(node.subscripts[place].variables)
    for child in children(node):
        yield from _accesses_in_lanes(child, func, place, lanes)
