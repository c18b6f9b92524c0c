"""Globals that functions of parallel loops read and serial code writes: a copy on each nodelet.

static long *offsets;                  static replicated long *offsets;
offsets = malloc(n * sizeof(long));    offsets = mw_malloc1dlong(n);
                                       s2s_spread(&offsets, sizeof offsets);
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.emitters.emu.memory import Memory
from s2s.frontends.c import clang
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.emu.layouts import Layouts
from s2s.rewriters.emu.loops import ParallelLoop
from s2s.rewriters.emu.program import Program, written
from s2s.source import Span


def replicate(program: Program, loops: Sequence[ParallelLoop], layouts: Layouts) -> list[Decl]:
    """Replicate what may be; the globals that are. A declaration's variables go together."""
    called = [program.functions[d] for d in program.reached(loop.body for loop in loops)]
    wanted = set(_named(called))
    changed = set(_changed([*(loop.body for loop in loops), *called]))
    found: list[Decl] = []
    for place, decls in declarations(program).items():
        writes = {decl: _writes(program, decl) for decl in decls}
        if wanted.isdisjoint(decls) or not changed.isdisjoint(decls) or None in writes.values():
            continue
        if not all(d.type.scalar and not d.type.const for d in decls):
            continue
        found += decls
        program.rewriting.insert(place, "replicated ")
        for decl, statements in writes.items():
            for statement in statements or ():
                indent = _indent(program, statement.start)
                text = f"\n{indent}s2s_spread(&{decl.name}, sizeof {decl.name});"
                program.rewriting.insert(statement.end, text)
                layouts.memory.add(Memory.SPREAD)
    return found


def _named(functions: Sequence[Node]) -> Iterator[Decl]:
    for function in functions:
        for node in function.walk():
            if node.kind == "DECL_REF_EXPR" and node.decl is not None:
                yield node.decl


def _changed(nodes: Sequence[Node]) -> Iterator[Decl]:
    for top in nodes:
        for node in top.walk():
            lvalue = written(node)
            if lvalue is not None and lvalue.kind == "DECL_REF_EXPR" and lvalue.decl is not None:
                yield lvalue.decl


def _writes(program: Program, decl: Decl) -> list[Span] | None:
    """The statements in blocks that write a variable; None where others do, or take its address."""
    found = []
    for function in program.functions.values():
        for node in function.walk():
            lvalue = written(node)
            if lvalue is None or lvalue.kind != "DECL_REF_EXPR" or lvalue.decl is not decl:
                continue
            stands = program.parents[id(node)].kind == "COMPOUND_STMT"
            if node.op == "&" or not stands or node.in_macro:
                return None
            found.append(program.statement(node))
    return found


def declarations(program: Program) -> dict[int, list[Decl]]:
    """The variables of each declaration at file level, by where it begins after ``static``.

    Those that are declared more than once, or by a macro, are not among them.
    """
    found: dict[int, list[Decl]] = {}
    seen: set[Decl] = set()
    left_out: set[int] = set()
    for cursor in program.unit.declared:
        decl = program.unit.converter.decl_of(cursor) if clang.kind(cursor) == "VAR_DECL" else None
        if decl is None or not decl.in_file:
            continue
        start, end, in_macro = clang.extent(cursor)
        if program.data[start:end].startswith(b"static "):
            start += len(b"static ")
        if in_macro or decl in seen or program.data[start:end].startswith(b"extern"):
            left_out |= {start, *(at for at, decls in found.items() if decl in decls)}
        seen.add(decl)
        found.setdefault(start, []).append(decl)
    return {at: decls for at, decls in found.items() if at not in left_out}


def _indent(program: Program, offset: int) -> str:
    start = program.flat.buffer.line_start(offset)
    line = program.data[start:offset].decode("utf-8", "replace")
    return line[: len(line) - len(line.lstrip())]
