"""Types of functions go before them, where the functions that threads run see them too.

long f(...)                            struct edge { long to; };
{                                      long f(...)
    struct edge { long to; } *x;       {
                                           struct edge *x;

So do enumerations, typedefs and declarations of functions. A name that means something else
elsewhere in the file gets another one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.flatten import Flattened, apply_text_edits
from s2s.frontends.c.text import directives, identifiers
from s2s.rewriters.emu.loops import ParallelLoop
from s2s.rewriters.emu.macros import with_macros_of
from s2s.rewriters.emu.program import Program
from s2s.rewriters.emu.renaming import renames
from s2s.source import Edit, Span
from s2s.source.records import dataclass

_RECORDS = ("STRUCT_DECL", "UNION_DECL", "ENUM_DECL")
_TYPES = (*_RECORDS, "TYPEDEF_DECL")
_VARIABLES = ("VAR_DECL", "PARM_DECL")
_DEFINE = re.compile(r"define\s+(\w+)(.*)", re.DOTALL)


@dataclass(frozen=True)
class Declaration:
    """A statement that declares: its cursors, its extent, and the block that it stands in."""

    cursors: Sequence[Any]
    span: Span
    block: Span

    @property
    def types(self) -> list[Any]:
        return [c for c in self.cursors if clang.kind(c) in _TYPES]

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing in it but types, and what stands elsewhere."""
        return all(clang.kind(c) in _TYPES or _is_external(c) for c in self.cursors)

    def names(self) -> Iterator[str]:
        for cursor in self.cursors:
            yield clang.spelling(cursor)
            if clang.kind(cursor) == "ENUM_DECL":
                yield from map(clang.spelling, clang.children(cursor))


def hoist_types(
    program: Program, loops: Sequence[ParallelLoop], front: Callable[[ParallelLoop], int]
) -> Flattened | None:
    """The program with the types of its parallel loops at file level; None where all are there.

    ``front`` says where the front of a loop's function is. Raises Refused for types that depend on
    variables, and for names that cannot be told from others.
    """
    work = _Hoisting(program)
    for loop in loops:
        for declaration in _needed(program, loop, list(_in_scope(program, loop))):
            work.take(declaration, loop.function.name, front(loop))
    edits = work.edits()
    return apply_text_edits(program.flat, edits) if edits else None


def _is_external(cursor: Any) -> bool:
    """Whether a declaration in a block names something of the whole program."""
    if clang.kind(cursor) == "FUNCTION_DECL":
        return True
    return clang.kind(cursor) == "VAR_DECL" and cursor.storage_class.name == "EXTERN"


def _needed(
    program: Program, loop: ParallelLoop, declarations: Sequence[Declaration]
) -> list[Declaration]:
    """Declarations with types that a loop names, itself, by variables, macros or other types."""
    data = program.data
    wanted = identifiers(data[loop.span.start : loop.span.end])
    macros = [m for line in directives(data) if (m := _DEFINE.match(line.text))]
    found: set[int] = set()
    while True:
        before = len(wanted)
        for macro in macros:
            if macro[1] in wanted:
                wanted |= identifiers(macro[2].encode())
        for number, one in enumerate(declarations):
            if wanted.intersection(one.names()):
                found.add(number)
                wanted |= identifiers(data[one.span.start : one.span.end])
        if len(wanted) == before:
            return [declarations[n] for n in sorted(found) if _has_types(declarations[n])]


def _has_types(declaration: Declaration) -> bool:
    return bool(declaration.types) or declaration.is_whole


@dataclass
class _Hoisting:
    """Collects what is taken out of functions, then says which edits do that."""

    program: Program
    _taken: dict[int, tuple[Declaration, str, int]] = field(default_factory=dict)

    def take(self, one: Declaration, function: str, front: int) -> None:
        self._check(one)
        self._taken.setdefault(one.span.start, (one, function, front))

    def _check(self, one: Declaration) -> None:
        """A type at file level depends on no variable of a function. Raises Refused."""
        for top in one.types:
            for cursor in _below(top):
                other = (
                    clang.find_referenced(cursor) if clang.kind(cursor) == "DECL_REF_EXPR" else None
                )
                if other is not None and clang.kind(other) in _VARIABLES:
                    reason = f"a type that depends on the variable '{clang.spelling(other)}'"
                    raise self.program.refused(one.span, reason)
            if clang.extent(top)[2]:
                raise self.program.refused(one.span, "a macro declares a type of the function")

    def edits(self) -> list[Edit]:
        """Renamed uses, statements without types, and the types before functions."""
        renamed = self._renamed()
        fronts: dict[int, str] = {}
        gone: list[Edit] = []
        for start, (one, _, front) in sorted(self._taken.items()):
            text, replaced = _extracted(self.program, one, renamed)
            moved = with_macros_of(self.program, front, Span(start, start), text)
            fronts[front] = fronts.get(front, "") + moved
            gone += replaced
        spans = [Span(e.start, e.end) for e in gone]
        kept = [e for e in renamed if not any(Span(e.start, e.end) in span for span in spans)]
        return [
            *kept,
            *gone,
            *(Edit(at, at, text.encode("utf-8", "surrogateescape")) for at, text in fronts.items()),
        ]

    def _renamed(self) -> list[Edit]:
        found: dict[int, Edit] = {}
        for one, function, _ in self._taken.values():
            for cursor in one.types:
                found |= {e.start: e for e in renames(self.program, cursor, one.block, function)}
        return list(found.values())


def _extracted(
    program: Program, one: Declaration, renamed: Sequence[Edit]
) -> tuple[str, list[Edit]]:
    """What goes to file level, and what happens to the statement.

    ``struct s { ... } x;`` stays as ``struct s x;``.
    """

    def text(span: Span) -> str:
        inside = [e for e in renamed if Span(e.start, e.end) in span]
        return program.flat.buffer.edited(span, inside)

    if one.is_whole:
        return text(one.span) + "\n", [Edit(one.span.start, one.span.end, b"")]
    moved, edits = "", []
    for cursor in one.types:
        start, end, _ = clang.extent(cursor)
        brace = program.data.find(b"{", start, end)
        if brace >= 0:
            head = text(Span(start, brace)).strip()
            head += f" s2s_type_at_{start}" if _is_unnamed(cursor) else ""
            moved += f"{head} {text(Span(brace, end))};\n"
            edits.append(Edit(start, end, head.encode("utf-8", "surrogateescape")))
    return moved, edits


def _is_unnamed(cursor: Any) -> bool:
    return "(unnamed" in clang.spelling(cursor) or not clang.spelling(cursor)


def _in_scope(program: Program, loop: ParallelLoop) -> Iterator[Declaration]:
    """The declaring statements that a loop sees in its function, from the outside."""
    for cursor in program.unit.functions():
        start, end, _ = clang.extent(cursor)
        if start <= loop.node.span.start < end:
            yield from _declarations(cursor, loop.span, Span(start, end))


def _declarations(cursor: Any, inner: Span, block: Span) -> Iterator[Declaration]:
    for child in clang.children(cursor):
        start, end, _ = clang.extent(child)
        if start >= inner.start:
            continue
        if clang.kind(child) == "DECL_STMT":
            yield Declaration(clang.children(child), Span(start, end), block)
        elif start <= inner.start < end:
            own = clang.kind(child) == "COMPOUND_STMT"
            yield from _declarations(child, inner, Span(start, end) if own else block)


def _below(cursor: Any) -> Iterator[Any]:
    yield cursor
    for child in clang.children(cursor):
        yield from _below(child)
