"""Regions of tensors: the box of elements that a piece of a program stores or loads."""

from __future__ import annotations

from collections.abc import Iterable

from s2s.scop.build import TRUE, add, both, either, negate, select, sub
from s2s.scop.expressions import Binary, Call, Expr, Let, Load, Select
from s2s.scop.nest import Allocate, Block, Check, Define, For, If, Node, Produce, Store
from s2s.scop.rewrite import transform
from s2s.scop.simplify.interval import Interval
from s2s.scop.simplify.intervals import Bounds, drop_promises
from s2s.scop.simplify.simplify import Simplifier
from s2s.source.records import dataclass
from s2s.transforms.halide.conditions import narrow_scope


@dataclass(frozen=True)
class Box:
    """One interval for each dimension. ``used``: only where this holds is anything touched."""

    bounds: tuple[Interval, ...]
    used: Expr | None = None


Boxes = dict[str, Box]


def merged(by: Simplifier, a: Box | None, b: Box | None) -> Box | None:
    """The box of both; conditions choose where each of the two counts."""
    if a is None or b is None:
        return b if a is None else a
    bounds = tuple(
        Interval(
            _either_end(by, "min", a, b, x.low, y.low), _either_end(by, "max", a, b, x.high, y.high)
        )
        for x, y in zip(a.bounds, b.bounds, strict=True)
    )
    if a.used is None or b.used is None:
        return Box(bounds)
    used = by(either(a.used, b.used))
    return Box(bounds, None if used is TRUE else used)


def _either_end(
    by: Simplifier, op: str, a: Box, b: Box, x: Expr | None, y: Expr | None
) -> Expr | None:
    if x is y:
        return x
    if x is None or y is None:
        return None
    outer = by(Binary(x.type, op, x, y))
    if a.used is None and b.used is None:
        return outer
    if a.used is None or b.used is None:
        condition, alone = (a.used, y) if b.used is None else (b.used, x)
        assert condition is not None
        return by(select(condition, outer, alone))
    if by(negate(a.used)) is by(b.used):
        return by(select(a.used, x, y))
    return by(select(both(a.used, b.used), outer, select(a.used, x, y)))


