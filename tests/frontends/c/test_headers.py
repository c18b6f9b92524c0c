"""Headers that are kept in memory: files that begin with them are read as they were without."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from s2s.frontends.c import clang
from s2s.frontends.c.parse import parse, parse_again, parse_as_compiled, parse_edited
from s2s.frontends.c.unit import Unit
from s2s.source import Edit, SourceBuffer

_PROGRAMS = Path(__file__).parent / "headers"

HEAD = b"/* first */\n#define _GNU_SOURCE\n#include <stdio.h> // a\n#include <math.h>\n\n"
REST = (_PROGRAMS / "rest.c").read_bytes()


def several(text: bytes, flags: Sequence[str] = (), times: int = 3) -> list[Unit]:
    buffers = [SourceBuffer(f"kept_{n}.c", text) for n in range(times)]
    return [parse_as_compiled(buffer, flags, on_disk=False) for buffer in buffers]


def syntax(unit: Unit) -> list[tuple[object, ...]]:
    """All that is known of all nodes of the file's functions, and of what they name."""
    found: list[tuple[object, ...]] = []
    for cursor in unit.functions():
        for node in unit.convert(cursor).walk():
            decl = node.decl
            about = () if decl is None else (
                decl.name, decl.kind, decl.type, decl.is_global, decl.in_file, decl.offset,
            )  # fmt: skip
            found.append((node.kind, node.span, node.type, node.value, node.in_macro, about))
    return found


def test_the_syntax_is_the_same() -> None:
    first, *_, last = units = several(HEAD + REST, ("-DS2S_HEADERS=1",))
    assert [unit.headers is None for unit in units] == [True, False, False]
    assert len(syntax(first)) > 40
    assert syntax(last) == syntax(first)
    assert last.names.keys() == first.names.keys() > {"main", "kept", "sqrt", "stdout"}
    assert {*map(clang.spelling, last.declared)} > {"main", "pair", "FILE", "sqrt"}
    assert last.included == first.included
    assert any(name.endswith("/math.h") for name in last.included)
    assert last.skipped == first.skipped != ()
    for name in ("stdout", "sqrt", "kept"):
        one, other = (unit.global_named(name) for unit in (first, last))
        assert one is not None and other is not None
        assert (one.type, one.is_static, one.in_file) == (
            other.type,
            other.is_static,
            other.in_file,
        )


def test_errors_have_their_places() -> None:
    text = HEAD + b"int f(void) { return missing; }\n"
    said = [[(e.text, e.location) for e in unit.errors] for unit in several(text)]
    places = [place.line for ((_, place),) in said if place is not None]
    assert places == [6, 6, 6]
    assert len({text for ((text, _),) in said}) == 1


@pytest.mark.parametrize(
    "head",
    [
        b"#define puts other\n#include <stdio.h>\n",
        b"int first;\n#include <stdio.h>\n",
        b"// not a directive's line: \\\n#include <stdio.h>\n",
        b'#include "stdio.h"\n',
        b"#if 0\n#include <stdio.h>\n#endif\n",
    ],
)
def test_what_else_may_come_first_is_read_each_time(head: bytes) -> None:
    assert [unit.headers for unit in several(head + b"int x;\n")] == [None] * 3


def test_headers_of_programs_are_read_each_time(tmp_path: Path) -> None:
    own = tmp_path / "own_of_this_test.h"
    for number in range(4):
        own.write_text(f"extern int number_{number};\n")
        (unit,) = several(b"#include <own_of_this_test.h>\n", (f"-I{tmp_path}",), 1)
        assert set(unit.names) == {f"number_{number}"}
        assert unit.headers is None
        assert unit.own_texts[1:] == (own.read_bytes(),)


def test_changed_headers_are_read_again(tmp_path: Path) -> None:
    header = tmp_path / "system_of_this_test.h"
    system = ("-isystem", str(tmp_path))
    buffer = SourceBuffer("changed.c", b"#include <system_of_this_test.h>\nint own;\n")
    texts = ("int a;", "int a;", "int a;", "int a, b_after;", "int a, b, c_after_that;")
    for words, kept in zip(texts, (False, True, True, False, False), strict=True):
        header.write_text(words)
        os.utime(header, (10**9, 10**9))  # what is equal is so at the next second, too
        unit = parse(buffer, (), system, on_disk=False)
        assert (unit.headers is not None) == kept
        assert set(unit.names) == {"own", *words[4:-1].split(", ")}
        assert not unit.errors


# Without a guard: to read it twice would be an error.
OWN = b"""#include <stdlib.h>
typedef struct { double re, im; } number;
enum { LIMIT = 7 };
static double shared[LIMIT];
#pragma omp threadprivate(shared)
static inline double first(const number *all) { return all[0].re * SCALE; }
#define TWICE(x) ((x) + (x))
"""
BEGINNING = b"""/* a program's file */
#define SCALE 3
#include "own.h"  // beside it
#include <math.h>
#include "own_too.h"

"""
FUNCTIONS = (_PROGRAMS / "functions.c").read_bytes()


def program(folder: Path) -> Unit:
    (folder / "own.h").write_bytes(OWN)
    (folder / "own_too.h").write_bytes(b"#define TOO 1\n")
    source = folder / "program.c"
    source.write_bytes(BEGINNING + FUNCTIONS)
    return parse_as_compiled(SourceBuffer(str(source), source.read_bytes()), ("-fopenmp",))


def edited(unit: Unit) -> Unit:
    place = unit.buffer.data.index(b"return shared")
    data = unit.buffer.data[:place] + b"; " + unit.buffer.data[place:]
    return parse_edited(unit, [Edit(place, place, b"; ")], SourceBuffer(unit.buffer.path, data))


def test_text_with_edits_shares_the_programs_headers(tmp_path: Path) -> None:
    unit = program(tmp_path)
    plain, *shared = [edited(unit) for _ in range(4)]
    assert [one.headers is None for one in (plain, *shared)] == [True, False, False, False]
    assert len(syntax(plain)) > 30
    for again in shared:
        assert not again.errors
        assert syntax(again) == syntax(plain)
        assert again.names.keys() == plain.names.keys() > {"shared", "first", "last", "sqrt"}
        assert again.included == plain.included
        assert set(again.own_texts) == set(plain.own_texts) > {OWN}
        assert again.macros == plain.macros
        for name in ("shared", "first", "last"):
            one, other = again.global_named(name), plain.global_named(name)
            assert one is not None and other is not None
            assert (one.type, one.offset, one.is_static) == (
                other.type,
                other.offset,
                other.is_static,
            )
    assert parse_again(unit, unit.buffer).headers is None


def test_changed_headers_of_the_program_are_read_again(tmp_path: Path) -> None:
    unit = program(tmp_path)
    assert [edited(unit).headers is None for _ in range(3)] == [True, False, False]
    (tmp_path / "own.h").write_bytes(OWN.replace(b"LIMIT = 7", b"LIMIT = 12345"))
    again = edited(unit)
    assert not again.errors
    assert any("double[12345]" in type_ for type_ in types(again))
    (tmp_path / "own.h").unlink()
    assert edited(unit).errors


def types(unit: Unit) -> set[str]:
    """The types of all that the file's functions name."""
    return {node.type.spelling for c in unit.functions() for node in unit.convert(c).walk()}
