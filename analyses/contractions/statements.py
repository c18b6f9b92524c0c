"""The statements of a nest in the form in which a contraction is looked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from s2s.analyses.contractions.linear import Linear, linear
from s2s.scop.contraction import NotAContraction
from s2s.scop.expressions import Const, Expr, Load, substitute, walk
from s2s.scop.nest import (
    Allocate,
    Block,
    Check,
    Define,
    For,
    Hoist,
    If,
    Nest,
    Node,
    Produce,
    Store,
)
from s2s.scop.nest import walk as nodes


@dataclass(frozen=True)
class Range:
    """A loop around a statement: its unique name, the name in the program, and its iterations."""

    name: str
    source: str
    minimum: int
    extent: int


@dataclass(frozen=True)
class Statement:
    """``tensor[subscripts] = value`` in ``loops`` (outermost first), at a place of the text.

    ``place`` orders statements: child numbers and loop names from the outside in, as in
    ``s2s.scop.tensors``. ``subscripts`` are affine in the loops.
    """

    tensor: str
    subscripts: tuple[Linear, ...]
    value: Expr
    loops: tuple[Range, ...]
    place: tuple[int | str, ...]
    store: Store

    @property
    def ranges(self) -> dict[str, tuple[int, int]]:
        """The first and the last value of each loop's variable."""
        return {r.name: (r.minimum, r.minimum + r.extent - 1) for r in self.loops}

    @property
    def reads_itself(self) -> bool:
        """Whether the value has an element of the same tensor in it."""
        return any(isinstance(e, Load) and e.tensor == self.tensor for e in walk(self.value))


def statements(nest: Nest) -> list[Statement]:
    """All stores in the order of the text; NotAContraction for what is no loop nest of them."""
    return list(_below(nest.body, (), (), {}))


def _below(
    node: Node,
    loops: tuple[Range, ...],
    place: tuple[int | str, ...],
    names: Mapping[str, Expr],
) -> Iterator[Statement]:
    match node:
        case Block(children):
            for number, child in enumerate(children):
                yield from _below(child, loops, (*place, number), names)
        case For():
            found = _range(node, names, loops)
            yield from _below(node.body, (*loops, found), (*place, node.name), names)
        case Allocate(_, body) | Produce(_, body) | Hoist(_, body):
            yield from _below(body, loops, place, names)
        case Define(name, value, body):
            yield from _below(body, loops, place, {**names, name: substitute(value, dict(names))})
        case If():
            store = next((n for n in nodes(node) if isinstance(n, Store)), None)
            raise NotAContraction("there is a condition", store.at if store else None)
        case Store():
            yield _statement(node, loops, place, dict(names))
        case Check():
            pass  # on the sizes of what is passed, which are fixed here


def _range(loop: For, names: Mapping[str, Expr], around: tuple[Range, ...]) -> Range:
    source = (loop.var or loop.name).replace("$", ".")
    ends = []
    for expr in (loop.minimum, loop.extent):
        value = linear(substitute(expr, dict(names)), {})
        if value is None or value.terms:
            raise NotAContraction(f"the bounds of loop {source} are no numbers; give its size")
        ends.append(value.constant)
    return Range(loop.name, source, ends[0], max(ends[1], 0))


def _statement(
    store: Store,
    loops: tuple[Range, ...],
    place: tuple[int | str, ...],
    names: dict[str, Expr],
) -> Statement:
    if len(store.values) != 1:
        raise NotAContraction(f"{store.tensor} has tuples as elements", store.at)
    if store.predicate is not None and not _always(store.predicate):
        raise NotAContraction(f"{store.tensor} is stored under a condition", store.at)
    value = substitute(store.values[0], names)
    ranges = {r.name: (r.minimum, r.minimum + r.extent - 1) for r in loops}
    subscripts = tuple(linear(substitute(s, names), ranges) for s in store.subscripts)
    if any(s is None for s in subscripts):
        raise NotAContraction(f"a subscript of {store.tensor} is not affine", store.at)
    known = tuple(s for s in subscripts if s is not None)
    return Statement(store.tensor, known, value, loops, place, replace(store, instance=()))


def _always(condition: Expr) -> bool:
    return isinstance(condition, Const) and bool(condition.value)
