"""Counts the multiplications and additions that a program executes: MAC of Table 1.

The file is preprocessed, and each sum of products counts its products as it is evaluated:
``sum += a * b`` becomes ``(s2s_macs += 1, sum += a * b)``. At the end the program writes the count
to a file. What a library or a device computes is not counted, so that the difference to the
program that runs on the host alone is what these have taken.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence

from s2s.frontends.c.parse import parse_as_compiled
from s2s.frontends.c.syntax import Node
from s2s.source import SourceBuffer
from s2s.source.diagnostics import Diagnostic, Severity, UserError

_COUNTER = """
unsigned long long s2s_macs;
extern int open(const char *, int, ...);
extern int dprintf(int, const char *, ...);
__attribute__((destructor)) static void s2s_write_macs(void) {{
    dprintf(open("{path}", 577, 384), "%llu\\n", s2s_macs);
}}
"""
_SUMS = ("+", "-")
_OF_ALLOCATORS = re.compile(rb"__malloc__ ?\((?:[^()]|\([^()]*\))*\)")


def with_counts(path: str, flags: Sequence[str], counts: str) -> bytes:
    """The text of a C file that writes to ``counts`` what it has computed. Raises UserError."""
    command = ["gcc", *flags, "-E", "-P", path]
    done = subprocess.run(command, capture_output=True)
    if done.returncode:
        text = f"{path}: the preprocessor refuses it"
        raise UserError(Diagnostic(Severity.ERROR, text, "offload", None))
    # What the compiler's own headers say to it alone may be an error for the parser: the functions
    # of the program are read nevertheless, and it is the compiler that judges the new text.
    buffer = SourceBuffer(path, _OF_ALLOCATORS.sub(b"__malloc__", done.stdout))
    unit = parse_as_compiled(buffer, _language(flags), on_disk=False)
    marks: list[tuple[int, bytes]] = []
    for cursor in unit.functions():
        for node, count in _counted(unit.convert(cursor)):
            marks.append((node.span.start, f"(s2s_macs += {count}, ".encode()))
            marks.append((node.span.end, b")"))
    parts, end = [b"extern unsigned long long s2s_macs;\n"], 0
    for place, mark in sorted(marks, key=lambda m: m[0]):
        parts += [buffer.data[end:place], mark]
        end = place
    parts += [buffer.data[end:], _COUNTER.format(path=counts).encode()]
    return b"".join(parts)


def _language(flags: Sequence[str]) -> list[str]:
    return [f for f in flags if not f.startswith(("-I", "-D", "-U", "-i"))]


def _counted(node: Node) -> Iterator[tuple[Node, int]]:
    """Expressions that add products up, with how many."""
    if node.kind == "VAR_DECL" and node.decl is not None and node.decl.is_static:
        return
    count = _products(node)
    if count:
        yield node, count
        # Sums inside of the terms count for themselves.
        for term in _terms(node):
            for child in term.children:
                yield from _counted(child)
        return
    for child in node.children:
        yield from _counted(child)


def _products(node: Node) -> int:
    """How many products a sum adds; 0 for what is no sum of them."""
    if node.value is not None:
        return 0
    terms = list(_terms(node))
    if node.op in ("+=", "-="):
        terms = list(_terms(node.children[1]))
    elif node.op not in _SUMS or len(node.children) != 2 or node.type.kind != "float":
        return 0
    if node.type.kind not in ("int", "float"):
        return 0
    return sum(_is_product(t, of_data=node.type.kind == "int") for t in terms)


def _terms(node: Node) -> Iterator[Node]:
    """The terms of a sum; of an update what is stored to and what is added."""
    if node.op in ("+=", "-="):
        yield node.children[0]
        yield from _terms(node.children[1])
    elif node.op in _SUMS and len(node.children) == 2:
        for child in node.children:
            yield from _terms(child.uncast if child.uncast.op in _SUMS else child)
    else:
        yield node


def _is_product(node: Node, *, of_data: bool) -> bool:
    inner = node.uncast
    if inner.op != "*" or len(inner.children) != 2 or inner.value is not None:
        return False
    kinds = frozenset().union(*(c.kinds for c in inner.children))
    return not of_data or bool(kinds & {"ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR"})


def read_count(path: str) -> int:
    """What a program has written; 0 where it has not."""
    if not os.path.exists(path):
        return 0
    with open(path) as stream:
        return int(stream.read() or 0)
