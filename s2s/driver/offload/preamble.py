"""What a region's function needs of its file: types, macros, includes, functions that it calls."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from s2s.frontends.c import clang
from s2s.frontends.c.unit import Unit
from s2s.source import Span


def preamble(unit: Unit, names: Collection[str]) -> str:
    """The file's text without variables, and without functions but those that are named.

    What these call is kept, too.
    """
    data = unit.buffer.data
    functions = unit.functions_by_name
    kept = _reachable(unit, names)
    cut = [Span(*clang.extent(c)[:2]) for name, c in functions.items() if name not in kept]
    cut += _variables(unit)
    text, at = [], 0
    for span in sorted(cut):
        if span.start >= at:
            text.append(data[at : span.start])
            at = span.end
    text.append(data[at:])
    joined = b"".join(text).decode("utf-8", "surrogateescape")
    joined = re.sub(r"(?m)^[ \t]*;[ \t]*$", "", joined)
    joined = re.sub(r"\n\s*\n+", "\n\n", joined).strip("\n")
    return f"{joined}\n\n" if joined else ""


def _reachable(unit: Unit, names: Collection[str]) -> set[str]:
    functions = unit.functions_by_name
    todo, kept = [n for n in names if n in functions], set[str]()
    while todo:
        name = todo.pop()
        if name not in kept:
            kept.add(name)
            node = unit.convert(functions[name])
            todo += [d.name for d in node.decls if d is not None and d.name in functions]
    return kept


def _variables(unit: Unit) -> Iterator[Span]:
    """Declarations of variables and functions at file level, with their semicolons."""
    data = unit.buffer.data
    for cursor in unit.declared:
        is_declaration = clang.kind(cursor) == "VAR_DECL" or (
            clang.kind(cursor) == "FUNCTION_DECL" and not clang.is_definition(cursor)
        )
        if is_declaration and unit.converter.file_name(clang.place(cursor)[0]) == unit.buffer.path:
            start, end = clang.extent(cursor)[:2]
            semicolon = data.find(b";", end)
            yield Span(start, semicolon + 1 if semicolon >= 0 else end)
