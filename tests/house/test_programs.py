"""Programs that tests are about are files: in strings stand no more of them than there are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.places import ROOT

# Most are f-strings, or have holes that a word in a file would not say as well. Lower it freely.
MOST = 162
_LINES = 4
_END_OF_STATEMENT = re.compile(r"[;{}]\s*$", re.MULTILINE)
_TYPE = re.compile(r"\b(void|int|for|float|double|Func|static|long|unsigned|char)\b")


def programs(path: Path) -> Iterator[int]:
    """The lines at which strings begin that look like four lines or more of C or C++."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parts: set[ast.AST] = set()
    texts: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if node in parts:
            continue
        if isinstance(node, ast.JoinedStr):
            parts.update(ast.walk(node))
            pieces = (v.value if isinstance(v, ast.Constant) else "HOLE" for v in node.values)
            texts.append((node.lineno, "".join(map(str, pieces))))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.append((node.lineno, node.value))
    return (line for line, text in texts if is_program(text))


def is_program(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    ends = len(_END_OF_STATEMENT.findall(text))
    return len(lines) >= _LINES and ends > 1 and "{" in text and bool(_TYPE.search(text))


def test_programs_in_strings_become_fewer() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for line in programs(path)
    ]
    assert len(found) <= MOST, "put new ones into files (tests/inputs.py, tests/programs.py)"


def test_what_is_taken_for_a_program(tmp_path: Path) -> None:
    path = tmp_path / "test.py"
    lines = ["void f(int n)", "{{", "    for (int i = 0; i < n; i++)", "        a[i] = {n};", "}}"]
    holes = "\n".join(lines)
    texts = [f"'''{holes.format(n=0)}'''", f"f'''{holes}'''", "'void f() {}'", "'a'"]
    path.write_text("\n".join(f"A = {text}" for text in texts))
    assert list(programs(path)) == [1, 6]
