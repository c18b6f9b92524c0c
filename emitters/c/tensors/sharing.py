"""Values that an expression needs more than once, and reads that both arms of a select make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from s2s.emitters.c.tensors.forms import normalized, variables
from s2s.emitters.c.tensors.rewriting import expressions
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
from s2s.scop.nest import For, Node
from s2s.scop.nest import walk as below


def shared(roots: Iterable[Expr]) -> list[Expr]:
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


def repeated_choices(body: Node, known: Callable[[str], bool]) -> list[Expr]:
    """Minima, maxima and quotients of index arithmetic that occur more than once below a node.

    All their variables are ``known`` outside of the node. Inner ones stand before outer ones.
    """
    if not any(isinstance(node, For) for node in below(body)):
        return []
    uses: Counter[int] = Counter()
    order: dict[int, Expr] = {}
    for node in below(body):
        for expr in expressions(node):
            for part in walk(normalized(expr)):
                if _is_choice(part) and all(map(known, variables(part))):
                    order[id(part)] = part
                    uses[id(part)] += 1
    return [part for key, part in order.items() if uses[key] > 1]


def _is_choice(part: Expr) -> bool:
    if not isinstance(part, Binary) or part.type != INT32:
        return False
    if part.op not in ("min", "max", "div", "mod") or not variables(part):
        return False
    return not any(isinstance(node, Load | Call) for node in walk(part))


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
