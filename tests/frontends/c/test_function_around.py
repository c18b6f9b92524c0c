"""Which function a place in a file is in: as the library tells, and as all functions do."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

import pytest

from s2s.frontends.c import clang
from s2s.frontends.c.parse import parse
from s2s.source import SourceBuffer, Span

_HERE = Path(__file__).parent

TEXT = (_HERE / "function_around.c").read_text()


@pytest.mark.parametrize("name", ["file.c", "file.cpp"])
def test_every_place(tmp_path: Path, name: str) -> None:
    (tmp_path / "own.h").write_text(
        "#define SCALE 2.0\nstatic int of_header(int x) { return x; }\n"
    )
    text = TEXT if name == "file.c" else TEXT.replace("int old(k) int k; { return k; }\n", "")
    unit = parse(
        SourceBuffer(str(tmp_path / name), text.encode()),
        ("-std=gnu11",)[: name == "file.c"],
        on_disk=False,
    )
    assert not unit.errors
    found = set()
    for start in range(len(text) - 7):
        for end in (start + 1, start + 7):
            index = bisect_right(unit._starts, start) - 1
            known = unit._extents[index] if index >= 0 else (0, 0, None)
            expected = known[2] if end <= known[1] else None
            cursor = unit.function_around(Span(start, end))
            assert (cursor is None) == (expected is None), text[start:end]
            if cursor is not None:
                assert clang.same(cursor, expected), text[start:end]
                found.add(clang.spelling(cursor))
    assert {"plain", "one", "pointer", "declared", "last"} <= found
