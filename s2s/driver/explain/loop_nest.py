"""The loop nest as Halide's ``print_loop_nest`` shows it: loops, who is computed and used where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from s2s.scop.expressions import Const, Expr, Variable
from s2s.scop.nest import (
    Allocate,
    Block,
    Check,
    Define,
    For,
    Hoist,
    If,
    Node,
    Produce,
    Store,
    children,
)
from s2s.scop.pipeline import Func
from s2s.transforms.halide.levels import same_level

_WORDS = {"serial": "for"}


def print_loop_nest(body: Node, funcs: dict[str, Func], outputs: Sequence[str]) -> str:
    """The nest as indented text; constant ranges of loops are shown.

    ``body`` is a nest after bounds inference (before it there are no ranges to show).
    """
    return "".join(f"{line}\n" for line in _Printer(funcs, outputs).lines(body, 0, {}))


class _Printer:
    def __init__(self, funcs: dict[str, Func], outputs: Sequence[str]) -> None:
        self.funcs, self.outputs = funcs, outputs

    def lines(self, node: Node, depth: int, constants: dict[str, Expr]) -> Iterator[str]:
        indent = "  " * depth
        match node:
            case Block(below):
                yield from self._block(below, depth, constants)
            case Define(name, value, inner):
                known = {**constants, name: value} if isinstance(value, Const) else constants
                yield from self.lines(inner, depth, known)
            case Store(tensor=name):
                yield f"{indent}{_shown(name)}(...) = ..."
            case For():
                word = _WORDS.get(node.kind, node.kind)
                yield f"{indent}{word} {_loop_name(node)}{_range(node, constants)}:"
                yield from self.lines(node.body, depth + 1, constants)
            case Produce(name, inner):
                yield f"{indent}produce {_shown(name)}:"
                yield from self.lines(inner, depth + 1, constants)
            case Allocate(tensor, inner) if self._stored_apart(tensor.name):
                yield f"{indent}store {_shown(tensor.name)}:"
                yield from self.lines(inner, depth + 1, constants)
            case Allocate() | If() | Hoist() | Check():
                for child in children(node):
                    yield from self.lines(child, depth, constants)

    def _block(
        self, below: Sequence[Node], depth: int, constants: dict[str, Expr]
    ) -> Iterator[str]:
        """What follows the computation of Funcs in a block is what consumes them."""
        for index, node in enumerate(below):
            yield from self.lines(node, depth, constants)
            consumed = [n for n in _produced(node) if n not in self.outputs]
            if consumed and index + 1 < len(below):
                for name in consumed:
                    yield f"{'  ' * depth}consume {_shown(name)}:"
                    depth += 1

    def _stored_apart(self, name: str) -> bool:
        func = self.funcs.get(name)
        if func is None:
            return False
        return not same_level(func.schedule.store_level, func.schedule.compute_level)


def _produced(node: Node) -> list[str]:
    """The Funcs that a node computes, the outermost first (a group that shares loops)."""
    names: list[str] = []
    while isinstance(node, Produce):
        names.append(node.func)
        node = node.body
    return names


def _loop_name(loop: For) -> str:
    return _shown(loop.name.split(".", 2)[-1])


def _shown(name: str) -> str:
    """A name without what makes it unique."""
    return re.sub(r"\$[^.]*", "", name)


def _range(loop: For, constants: dict[str, Expr]) -> str:
    def known(value: Expr) -> Expr:
        return constants.get(value.name, value) if isinstance(value, Variable) else value

    low, extent = known(loop.minimum), known(loop.extent)
    if not (isinstance(low, Const) and isinstance(extent, Const)):
        return ""
    return f" in [{low.value}, {low.value + extent.value - 1}]"
