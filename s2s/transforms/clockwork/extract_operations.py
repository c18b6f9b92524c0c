"""Operations of an accelerator: each store computes one value, in loops without conditions."""

from __future__ import annotations

from dataclasses import replace

from s2s.scop.build import both, negate, sub
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Const, Expr, Load, Select, walk
from s2s.scop.nest import Block, If, Node, Store
from s2s.scop.rewrite import block, map_children, transform
from s2s.scop.simplify.simplify import Simplifier
from s2s.transforms.clockwork.extract_tuples import drop_unused, without_tuples
from s2s.transforms.halide.simplify_nest import simplified_nest


def make_operations(body: Node, by: Simplifier) -> Node:
    """The body with unconditional stores of one value; unrolled updates of an element are one,
    and components that nobody loads are none.

    Raises Illegal for a first definition under a condition, and for tuples of which each
    component needs the other ones' old values.
    """
    body = simplified_nest(drop_unused(_choose(without_tuples(body), None)), by)
    return simplified_nest(_merge(body, by), by)


def _choose(node: Node, where: Expr | None) -> Node:
    """Conditions around updates become choices: the new value, or what is there."""
    if isinstance(node, If):
        then = _choose(node.then, _and(where, node.condition))
        if node.otherwise is None:
            return then
        return block([then, _choose(node.otherwise, _and(where, negate(node.condition)))])
    if not isinstance(node, Store):
        return map_children(node, lambda child: _choose(child, where))
    if node.predicate is not None:
        where = _and(where, node.predicate)
    store = replace(node, predicate=None, atomic=False, instance=())
    if where is None:
        return store
    if not node.stage:
        text = f"{node.func} is computed under a condition, which operations do not have"
        raise Illegal(f"{text}; legal: extents that divide, or TailStrategy::RoundUp", node.at)
    (value,) = node.values
    old = Load(value.type, node.tensor, node.subscripts)
    return replace(store, values=(Select(value.type, where, value, old),))


def _and(left: Expr | None, right: Expr) -> Expr:
    return right if left is None else both(left, right)


def _merge(node: Node, by: Simplifier) -> Node:
    """Stores next to each other that update one element become one."""
    node = map_children(node, lambda child: _merge(child, by))
    if not isinstance(node, Block):
        return node
    made: list[Node] = []
    run: list[Store] = []
    for child in _flat(node):
        if isinstance(child, Store) and (not run or _is_same_definition(run[0], child)):
            run.append(child)
            continue
        made += _merged(run, by)
        run = [child] if isinstance(child, Store) else []
        if not run:
            made.append(child)
    return block([*made, *_merged(run, by)])


def _flat(node: Block) -> tuple[Node, ...]:
    whole = block([node])
    return whole.children if isinstance(whole, Block) else (whole,)


def _is_same_definition(one: Store, other: Store) -> bool:
    return (one.tensor, one.stage) == (other.tensor, other.stage)


def _merged(run: list[Store], by: Simplifier) -> list[Store]:
    """Lanes of one definition; raises nothing: what may not be merged stays."""
    if len(run) < 2 or not all(_reads_own_element(s) for s in run):
        return run
    places = list(dict.fromkeys(s.subscripts for s in run))
    if not all(_differ(a, b, by) for k, a in enumerate(places) for b in places[:k]):
        return run
    last: dict[tuple[Expr, ...], Store] = {}
    for store in run:
        before = last.get(store.subscripts)
        if before is not None:
            store = _after(store, before)
        last[store.subscripts] = store
    return list(last.values())


def _after(store: Store, before: Store) -> Store:
    """The store with the value of the one before in the place of the element's loads."""
    value = before.values[0]

    def change(node: Expr) -> Expr:
        return value if isinstance(node, Load) and node.tensor == store.tensor else node

    return replace(store, values=(transform(store.values[0], change),))


def _reads_own_element(store: Store) -> bool:
    parts = (*store.values, *store.subscripts)
    loads = (n for e in parts for n in walk(e) if isinstance(n, Load))
    return all(n.subscripts == store.subscripts for n in loads if n.tensor == store.tensor)


def _differ(one: tuple[Expr, ...], other: tuple[Expr, ...], by: Simplifier) -> bool:
    gaps = (by(sub(a, b)) for a, b in zip(one, other, strict=True))
    return any(isinstance(gap, Const) and gap.value != 0 for gap in gaps)
