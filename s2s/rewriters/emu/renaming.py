"""Names of a function's types that mean something else elsewhere in the file: other names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.text import places_of
from s2s.rewriters.emu.program import Program
from s2s.source import Edit, Span


def renames(program: Program, cursor: Any, block: Span, function: str) -> Iterator[Edit]:
    """Edits that give a type, or the enumerators of one, a name of its own where it needs one.

    ``block`` is where the type is known. Raises Refused where its uses cannot be told from others.
    """
    named = [cursor]
    if clang.kind(cursor) == "ENUM_DECL":
        named += clang.children(cursor)
    for one in named:
        name = clang.spelling(one)
        if name.isidentifier() and _is_taken(program, name, block, one):
            yield from _renamed(program, one, block, f"s2s_{function}_{name}")


def _is_taken(program: Program, name: str, block: Span, cursor: Any) -> bool:
    """Whether a name stands outside of its block, or comes from a header."""
    if any(not block.start <= place < block.end for place in places_of(program.data, name)):
        return True
    return name in _global_names(program)


def _global_names(program: Program) -> Iterator[str]:
    return map(clang.spelling, program.unit.declared)


def _renamed(program: Program, cursor: Any, block: Span, fresh: str) -> Iterator[Edit]:
    name = clang.spelling(cursor)
    uses = {clang.place(cursor)[1]}
    for top in program.unit.functions():
        start, end, _ = clang.extent(top)
        if start <= block.start < end:
            uses |= set(_uses(top, cursor))
    places = {p for p in places_of(program.data, name) if block.start <= p < block.end}
    others = {p for p in places - uses if not _is_field(program.data, p)}
    if others or not uses <= places:
        place = min(others or uses - places)
        raise program.refused(
            Span(place, place + len(name)),
            f"'{name}', a type of a function, has a name that means something else here or there",
        )
    while fresh.encode() in program.data:
        fresh += "_"
    for place in uses:
        yield Edit(place, place + len(name), fresh.encode())


def _uses(top: Any, cursor: Any) -> Iterator[int]:
    """Where a type or an enumerator is named."""
    for child in clang.children(top):
        if clang.kind(child) in ("TYPE_REF", "DECL_REF_EXPR"):
            other = clang.find_referenced(child)
            if other is not None and clang.same(other, cursor):
                yield clang.extent(child)[0]
        yield from _uses(child, cursor)


def _is_field(data: bytes, place: int) -> bool:
    before = data[:place].rstrip()
    return before.endswith((b".", b"->"))
