"""What a statement assigns, where it jumps, and what its pragmas say: looks at the syntax alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from s2s.source.records import dataclass

Node = Any


def kind_of(node: Node) -> str:
    return type(node).__name__


def nodes(node: Node) -> Iterator[Node]:
    """A node and everything below it, in the order of the text."""
    todo = [node]
    while todo:
        one = todo.pop()
        yield one
        todo.extend(reversed(list(one)))


_EXPRESSIONS = ("Assignment", "FuncCall", "UnaryOp", "Decl", "DeclList", "ExprList", "BinaryOp")


def statements_below(node: Node) -> Iterator[Node]:
    """A statement and those inside it, in the order of the text; most expressions are left out."""
    todo = [node]
    while todo:
        one = todo.pop()
        yield one
        if kind_of(one) not in _EXPRESSIONS:
            todo.extend(reversed(list(one)))


CASCADES = {"get_scd": "cascade_in", "put_mcd": "cascade_out"}
"""Intrinsics of the cascade, and the variables of the file that they move on."""
_LOOPS = ("For", "While", "DoWhile")
_NOTABLE = ("Assignment", "FuncCall", "Return", "ArrayRef", "Decl")
_STEPS = ("++", "--", "p++", "p--", "&")


class Notes:
    """The nodes of loops that the functions below ask for; each loop is walked through once."""

    def __init__(self) -> None:
        self._of: dict[Node, list[Node]] = {}

    def of(self, node: Node | None) -> list[Node]:
        """Assignments, steps, calls, returns, subscripts and declarations in a node."""
        if node is None:
            return []
        if node not in self._of:
            self._of[node] = list(self._walk(node))
        return self._of[node]

    def _walk(self, node: Node) -> Iterator[Node]:
        todo = [node]
        while todo:
            one = todo.pop()
            name = kind_of(one)
            if name in _LOOPS and one is not node:
                yield from self.of(one)
                continue
            if name in _NOTABLE or (name == "UnaryOp" and one.op in _STEPS):
                yield one
            todo.extend(reversed(list(one)))


def find_assigned(
    found_nodes: Sequence[Node], functions: Sequence[str] | dict[str, Node]
) -> set[str]:
    """Names of variables that noted nodes may assign to; ``functions`` may change arguments."""
    found: set[str] = set()
    for one in found_nodes:
        name = kind_of(one)
        if name == "Assignment":
            found.add(root(one.lvalue))
        elif name == "UnaryOp":
            found.add(root(one.expr))
        elif name == "FuncCall" and _may_assign(one.name, functions):
            found |= {root(argument) for argument in (one.args.exprs if one.args else ())}
            called = getattr(one.name, "name", "")
            found |= {CASCADES[called]} if called in CASCADES else set(CASCADES.values())
    return found - {""}


def _may_assign(name: Node, functions: Sequence[str] | dict[str, Node]) -> bool:
    called = getattr(name, "name", "")
    return (
        called in functions
        or called in CASCADES
        or str(called).startswith(("window_", "readincr", "writeincr"))
    )


def root(node: Node) -> str:
    """The name at the bottom of ``a[i]``, ``*p``, ``(T)x``; empty if there is none."""
    while True:
        name = kind_of(node)
        if name == "ID":
            return str(node.name)
        if name in ("ArrayRef", "StructRef"):
            node = node.name
        elif name in ("UnaryOp", "Cast"):
            node = node.expr
        else:
            return ""


def names(node: Node) -> set[str]:
    return {one.name for one in nodes(node) if kind_of(one) == "ID"}


def jumps(node: Node | None) -> bool:
    """Whether a statement leaves its list of statements by itself, outside of inner loops."""
    if node is None or kind_of(node) in _LOOPS:
        return node is not None and any(kind_of(one) == "Return" for one in nodes(node))
    if kind_of(node) in ("Return", "Continue", "Break"):
        return True
    return any(jumps(child) for child in node)


def statements(node: Node | None) -> list[Node]:
    """The statements of a block; a statement that is none is a block of its own."""
    if node is None:
        return []
    if kind_of(node) == "Compound":
        return list(node.block_items or ())
    return [node]


@dataclass
class Hints:
    """What the pragmas between a loop's head and its body say."""

    pipelined: bool = False
    bounds: tuple[int | None, int | None] = (None, None)
    unroll: bool = False


_RANGE = re.compile(r"chess_loop_range\((.*)\)")
_UNROLL = re.compile(r"chess_unroll_loop\((.*)\)|chess_flatten_loop|(?:GCC )?unroll")


def hints(pragmas: Sequence[str]) -> Hints:
    """The meaning of pragmas, as their texts; unknown ones say nothing."""
    found = Hints()
    for text in pragmas:
        if "chess_prepare_for_pipelining" in text:
            found.pipelined = True
        elif match := _RANGE.search(text):
            found.bounds = _bounds(match[1])
        elif _UNROLL.search(text):
            found.unroll = True
    return found


def _bounds(text: str) -> tuple[int | None, int | None]:
    words = [word.strip() for word in text.split(",")]
    numbers = [int(word, 0) if re.fullmatch(r"\d+|0x[\da-fA-F]+", word) else None for word in words]
    return (numbers[0], numbers[1] if len(numbers) > 1 else None)


def split_pragmas(node: Node) -> tuple[list[str], Node]:
    """The pragmas before a loop's body, and the body without them."""
    items = statements(node)
    texts = []
    while items and kind_of(items[0]) == "Pragma":
        string = items.pop(0).string
        texts.append(string.value.strip('"') if hasattr(string, "value") else str(string))
    if not texts:
        return [], node
    return texts, items[0] if len(items) == 1 else _block(items, node)


def _block(items: list[Node], node: Node) -> Node:
    from pycparser import c_ast

    return c_ast.Compound(items, node.coord)
