"""What keeps a static array where it is: nothing may be able to tell an array from a pointer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import directives, identifiers
from s2s.rewriters.emu.aligned import above
from s2s.rewriters.emu.program import Program
from s2s.source import Span


class StaysError(Exception):
    """An array stays on the first nodelet; the reason."""


def check_names(program: Program, decl: Decl, place: Span) -> None:
    """Neither macros nor values nor sizes of other declarations name it. Raises StaysError."""
    spans = sorted([place, *(f.span for f in program.functions.values())], key=lambda s: s.start)
    asked = re.compile(rf"\b(?:sizeof|_?_?typeof(?:__)?|_Alignof)\b[^;]*\b{decl.name}\b".encode())
    end = 0
    for span in [*spans, Span(len(program.data), len(program.data))]:
        between = program.data[end : span.start]
        named = [line.text.encode() for line in directives(between) if "define" in line.text]
        named += [value.group() for value in re.finditer(rb"=[^;]*;", between)]
        named += [value.group() for value in asked.finditer(between)]
        if any(decl.name in identifiers(text) for text in named):
            raise StaysError("it is named outside of functions")
        end = max(end, span.end)
    if re.search(rf"\bextern\b[^;{{]*\b{decl.name}\b".encode(), program.data):
        raise StaysError("it is declared more than once")
    if re.search(rf"typeof(?:__)?\s*\(\s*{decl.name}\b".encode(), program.data):
        raise StaysError("its type is asked for")


def check_main(program: Program) -> None:
    """The program has to begin with a function that may allocate. Raises StaysError."""
    main = next((d for d in program.functions if d.name == "main"), None)
    if main is None:
        raise StaysError("there is no 'main' here")
    nodes = (n for f in program.functions.values() for n in f.walk())
    named = any(n.decl is main for n in nodes if n.kind in ("DECL_REF_EXPR", "CALL_EXPR"))
    if named or b"constructor" in program.data:
        raise StaysError("'main' may not be what runs first")


def check_use(program: Program, node: Node) -> None:
    """Neither its size nor its own address may be asked for. Raises StaysError."""
    holder = above(program, node)
    for outer in program.outward(node):
        if outer.kind == "CXX_UNARY_EXPR":
            raise StaysError("its size is asked for")
        if outer.kind == "VAR_DECL" and outer.decl is not None and outer.decl.is_static:
            raise StaysError("a static variable begins with its address")
    if holder.kind == "UNARY_OPERATOR" and holder.op == "&":
        raise StaysError("the address of the whole array is taken")


def uses(program: Program, decl: Decl) -> Iterator[Node]:
    for function in program.functions.values():
        for node in function.walk():
            if node.kind == "DECL_REF_EXPR" and node.decl is decl:
                yield node
