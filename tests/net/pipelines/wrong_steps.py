"""Wrong last steps: nests as they are printed, and emitted texts, with one thing wrong in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from s2s.scop.expressions import INT32, Binary, Cast, Const, Expr, Load, Select, Type, Variable
from s2s.scop.nest import Allocate, Block, Dimension, For, If, Node, Store, children
from s2s.scop.rewrite import map_children, rebuild

Wrong = Callable[[Node], Iterator[Node]]
"""All that may become of one node."""


def anywhere(body: Node, wrong: Wrong) -> Iterator[Node]:
    """The tree with the wrong step taken at one place, for each place."""
    yield from wrong(body)
    below = children(body)
    for place, child in enumerate(below):
        for changed in anywhere(child, wrong):
            parts = iter((*below[:place], changed, *below[place + 1 :]))
            yield map_children(body, lambda _, parts=parts: next(parts))  # type: ignore[misc]


def _plus(expr: Expr, step: int) -> Expr:
    if isinstance(expr, Const):
        return Const(expr.type, expr.value + step)
    return Binary(INT32, "add", expr, Const(INT32, step))


def one_less(node: Node) -> Iterator[Node]:
    if isinstance(node, For):
        yield replace(node, extent=_plus(node.extent, -1))


def one_more(node: Node) -> Iterator[Node]:
    if isinstance(node, For):
        yield replace(node, extent=_plus(node.extent, 1))


def late_start(node: Node) -> Iterator[Node]:
    """A partition's border is moved: what one part leaves out no other does."""
    if isinstance(node, For):
        yield replace(node, minimum=_plus(node.minimum, 1), extent=_plus(node.extent, -1))


def swapped_order(node: Node) -> Iterator[Node]:
    """A consumer before its producer, an update before what it updates."""
    if isinstance(node, Block):
        for k in range(len(node.children) - 1):
            parts = list(node.children)
            parts[k], parts[k + 1] = parts[k + 1], parts[k]
            yield Block(tuple(parts))


def dropped(node: Node) -> Iterator[Node]:
    if isinstance(node, Block):
        for k in range(len(node.children)):
            yield Block(node.children[:k] + node.children[k + 1 :])
    elif isinstance(node, For) and isinstance(node.body, Store):
        yield replace(node, body=Block(()))


def doubled_row(node: Node) -> Iterator[Node]:
    """A copy of a statement stands where its neighbour was."""
    if isinstance(node, Block):
        for k in range(len(node.children) - 1):
            one, other = node.children[k : k + 2]
            if type(one) is type(other) and isinstance(one, Store | For | If):
                parts = list(node.children)
                parts[k + 1] = parts[k]
                yield Block(tuple(parts))


def wrong_fold(node: Node) -> Iterator[Node]:
    yield from _dimensions(
        node, lambda d: None if d.fold is None else replace(d, fold=_plus(d.fold, -1))
    )


def wrong_minimum(node: Node) -> Iterator[Node]:
    yield from _dimensions(node, lambda d: replace(d, minimum=_plus(d.minimum, 1)))


def small_memory(node: Node) -> Iterator[Node]:
    yield from _dimensions(
        node, lambda d: replace(d, extent=_plus(d.extent, -1)) if d.fold is None else None
    )


def _dimensions(node: Node, change: Callable[[Dimension], Dimension | None]) -> Iterator[Node]:
    if isinstance(node, Allocate):
        given = node.tensor.dimensions
        for k, dimension in enumerate(given):
            changed = change(dimension)
            if changed is not None:
                dimensions = (*given[:k], changed, *given[k + 1 :])
                yield replace(node, tensor=replace(node.tensor, dimensions=dimensions))


def _in_values(change: Callable[[Expr], Iterator[Expr]]) -> Wrong:
    """One place in the values of a store is changed."""

    def inside(expr: Expr) -> Iterator[Expr]:
        yield from change(expr)
        for k, operand in enumerate(expr.operands):
            for changed in inside(operand):
                yield rebuild(expr, (*expr.operands[:k], changed, *expr.operands[k + 1 :]))

    def wrong(node: Node) -> Iterator[Node]:
        if isinstance(node, Store):
            for k, value in enumerate(node.values):
                for changed in inside(value):
                    yield replace(node, values=(*node.values[:k], changed, *node.values[k + 1 :]))

    return wrong


