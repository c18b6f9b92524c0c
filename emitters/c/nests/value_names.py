"""Names for values that the emitted C computes once: they say of what and how."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from s2s.scop.expressions import (
    BOOL,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Unary,
    Variable,
)

_LONGEST = 28
"""Characters after which a name says of what alone."""
_SCALED = re.compile(r"_(?:by|mod)_\d+(?:_up)?$")
_DONE = {
    "add": "sum", "sub": "difference", "mul": "product", "div": "quotient", "mod": "remainder",
    "min": "min", "max": "max", "band": "bits", "bor": "bits", "bxor": "bits", "shl": "shifted",
    "shr": "shifted",
}  # fmt: skip

_COMPARED = {
    "eq": "", "ne": "_not", "lt": "_below", "le": "_up_to", "gt": "_above", "ge": "_from",
}  # fmt: skip


def name_value(value: Expr, spelled: Callable[[Expr], str], counters: Sequence[str]) -> str:
    """A name to propose for a value, such as ``x_by_2``, ``yo_end`` or ``input_value``.

    ``spelled`` is the C name of a variable or of a value that has one already, or nothing;
    ``counters`` are the loops' variables, inner ones last, by the nest's names.
    """
    return _Names(spelled, counters).of(value)


class _Names:
    def __init__(self, spelled: Callable[[Expr], str], counters: Sequence[str]) -> None:
        self.spelled = spelled
        self.counters = counters

    def of(self, value: Expr) -> str:
        match value:
            case Cast(_, inner):
                return self._name(inner)
            case Load(_, tensor):
                return f"{_short(tensor)}_value"
            case Binary(_, op, left, Const(_, int(number))) if op in _COMPARED and number >= 0:
                return f"is_{self._name(left)}{_COMPARED[op]}_{number}"
            case Binary(type, _, _, _) if type == BOOL:
                return f"is_{self._subject(value)}"
            case Unary(_, "not", _):
                return f"is_{self._subject(value)}"
            case Binary(_, "min" | "max" as op, left, right):
                return self._end(op, left, right) or f"{op}_{self._subject(value)}"
            case Binary(_, op, left, Const(_, number)) if _divides(op, number):
                size = 1 << int(number) if op == "shr" else number
                return f"{self._subject(left)}_by_{size}{_rounded(left, int(size))}"
            case Binary(_, "mod", left, Const(_, number)):
                return f"{self._subject(left)}_mod_{number}"
            case Binary(_, "band", left, Const(_, number)) if not int(number) & (int(number) + 1):
                return f"{self._subject(left)}_mod_{int(number) + 1}"
            case Binary(_, op, _, _):
                return f"{self._subject(value)}_{_DONE[op]}"
            case Select():
                return f"{self._subject(value)}_choice"
            case Call(_, name) if name.isidentifier():
                return f"{self._subject(value)}_{name}"
        return f"{self._subject(value)}_value"

    def _name(self, value: Expr) -> str:
        return self.spelled(value) or self.of(value)

    def _end(self, op: str, left: Expr, right: Expr) -> str:
        """Where a loop's part ends or begins, if it may be where all of the loop does."""
        used = [name for name in self.counters if name in left.variables | right.variables]
        if not used or isinstance(left, Const) or isinstance(right, Const):
            return ""
        name = self.spelled(Variable(left.type, used[-1]))
        return name and f"{name}_{'end' if op == 'min' else 'begin'}"

    def _subject(self, value: Expr) -> str:
        """What a value depends on, by one or two names."""
        names = list(islice(dict.fromkeys(map(_plain, self._leaves(value))), 2))
        both = _joined(*names)
        return both if 0 < len(both) <= _LONGEST else "".join(names[:1]) or "constant"

    def _leaves(self, value: Expr) -> Iterator[str]:
        """Names of what is computed elsewhere, from left to right."""
        waiting, seen = [value], set[Expr]()
        while waiting:
            node = waiting.pop()
            if node in seen or isinstance(node, Const):
                continue
            seen.add(node)
            if isinstance(node, Load):
                yield _short(node.tensor)
            elif name := self.spelled(node):
                yield name
            else:
                waiting += reversed(node.operands)


def _plain(name: str) -> str:
    """A name without what was done to its subject last, which one value more makes too long."""
    return _SCALED.sub("", name)


def _joined(first: str = "", second: str = "") -> str:
    """Two names as one; words with which both begin stand once."""
    words, others = first.split("_"), second.split("_")
    same = 0
    while same < min(len(words), len(others)) - 1 and words[same] == others[same]:
        same += 1
    return "_".join(filter(None, [first, *others[same:]]))


def _divides(op: str, number: int | float) -> bool:
    return isinstance(number, int) and (op == "div" or (op == "shr" and 0 <= number < 31))


def _rounded(dividend: Expr, size: int) -> str:
    match dividend:
        case Binary(_, "add", _, Const(_, number)) if number == size - 1:
            return "_up"
    return ""


def _short(tensor: str) -> str:
    return tensor.split("$")[0].split(".")[-1]
