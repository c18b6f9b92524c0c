"""The source's own arrays on the stack, aligned where new loops over them are ``omp simd``.

::

    double row[24];                               double row[24] __attribute__((aligned(64)));
    for (j) for (i) row[i] += a[i][j];     ->     for (i) { simd for (j) ... }

The pragma makes a compiler vectorize what it would have left alone, and with it what gcc does wrong
with arrays on the stack (``s2s.scop.stack``) and with those that each thread has. Where no
declaration can be written to (a macro's, or that of a global array of which OpenMP makes copies),
the loops over the array have no pragma.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.c.text import identifiers
from s2s.scop.stack import ALIGNMENT, LEAST_BYTES
from s2s.source import Edit

_PRAGMA = re.compile(rb"^[ \t]*#pragma omp simd\r?\n", re.MULTILINE)
_BLANK = rb"(?:\s|/\*.*?\*/|//[^\n]*\n)*"
# The sizes after a declared name; brackets in brackets are those of a subscript.
_SIZES = re.compile(rb"(?:" + _BLANK + rb"\[(?:[^\[\]]|\[[^\[\]]*\])*\])*", re.DOTALL)
_BEHIND = re.compile(_BLANK + rb"[;,=_]", re.DOTALL)  # an attribute begins with an underscore
_COPIED = ("private", "firstprivate", "lastprivate", "reduction")


def align_arrays(function: Function, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, those of declarations among them, after which all arrays that they need are."""
    span = function.node.span
    own = [e for e in edits if span.start <= e.start < span.end and _PRAGMA.search(e.text)]
    if not own:
        return list(edits)
    used = [identifiers(edit.text) for edit in own]
    plain: set[str] = set(_of_threads(function))
    added: list[Edit] = []
    for decl, node in _on_stack(function):
        if any(decl.name in names for names in used) and not _is_aligned(function, node):
            edit = _declaration(function, decl, node)
            if edit is None or any(e.start <= edit.start < e.end for e in edits):
                plain.add(decl.name)
            else:
                added.append(edit)
    without = {e: _without_pragma(e) for e, names in zip(own, used, strict=True) if names & plain}
    return [*(without.get(edit, edit) for edit in edits), *added]


def _on_stack(function: Function) -> Iterator[tuple[Decl, Node]]:
    """Arrays, and records that may hold some, of the function's own that vectors fit in."""
    for node in function.node.walk():
        decl = node.decl
        if node.kind != "VAR_DECL" or decl is None or not _is_memory(decl.type):
            continue
        if not (decl.is_global or decl.is_static or decl.thread_local):
            yield decl, node


def _of_threads(function: Function) -> Iterator[str]:
    """Arrays that are not on the stack, but are in each thread."""
    directives = function.attached.within(function.node.span)
    own = {name for d in directives for name in d.listed(*_COPIED)}
    for decl in {node.decl for node in function.node.walk()}:
        if decl is None or not _is_memory(decl.type) or not (decl.is_global or decl.is_static):
            continue
        if decl.thread_local or decl.name in own:
            yield decl.name


def _is_memory(type: CType) -> bool:
    return type.kind in ("array", "record", "union") and _size(type) >= LEAST_BYTES


def _size(type: CType) -> int:
    """In bytes; 0 for an array whose length is known as the program runs.

    Such an array is memory behind a pointer, which compilers do not take for aligned.
    """
    if type.kind != "array":
        return type.size
    return 0 if type.element is None else (type.count or 0) * _size(type.element)


def _is_aligned(function: Function, node: Node) -> bool:
    end = node.span.end + len(ALIGNMENT) + 1
    return ALIGNMENT.encode() in function.unit.buffer.data[node.span.start : end]


def _declaration(function: Function, decl: Decl, node: Node) -> Edit | None:
    """The alignment after a declared name and its sizes; None where that is not their text."""
    data, name = function.unit.buffer.data, decl.name.encode()
    if node.in_macro or data[decl.offset : decl.offset + len(name)] != name:
        return None
    sizes = _SIZES.match(data, decl.offset + len(name))
    assert sizes is not None
    if not _BEHIND.match(data, sizes.end()):
        return None
    return Edit(sizes.end(), sizes.end(), f" {ALIGNMENT}".encode())


def _without_pragma(edit: Edit) -> Edit:
    return replace(edit, text=_PRAGMA.sub(b"", edit.text))
