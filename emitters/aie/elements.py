"""C functions for single elements of arrays that are not simply the program's memory.

A border around an image, a zero point that is taken off, rows whose end the program never
reaches: one small function says what an element is, whatever asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from s2s.scop.contraction import Array, View
from s2s.scop.expressions import Type

INDENT = "    "
_LOCALS = re.compile(r"k|place|packed|source|[adl]\d+|stream\d+")
"""Names of the functions' own."""


def c_type(type_: Type) -> str:
    """The C type of elements."""
    if type_.is_float:
        return "float"
    return f"{'u' if type_.code == 'uint' else ''}int{type_.bits}_t"


def literal(value: int | float) -> str:
    """A number of the elements' type as C has it; a float exactly."""
    return str(value) if isinstance(value, int) else f"{value!r}f"


def held(array: str) -> str:
    """The name of an array in a function that has names of its own."""
    return f"{array}_" if _LOCALS.fullmatch(array) else array


def is_computed(array: Array) -> bool:
    """Whether elements need the function of ``element_function``."""
    return array.view is not None or array.reached is not None


def element(kernel: str, array: Array, place: str) -> str:
    """The element at a place of an array, counted in elements in its own order."""
    if not is_computed(array):
        return f"{held(array.name)}[{place}]"
    return f"{kernel}_{array.name}_at({held(array.name)}, {place})"


def element_function(kernel: str, array: Array) -> Iterator[str]:
    """``KERNEL_ARRAY_at(array, place)``: nothing where elements are memory as it is."""
    if not is_computed(array):
        return
    memory = array.memory
    yield f"#ifndef {kernel}_{array.name}_is_computed"
    yield f"#define {kernel}_{array.name}_is_computed"
    pointer = f"const {c_type(memory.type)} *{held(array.name)}"
    yield f"static inline {c_type(array.type)} {kernel}_{array.name}_at({pointer}, long place)"
    yield "{"
    if array.view is None:
        yield f"{INDENT}return place < {array.reached} ? {held(array.name)}[place] : 0;"
    else:
        yield from _viewed(array, array.view)
    yield "}"
    yield "#endif"
    yield ""


def table(array: Array, indent: str) -> Iterator[str]:
    """The elements that the program has itself, as a table under the array's name."""
    if array.data is None:
        return
    yield f"{indent}static const {c_type(array.memory.type)} {held(array.name)}[] = {{"
    for first in range(0, len(array.data), 16):
        yield f"{indent * 2}{', '.join(map(literal, array.data[first : first + 16]))},"
    yield f"{indent}}};"


def memory_place(array: Array, indices: Sequence[str]) -> str:
    """Where in the program's memory the element with some indices lies."""
    first = array.view.first if array.view is not None else (0,) * len(indices)
    steps = (array.view.steps if array.view is not None else ()) or (1,) * len(indices)
    terms = []
    every = zip(array.memory.strides, indices, first, steps, strict=True)
    for stride, index, by, step in every:
        index = f"{step} * {index}" if step > 1 else index
        moved = f"({index} {'-' if by > 0 else '+'} {abs(by)})" if by else index
        terms.append(f"{stride} * {moved}" if stride > 1 else moved)
    return " + ".join(terms)


def _viewed(array: Array, view: View) -> Iterator[str]:
    inside = []
    ranks = zip(array.strides, array.extents, view.inside, strict=True)
    for number, (stride, extent, (low, high)) in enumerate(ranks):
        value = f"place / {stride}" if stride > 1 else "place"
        last = number == len(array.extents) - 1
        value = value if last else f"{value} % {extent}"
        yield f"{INDENT}const long d{number} = {value};"
        if low > 0 or high < extent:
            inside.append(f"d{number} >= {low} && d{number} < {high}")
    source = memory_place(array, [f"d{k}" for k in range(len(array.extents))])
    yield f"{INDENT}const long source = {source};"
    if array.reached is not None:
        inside.append(f"source < {array.reached}")
    value = f"{held(array.name)}[source]"
    if view.is_distance:
        value = f"(int32_t)-(0x80000000u >> {value})"
    if inside:
        value = f"({' && '.join(inside)} ? {value} : {literal(view.fill)})"
    less = f" - {view.less}" if view.less > 0 else f" + {-view.less}" if view.less else ""
    yield f"{INDENT}return {value}{less};"
