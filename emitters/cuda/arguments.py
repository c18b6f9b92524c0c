"""What a kernel needs of the host: the arrays and the numbers that its statements name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set

import islpy as isl

from s2s.emitters.c.errors import Unprintable
from s2s.scop.nodes import Array, Scop, Statement
from s2s.source.records import dataclass

# What the device computes to the last bit as the host does.
_EXACT = {
    "sqrt",
    "fabs",
    "fmin",
    "fmax",
    "floor",
    "ceil",
    "trunc",
    "copysign",
    "fma",
    "abs",
    "labs",
}
_KEYWORDS = {"if", "sizeof", "while", "for"}
_JUMP = re.compile(r"\b(break|continue|return|goto|switch|asm|__asm__)\b")


@dataclass(frozen=True)
class Variables:
    """The variables of a loop: ``numbers`` from outside of it, and those that it declares.

    ``constants`` have names that the device knows. ``macros`` are words that may stand for others.
    """

    numbers: frozenset[str]
    inner: frozenset[str]
    constants: frozenset[str] = frozenset()
    macros: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Arguments:
    """``arrays`` leads from the source's names to those in the SCoP; ``scalars`` are names."""

    arrays: Mapping[str, str]
    scalars: tuple[str, ...]
    written: frozenset[str]


def arguments(scop: Scop, texts: Mapping[str, str], variables: Variables) -> Arguments:
    """The arguments of a kernel for the statements' texts. Raises Unprintable."""
    arrays: dict[str, str] = {}
    spelled = [p.spelling for p in scop.parameters]
    scalars = dict.fromkeys(name for name in spelled if name not in variables.constants)
    temporary = {s.name for s in scop.storage}
    written = set()
    for statement in scop.statements:
        _check_text(statement, texts[statement.name])
        for access in statement.accesses:
            array = scop.arrays[access.array]
            if array.name in temporary:
                continue
            if not access.exact:
                raise Unprintable(f"it is not known which elements of '{array.spelling}' are used")
            if array.rank:
                _check_array(scop, array, access.relation)
                if arrays.setdefault(array.spelling, array.name) != array.name:
                    raise Unprintable(f"'{array.spelling}' is used in different ways")
                if access.write:
                    written.add(array.spelling)
            elif access.write or array.spelling not in variables.numbers:
                raise Unprintable(f"'{array.spelling}' is no number that all iterations share")
            else:
                scalars[array.spelling] = None
    for statement in scop.statements:
        text = texts[statement.name]
        scalars |= dict.fromkeys(_others(statement, text, variables, {*arrays, *scalars}))
    for name in scalars:
        if name not in variables.numbers:
            raise Unprintable(f"'{name}' is no variable with a number")
    return Arguments(arrays, tuple(scalars), frozenset(written))


def _check_text(statement: Statement, text: str) -> None:
    if statement.opaque or (statement.control and _JUMP.search(text)):
        raise Unprintable("a statement has calls or jumps")
    for name in re.findall(r"\b([A-Za-z_]\w*)\s*\(", text):
        if name not in _KEYWORDS and name.removesuffix("f") not in _EXACT:
            raise Unprintable(f"'{name}' may be something else on the device")


def _check_array(scop: Scop, array: Array, relation: isl.Map) -> None:
    """Only what is one piece of memory that the source names itself can be copied."""
    if array.external or array.row_rank:
        raise Unprintable(f"rows of '{array.spelling}' are anywhere in memory")
    if array.element_size not in (1, 2, 4, 8):
        raise Unprintable(f"elements of '{array.spelling}' may be different on the device")
    if array.base != array.spelling or not array.spelling.isidentifier() or array.flat:
        raise Unprintable(f"'{array.spelling}' has no extent that is known")
    if not relation.intersect_params(scop.context).range().dim_is_bounded(isl.dim_type.set, 0):
        raise Unprintable(f"'{array.spelling}' has no extent that is known")


def _others(statement: Statement, text: str, variables: Variables, known: Set[str]) -> list[str]:
    """Variables in a statement that no access has: the loop does not change them."""
    own = {v.spelling for v in statement.iterators} | {name for _, name in statement.locals}
    words = set(re.findall(r"\w+", text))
    renamed = (variables.inner if words & variables.macros else statement.uses) - words
    others = sorted(statement.uses - own - known - renamed - variables.constants)
    others = [name for name in others if name.removesuffix("f") not in _EXACT]
    for name in others:
        if name not in variables.numbers:
            raise Unprintable(f"'{name}' is no number and no array")
    return others
