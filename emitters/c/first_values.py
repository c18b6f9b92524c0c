"""First values of scalars that are declared before the new loops and set under conditions.

Where a guard around a statement says that it runs, no compiler can tell that the variable is set
whenever a statement behind reads it: it warns. Zero is no value that anything reads.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from s2s.emitters.c.blocks import Block, Item, Leaf, declared, words

_NUMBER = re.compile(
    r"((un)?signed|char|short|int|long|float|double|_Bool|bool|u?int(8|16|32|64)_t|s?size_t| )+"
)


def with_first_values(declarations: Sequence[str], new: Sequence[Item]) -> list[str]:
    """Declarations of numbers, with zero for those that conditions set for what is behind them."""
    return [
        f"{line.removesuffix(';')} = 0;" if _is_number(line) and _is_guarded(line, new) else line
        for line in declarations
    ]


def _is_number(line: str) -> bool:
    names = declared(line)
    return len(names) == 1 and bool(re.fullmatch(rf"{_NUMBER.pattern}{names[0]};", line))


def _is_guarded(line: str, items: Sequence[Item]) -> bool:
    """Whether one condition sets a variable and something outside of what it guards names it."""
    (name,) = declared(line)
    naming = [item for item in items if name in words(item)]
    blocks = [item for item in naming if isinstance(item, Block)]
    if len(naming) > 1 and any(_is_condition(b) and _sets(name, b) for b in blocks):
        return True
    sides = (side for b in blocks for side in (b, b.otherwise) if side is not None)
    return any(_is_guarded(line, side.items) for side in sides)


def _is_condition(block: Block) -> bool:
    return bool(block.head) and block.head[0].startswith("if ")


def _sets(name: str, item: Item) -> bool:
    if isinstance(item, Block):
        inner = (*item.items, *([] if item.otherwise is None else [item.otherwise]))
        return any(_sets(name, i) for i in inner)
    text = "\n".join(item.lines) if isinstance(item, Leaf) else item
    return bool(re.search(rf"(?<![\w.>])\s*{name}\s*=(?!=)", text))
