"""Atomic updates: Emu's own on 64-bit integers, functions around compare-and-swap for the rest.

x += y (long)   becomes   REMOTE_ADD(&x, y)      where nobody wants the value
                          ATOMIC_ADDMS(&x, y)    where the thread is to go there
x *= y, double  becomes   s2s_mul_double(&x, y)
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from s2s.source.records import dataclass

HARDWARE = {"+": "ADD", "&": "AND", "|": "OR", "^": "XOR", "min": "MIN", "max": "MAX"}
_WORDS = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "&": "and", "|": "or", "^": "xor",
    "<<": "shl", ">>": "shr", "min": "min", "max": "max", "=": "set", "nand": "nand",
    "cas": "cas", "swapped": "swapped", "exchanged": "exchanged",
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


class Wanted(Enum):
    """What an update is asked for: the value before it, the one after it, or nothing."""

    OLD = "old"
    NEW = "new"
    NOTHING = "nothing"


@dataclass(frozen=True, order=True)
class Helper:
    """A function of the emitted program: what it does to which cell; ``gives`` the value ``new``
    or ``old``. Compare-and-swap (``cas``) takes what it expects and what it is to store;
    ``swapped`` and ``exchanged`` say whether it was as expected, the latter stores what was found.
    """

    op: str
    cell: str
    kind: str
    size: int
    gives: str = "old"

    @property
    def name(self) -> str:
        last = "_new" if self.gives == "new" else ""
        return f"s2s_{_WORDS[self.op]}_{'_'.join(self.cell.replace('*', ' p ').split())}{last}"


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
    return fetch(op, cell, place, operand, Wanted.NOTHING if remote else Wanted.OLD, helpers)


def fetch(
    op: str, cell: Cell, place: str, operand: str, wanted: Wanted, helpers: set[Helper]
) -> str:
    """A call that updates a cell and is worth what is wanted, as a long where that is Emu's own."""
    if op == "-" and has_hardware("+", cell):
        op, operand = "+", f"-({operand})"
    if has_hardware(op, cell):
        suffix = "M" if wanted is Wanted.NEW else "MS"
        name = f"ATOMIC_{HARDWARE[op]}{suffix}"
        if wanted is Wanted.NOTHING:
            name = f"REMOTE_{HARDWARE[op]}"
        return f"{name}({_word_pointer(cell, place)}, {operand})"
    if op == "=" and cell.kind != "float" and cell.size == 8:
        cast = "(long)" if cell.kind == "pointer" else ""
        text = f"ATOMIC_SWAP({_word_pointer(cell, place)}, {cast}{operand})"
        return f"({cell.spelling}){text}" if cast else text
    gives = "new" if wanted is Wanted.NEW else "old"
    helper = Helper(op, cell.spelling, cell.kind, cell.size, gives)
    helpers.add(helper)
    return f"{helper.name}({place}, {operand})"


def swap(cell: Cell, place: str, expected: str, stored: str, helpers: set[Helper]) -> str:
    """A compare-and-swap, which is worth the old value (a long where the cell is a whole word)."""
    if cell.size == 8 and cell.kind != "float":
        cast = "(long)" if cell.kind == "pointer" else ""
        text = f"ATOMIC_CAS({_word_pointer(cell, place)}, {cast}{stored}, {cast}{expected})"
        return f"({cell.spelling}){text}" if cast else text
    helper = Helper("cas", cell.spelling, cell.kind, cell.size)
    helpers.add(helper)
    return f"{helper.name}({place}, {expected}, {stored})"


def _word_pointer(cell: Cell, place: str) -> str:
    return place if cell.spelling == "long" else f"(long *){_wrapped(place)}"


def _wrapped(place: str) -> str:
    return place if place.startswith("&") or place.isidentifier() else f"({place})"


def definitions(helpers: Iterable[Helper]) -> str:
    return "".join(map(_definition, sorted(helpers)))


def _whether(helper: Helper) -> str:
    """Whether a compare-and-swap has found what it expects."""
    cell = Cell(helper.cell, helper.kind, helper.size)
    what = "*expected" if helper.op == "exchanged" else "expected"
    text = swap(cell, "place", "before", "operand", set())
    kept = "    *expected = found;\n" if helper.op == "exchanged" else ""
    return _WHETHER.format(
        cell=helper.cell,
        name=helper.name,
        star="*" if kept else "",
        what=what,
        text=text,
        kept=kept,
    )


