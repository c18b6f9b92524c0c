"""Static arrays that parallel loops use go to all nodelets: pointers take their place.

    static double a[N], b[N];         static replicated double *a;
                                      static replicated double *b;
    double grid[N][M];                replicated double **grid;          rows that loops go through
    struct cell cells[N];             replicated struct cell **cells;    cells[i].x -> cells[i]->x

Static data lies on the first nodelet. Arrays whose elements loops read by their own iterations
move (``aligned``); ``main`` begins with the allocation, zeroed as static data is. That nothing can
tell the difference is checked (``movable``): an array stays where its size is asked for, it has
initial values, or other declarations name it. Words of an array stay side by side
(``mw_malloc1dlong``); rows and structures become blocks (``mw_malloc2d``) only where each use
names an element of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from s2s.emitters.emu.memory import Memory
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.c.text import skip_blank
from s2s.rewriters.emu.aligned import above, element, is_static_array, worth_moving
from s2s.rewriters.emu.layouts import Layout, Layouts
from s2s.rewriters.emu.loops import ParallelLoop
from s2s.rewriters.emu.movable import StaysError, check_main, check_names, check_use, uses
from s2s.rewriters.emu.program import Program
from s2s.rewriters.emu.replicated import declarations
from s2s.source import Edit, Span
from s2s.source.diagnostics import Diagnostic
from s2s.source.records import dataclass

_LENGTHS = r"\s*((?:\[[^\[\]]+\]\s*)+)(?=[,;])"
_WORD = 8


@dataclass(frozen=True)
class Moved:
    """An array to move: its elements' type, its lengths as text, and the edits of its uses."""

    decl: Decl
    element: str
    lengths: tuple[str, ...]
    layout: Layout
    edits: tuple[Edit, ...] = ()

    @property
    def declaration(self) -> str:
        """The pointer that takes its place."""
        name, rest = self.decl.name, "".join(self.lengths[1:])
        if self.layout is Layout.STRIPED:
            return f"{self.element} (*{name}){rest}" if rest else f"{self.element} *{name}"
        rows = "".join(self.lengths[2:])
        return f"{self.element} (**{name}){rows}" if rows else f"{self.element} **{name}"

    @property
    def home(self) -> str:
        """How elements are dealt out to nodelets, '' where one may be on several (``aligned``)."""
        if self.layout is Layout.POINTERS:
            return "words"
        size = _size(self.decl.type.element) if self.decl.type.element else 0
        if len(self.lengths) > 1 or size > _WORD:
            return ""
        return "words" if size == _WORD else f"{size} bytes"

    def words(self, moves: bool) -> str:
        """Where it lies, for a remark."""
        if not moves:
            reason = (
                "parallel loops read elements of other iterations, or of arrays that stay there"
            )
            return f"'{self.decl.name}' on the first nodelet: {reason}"
        how = "in blocks" if self.layout is Layout.POINTERS else "striped"
        return f"'{self.decl.name}' on all nodelets, {how}"

    @property
    def allocation(self) -> str:
        if self.layout is Layout.STRIPED:
            return f"s2s_zeroed_words(sizeof({self.element}{''.join(self.lengths)}))"
        size = f"sizeof({self.element}{''.join(self.lengths[1:])})"
        return f"s2s_zeroed_blocks({self.lengths[0][1:-1]}, {size})"


