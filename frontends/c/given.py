"""What a file's calls give a function: parameters that are the same number in all of them.

::

    static void box(const unsigned *sums, unsigned char *to, int w, int h, int r) { ... }
    int main(void) { ... box(sums, to, 640, 480, 5); ... }        // w is 640, h is 480, r is 5

gcc makes the loops of such a function with these numbers, mostly. Where they move into a function
of their own, for threads, it does no longer. Other files, or pointers, may call with other numbers:
new code asks for those that it counts on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from s2s.frontends.c import clang
from s2s.frontends.c.facts import gather
from s2s.frontends.c.integer_constants import constant_value, holds
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.unit import Unit

# Callers of callers that pass their own parameters on.
_DEEPEST = 3


def given_numbers(unit: Unit, function: Node, depth: int = 0) -> Mapping[str, int]:
    """The parameters, by name, that the function does not change and all calls spell alike.

    Of functions that other files see nothing is said, unless the file has the program's ``main``.
    """
    if not function.name or not _is_own(unit, function):
        return {}
    facts = gather(function)
    places = [
        (place, node.decl)
        for place, node in enumerate(n for n in function.children if n.kind == "PARM_DECL")
        if node.decl is not None and node.decl.type.kind == "int" and facts.is_constant(node.decl)
    ]
    found: dict[str, set[int | None]] = {decl.name: set() for _, decl in places if decl.name}
    for call, caller in _calls(unit, function.name) if found else ():
        for place, decl in places:
            argument = call.children[1 + place : 2 + place]
            if argument and _is_passed_on(argument[0], decl):
                continue
            value = _value(unit, argument[0], caller, depth) if argument else None
            known = value is not None and holds(decl.type, value)
            found[decl.name].add(value if known else None)
    numbers = {name: values.pop() for name, values in found.items() if len(values) == 1}
    return {name: number for name, number in numbers.items() if number is not None}


def _is_own(unit: Unit, function: Node) -> bool:
    """Whether nothing but this file calls a function, to all appearances."""
    cursor = unit.functions_by_name.get(function.name)
    if cursor is None or unit.is_cxx or function.name == "main":
        return False
    return cursor.storage_class.name == "STATIC" or "main" in unit.functions_by_name


def _calls(unit: Unit, name: str) -> Iterator[tuple[Node, Node]]:
    """The calls of a function, each with the function that it stands in."""
    word = re.compile(rf"\b{re.escape(name)}\b".encode())
    for cursor in unit.functions():
        start, end, _ = clang.extent(cursor)
        if not word.search(unit.buffer.data, start, end):
            continue
        caller = unit.convert(cursor)
        for node in caller.walk():
            if node.kind == "CALL_EXPR" and node.name == name:
                yield node, caller


def _is_passed_on(argument: Node, decl: Decl) -> bool:
    """Whether a function calls itself with what it got."""
    bare = argument.bare
    return bare.kind == "DECL_REF_EXPR" and bare.decl == decl


def _value(unit: Unit, argument: Node, caller: Node, depth: int) -> int | None:
    """The number that an argument is, where the caller spells it or was given it."""
    value = constant_value(argument)
    bare = argument.bare
    if value is not None or bare.kind != "DECL_REF_EXPR" or bare.decl is None:
        return value
    if bare.decl.kind == "PARM_DECL":
        given = given_numbers(unit, caller, depth + 1) if depth < _DEEPEST else {}
        return given.get(bare.decl.name)
    return gather(caller).number(bare.decl)
