"""Loops as C90 has them: what a ``for`` statement counts by is declared in a block around it.

::

    #pragma omp parallel for             {
    for (long i = 0; i < n; i++)             long i;
        f(i);                     ->     #pragma omp parallel for
                                             for (i = 0; i < n; i++)
                                                 f(i);
                                         }

A directive makes a variable that its loops count by private, wherever it is declared.
"""

from __future__ import annotations

import re

from s2s.emitters.c.blocks import Block, Item
from s2s.emitters.c.errors import Unprintable

_HEAD = re.compile(r"for \(((?:[A-Za-z_]\w*[\s*]+)+)([A-Za-z_]\w*) = ")
_SEVERAL = re.compile(r"\b(?:collapse|ordered)\((\d+)\)")


def declare_before_loops(block: Block) -> None:
    """Change the loops in a block. Raises Unprintable where a directive's loops are apart."""
    items: list[Item] = []
    for item in block.items:
        if not isinstance(item, Block):
            items.append(item)
            continue
        directives: list[Item] = []
        if _counts(item):
            while items and _is_directive(items[-1]):
                directives.insert(0, items.pop())
        declared, last = _declared(item, directives)
        declare_before_loops(last)
        items.append(Block([], [*declared, *directives, item]) if declared else item)
    block.items = items
    if block.otherwise is not None:
        declare_before_loops(block.otherwise)


def _counts(block: Block) -> bool:
    return bool(block.head) and _HEAD.match(block.head[0]) is not None


def _is_directive(item: Item) -> bool:
    return isinstance(item, str) and item.startswith("#pragma")


def _declared(loop: Block, directives: list[Item]) -> tuple[list[str], Block]:
    """What to declare for the loops of directives, whose heads change; and the last of them."""
    if not _counts(loop):
        return [], loop
    count = max((int(n) for d in directives for n in _SEVERAL.findall(str(d))), default=1)
    declared: list[str] = []
    while True:
        found = _HEAD.match(loop.head[0])
        assert found is not None
        declared.append(f"{found[1]}{found[2]};")
        loop.head[0] = f"for ({found[2]} = {loop.head[0][found.end() :]}"
        if len(declared) == count:
            return declared, loop
        inner = loop.items[0] if len(loop.items) == 1 else None
        if not isinstance(inner, Block) or not _counts(inner):
            raise Unprintable("in C90 the variables of loops that are apart cannot be declared")
        loop = inner
