"""Values that are computed once and get a name: shared ones, and those that loops do not change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from s2s.scop.expressions import (
    INT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Variable,
    walk,
)
from s2s.scop.nest import Define, For, Nest, Node, Store, children, expressions
from s2s.scop.nest import walk as below
from s2s.scop.normal_form import normal
from s2s.scop.rewrite import with_children


def name_values(nest: Nest) -> Nest:
    """The nest in normal form whose loops and stores say what to compute first and name."""
    body = normal(nest.body)
    known = frozenset(argument.name for argument in nest.arguments)
    found = _new_invariants(body, known, frozenset())
    return replace(nest, body=_with_names(body, known, frozenset(found)), invariants=found)


def _with_names(node: Node, known: frozenset[str], named: frozenset[Expr]) -> Node:
    """A node where ``known`` variables have values and the ``named`` values have a name already."""
    match node:
        case Store():
            return replace(node, shared=tuple(_shared_in(node)))
        case For():
            known |= {node.name}
            found = _new_invariants(node.body, known, named)
            return replace(
                node, invariants=found, body=_with_names(node.body, known, named.union(found))
            )
        case Define():
            known |= {node.name}
    return with_children(node, lambda child: _with_names(child, known, named))


def _shared_in(store: Store) -> list[Expr]:
    """What a store computes first: all values of several, for each may read what is stored."""
    found = share_values((*store.values, *store.subscripts))
    if len(store.values) > 1:
        found += [value for value in store.values if value not in found]
    return found


def _new_invariants(body: Node, known: frozenset[str], named: frozenset[Expr]) -> tuple[Expr, ...]:
    found = invariants(body, known.__contains__)
    return tuple(value for value in dict.fromkeys(found) if value not in named)


def share_values(roots: Iterable[Expr]) -> list[Expr]:
    """What to compute first and name, operands before their users.

    That is every costly value with more than one use, and every read below a ``Select``: both arms
    are evaluated, and a read that stands before the choice can be vectorized.
    """
    uses: Counter[int] = Counter()
    order: dict[int, Expr] = {}
    chosen: set[int] = set()
    for root in roots:
        uses[id(root)] += 1
        for node in walk(root):
            if id(node) in order:
                continue
            order[id(node)] = node
            uses.update(id(o) for o in node.operands)
            if isinstance(node, Select):
                chosen.update(id(r) for r in _reads(node))
    return [
        node for key, node in order.items() if key in chosen or (uses[key] > 1 and _costly(node))
    ]


def invariants(body: Node, known: Callable[[str], bool]) -> list[Expr]:
    """What loops below a node need and do not change, and what index arithmetic repeats.

    That are the largest values without reads in which something is chosen, divided or computed in
    floats, if they stand in a loop, and what several of them share. All their variables are
    ``known`` outside of the node. Inner ones stand before outer ones.
    """
    if not any(isinstance(node, For) for node in below(body)):
        return []
    found = _Invariants(known)
    found.visit(body, False)
    named = [e for e in found.order.values() if found.uses[id(e)] > 1 or id(e) in found.looped]
    return sorted(named, key=lambda e: sum(1 for _ in walk(e)))


class _Invariants:
    """Counts of values that can be computed before a node."""

    def __init__(self, known: Callable[[str], bool]) -> None:
        self._known = known
        self.uses: Counter[int] = Counter()
        self.order: dict[int, Expr] = {}
        self.looped: set[int] = set()

    def visit(self, node: Node, loop: bool) -> None:
        """All expressions below a node that stands in a ``loop`` or not."""
        inside = loop or isinstance(node, For)
        for expr in expressions(node):
            self._expression(expr, loop)
        for child in children(node):
            self.visit(child, inside)

    def _expression(self, root: Expr, loop: bool) -> None:
        seen: set[int] = set()
        stack = [(root, False)]
        while stack:
            node, inside = stack.pop()
            fixed = self._is_fixed(node)
            if fixed:
                self.order.setdefault(id(node), node)
                self.uses[id(node)] += 1
                if loop and not inside:
                    self.looped.add(id(node))
            if id(node) not in seen:
                seen.add(id(node))
                stack += [(operand, inside or fixed) for operand in node.operands]

    def _is_fixed(self, node: Expr) -> bool:
        if not _is_work(node) or node.reads or not node.variables:
            return False
        return all(map(self._known, node.variables))


def _is_work(node: Expr) -> bool:
    """Whether a value is more than a sum that an address has room for."""
    match node:
        case Select():
            return True
        case Call(_, name):
            return name not in ("undef", "likely", "likely_if_innermost")
        case Cast():
            return node.type.is_float != node.value.type.is_float
        case Binary(op=op):
            return op in ("min", "max", "div", "mod", "and", "or") or node.type.is_float
    return False


def _reads(choice: Select) -> Iterator[Expr]:
    for arm in (choice.then, choice.otherwise):
        yield from (node for node in walk(arm) if isinstance(node, Load))


def _costly(node: Expr) -> bool:
    """Whether a value is worth a name: index arithmetic is not, compilers share it anyway."""
    if isinstance(node, Const | Variable):
        return False
    if node.type == INT32 and not any(isinstance(n, Load | Call | Select) for n in walk(node)):
        return False
    if isinstance(node, Cast):
        return _costly(node.value) and not isinstance(node.value, Load)
    return isinstance(node, Load | Call | Select | Binary)
