"""Atomic updates: Emu's own on 64-bit integers, functions around compare-and-swap for the rest.

x += y (long)   becomes   REMOTE_ADD(&x, y)      where nobody wants the value
                          ATOMIC_ADDMS(&x, y)    where the thread is to go there
x *= y, double  becomes   s2s_mul_double(&x, y)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

HARDWARE = {"+": "ADD", "&": "AND", "|": "OR", "^": "XOR", "min": "MIN", "max": "MAX"}
_WORDS = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "&": "and", "|": "or", "^": "xor",
    "<<": "shl", ">>": "shr", "min": "min", "max": "max", "=": "set",
}  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """The type of a memory cell: ``kind`` is int or float, ``size`` in bytes."""

    spelling: str
    kind: str
    size: int
    signed: bool = True

    @property
    def word(self) -> str:
        """The type in a function's name."""
        return "_".join(self.spelling.replace("*", " p ").split())


LONG = Cell("long", "int", 8)


@dataclass(frozen=True, order=True)
class Helper:
    """A function of the emitted program: what it does to which cell."""

    op: str
    cell: str
    kind: str
    size: int

    @property
    def name(self) -> str:
        return f"s2s_{_WORDS[self.op]}_{'_'.join(self.cell.split())}"


def has_hardware(op: str, cell: Cell) -> bool:
    """Whether Emu's memory does an operation on a cell."""
    ordered = op in ("min", "max")
    return op in HARDWARE and cell.kind == "int" and cell.size == 8 and (cell.signed or not ordered)


def update(
    op: str, cell: Cell, place: str, operand: str, *, remote: bool, helpers: set[Helper]
) -> str:
    """A call that updates a cell and is worth its old value, nothing if ``remote``.

    ``helpers`` gets the function that it needs, if any.
    """
    if op == "-" and has_hardware("+", cell):
        op, operand = "+", f"-({operand})"
    if has_hardware(op, cell):
        pointer = place if cell.spelling == "long" else f"(long *){_wrapped(place)}"
        name = f"REMOTE_{HARDWARE[op]}" if remote else f"ATOMIC_{HARDWARE[op]}MS"
        return f"{name}({pointer}, {operand})"
    helper = Helper(op, cell.spelling, cell.kind, cell.size)
    helpers.add(helper)
    return f"{helper.name}({place}, {operand})"


def _wrapped(place: str) -> str:
    return place if place.startswith("&") or place.isidentifier() else f"({place})"


def definitions(helpers: Iterable[Helper]) -> str:
    return "".join(map(_definition, sorted(helpers)))


def _definition(helper: Helper) -> str:
    if helper.size == 8:
        return _EIGHT.format(cell=helper.cell, name=helper.name, new=_new(helper, "now.value"))
    return _FOUR.format(
        cell=helper.cell,
        name=helper.name,
        first=_new(helper, "now.parts.first"),
        second=_new(helper, "now.parts.second"),
    )


def _new(helper: Helper, old: str) -> str:
    if helper.op == "=":
        return "operand"
    if helper.op in ("min", "max"):
        relation = "<" if helper.op == "min" else ">"
        return f"operand {relation} {old} ? operand : {old}"
    return f"{old} {helper.op} operand"


_EIGHT = """
/* An atomic update that Emu's memory does not have: again until nobody came between. */
static {cell} {name}({cell} *place, {cell} operand)
{{
    union {{ {cell} value; long bits; }} now, next;
    long found = *(long *)place;
    do {{
        now.bits = found;
        next.value = {new};
        found = ATOMIC_CAS((long *)place, next.bits, now.bits);
    }} while (found != now.bits);
    return now.value;
}}
"""

_FOUR = """
/* An atomic update of half a word: again until nobody came between. */
static {cell} {name}({cell} *place, {cell} operand)
{{
    union {{ struct {{ {cell} first, second; }} parts; long bits; }} now, next;
    long *word = (long *)((unsigned long)place & ~7ul), found = *word;
    const int is_second = ((unsigned long)place & 4) != 0;
    do {{
        now.bits = next.bits = found;
        if (is_second)
            next.parts.second = {second};
        else
            next.parts.first = {first};
        found = ATOMIC_CAS(word, next.bits, now.bits);
    }} while (found != now.bits);
    return is_second ? now.parts.second : now.parts.first;
}}
"""
