"""Lines of the preprocessor that conditionals leave in a file."""

from __future__ import annotations

from pathlib import Path

from s2s.frontends.c.parse import parse_as_compiled
from s2s.source import SourceBuffer

TEXT = """\
#define KEPT 1
#if 0
#define INSIDE 1
#ifdef KEPT
#pragma deeper
#endif
#pragma after
#elif KEPT
#pragma second
#else
#pragma third
#endif
int a;
#ifdef NEVER
#pragma never
#else
#pragma otherwise
#if !KEPT
#pragma inner
#endif
#endif
#pragma last
"""


def test_lines_of_branches_that_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "x.c"
    path.write_text(TEXT)
    unit = parse_as_compiled(SourceBuffer(str(path), TEXT.encode()), ())
    lines = [line.text for line in unit.directive_lines]
    assert [text for text in lines if text.startswith(("define", "pragma"))] == [
        "define KEPT 1", "pragma second", "pragma otherwise", "pragma last",
    ]  # fmt: skip
    slow = [
        line for line in unit.directive_lines
        if any(span.start <= line.span.start < span.end for span in unit.skipped)
    ]  # fmt: skip
    assert not slow
