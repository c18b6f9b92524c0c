"""Programs that stay as they are: the words of the remark, and its line."""

from __future__ import annotations

from pathlib import Path

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from tests.rewriters.graphs.running import HEAD, kernel

_LOOP = "#pragma omp parallel for\nfor (long v = 0; v < n; v++)"
_PULL = f"{_LOOP}\n    for (long e = back[v]; e < back[v + 1]; e++)\n        @"


def _said(path: Path, text: str, passes: str) -> tuple[list[tuple[int, str]], str]:
    path.write_text(text)
    outcome = transform_file(str(path), ("-fopenmp",), Options(passes=(passes,), strict=True))
    said = [(d.location.line, d.text) for d in outcome.diagnostics if d.location is not None]
    return said, outcome.text.decode()


def test_remarks_about_new_text_are_about_the_loops_it_is_for(tmp_path: Path) -> None:
    pull = _PULL.replace("@", "b[v] += a[from[e]];")
    body = f"/* */\n{_LOOP}\n    a[v] = b[v];\n{pull}\nfor (int t = 0; t < 3; t++) {{\n{pull}\n}}"
    text = kernel("f", body, head=HEAD)
    said, after = _said(tmp_path / "f.c", text, "graph:flip=push")
    assert after != text
    headers = {
        i + 1 for i, shown in enumerate(text.splitlines()) if shown.startswith("for (long v")
    }
    flipped = [line for line, told in said if "edges flipped" in told]
    fused = [line for line, told in said if "not fused" in told]
    assert len(flipped) == 2 and set(flipped) < headers, said
    assert fused and set(fused) <= headers, said
