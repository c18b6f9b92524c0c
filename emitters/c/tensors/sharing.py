"""Values that an expression needs more than once, and reads that both arms of a select make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

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
