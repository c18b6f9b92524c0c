"""Sliding window: what a serial loop computed in an iteration before is not computed again.

Applies to Funcs stored further out than they are computed. The region computed in an iteration
shrinks to what the ones before have not; the loop starts earlier to warm the window up, and what
consumes the Func is guarded to run from the loop's own start on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace

from s2s.scop.build import add, both, le, maximum, minimum, select, sub, var
from s2s.scop.expressions import Binary, Call, Const, Expr
from s2s.scop.nest import Allocate, Block, Define, For, If, Node, Produce, children
from s2s.scop.pipeline import Func
from s2s.scop.rewrite import map_children, substitute, substitute_in
from s2s.scop.simplify.intervals import Bounds
from s2s.scop.simplify.simplify import Simplifier
from s2s.source.records import dataclass
from s2s.transforms.halide.bounds_inference import produced_by
from s2s.transforms.halide.boxes import find_stored
from s2s.transforms.halide.environment import Environment
from s2s.transforms.halide.levels import same_level
from s2s.transforms.halide.monotonic import constant, decreasing, increasing
from s2s.transforms.halide.reads import tensors_read_in
from s2s.transforms.halide.solving import inner_span
from s2s.transforms.halide.stages import always_pure

_WARM_UP = "$warm_up"


@dataclass
class SlidingWindow:
    """Slides all Funcs of a nest that can. ``slid``: (Func, loop) for storage folding."""

    funcs: Environment
    by: Simplifier
    slid: set[tuple[str, str]] = field(default_factory=set)
    _sliding: list[Func] = field(default_factory=list)
    _dimensions: dict[str, set[int]] = field(default_factory=dict)

    def __call__(self, node: Node) -> Node:
        """The nest, slid."""
        match node:
            case Allocate():
                return self._allocation(node)
            case For() if self._sliding:
                return self._loop(node)
            case If():
                return self._branch(node)
        return map_children(node, self)

    def _allocation(self, node: Allocate) -> Node:
        func = self.funcs[node.tensor.name]
        schedule = func.schedule
        if same_level(schedule.compute_level, schedule.store_level):
            return replace(node, body=self(node.body))
        self._sliding.insert(0, func)
        body = self(node.body)
        self._sliding.pop(0)
        self._dimensions.pop(func.name, None)
        return replace(node, body=body)

    def _branch(self, node: If) -> Node:
        """Branches slide independently of each other."""
        before = {name: set(dims) for name, dims in self._dimensions.items()}

        def visit(child: Node) -> Node:
            self._dimensions = {name: set(dims) for name, dims in before.items()}
            return self(child)

        changed = map_children(node, visit)
        self._dimensions = before
        return changed

    def _loop(self, node: For) -> Node:
        original = f"{node.name}.loop_min.orig"
        if node.kind not in ("serial", "unrolled"):
            return Define(original, node.minimum, replace(node, body=self(node.body)))
        state = _Loop(node, node.name, node.body, node.minimum, node.extent)
        for func in self._sliding:
            self._slide(state, func)
        body = self(state.body)
        result: Node = replace(
            node, name=state.name, minimum=state.low, extent=state.extent, body=body
        )
        if state.defined:
            result = Define(f"{state.name}.loop_max", var(f"{node.name}.loop_max"), result)
        for name, value in state.defined:
            result = Define(name, value, result)
        return Define(original, node.minimum, result)

    def _slide(self, state: _Loop, func: Func) -> None:
        """Slide one Func over one loop, and move the loop's start."""
        first = state.original.minimum
        for name, start in state.starts:
            if _depends_on(func.name, name, state.body):
                first = start
                break
        dimensions = self._dimensions.setdefault(func.name, set())
        slider = _Slider(func, state.name, first, dimensions, self.by)
        state.body = slider.visit(state.body)
        if slider.new_start is not None:
            state.restart(func.name, slider.new_start, first, self.by)
        if slider.slid is not None:
            dimensions.add(slider.slid)
            self.slid.add((func.name, state.name))
        if slider.new_start is not None:
            self.slid |= {(f, state.name) for f, loop in self.slid if loop == state.previous}


