"""Accelerators for tests, written by hand: stages over rows and columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from s2s.scop.accelerator import Accelerator
from s2s.scop.expressions import INT32, Binary, Const, Expr, Load, Type, Variable
from s2s.scop.nest import Allocate, Argument, Block, Dimension, For, Nest, Node, Store, Tensor

U16 = Type("uint", 16)


def number(value: int, type_: Type = INT32) -> Const:
    return Const(type_, value)


def var(name: str) -> Variable:
    return Variable(INT32, name)


def plus(left: Expr, by: int) -> Expr:
    return left if by == 0 else Binary(INT32, "add", left, number(by))


def times(left: Expr, by: int) -> Expr:
    return left if by == 1 else Binary(INT32, "mul", left, number(by))


def halves(left: Expr, by: int) -> Expr:
    return left if by == 1 else Binary(INT32, "div", left, number(by))


def loops(names: Sequence[str], extents: Sequence[int], body: Node) -> Node:
    """Loops from 0, outermost first."""
    for name, extent in zip(reversed(names), reversed(extents), strict=True):
        body = For(name, number(0), number(extent), "serial", body)
    return body


def tensor(name: str, sizes: Sequence[int]) -> Tensor:
    """Sizes innermost first."""
    return Tensor(name, (U16,), tuple(Dimension(number(0), number(s)) for s in sizes))


def total(values: Sequence[Expr]) -> Expr:
    found = values[0]
    for value in values[1:]:
        found = Binary(U16, "add", found, value)
    return found


def load(name: str, *subscripts: Expr) -> Load:
    """Subscripts innermost first."""
    return Load(U16, name, subscripts)


def store(name: str, subscripts: Sequence[Expr], value: Expr) -> Store:
    return Store(name, tuple(subscripts), (value,))


def accelerator(
    name: str,
    inputs: Sequence[Tensor],
    outputs: Sequence[Tensor],
    buffers: Sequence[Tensor],
    body: Sequence[Node],
    **more: object,
) -> Accelerator:
    node: Node = Block(tuple(body))
    for buffer in buffers:
        node = Allocate(buffer, node)
    arguments = [Argument(t.name, t, U16) for t in inputs]
    arguments += [Argument(t.name, t, U16, output=True) for t in outputs]
    return Accelerator(Nest(name, tuple(arguments), node), **more)  # type: ignore[arg-type]


def window(source: str, rows: range, columns: range, y: Expr, x: Expr) -> Expr:
    """The sum of a window of elements."""
    return total([load(source, plus(x, c), plus(y, r)) for r in rows for c in columns])


def stage(
    to: str, sizes: tuple[int, int], value: Callable[[Expr, Expr], Expr], lanes: int = 1
) -> Node:
    """A stage of ``sizes`` (rows, columns) elements, ``lanes`` of a row at a time."""
    y, x = var(f"{to}_y"), var(f"{to}_x")
    columns = [plus(times(x, lanes), lane) for lane in range(lanes)]
    stores = tuple(store(to, (column, y), value(y, column)) for column in columns)
    steps = -(-sizes[1] // lanes)
    return loops([f"{to}_y", f"{to}_x"], [sizes[0], steps], Block(stores))


def blur(source: str, size: int = 3) -> Callable[[Expr, Expr], Expr]:
    """The sum of a square window."""
    return lambda y, x: window(source, range(size), range(size), y, x)


def cascade(rows: int = 64, columns: int = 64, **more: object) -> Accelerator:
    """Two convolutions of 3x3, one after the other; rows and columns of the input."""
    sizes = [(rows - k, columns - k) for k in (0, 2, 4)]
    return chain("cascade", ["hw_input", "conv1", "hw_output"], sizes, [1, 3, 3], 1, **more)


def chain(
    name: str,
    stages: Sequence[str],
    sizes: Sequence[tuple[int, int]],
    windows: Sequence[int],
    lanes: int = 1,
    **more: object,
) -> Accelerator:
    """Stages over windows of the one before; ``sizes``: rows and steps of ``lanes`` elements."""
    before = ["input", *stages]
    sizes = [(rows, steps * lanes) for rows, steps in sizes]
    body = [
        stage(to, size, blur(source, square), lanes)
        for source, to, size, square in zip(before, stages, sizes, windows, strict=False)
    ]
    tensors = [tensor(n, s[::-1]) for n, s in zip(stages, sizes, strict=True)]
    stream = tensor("input", sizes[0][::-1])
    return accelerator(name, [stream], tensors[-1:], tensors[:-1], body, **more)


def pyramid(size: int = 64, levels: int = 3, **more: object) -> Accelerator:
    """Means of 2x2, each half as large as the one before."""

    def mean(source: str) -> Callable[[Expr, Expr], Expr]:
        return lambda y, x: window(source, range(2), range(2), times(y, 2), times(x, 2))

    names = ["hw_input", *(f"blur{k}" for k in range(levels))]
    sizes = [(size >> k, size >> k) for k in range(levels + 1)]
    body = [stage("hw_input", sizes[0], lambda y, x: load("input", x, y))]
    body += [
        stage(name, at, mean(before))
        for before, name, at in zip(names, names[1:], sizes[1:], strict=False)
    ]
    tensors = [tensor(n, s) for n, s in zip(names, sizes, strict=True)]
    stream = tensor("input", sizes[0])
    return accelerator("pyramid", [stream], tensors[-1:], tensors[:-1], body, **more)


def product(size: int, tile: int = 8, rate: int = 8) -> Accelerator:
    """A product of square matrices: loaded and given out ``rate`` words at a time, ``tile`` by
    ``tile`` multiply-accumulates at once.
    """

    def copies(to: str, source: str) -> Node:
        y, x = var(f"{to}_y"), var(f"{to}_x")
        columns = [plus(times(x, rate), lane) for lane in range(rate)]
        stores = [store(to, (column, y), load(source, column, y)) for column in columns]
        return loops([f"{to}_y", f"{to}_x"], [size, size // rate], Block(tuple(stores)))

    def tiled(to: str, inner: bool) -> Node:
        y, x, k = (var(f"{to}_{name}") for name in "yxk")
        stores = []
        for row in range(tile):
            for column in range(tile):
                at = plus(times(x, tile), column), plus(times(y, tile), row)
                value: Expr = number(0, U16)
                if inner:
                    pair = load("a", k, at[1]), load("b", at[0], k)
                    value = Binary(U16, "add", load("c", *at), Binary(U16, "mul", *pair))
                stores.append(store("c", at, value))
        names = [*([f"{to}_k"] if inner else []), f"{to}_y", f"{to}_x"]
        extents = [*([size] if inner else []), size // tile, size // tile]
        return loops(names, extents, Block(tuple(stores)))

    body = [copies("a", "a_in"), copies("b", "b_in"), tiled("c0", False), tiled("c1", True)]
    body.append(copies("c_out", "c"))
    sizes = [size, size]
    return accelerator(
        "product",
        [tensor("a_in", sizes), tensor("b_in", sizes)],
        [tensor("c_out", sizes)],
        [tensor(name, sizes) for name in "abc"],
        body,
    )
