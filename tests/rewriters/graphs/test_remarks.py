"""Programs that stay as they are: the words of the remark, and its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from tests.rewriters.graphs.running import HEAD, kernel

_LOOP = "#pragma omp parallel for\nfor (long v = 0; v < n; v++)"
_PULL = f"{_LOOP}\n    for (long e = back[v]; e < back[v + 1]; e++)\n        @"
_PUSH = f"{_LOOP}\n    for (long e = off[v]; e < off[v + 1]; e++) {{\n        @\n    }}"

# What is written, the pass, the remark's words and the text of its line.
_STAYS = {
    "fusion of what inner loops read": (
        f"{_PULL.replace('@', 'b[v] += a[from[e]];')}\n{_LOOP}\n    a[v] = c[v];",
        "graph:flip=no",
        "not fused: the later loop writes 'a' that other iterations of the earlier one read",
        "a[v] = c[v];",
    ),
    "fusion of an inner read of what was written": (
        f"{_LOOP}\n    a[v] = c[v];\n{_PULL.replace('@', 'b[v] += a[from[e]];')}",
        "graph:flip=no",
        "not fused: the later loop reads 'a' that other iterations of the earlier one write",
        "b[v] += a[from[e]];",
    ),
    "flip of a read of what is written": (
        _PULL.replace("@", "if (b[from[e]] < b[v]) b[v] = b[from[e]];"),
        "graph:flip=push",
        "not flipped: the loop reads 'b', which its updates write",
        "if (b[from[e]] < b[v]) b[v] = b[from[e]];",
    ),
    "flip of an update that is not commutative": (
        _PULL.replace("@", "b[v] = b[v] * 3 + a[from[e]];"),
        "graph:flip=push",
        "not flipped: the update is not commutative",
        "b[v] = b[v] * 3 + a[from[e]];",
    ),
    "flip of a quotient": (
        _PULL.replace("@", "b[v] /= a[from[e]] | 1;"),
        "graph:flip=push",
        "a statement that is no update",
        "b[v] /= a[from[e]] | 1;",
    ),
    "flip of an atomic whose value is used": (
        _PUSH.replace("@", "long old;\n#pragma omp atomic capture\n        old = b[nbr[e]]++;\n"
                      "        c[v] += old;"),
        "graph:flip=pull",
        "not flipped: the value of an atomic is used",
        "old = b[nbr[e]]++;",
    ),
    "flip of an atomic whose value is returned": (
        _PUSH.replace("@", "#pragma omp atomic capture\n"
                      "        { b[nbr[e]] += a[v]; c[v] = b[nbr[e]]; }"),
        "graph:flip=pull",
        "not flipped: the value of an atomic is used",
        "{ b[nbr[e]] += a[v]; c[v] = b[nbr[e]]; }",
    ),
}  # fmt: skip


def _said(path: Path, text: str, passes: str) -> tuple[list[tuple[int, str]], str]:
    path.write_text(text)
    outcome = transform_file(str(path), ("-fopenmp",), Options(passes=(passes,), strict=True))
    said = [(d.location.line, d.text) for d in outcome.diagnostics if d.location is not None]
    return said, outcome.text.decode()


@pytest.mark.parametrize("name", _STAYS)
def test_a_program_stays_and_the_remark_says_why(tmp_path: Path, name: str) -> None:
    body, passes, words, line = _STAYS[name]
    text = kernel("f", body)
    said, after = _said(tmp_path / "f.c", text, passes)
    assert after == text
    lines = [i + 1 for i, shown in enumerate(text.splitlines()) if line in shown]
    assert any(place in lines and words in told for place, told in said), said


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
