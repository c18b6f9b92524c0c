"""A C program as its lowering sees it: one text, its functions, its parallel loops' marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property

from s2s.frontends.c.cilk import parse_cilk
from s2s.frontends.c.flatten import Flattened, flatten_includes
from s2s.frontends.c.parse import language_is_cxx
from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, Decl, Node
from s2s.frontends.c.text import skip_blank
from s2s.frontends.c.unit import Unit
from s2s.frontends.openmp.directives import Directive
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass

_OWN_NAMES = re.compile(
    rb"\bs2s_(?:(?:all|at|partial|in|to|id|value)_\w+|\w+_\d+(?:_home)?"
    rb"|k|j|from|until|stride|mine|piece|last|final|count|origin|each|got|spread"
    rb"|next|which|owner|array|index|first|buckets|counts)\b"
)


class Refused(UserError):
    """What cannot be emitted for Emu, with its place."""


@dataclass
class Program:
    """One text with everything of the program in it; ``rewriting`` collects what changes."""

    flat: Flattened
    unit: Unit
    cilk_loops: frozenset[int]
    rewriting: Rewriting = field(init=False)

    def __post_init__(self) -> None:
        self.rewriting = Rewriting(self.flat.buffer)

    @property
    def data(self) -> bytes:
        return self.flat.buffer.data

    @cached_property
    def functions(self) -> dict[Decl, Node]:
        """The definitions of the program."""
        found = {}
        for cursor in self.unit.functions():
            decl = self.unit.converter.decl_of(cursor)
            if decl is not None:
                found[decl] = self.unit.convert(cursor)
        return found

    @cached_property
    def parents(self) -> dict[int, Node]:
        """The node above each one, by ``id``."""
        return {
            id(child): node
            for function in self.functions.values()
            for node in function.walk()
            for child in node.children
        }

    def outward(self, node: Node) -> Iterator[Node]:
        """The nodes that a node lies in, from the inside."""
        while (above := self.parents.get(id(node))) is not None:
            yield above
            node = above

    def reached(self, nodes: Iterable[Node]) -> set[Decl]:
        """The program's functions that are called below some nodes, directly or not."""
        found: set[Decl] = set()
        waiting = list(nodes)
        while waiting:
            for node in waiting.pop().walk():
                for decl in (node.decl,):
                    if decl in self.functions and decl not in found:
                        found.add(decl)
                        waiting.append(self.functions[decl])
        return found

    def refused(self, span: Span, reason: str) -> Refused:
        place = self.flat.location(span)
        return Refused(Diagnostic(Severity.ERROR, f"not for Emu: {reason}", "emu", place))

    def remark(self, span: Span, text: str) -> Diagnostic:
        return Diagnostic(Severity.REMARK, text, "emu", self.flat.location(span))

    def text(self, node: Node) -> str:
        """A node's text with the changes so far. Raises Refused where a macro writes it."""
        if node.in_macro:
            raise self.refused(node.span, "a macro writes what has to be changed here")
        return self.rewriting.text(node.span)

    def statement(self, node: Node) -> Span:
        """A statement's extent with its semicolon."""
        end = skip_blank(self.data, node.span.end)
        closed = self.data[node.span.end - 1 : node.span.end] in (b"}", b";")
        if not closed and self.data[end : end + 1] == b";":
            return Span(node.span.start, end + 1)
        return node.span