@dataclass
class _Loop:
    """A loop as Funcs slide over it one after the other."""

    original: For
    name: str
    body: Node
    low: Expr
    extent: Expr
    previous: str = ""
    starts: list[tuple[str, Expr]] = field(default_factory=list)
    """Where the loop must start for each Func that was slid, the latest first."""
    defined: list[tuple[str, Expr]] = field(default_factory=list)

    def restart(self, func: str, start: Expr, first: Expr, by: Simplifier) -> None:
        """Start the loop earlier, under a new name."""
        if first is not self.original.minimum:
            start = by(minimum(start, self.low))
        self.starts.insert(0, (func, start))
        self.previous, old, self.name = self.name, self.name, f"{self.name}.$n"
        self.low, self.extent = var(f"{self.name}.loop_min"), var(f"{self.name}.loop_extent")
        renamed: dict[str, Expr] = {
            old: var(self.name),
            f"{old}.loop_min": self.low,
            f"{old}.loop_extent": self.extent,
        }
        self.body = substitute_in(self.body, renamed)
        last = var(f"{self.original.name}.loop_max")
        self.defined[:0] = [
            (f"{self.name}.loop_extent", add(sub(last, self.low), 1)),
            (f"{self.name}.loop_min.orig", self.low),
            (f"{self.name}.loop_min", start),
        ]


class _Slider:
    """Slides one Func over one loop, in the loop's body."""

    def __init__(
        self, func: Func, loop: str, first: Expr, dimensions: set[int], by: Simplifier
    ) -> None:
        self.func, self.loop, self.first, self.by = func, loop, first, by
        self._before = dimensions
        self._scope: dict[str, Expr] = {}
        self._enclosing: list[str] = []
        self._replaced: dict[str, Expr] = {}
        self.new_start: Expr | None = None
        self.slid: int | None = None

    def visit(self, node: Node) -> Node:
        match node:
            case Produce(func=name) if name == self.func.name:
                return self._produced(node)
            case Block():
                return self._block(node)
            case For():
                return self._inner_loop(node)
            case Define():
                return self._definition(node)
        return map_children(node, self.visit)

    def _expanded(self, expr: Expr) -> Expr:
        return substitute(expr, self._scope) if self._scope.keys() & expr.variables else expr

    def _definition(self, node: Define) -> Node:
        outer = self._scope
        self._scope = {**outer, node.name: self.by(self._expanded(node.value))}
        body = self.visit(node.body)
        self._scope = outer
        return Define(node.name, self._replaced.pop(node.name, node.value), body)

    def _inner_loop(self, node: For) -> Node:
        low, extent = self._expanded(node.minimum), self._expanded(node.extent)
        if isinstance(extent, Const) and extent.value == 1:
            as_name = self._definition(Define(node.name, low, node.body))
            assert isinstance(as_name, Define)
            return replace(node, body=as_name.body)
        if not (constant(low, self.loop) and constant(extent, self.loop)):
            return node
        self._enclosing.append(node.name)
        body = self.visit(node.body)
        self._enclosing.pop()
        return replace(node, body=body)

    def _block(self, node: Block) -> Node:
        """What comes after a Func's computation consumes it."""
        below: list[Node] = []
        consuming = False
        for child in node.children:
            if consuming and self.new_start is not None and not _computes(child, self.func.name):
                below.append(self._guarded(self.visit(child)))
            else:
                below.append(self.visit(child))
            consuming = consuming or bool(produced_by(child))
        return Block(tuple(below))

    def _guarded(self, body: Node) -> Node:
        """Runs from the loop's original start on, unless it is guarded so already."""
        if isinstance(body, If) and self._is_guard(body.condition):
            return body
        condition = le(var(f"{self.loop}.loop_min.orig"), var(self.loop))
        return If(Call(condition.type, "likely_if_innermost", (condition,)), body)

    def _is_guard(self, condition: Expr) -> bool:
        if not isinstance(condition, Call) or condition.name != "likely_if_innermost":
            return False
        (inside,) = condition.arguments
        return isinstance(inside, Binary) and inside.op == "le" and inside.right is var(self.loop)

    def _produced(self, node: Produce) -> Node:
        found = self._moving_dimension()
        if found is None or found[0] in self._before:
            return node
        place, low, high = found
        if not always_pure(self.func)[place]:
            return node
        up = increasing(low, self.loop)
        if not up and not decreasing(high, self.loop):
            return node
        window = _Window(self.by, self.loop, self.first, low, high, up)
        if not window.overlaps():
            return node
        self.slid = place
        start = window.start()
        if start is not None and start is not self.by(self.first):
            uses = start.variables
            self.new_start = None if uses & set(self._enclosing) else start
        return self._narrowed(node, place, window)

    def _narrowed(self, node: Produce, place: int, window: _Window) -> Node:
        """Only what is new is computed: in all stages, and what the last one does not cover."""
        new = self.by(window.narrowed(self.new_start is not None))
        last = len(self.func.updates)
        variable = self.func.vars[place]
        side = "min" if window.up else "max"
        name = f"{self.func.name}.s{last}.{variable}"
        self._replaced[f"{name}.{side}"] = new
        for stage in range(last):
            earlier = f"{self.func.name}.s{stage}.{variable}"
            self._replaced[f"{earlier}.min"] = var(f"{name}.min")
            self._replaced[f"{earlier}.max"] = var(f"{name}.max")
        if not last:
            return node
        box = find_stored(node.body, Bounds(self.by, {}), self.func.name)[self.func.name]
        low, high = box.bounds[place]
        whole = var(f"{name}.{side}")
        if window.up and low is not None:
            return Define(f"{name}.min", minimum(whole, low), node)
        if high is not None:
            return Define(f"{name}.max", maximum(whole, high), node)
        return node

    def _moving_dimension(self) -> tuple[int, Expr, Expr] | None:
        """The one dimension whose region moves with the loop; where none does, the last one."""
        prefix = f"{self.func.name}.s{len(self.func.updates)}."
        found: tuple[int, Expr, Expr] | None = None
        for place, variable in enumerate(self.func.vars):
            name = prefix + variable
            if f"{name}.min" not in self._scope or f"{name}.max" not in self._scope:
                return None
            low = self._expanded(self._scope[f"{name}.min"])
            high = self._expanded(self._scope[f"{name}.max"])
            if self.loop in low.variables | high.variables:
                if found is not None:
                    return None
                found = place, low, high
            elif found is None and place == len(self.func.vars) - 1:
                found = place, low, high
        return found