class Touched:
    """Collects boxes over expressions and nests. ``only``: a tensor's name, None for all.

    ``guarded``: loads whose value nobody looks at (``if_then_else`` without an alternative) count
    only where their condition holds.
    """

    def __init__(
        self,
        bounds: Bounds,
        *,
        loads: bool,
        stores: bool,
        only: str | None = None,
        guarded: bool = True,
    ) -> None:
        self.boxes: Boxes = {}
        self._bounds = bounds
        self._by = bounds.simplify
        self._loads = loads
        self._stores = stores
        self._only = only
        self._guarded = guarded
        self._lets: dict[str, Expr] = {}
        self._seen: set[Expr] = set()

    def expression(self, expr: Expr) -> None:
        """Adds what an expression loads."""
        if not expr.reads or not self._loads:
            return
        stack = [expr]
        while stack:
            node = stack.pop()
            if not node.reads or node in self._seen:
                continue
            self._seen.add(node)
            if self._is_conditional(node):
                assert isinstance(node, Call)
                self._conditional(node.arguments[0], node.arguments[1:2], node.arguments[2:])
                continue
            if isinstance(node, Call) and node.name == "if_then_else":
                node = drop_promises(node)
            if isinstance(node, Let):
                stack.append(node.value)
                bounds = self._bounds.inner({node.name: self._bounds(node.value)})
                self._scoped(bounds, (node.body,))
                continue
            if isinstance(node, Load):
                self._add(node.tensor, node.subscripts)
            stack.extend(node.operands)

    def _is_conditional(self, node: Expr) -> bool:
        if not isinstance(node, Call) or node.name != "if_then_else":
            return False
        return self._guarded or len(node.arguments) > 2

    def node(self, node: Node) -> None:
        """Adds what a nest loads and stores."""
        match node:
            case Block(below):
                for child in below:
                    self.node(child)
            case For():
                self._loop(node)
            case If():
                parts = [] if node.otherwise is None else [node.otherwise]
                self._conditional(node.condition, [node.then], parts)
            case Define():
                self._definitions(node)
            case Allocate() | Produce():
                self.node(node.body)
            case Store():
                self._store(node)
            case Check(condition=condition):
                self.expression(condition)

    def _parts(self, parts: Iterable[Expr | Node]) -> None:
        for part in parts:
            if isinstance(part, Expr):
                self.expression(part)
            else:
                self.node(part)

    def _store(self, node: Store) -> None:
        if self._stores:
            self._add(node.tensor, node.subscripts)
        for expr in (*node.subscripts, *node.values):
            self.expression(expr)

    def _add(self, tensor: str, subscripts: tuple[Expr, ...]) -> None:
        if self._only is not None and tensor != self._only:
            return
        box = Box(tuple(self._bounds(s) for s in subscripts))
        found = merged(self._by, self.boxes.get(tensor), box)
        assert found is not None
        self.boxes[tensor] = found

    def _definitions(self, node: Define) -> None:
        """A chain of names, in one scope of their own."""
        outer, seen, lets = self._bounds, self._seen, self._lets
        self._bounds, self._seen, self._lets = outer.inner({}), set(), dict(lets)
        below: Node = node
        while isinstance(below, Define):
            self.expression(below.value)
            interval = self._bounds(below.value)
            self._bounds = self._bounds.with_name(below.name, interval)
            self._lets.pop(below.name, None)
            self._lets[below.name] = below.value
            below = below.body
        self.node(below)
        self._bounds, self._seen, self._lets = outer, seen, lets

    def _scoped(self, bounds: Bounds, parts: Iterable[Expr | Node]) -> None:
        outer, seen = self._bounds, self._seen
        self._bounds, self._seen = bounds, set()
        self._parts(parts)
        self._bounds, self._seen = outer, seen

    def _loop(self, node: For) -> None:
        self.expression(node.minimum)
        self.expression(node.extent)
        self._scoped(
            self._bounds.inner({node.name: loop_interval(self._bounds, node)}), (node.body,)
        )

    def _conditional(
        self, condition: Expr, then: Iterable[Expr | Node], otherwise: Iterable[Expr | Node]
    ) -> None:
        self.expression(condition)
        then, otherwise = list(then), list(otherwise)
        if not condition.reads and not self._bounds.varies(condition):
            self._chosen(self._by(condition), then, otherwise)
            return
        plain = self._by(condition)
        for known, parts in ((plain, then), (self._by(negate(plain)), otherwise)):
            if parts:
                self._scoped(narrow_scope(self._bounds, condition, known, self._lets), parts)

    def _chosen(
        self, condition: Expr, then: list[Expr | Node], otherwise: list[Expr | Node]
    ) -> None:
        """A condition that is one and the same throughout: it says which boxes are used."""
        before, seen = self.boxes, self._seen
        found: list[Boxes] = []
        for known, parts in ((condition, then), (self._by(negate(condition)), otherwise)):
            self.boxes, self._seen = {}, set()
            self._parts(parts)
            found.append({n: self._used(box, known) for n, box in self.boxes.items()})
        self.boxes, self._seen = before, seen
        for name in dict.fromkeys([*found[0], *found[1]]):
            box = merged(self._by, found[0].get(name), found[1].get(name))
            total = merged(self._by, before.get(name), box)
            assert total is not None
            before[name] = total

    def _used(self, box: Box, condition: Expr) -> Box:
        used = condition if box.used is None else self._by(both(box.used, condition))
        return Box(box.bounds, used)


def loop_interval(bounds: Bounds, node: For) -> Interval:
    """The values of a loop's variable, in terms of what does not vary."""
    least, first = bounds.find(node.name + ".loop_min"), bounds(node.minimum)
    low = first.low if least is None else least.low
    most = bounds.find(node.name + ".loop_max")
    if most is not None:
        return Interval(low, most.high)
    last = bounds.simplify(sub(add(node.minimum, node.extent), 1))
    return Interval(low, bounds(last).high)


def conditional_loads(expr: Expr) -> Expr:
    """Selects as ``if_then_else``: which elements must hold the right value, not which are read."""

    def change(node: Expr) -> Expr:
        if isinstance(node, Select) and not node.condition.reads:
            return Call(node.type, "if_then_else", (node.condition, node.then, node.otherwise))
        return node

    return transform(expr, change)


def find_required(expr: Expr, bounds: Bounds) -> Boxes:
    """What an expression loads."""
    touched = Touched(bounds, loads=True, stores=False)
    touched.expression(expr)
    return touched.boxes


def find_stored(node: Node, bounds: Bounds, tensor: str | None = None) -> Boxes:
    """What a nest stores."""
    touched = Touched(bounds, loads=False, stores=True, only=tensor)
    touched.node(node)
    return touched.boxes


def find_loaded(node: Node, bounds: Bounds, tensor: str | None = None) -> Boxes:
    """What a nest loads."""
    touched = Touched(bounds, loads=True, stores=False, only=tensor)
    touched.node(node)
    return touched.boxes


def find_touched(node: Node, bounds: Bounds, tensor: str | None = None) -> Boxes:
    """What a nest loads or stores, values included that nobody looks at."""
    found = Touched(bounds, loads=True, stores=True, only=tensor, guarded=False)
    found.node(node)
    return found.boxes
