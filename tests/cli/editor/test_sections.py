"""Which functions have to be looked at again after a change."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from s2s.cli.editor.documents import Document, Looking
from s2s.cli.editor.process import WorkerProcess
from s2s.cli.editor.sections import split
from s2s.cli.editor.worker import Answer, Task
from s2s.source import Edit
from s2s.source.diagnostics import Diagnostic, Location, Severity

TEXT = b"""\
/* Some functions. */
#include <stdio.h>
#define EACH(i) for (int i = 0; i < 9; i++)
typedef struct { int a; } pair;
static const char *words[] = { "{", "}" };
API(int) helper(int x) { return x + '}'; }
void outer(int *a)
{
    for (int i = 0; i < 9; i++) { a[i] = helper(i); } // }
}
void by_macro(int *a) { EACH(i) a[i] = 0; }
int plain(pair p) { return p.a; }
"""


def keys(text: bytes) -> list[str]:
    return [section.key for section in split(text, b"")]


def test_functions_and_those_without_loops() -> None:
    found = split(TEXT, b"")
    assert [(s.line, s.last, s.idle) for s in found] == [
        (6, 6, True),
        (7, 10, False),
        (11, 11, False),
        (12, 12, True),
    ]
    assert TEXT[found[1].start : found[1].end].startswith(b"void outer")


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        (b"Some functions", b"A few functions\n", []),
        (b"p.a", b"p.a + 1", [3]),
        (b"x + '}'", b"x - '}'", [0, 1]),
        (b"int a;", b"long a;", [0, 1, 2, 3]),
        (b"i < 9; i++) { a", b"i < 8; i++) { a", [1]),
    ],
)
def test_a_change_is_one_of_what_sees_it(old: bytes, new: bytes, changed: list[int]) -> None:
    before, after = keys(TEXT), keys(TEXT.replace(old, new))
    assert [k for k, pair in enumerate(zip(before, after, strict=True)) if len(set(pair)) == 2] == (
        changed
    )


@pytest.mark.parametrize(
    "text", [b"void f(void) { { }", b"}", b'extern "C" { void f() { for (;;); } }']
)
def test_what_braces_do_not_tell_is_one_section(text: bytes) -> None:
    (section,) = split(text, b"")
    assert (section.start, section.end, section.idle) == (0, len(text), False)


def test_flags_are_part_of_the_key() -> None:
    assert not {s.key for s in split(TEXT, b"-O2")} & {s.key for s in split(TEXT, b"-O3")}


class _Worker:
    """Finds a remark in the line before the last of each function; a short look half of them."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    async def look(self, task: Task) -> Answer:
        self.tasks.append(task)
        found = [_said(line - 1, "remark") for line in task.lines]
        if task.budget:
            assert not task.check
            return Answer((*found, _said(task.lines[0] - 2, "budget")))
        return Answer(tuple(found), (Edit(0, 1, b" "),))


def _said(line: int, kind: str) -> Diagnostic:
    return Diagnostic(Severity.REMARK, "w", kind, Location("dense.c", line, 1, line, 2))


def _shown(text: str) -> tuple[list[tuple[int, int]], list[Task]]:
    """How many remarks and edits are there at each turn; what the worker was asked."""

    async def turns() -> list[tuple[int, int]]:
        document = Document("dense.c", text.encode())
        looking = Looking(cast(WorkerProcess, worker), Task("", b""))
        return [(len(document.told), len(document.edits)) async for _ in looking.look(document, ())]

    worker = _Worker()
    return asyncio.run(turns()), worker.tasks


def test_a_function_with_many_loops_is_glanced_at_first() -> None:
    loops = "".join(f"    for (int i = 0; i < n; i++)\n        a[i] += {k};\n" for k in range(9))
    dense = f"void f(int n, int *a)\n{{\n{loops}}}\n"
    shown, tasks = _shown(dense + dense.replace("f(", "g("))
    assert [bool(task.budget) for task in tasks] == [True, False, False]
    assert shown == [(0, 0), (1, 0), (1, 1), (2, 1)]


def test_functions_with_few_loops_come_several_at_once() -> None:
    sparse = (
        "void f{k}(int n, int *a)\n{{\n    for (int i = 0; i < n; i++)\n        a[i] = i;\n}}\n"
    )
    shown, tasks = _shown("".join(sparse.format(k=k) for k in range(12)))
    assert [len(task.lines) for task in tasks] == [5, 7]
    assert [told for told, _ in shown] == [0, 5, 12]