def _operand(expr: Expr) -> Iterator[Expr]:
    if isinstance(expr, Binary):
        other = {"add": "sub", "sub": "add", "min": "max", "max": "min", "lt": "le", "mul": "add"}
        if expr.op in other:
            yield Binary(expr.type, other[expr.op], expr.left, expr.right)
    elif isinstance(expr, Const) and expr.type.is_float:
        yield Const(expr.type, float(expr.value) * 1.25 + 1)
    elif isinstance(expr, Const) and expr.type.bits > 1:
        yield Const(expr.type, int(expr.value) + (1 if expr.value < expr.type.largest else -1))


def _branches(expr: Expr) -> Iterator[Expr]:
    if isinstance(expr, Select):
        yield Select(expr.type, expr.condition, expr.otherwise, expr.then)


def _narrow(expr: Expr) -> Iterator[Expr]:
    if isinstance(expr, Cast) and expr.type.is_integer and expr.type.bits > 8:
        half = Type(expr.type.code, expr.type.bits // 2)
        yield Cast(expr.type, Cast(half, expr.value))


def _subscript(expr: Expr) -> Iterator[Expr]:
    if isinstance(expr, Load):
        for k, place in enumerate(expr.subscripts):
            moved = (*expr.subscripts[:k], _plus(place, 1), *expr.subscripts[k + 1 :])
            yield replace(expr, subscripts=moved)


def wrong_lane(node: Node) -> Iterator[Node]:
    """A value of another lane is stored."""
    if isinstance(node, For) and node.kind == "vectorized":
        lane = Variable(INT32, node.name)
        other = Binary(INT32, "bxor", lane, Const(INT32, 1))

        def change(expr: Expr) -> Iterator[Expr]:
            if expr is lane:
                yield other

        yield from (replace(node, body=body) for body in anywhere(node.body, _in_values(change)))


def wrong_condition(node: Node) -> Iterator[Node]:
    if isinstance(node, If):
        otherwise = Block(()) if node.otherwise is None else node.otherwise
        yield replace(node, then=otherwise, otherwise=node.then)


NODES: dict[str, Wrong] = {
    "a bound one less": one_less,
    "a bound one more": one_more,
    "a border moved": late_start,
    "an order": swapped_order,
    "a dropped statement": dropped,
    "a row doubled": doubled_row,
    "a fold factor": wrong_fold,
    "a minimum of memory": wrong_minimum,
    "memory too small": small_memory,
    "an operand": _in_values(_operand),
    "branches swapped": _in_values(_branches),
    "a cast narrowed": _in_values(_narrow),
    "a subscript": _in_values(_subscript),
    "a lane": wrong_lane,
    "a condition": wrong_condition,
}
"""By name, what may be wrong in a nest."""


def nests(body: Node, kind: str) -> list[Node]:
    """The printed nest with one step of a kind wrong, for each place."""
    return list(anywhere(body, NODES[kind]))


_STEPS = {
    "a step": (r"\b(\w+)\+\+\)", r"\1 += 2)"),
    "a comparison": (r"(for \(int \w+ = [^;]*; \w+) < ", r"\1 <= "),
    "a start": (r"(for \(int \w+ = [^;]+);", r"\1 + 1;"),
    "an offset": (r"(\[[^][]*\])( = )", r"\1\2 1 + "),
    "an index": (r"\[([^][]+)\]([^=]*;)", r"[(\1) ^ 1]\2"),
    "a sign": (r" \+ (?!\+)", " - "),
    "status": (r"\b(status =|return) [1-9]\d*;", r"\1 0;"),
}
TEXTS = tuple(_STEPS)
"""What may be wrong in a text."""


def texts(source: str, function: str, kind: str) -> Iterator[str]:
    """The text with one thing wrong in its function, for each place."""
    pattern, replacement = _STEPS[kind]
    start = source.index(f"int {function}(")
    start = source.index("{", start)
    for match in re.finditer(pattern, source[start:]):
        first, last = start + match.start(), start + match.end()
        yield source[:first] + match.expand(replacement) + source[last:]