def move_arrays(
    program: Program, loops: Sequence[ParallelLoop], layouts: Layouts
) -> list[Diagnostic]:
    """Move what may be moved and gains; for each array a remark that says where it lies and why."""
    called = [program.functions[d] for d in program.reached(loop.body for loop in loops)]
    tops = [*(loop.body for loop in loops), *called]
    wanted = {n.decl for top in tops for n in top.walk() if is_static_array(n)}
    said, groups = list(_in_frames(program, loops)), []
    for start, decls in declarations(program).items():
        if wanted.isdisjoint(decls):
            continue
        place = Span(start, _end(program, start))
        try:
            moved = [_moved(program, loops, decl, decls, place) for decl in decls]
        except StaysError as reason:
            names = ", ".join(f"'{d.name}'" for d in decls if d in wanted)
            said.append(program.remark(place, f"{names} on the first nodelet: {reason}"))
            continue
        groups.append((place, moved))
    movable = {one.decl: one.home for _, group in groups for one in group if one.decl in wanted}
    chosen = worth_moving(program, loops, movable)
    for place, group in groups:
        _declare(program, place, group, chosen)
        for one in group:
            if one.decl in chosen:
                layouts.of[layouts.objects.place_of(one.decl)] = one.layout
            if one.decl in wanted:
                said.append(program.remark(place, one.words(one.decl in chosen)))
    found = [one for _, group in groups for one in group if one.decl in chosen]
    if found:
        _allocate(program, layouts, found)
    return said


def _in_frames(program: Program, loops: Sequence[ParallelLoop]) -> Iterator[Diagnostic]:
    """What is said of arrays that are a function's own."""
    for loop in loops:
        names = {
            f"'{node.name}'": None
            for node in loop.body.walk()
            if node.kind == "DECL_REF_EXPR" and node.decl is not None
            if node.decl.kind == "VAR_DECL" and node.decl.type.kind == "array"
            if not (node.decl.is_global or node.decl.is_static)
            if not loop.node.span.start <= node.decl.offset < loop.node.span.end
        }
        if names:
            where = "in the frame of the function, on the nodelet where it began"
            yield program.remark(loop.node.span, f"{', '.join(names)}: {where}")


def _end(program: Program, start: int) -> int:
    """After the semicolon of a declaration."""
    return program.data.find(b";", start) + 1


def _moved(
    program: Program, loops: Sequence[ParallelLoop], decl: Decl, decls: Sequence[Decl], place: Span
) -> Moved:
    """The array as it will be. Raises StaysError."""
    text = program.data[place.start : place.end].decode("utf-8", "replace")
    if any(d.type.kind != "array" for d in decls):
        raise StaysError("its declaration has other variables")
    if re.search(r"[={(#]", text) or "/*" in text or "//" in text:
        raise StaysError("its declaration has more than its lengths")
    qualified = re.search(r"\b(?:const|volatile|_Atomic|register)\b", text)
    if qualified:
        raise StaysError(f"it is '{qualified.group()}'")
    found = re.search(rf"\b{decl.name}{_LENGTHS}", text)
    lengths = tuple(re.findall(r"\[[^\[\]]+\]", found.group(1))) if found else ()
    type_ = decl.type
    if len(lengths) != _dimensions(type_) or not _size(type_):
        raise StaysError("its type hides its lengths")
    element = type_.innermost()
    if decl.thread_local or "(" in element.spelling:
        raise StaysError(f"its elements have the type '{element.spelling}'")
    check_names(program, decl, place)
    check_main(program)
    named = list(uses(program, decl))
    for node in named:
        check_use(program, node)
    edits = _blocks(program, loops, named, type_)
    layout = Layout.STRIPED if edits is None else Layout.POINTERS
    return Moved(decl, element.spelling, lengths, layout, tuple(edits or ()))


def _dimensions(type_: CType) -> int:
    return 1 + _dimensions(type_.element) if type_.kind == "array" and type_.element else 0


def _size(type_: CType) -> int:
    """Bytes, 0 where they are not known."""
    if type_.kind == "array" and type_.element:
        return (type_.count or 0) * _size(type_.element)
    return type_.size


def _main(program: Program) -> Node:
    return next(node for decl, node in program.functions.items() if decl.name == "main")


def _blocks(
    program: Program, loops: Sequence[ParallelLoop], uses: Sequence[Node], type_: CType
) -> list[Edit] | None:
    """How uses change when rows or structures become blocks; None where words are to stay."""
    row = type_.element
    assert row is not None
    elements = [element(program, node) for node in uses]
    if _size(row) <= _WORD or any(node is None for node in elements):
        return None
    selected = [node for node in elements if node is not None]
    if row.kind == "array":
        whole = all(_is_one_value(program, node) for node in selected)
        return [] if whole and _by_rows(loops, selected) else None
    if row.kind != "record":
        return None
    edits = [_through_pointer(program, node) for node in selected]
    known = [edit for edit in edits if edit is not None]
    return known if len(known) == len(edits) else None


