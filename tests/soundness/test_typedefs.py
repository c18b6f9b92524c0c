"""Types spelled through typedefs: the same is said and done as with their own names.

Each way of ``typedefs`` is tried on a share of the programs; which one gets which way is a matter
of its name, so that a new program takes none away from others.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import s2s
from s2s.driver.options import Options, Outcome
from s2s.driver.transform import transform_file
from s2s.frontends.c.parse import parse
from s2s.frontends.c.syntax import CType
from s2s.source import SourceBuffer
from tests.soundness import typedefs
from tests.soundness.harness import STENCIL, TASKS, program

_PROGRAMS = Path(__file__).parent / "typedefs"

_FLAGS = ("-O3", "-fopenmp", "-w")
_ROOT = Path(s2s.__file__).parent.parent / "benchmarks"
_KERNELS = {
    "product": (_PROGRAMS / "product.c").read_text(),
    "renamed": (_PROGRAMS / "renamed.c").read_text(),
    "shifted": (_PROGRAMS / "shifted.c").read_text(),
    "scalar": (_PROGRAMS / "scalar.c").read_text(),
    "stencil": program(STENCIL),
    "tasks": program(TASKS),
}
_FILES = ("matmul", "jacobi", "align", "heat2d")


def _texts() -> dict[str, str]:
    files = [path for name in _FILES for path in sorted((_ROOT / name).glob("*.c"))]
    return {**_KERNELS, **{path.stem: path.read_text() for path in files}}


def _transformed(path: Path, text: str) -> Outcome:
    path.write_text(text)
    return transform_file(str(path), _FLAGS, Options(strict=True, check=False))


def _compare(path: Path, text: str, ways: list[str]) -> None:
    plain = _transformed(path, text)
    for way, make in typedefs.renamings(text):
        renamed = make()
        if way not in ways or renamed.body == text:
            continue
        again = _transformed(path, renamed.text)
        assert typedefs.said(again, renamed) == typedefs.said(plain, renamed, before=True), way
        if renamed.names:
            behind_head = again.text.decode().split("\n", 1)[1]
            found, wanted = (
                _words(t) for t in (renamed.taken_back(behind_head), plain.text.decode())
            )
            assert found == wanted, way


def _words(text: str) -> list[str]:
    """A text however its lines are broken: long names break them elsewhere."""
    return re.sub(r"\(\s+", "(", text.replace("\\\n", " ")).split()


_WAYS = [way for way, _ in typedefs.renamings("")]


@pytest.mark.parametrize("name", ["product", "renamed", "shifted", "scalar"])
def test_kernels_in_all_ways(name: str, tmp_path: Path) -> None:
    _compare(tmp_path / "a.c", _KERNELS[name], _WAYS)


@pytest.mark.parametrize("name", sorted(_texts().keys() - {"product", "renamed", "shifted"}))
def test_programs_in_one_way(name: str, tmp_path: Path) -> None:
    text = _texts()[name]
    changing = [way for way, make in typedefs.renamings(text) if make().body != text]
    _compare(tmp_path / "a.c", text, [changing[sum(map(ord, name)) % len(changing)]])


def _types(text: bytes, kind: str) -> list[CType]:
    """The types of all declarations of a kind, in the order of the text."""
    unit = parse(SourceBuffer("a.c", text), (), on_disk=False)
    root = unit.handle.cursor
    found = [cursor for cursor in root.walk_preorder() if cursor.kind.name == kind]
    return [unit.converter.type_of(cursor) for cursor in found]


def test_names_of_types_have_scopes() -> None:
    """One name may stand for two types, each in a function of its own."""
    text = b"void f(void) { typedef float T; T x; } void g(void) { typedef double T; T x; }"
    assert [(t.spelling, t.size) for t in _types(text, "VAR_DECL")] == [("float", 4), ("double", 8)]


def test_attributes_of_a_typedef_stay() -> None:
    """What a typedef says of alignment or aliasing is not in the canonical type."""
    text = (
        b"typedef int loose __attribute__((aligned(1)));\ntypedef int plain;\n"
        b"void f(loose *a, plain *b) { }\n"
    )
    assert [t.spelling for t in _types(text, "PARM_DECL")] == ["loose *", "int *"]


def test_volatile_is_seen_through_typedefs() -> None:
    text = b"typedef volatile int V; typedef V Row[4]; V a; Row b; V *c; int *volatile d;"
    assert [t.volatile for t in _types(text, "VAR_DECL")] == [True] * 4
