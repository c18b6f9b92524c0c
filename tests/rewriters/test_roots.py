"""Square roots that set no errno: compilers make vectors of them, with the same values."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path

import pytest

from s2s.frontends.c import definitions
from s2s.frontends.c.regions import functions
from s2s.frontends.c.unit import Unit
from s2s.rewriters import roots
from s2s.rewriters.above_functions import place_above
from s2s.rewriters.roots import Roots
from s2s.source import apply_edits
from s2s.source.flags import may_leave_errno
from tests.lifting import parse_text

_PROGRAM = Path(__file__).parent / "roots" / "far.c"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="names of instructions")
def test_roots_become_vectors(tmp_path: Path) -> None:
    unit = parse_text(_PROGRAM.read_text())
    edits = [
        edit
        for function in functions(unit, every=True)
        for change in Roots().edits(function, ())
        for edit in change.edits
    ]
    assert "sqrtpd" not in _assembly(unit.buffer.data, tmp_path)
    assert "sqrtpd" in _assembly(apply_edits(unit.buffer.data, edits), tmp_path)


def test_a_long_file_is_searched_where_there_are_roots(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place above a function is looked for in all that stands before it: once is enough."""
    plain = "void f{0}(int n, double *x) {{ for (int i = 0; i < n; i++) x[i] += {0}; }}\n"
    unit = parse_text("".join(map(plain.format, range(30))) + _PROGRAM.read_text())
    asked: list[int] = []
    searches: list[object] = []

    def count_place(data: bytes, place: int) -> int | None:
        asked.append(place)
        return place_above(data, place)

    def count_search(of: Unit) -> dict[str, frozenset[str]]:
        searches.append(of)
        return found(of)

    found = definitions.find_functions_with_roots
    monkeypatch.setattr(roots, "place_above", count_place)
    monkeypatch.setattr(definitions, "find_functions_with_roots", count_search)
    for function in functions(unit, every=True):
        list(Roots().edits(function, ()))
    assert (len(asked), len(searches)) == (1, 1)


def _assembly(data: bytes, folder: Path) -> str:
    (folder / "roots.c").write_bytes(data)
    command = ["gcc", "-O3", "-S", "roots.c", "-o", "roots.s"]
    subprocess.run(command, cwd=folder, check=True)
    return (folder / "roots.s").read_text()


@pytest.mark.parametrize(
    ("flags", "may"),
    [
        ("", True), ("-O2", True), ("-O0 -O3", True), ("-O3 -O1", False), ("-Og", False),
        ("-O3 -ffast-math", False), ("-O2 -fno-math-errno", False), ("-fmath-errno -O2", False),
        ("-O2 -ffreestanding", False), ("-O2 -fno-builtin-sqrt", False),
        ("-O2 -Werror=redundant-decls", False), ("-O2 -std=c99 -Wall", True),
    ],
)  # fmt: skip
def test_flags_that_say_of_errno(flags: str, *, may: bool) -> None:
    assert may_leave_errno(flags.split()) == may
