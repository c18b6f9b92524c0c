"""``cilk_for`` as OpenMP says it: compilers have dropped Cilk, and both mean the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2s.source import Edit

_TOKEN = re.compile(
    rb"""(?P<skip>//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    rb"""|(?P<header>^[ \t]*#[ \t]*include[ \t]*<cilk(?:/cilk)?\.h>[^\n]*$)"""
    rb"""|\b(?P<word>(?:_Cilk|cilk)_(?:for|spawn|sync))\b""",
    re.DOTALL | re.MULTILINE,
)


def openmp_edits(data: bytes) -> tuple[Edit, ...]:
    """Edits that make OpenMP of a file's ``cilk_for``; none where it spawns by itself."""
    if b"lk_for" not in data:
        return ()
    tokens = [m for m in _TOKEN.finditer(data) if m.lastgroup != "skip"]
    words = {m["word"] for m in tokens} - {None}
    if not all(word.endswith(b"_for") for word in words):
        return ()
    return tuple(_edits(data, tokens))


def _edits(data: bytes, tokens: list[re.Match[bytes]]) -> Iterator[Edit]:
    for found in tokens:
        if found["header"] is not None:
            yield Edit(found.start(), found.end(), b"")
            continue
        start = data.rfind(b"\n", 0, found.start()) + 1
        margin = data[start : found.start()]
        alone = not margin.strip()
        text = b"#pragma omp parallel for\n" + (margin if alone else b"") + b"for"
        yield Edit(start if alone else found.start(), found.end(), text if alone else b"\n" + text)