@dataclass
class _Window:
    """The region ``low`` to ``high`` of a Func, as ``loop`` moves it up (or down)."""

    by: Simplifier
    loop: str
    first: Expr
    low: Expr
    high: Expr
    up: bool

    def _before(self, expr: Expr) -> Expr:
        return substitute(expr, {self.loop: sub(var(self.loop), 1)})

    def overlaps(self) -> bool:
        """Whether two iterations in a row may need the same elements."""
        apart_above = le(add(self._before(self.high), 1), self.low)
        apart_below = le(self.high, sub(self._before(self.low), 1))
        return not (self.by.proves(apart_above) or self.by.proves(apart_below))

    def _new(self) -> tuple[Expr, Expr]:
        """What is new in an iteration, if the one before has run."""
        if self.up:
            return add(self._before(self.high), 1), self.high
        return self.low, sub(self._before(self.low), 1)

    def start(self) -> Expr | None:
        """The iteration from which on the window is warm when the loop's own start is reached."""
        at = var(_WARM_UP)
        low, high = (substitute(e, {self.loop: at}) for e in self._new())
        own = substitute(self.low if self.up else self.high, {self.loop: self.first})
        reaches = le(low, own) if self.up else le(own, high)
        condition = both(both(le(at, self.first), reaches), le(low, high))
        span = inner_span(self.by, condition, _WARM_UP)
        return None if span.empty else span.high

    def narrowed(self, warmed_up: bool) -> Expr:
        """The new end of the region that is computed."""
        end = self._new()[0 if self.up else 1]
        if warmed_up:
            original = var(f"{self.loop}.loop_min.orig")
            own = substitute(self.low if self.up else self.high, {self.loop: original})
            return maximum(end, own) if self.up else minimum(end, own)
        is_first = le(var(self.loop), self.first)
        return select(is_first, self.low if self.up else self.high, end)


def _computes(node: Node, func: str) -> bool:
    return (isinstance(node, Produce) and node.func == func) or any(
        _computes(child, func) for child in children(node)
    )


def _depends_on(func: str, other: str, node: Node) -> bool:
    """Whether what computes ``other`` needs ``func``, directly or through others."""
    seen: set[str] = set()
    stack = [other]
    while stack:
        name = stack.pop()
        if name == func:
            return True
        if name not in seen:
            seen.add(name)
            stack += sorted(_needs(name, node))
    return False


def _needs(func: str, node: Node) -> Iterable[str]:
    if isinstance(node, Produce) and node.func == func:
        return tensors_read_in(node.body) - {func}
    found: set[str] = set()
    for child in children(node):
        found |= set(_needs(func, child))
    return found
