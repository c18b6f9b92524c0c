"""What neighbouring lanes compute alike is computed once for each place.

A Func that is inlined where a window of it is read is computed again for each element of the
window; along the lanes these are the same values, some lanes further on::

    simd for (x < n) f(x) = g(a[x]) + g(a[x + 1]) + g(a[x + 2]);
      ->  simd for (p < n + 2) w[p] = g(a[p]);
          simd for (x < n) f(x) = w[x] + w[x + 1] + w[x + 2];

It is done in strips whose values stay in the first cache. Every place is one that the loop's own
lanes read, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from s2s.scop.build import add
from s2s.scop.expressions import (
    BOOL,
    INT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Variable,
)
from s2s.scop.nest import Allocate, Dimension, For, Node, Store, Tensor, walk
from s2s.scop.normal_form import integer, linear, normalized, replaced, with_parts, with_values
from s2s.scop.rewrite import block, with_children, with_expressions
from s2s.scop.storage import SHIFTED
from s2s.source.records import dataclass
from s2s.transforms.nest.lanes import unconditional
from s2s.transforms.nest.lifetimes import STACK_BYTES

_STRIPS = (512, 256, 128, 64)
_LEAST = 32
"""Shorter loops have too many places beyond their lanes."""

_WINDOWS = 12
_LARGEST = 60
"""Operations of one value; larger ones are not compared."""


@dataclass(frozen=True)
class _Window:
    """``value`` as lane 0 of shift 0 has it; ``uses``: what is that value at which shift."""

    value: Expr
    uses: dict[int, Expr]

    @property
    def first(self) -> int:
        return min(self.uses)

    @property
    def span(self) -> int:
        return max(self.uses) - self.first

    @property
    def pays(self) -> bool:
        """Whether work saved is more than a store and a load for each use."""
        shifts = len(self.uses)
        if self.span + 1 != shifts or shifts < 2:
            return False
        return _work(self.value) * (shifts - 1) >= 2 * (shifts + 1)


def compute_windows(node: Node) -> Node:
    """The tree in which vectorized loops compute the values of windows once for each place."""
    if isinstance(node, For) and node.kind == "vectorized":
        return _with_windows(node) or node
    return with_children(node, compute_windows)


def _with_windows(loop: For) -> Node | None:
    extent = normalized(loop.extent)
    if isinstance(extent, Const) and extent.value < _LEAST:
        return None
    if not unconditional(loop.body):
        return None
    body = with_expressions(loop.body, normalized)
    windows = list(_windows(body, loop.name))
    size = next((s for s in _STRIPS if _bytes(windows, s) <= STACK_BYTES), None)
    if not windows or size is None:
        return None
    if isinstance(extent, Const) and extent.value <= size:
        return _window_loops(loop, body, windows, loop.minimum, extent, int(extent.value))
    return _strips(loop, body, windows, extent, size)


def _bytes(windows: Sequence[_Window], strip: int) -> int:
    return sum((strip + w.span) * max(w.value.type.bits, 8) // 8 for w in windows)


def _windows(body: Node, lane: str) -> Iterator[_Window]:
    """Values worth computing once, larger ones first, and then what is left."""
    written = {n.tensor for n in walk(body) if isinstance(n, Store)}
    roots = [value for n in walk(body) if isinstance(n, Store) for value in n.values]
    chosen: set[Expr] = set()
    for _ in range(_WINDOWS):
        best = max(
            (w for w in _groups(_visible(roots, chosen), lane, written) if w.pays),
            key=lambda w: _work(w.value) * (len(w.uses) - 1),
            default=None,
        )
        if best is None:
            return
        chosen.update(best.uses.values())
        yield best


def _visible(roots: Sequence[Expr], chosen: set[Expr]) -> list[Expr]:
    """What is computed if the chosen values are there."""
    seen: dict[Expr, None] = {}
    stack = [root for root in roots if root not in chosen]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen[node] = None
            if not isinstance(node, Load):
                stack += [o for o in node.operands if o not in chosen]
    return list(seen)


def _groups(values: Sequence[Expr], lane: str, written: set[str]) -> Iterator[_Window]:
    """Values that are the same but for a shift of the lanes."""
    found: dict[Expr, dict[int, Expr]] = {}
    for value in values:
        if not isinstance(value, Binary | Select | Call | Cast) or value.type == BOOL:
            continue
        if lane not in value.variables or not value.reads or _work(value) > _LARGEST:
            continue
        reads = [n for n in _visible([value], set()) if isinstance(n, Load)]
        shift = _shift(reads, lane)
        if shift is None or any(read.tensor in written for read in reads):
            continue
        at_zero = add(Variable(INT32, lane), integer(-shift))
        found.setdefault(replaced(value, {lane: at_zero}), {})[shift] = value
    for value, uses in found.items():
        yield _Window(value, uses)


def _shift(reads: Sequence[Load], lane: str) -> int | None:
    """The constant beside the lane in the first of the reads that is least there."""
    variable = Variable(INT32, lane)
    shifts = [
        form.constant
        for read in reads
        for form in map(linear, read.subscripts)
        if form.coefficient(variable) == 1
    ]
    return min(shifts, default=None)


def _work(value: Expr) -> int:
    """Operations of a value; subscripts, reads and widening are shared or free."""
    return sum(map(_cost, _visible([value], set())))


def _cost(node: Expr) -> int:
    match node:
        case Call():
            return 4
        case Binary(op="div" | "mod"):
            return 4
        case Binary(type, "mul", Cast(value=Expr(type=left)), Cast(value=Expr(type=right))):
            # Vectors of the short halves of products are put together from two instructions.
            return 5 if max(left.bits, right.bits) < type.bits and not left.is_float else 1
        case Binary() | Select():
            return 1
        case Cast():
            return int(node.type.is_float != node.value.type.is_float)
    return 0


def _strips(loop: For, body: Node, windows: Sequence[_Window], extent: Expr, size: int) -> For:
    strip = Variable(INT32, f"{loop.name}.strip")
    start = Binary(INT32, "mul", strip, integer(size))
    rest = Binary(INT32, "sub", extent, start)
    count = normalized(Binary(INT32, "min", rest, integer(size)))
    number = Binary(INT32, "div", add(extent, integer(size - 1)), integer(size))
    first = normalized(add(loop.minimum, start))
    return replace(
        loop,
        name=strip.name,
        kind="serial",
        minimum=integer(0),
        extent=normalized(number),
        body=_window_loops(loop, body, windows, first, count, size),
    )


def _window_loops(
    loop: For, body: Node, windows: Sequence[_Window], first: Expr, count: Expr, size: int
) -> Node:
    """Memory for the windows, loops that fill it, and the loop that uses it."""
    lane, place = Variable(INT32, f"{loop.name}.lane"), Variable(INT32, f"{loop.name}.place")
    known: dict[Expr, Expr] = {}
    filled: dict[tuple[int, int], list[Node]] = {}
    memory: list[Tensor] = []
    for number, window in enumerate(windows):
        type, start = window.value.type, window.first
        shape = (Dimension(integer(0), integer(size + window.span)),)
        name = f"window_{number}${loop.name}"
        memory.append(Tensor(name, (type,), shape, memory=SHIFTED))
        at = normalized(add(add(first, place), integer(start)))
        value = replaced(window.value, {loop.name: at})
        store = Store(memory[-1].name, (place,), (value,))
        filled.setdefault((start, window.span), []).append(store)
        for shift, use in window.uses.items():
            known[use] = Load(type, memory[-1].name, (normalized(add(lane, shift - start)),))
    loops: list[Node] = [
        _lanes(loop, place, add(count, integer(span)), block(stores))
        for (_, span), stores in filled.items()
    ]
    rest = with_expressions(body, lambda e: with_parts(e, known) if e.reads else e)
    rest = with_values(rest, {loop.name: add(first, lane)})
    made: Node = block([*loops, _lanes(loop, lane, count, rest)])
    for tensor in reversed(memory):
        made = Allocate(tensor, made)
    return made


def _lanes(loop: For, name: Variable, count: Expr, body: Node) -> For:
    extent = normalized(count)
    return replace(loop, name=name.name, var="", minimum=integer(0), extent=extent, body=body)
