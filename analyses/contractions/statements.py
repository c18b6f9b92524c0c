"""The statements of a nest in the form in which a contraction is looked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from s2s.analyses.contractions.digits import in_digits
from s2s.analyses.contractions.guards import peel_branches
from s2s.analyses.contractions.linear import Affine, linear
from s2s.analyses.contractions.temporaries import without_temporaries
from s2s.scop.contraction import NotAContraction
from s2s.scop.expressions import Binary, Cast, Const, Expr, Load, Select, walk
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
from s2s.scop.rewrite import substitute
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Range:
    """A loop around a statement: its unique name, the name in the program, and its iterations."""

    name: str
    source: str
    minimum: int
    extent: int

    @property
    def last(self) -> int:
        """The value of the last iteration."""
        return self.minimum + self.extent - 1


@dataclass(frozen=True)
class AffineStore:
    """``tensor[subscripts] = value`` in ``loops`` (outermost first), at a place of the text.

    ``place`` orders statements: child numbers and loop names from the outside in, as in
    ``s2s.scop.lift_nest``. ``subscripts`` are affine in the loops.
    """

    tensor: str
    subscripts: tuple[Affine, ...]
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


def statements(nest: Nest) -> list[AffineStore]:
    """All stores in the order of the text; NotAContraction for what is no loop nest of them.

    Before that, branches on loops' variables are put where they are taken, and values that only
    have a name are written out.
    """
    body = in_digits(peel_branches(without_temporaries(nest.body)))
    return list(_below(body, _Around((), (), {}, ())))


@dataclass(frozen=True)
class _Around:
    """What is around a node: loops, its place, names of values, and conditions."""

    loops: tuple[Range, ...]
    place: tuple[int | str, ...]
    names: Mapping[str, Expr]
    conditions: tuple[Expr, ...]

    def at(self, place: int | str) -> _Around:
        return replace(self, place=(*self.place, place))


def _below(node: Node, around: _Around) -> Iterator[AffineStore]:
    names = dict(around.names)
    match node:
        case Block(children):
            for number, child in enumerate(children):
                yield from _below(child, around.at(number))
        case For():
            found = _range(node, names, around.loops)
            inner = replace(around.at(node.name), loops=(*around.loops, found))
            yield from _below(node.body, inner)
        case Allocate(_, body) | Produce(_, body) | Hoist(_, body):
            yield from _below(body, around)
        case Define(name, value, body):
            yield from _below(
                body, replace(around, names={**names, name: substitute(value, names)})
            )
        case If(condition, then, None):
            if any(isinstance(e, Load) for e in walk(condition)):
                store = next((n for n in nodes(node) if isinstance(n, Store)), None)
                text = "there is a condition on elements of an array"
                raise NotAContraction(text, store.at if store else None)
            holds = (*around.conditions, substitute(condition, names))
            yield from _below(then, replace(around, conditions=holds))
        case If():
            store = next((n for n in nodes(node) if isinstance(n, Store)), None)
            raise NotAContraction("there is a condition", store.at if store else None)
        case Store():
            yield _statement(node, around)
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


def _statement(store: Store, around: _Around) -> AffineStore:
    loops, place, names = around.loops, around.place, dict(around.names)
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
    if around.conditions:
        value = _added_under(value, around.conditions, store, names)
    return AffineStore(store.tensor, known, value, loops, place, replace(store, instance=()))


def _added_under(
    value: Expr, conditions: tuple[Expr, ...], store: Store, names: dict[str, Expr]
) -> Expr:
    """``t + w`` as ``t + (c ? w : 0)``: what is stored if nothing is added otherwise."""
    subscripts = tuple(substitute(s, names) for s in store.subscripts)

    def is_itself(expr: Expr) -> bool:
        return isinstance(expr, Load) and (expr.tensor, expr.subscripts) == (
            store.tensor,
            subscripts,
        )

    def under(expr: Expr) -> Expr | None:
        if is_itself(expr):
            return expr
        if isinstance(expr, Cast) and (inner := under(expr.value)) is not None:
            return replace(expr, value=inner)
        if not isinstance(expr, Binary) or expr.op not in ("add", "sub"):
            return None
        if (left := under(expr.left)) is not None:
            return replace(expr, left=left, right=_chosen(conditions, expr.right))
        if expr.op == "add" and (right := under(expr.right)) is not None:
            return replace(expr, left=_chosen(conditions, expr.left), right=right)
        return None

    found = under(value)
    own = [e for e in walk(value) if isinstance(e, Load) and e.tensor == store.tensor]
    if found is None or len(own) > 1:
        text = "there is a condition, and not around what is added to a sum"
        raise NotAContraction(text, store.at)
    return found


def _chosen(conditions: tuple[Expr, ...], value: Expr) -> Expr:
    for condition in conditions:
        value = Select(value.type, condition, value, Const(value.type, 0))
    return value


def _always(condition: Expr) -> bool:
    return isinstance(condition, Const) and bool(condition.value)