def _definition(helper: Helper) -> str:
    if helper.op in ("swapped", "exchanged"):
        return _whether(helper)
    given = {"cell": helper.cell, "name": helper.name, "operands": _operands(helper)}
    result = "next" if helper.gives == "new" else "now"
    if helper.size == 8:
        return _EIGHT.format(**given, result=result, **_step(helper, "now.value"))
    if helper.size == 4:
        first, second = _step(helper, "now.parts.first"), _step(helper, "now.parts.second")
        leave = ""
        if helper.op == "cas":
            leave = "        if ((is_second ? now.parts.second : now.parts.first) != expected)\n"
            leave += "            break;\n"
        return _FOUR.format(
            **given, leave=leave, first=first["new"], second=second["new"], result=result
        )
    bits = 8 * helper.size
    value = "after" if helper.gives == "new" else "old"
    return _SMALL.format(**given, result=value, bits=f"{2**bits - 1}ul", **_step(helper, "old"))


def _operands(helper: Helper) -> str:
    cell = helper.cell
    return f"{cell} expected, {cell} operand" if helper.op == "cas" else f"{cell} operand"


def _step(helper: Helper, old: str) -> dict[str, str]:
    """The new value, and where there is none to store, the statement that leaves the loop."""
    leave = ""
    if helper.op == "cas":
        leave = f"        if ({old} != expected)\n            break;\n"
    return {"new": _new(helper, old), "leave": leave}


def _new(helper: Helper, old: str) -> str:
    if helper.op in ("=", "cas"):
        return "operand"
    if helper.op == "nand":
        return f"~({old} & operand)"
    if helper.op in ("min", "max"):
        relation = "<" if helper.op == "min" else ">"
        return f"operand {relation} {old} ? operand : {old}"
    return f"{old} {helper.op} operand"


_WHETHER = """
/* Whether what was expected was there, and has been exchanged. */
static int {name}({cell} *place, {cell} {star}expected, {cell} operand)
{{
    {cell} before = {what}, found = {text};
    if (found == before)
        return 1;
{kept}    return 0;
}}
"""

_EIGHT = """
/* An atomic update that Emu's memory does not have: again until nobody came between. */
static {cell} {name}({cell} *place, {operands})
{{
    union {{ {cell} value; long bits; }} now, next;
    long found = *(long *)place;
    do {{
        now.bits = next.bits = found;
{leave}        next.value = {new};
        found = ATOMIC_CAS((long *)place, next.bits, now.bits);
    }} while (found != now.bits);
    return {result}.value;
}}
"""

_FOUR = """
/* An atomic update of half a word: again until nobody came between. */
static {cell} {name}({cell} *place, {operands})
{{
    union {{ struct {{ {cell} first, second; }} parts; long bits; }} now, next;
    long *word = (long *)((unsigned long)place & ~7ul), found = *word;
    const int is_second = ((unsigned long)place & 4) != 0;
    do {{
        now.bits = next.bits = found;
{leave}        if (is_second)
            next.parts.second = {second};
        else
            next.parts.first = {first};
        found = ATOMIC_CAS(word, next.bits, now.bits);
    }} while (found != now.bits);
    return is_second ? {result}.parts.second : {result}.parts.first;
}}
"""

_SMALL = """
/* An atomic update of a part of a word: again until nobody came between. */
static {cell} {name}({cell} *place, {operands})
{{
    long *word = (long *)((unsigned long)place & ~7ul), now, next, found = *word;
    const int shift = 8 * ((unsigned long)place & 7);
    const unsigned long mask = {bits} << shift;
    {cell} old, after;
    do {{
        now = found;
        old = after = ((unsigned long)now & mask) >> shift;
{leave}        after = {new};
        next = ((unsigned long)now & ~mask) | ((unsigned long)after << shift & mask);
        found = ATOMIC_CAS(word, next, now);
    }} while (found != now);
    return {result};
}}
"""
