"""``--probe``: what the compiler makes of the new loops."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from s2s.driver.probe import annotate_remarks
from s2s.source import Edit, SourceBuffer
from s2s.source.diagnostics import Diagnostic, Location, Severity

TEXT = b"""\
#include "n.h"
float a[N], b[N], c[N];
void f(void)
{
    for (int i = 0; i < N; i++)
        a[i] = a[i / 2] + b[i];
    for (int i = 0; i < N; i++)
        c[i] = b[i] * 2;
}
"""
NEW = b"""\
{
        for (int i = 0; i < N; i++)
            a[i] = b[i] * 2;
        for (int i = 0; i < N; i++)
            a[i] = a[i / 2] + b[i];
    }
"""


@pytest.fixture(params=["gcc", "clang"])
def compiler(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if not shutil.which(name):
        pytest.skip(f"no {name}")
    return name


@pytest.fixture
def buffer(tmp_path: Path) -> SourceBuffer:
    (tmp_path / "n.h").write_text("#define N 4096\n")
    (tmp_path / "loops.c").write_bytes(TEXT)
    return SourceBuffer(str(tmp_path / "loops.c"), TEXT)


def replaced(old: bytes, new: bytes) -> Edit:
    start = TEXT.index(old)
    return Edit(start, start + len(old), new)


def remark(buffer: SourceBuffer, line: int) -> Diagnostic:
    place = Location(buffer.path, line, 5, line, 6)
    return Diagnostic(Severity.REMARK, "rewritten", "p", place)


FIRST = TEXT[TEXT.index(b"for") : TEXT.index(b"    for (int i = 0; i < N; i++)\n        c")]
SECOND = b"for (int i = 0; i < N; i++)\n        c[i] = b[i] * 2;\n"


def test_new_lines_are_told(buffer: SourceBuffer, compiler: str) -> None:
    edits = [replaced(SECOND, b"for (int k = 0; k < N; k++)\n c[k] = 3 * b[k];\n"),
             replaced(FIRST, NEW)]  # fmt: skip
    said = annotate_remarks(
        buffer, edits, [remark(buffer, 5), remark(buffer, 7)], compiler, ["-O3"]
    )
    assert [one.text for one in said] == [
        f"rewritten; {compiler} vectorizes the new loop, line 6",
        f"rewritten; {compiler} vectorizes the new loop, line 11 (so it did the source's)",
    ]


def test_a_fallback_is_not_new(buffer: SourceBuffer, compiler: str) -> None:
    guarded = b"if (a < b)\n;\nelse {\n" + SECOND.strip() + b"\n}\n"
    said = annotate_remarks(
        buffer, [replaced(SECOND, guarded)], [remark(buffer, 7)], compiler, ["-O3"]
    )
    assert said[0].text == f"rewritten; {compiler} vectorizes no new loop (so it did the source's)"


def test_without_a_level_the_compiler_optimizes(buffer: SourceBuffer, compiler: str) -> None:
    (said,) = annotate_remarks(buffer, [replaced(FIRST, NEW)], [remark(buffer, 5)], compiler, [])
    assert said.text.endswith("vectorizes the new loop, line 6")
    (said,) = annotate_remarks(
        buffer, [replaced(FIRST, NEW)], [remark(buffer, 5)], compiler, ["-O1"]
    )
    assert said.text.endswith("vectorizes no new loop")


def test_what_is_no_remark_stays(buffer: SourceBuffer, compiler: str) -> None:
    missed = Diagnostic(Severity.MISSED, "not this", "p", remark(buffer, 5).location)
    nowhere = Diagnostic(Severity.REMARK, "somewhere", "p")
    said = annotate_remarks(buffer, [replaced(FIRST, NEW)], [missed, nowhere], compiler, ["-O3"])
    assert said == (missed, nowhere)


def test_a_compiler_that_is_not_there_is_a_warning(buffer: SourceBuffer) -> None:
    one = remark(buffer, 5)
    said = annotate_remarks(buffer, [replaced(FIRST, NEW)], [one], "gcc-of-nobody", [])
    assert said[0] == one
    assert (said[1].severity, said[1].id) == (Severity.WARNING, "probe")
    assert "'gcc-of-nobody' cannot tell what it vectorizes" in said[1].text


def test_nothing_is_asked_where_nothing_changed(buffer: SourceBuffer) -> None:
    one = remark(buffer, 5)
    assert annotate_remarks(buffer, [], [one], "gcc-of-nobody", []) == (one,)