def _is_one_value(program: Program, row: Node) -> bool:
    """Whether a row is only there for one of its values, whose address is not taken."""
    found: Node | None = row
    while found is not None and found.type.kind == "array":
        found = element(program, found)
    if found is None:
        return False
    holder = above(program, found)
    return not (holder.kind == "UNARY_OPERATOR" and holder.op == "&")


def _by_rows(loops: Sequence[ParallelLoop], rows: Sequence[Node]) -> bool:
    """Whether parallel loops go through the rows rather than along them."""
    variables = {id(loop.variable) for loop in loops}
    return any(id(n.decl) in variables for node in rows for n in node.children[1].walk())


def _through_pointer(program: Program, node: Node) -> Edit | None:
    """``cells[i].x`` becomes ``cells[i]->x``, ``&cells[i]`` of a member pointer ``cells[i]``."""
    holder = above(program, node)
    if node.in_macro or holder.in_macro:
        return None
    if holder.kind == "MEMBER_REF_EXPR":
        dot = skip_blank(program.data, node.span.end)
        while program.data[dot : dot + 1] == b")":
            dot = skip_blank(program.data, dot + 1)
        return Edit(dot, dot + 1, b"->") if program.data[dot : dot + 1] == b"." else None
    if holder.kind == "UNARY_OPERATOR" and holder.op == "&":
        start = holder.span.start
        if program.data[start : start + 1] == b"&":
            found = above(program, holder)
            return Edit(start, start + 1, b"") if _is_for_members(program, found) else None
        return None
    if holder.kind in ("BINARY_OPERATOR", "VAR_DECL", "CALL_EXPR"):
        return Edit(node.span.start, node.span.start, b"*")
    return None


def _is_for_members(program: Program, holder: Node) -> bool:
    """Whether it is a local pointer that only selects members."""
    if holder.kind != "VAR_DECL" or holder.decl is None or holder.type.kind != "pointer":
        return False
    found = [above(program, n) for n in uses(program, holder.decl)]
    return all(n.kind == "MEMBER_REF_EXPR" for n in found)


def _declare(program: Program, place: Span, group: Sequence[Moved], chosen: set[Decl]) -> None:
    """Put pointers in the place of chosen arrays, and change the arrays' uses."""
    moved = [one for one in group if one.decl in chosen]
    if not moved:
        return
    line = program.flat.buffer.line_start(place.start)
    static = program.data[line : place.start].decode("utf-8", "replace")
    kept = (f"{o.element} {o.decl.name}{''.join(o.lengths)};" for o in group if o not in moved)
    pointers = (f"replicated {one.declaration};" for one in moved)
    program.rewriting.replace(place, f"\n{static}".join([*pointers, *kept]))
    for edit in (edit for one in moved for edit in one.edits):
        if edit.start == edit.end:
            program.rewriting.insert(edit.start, edit.text.decode("utf-8", "surrogateescape"))
        else:
            program.rewriting.replace(
                Span(edit.start, edit.end), edit.text.decode("utf-8", "surrogateescape")
            )


def _allocate(program: Program, layouts: Layouts, moved: Sequence[Moved]) -> None:
    """The first statements of ``main``."""
    body = _main(program).children[-1]
    lines = []
    for one in moved:
        name = one.decl.name
        lines.append(f"\n    {name} = {one.allocation};")
        lines.append(f"\n    s2s_spread(&{name}, sizeof {name});")
        striped = one.layout is Layout.STRIPED
        layouts.memory.add(Memory.ZEROED_WORDS if striped else Memory.ZEROED_BLOCKS)
    layouts.memory.add(Memory.SPREAD)
    program.rewriting.insert(body.span.start + 1, "".join(lines))