class Rewriting:
    """Edits of a text; a larger one takes those inside it into its own text."""

    def __init__(self, buffer: SourceBuffer) -> None:
        self._buffer = buffer
        self._edits: dict[tuple[int, int], str] = {}

    def text(self, span: Span) -> str:
        return self._buffer.edited(span, self._inside(span))

    def text_with(self, span: Span, edits: Iterable[Edit]) -> str:
        """The text with further edits, which are not kept; of nested edits the outer one holds."""
        before, more = self._inside(span), list(edits)
        more = [e for e in more if not any(_is_within(e, one) for one in before)]
        kept = [e for e in before if not any(_is_within(e, one) for one in more)]
        return self._buffer.edited(span, [*kept, *more])

    def replace(self, span: Span, text: str) -> None:
        for edit in self._inside(span):
            del self._edits[edit.start, edit.end]
        self._edits[span.start, span.end] = text

    def remove(self, span: Span) -> None:
        """Take a text out; what has been put after it stays."""
        behind = self._edits.get((span.end, span.end))
        self.replace(span, "")
        if behind is not None:
            self._edits[span.end, span.end] = behind

    def insert(self, offset: int, text: str) -> None:
        """Put a text at a place, after what has been put there."""
        self._edits[offset, offset] = self._edits.get((offset, offset), "") + text

    def insert_first(self, offset: int, text: str) -> None:
        """Put a text at a place, before what has been put there."""
        self._edits[offset, offset] = text + self._edits.get((offset, offset), "")

    def done(self) -> bytes:
        return apply_edits(self._buffer.data, self._all())

    def _inside(self, span: Span) -> list[Edit]:
        return [e for e in self._all() if span.start <= e.start and e.end <= span.end]

    def _all(self) -> list[Edit]:
        return [
            Edit(start, end, text.encode("utf-8", "surrogateescape"))
            for (start, end), text in sorted(self._edits.items())
        ]


def _is_within(edit: Edit, other: Edit) -> bool:
    """Whether an edit goes with the text that another one replaces."""
    if (edit.start, edit.end) == (other.start, other.end):
        return True
    inside = other.start <= edit.start and edit.end <= other.end
    return inside and edit.start < other.end and edit.end > other.start


def read(buffer: SourceBuffer, flags: Sequence[str], system: Sequence[str]) -> Program:
    """The program of a file and its own headers. Raises UserError where it cannot be parsed."""
    if language_is_cxx(buffer.path, flags):
        text = f"{buffer.path}: not for Emu: C++"
        raise Refused(Diagnostic(Severity.ERROR, text, "emu"))
    program = parse_program(flatten_includes(buffer, flags), flags, system)
    _check(program)
    return program


def parse_program(flat: Flattened, flags: Sequence[str], system: Sequence[str]) -> Program:
    """The program of a text. Raises UserError where it cannot be parsed."""
    unit, loops = parse_cilk(flat, flags, system)
    return Program(flat, unit, loops)


def _check(program: Program) -> None:
    """What can be anywhere. Raises Refused."""
    for match in re.finditer(rb"\b_Pragma\b", program.data):
        span = Span(match.start(), match.end())
        raise program.refused(span, "'_Pragma', which may hide what is parallel or atomic")
    for match in _OWN_NAMES.finditer(program.data):
        name = match.group().decode()
        raise program.refused(
            Span(match.start(), match.end()), f"the name '{name}', which s2s gives"
        )


def governed(program: Program, directive: Directive) -> Node | None:
    """The statement that a directive belongs to."""
    begin = skip_blank(program.data, directive.span.end)
    for function in program.functions.values():
        if function.span.start <= begin < function.span.end:
            return next((n for n in function.walk() if n.span.start == begin), None)
    return None


def root(node: Node) -> Node | None:
    """The variable whose own memory an lvalue names: of ``x``, ``x.f``, ``x[i]`` of an array."""
    node = node.uncast
    while True:
        if node.kind == "DECL_REF_EXPR":
            return node
        if node.kind == "MEMBER_REF_EXPR" and node.children:
            below = node.children[0].uncast
            if below.type.kind == "pointer":
                return None
        elif node.kind == "ARRAY_SUBSCRIPT_EXPR":
            below = node.children[0].uncast
            if below.type.kind != "array":
                return None
        else:
            return None
        node = below


def written(node: Node) -> Node | None:
    """The lvalue that an expression assigns or whose address it takes; None for others."""
    if node.kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR") and node.op in ASSIGNMENTS:
        return node.children[0].uncast
    if node.kind == "UNARY_OPERATOR" and (node.op in INCREMENTS or node.op == "&"):
        return node.children[0].uncast
    return None
