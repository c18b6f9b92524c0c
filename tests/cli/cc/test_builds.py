"""``s2s cc`` as the compiler of make and as the compiler launcher of CMake."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

_HERE = Path(__file__).parent

if TYPE_CHECKING:
    from tests.cli.cc.conftest import Workplace

MAKEFILE = """\
OBJECTS = $(patsubst %,part%.o,1 2 3 4 5 6)
CPPFLAGS = -MMD -MP
CFLAGS = -O1 -g -Wall
prog: main.o $(OBJECTS)
\t$(CC) $^ -o $@
-include *.d
"""

CMAKE_LISTS = """\
cmake_minimum_required(VERSION 3.10)
project(p C)
add_executable(prog main.c part1.c part2.c part3.c)
target_include_directories(prog PRIVATE include)
"""


def part(number: int) -> str:
    return (
        f'#include "shared.h"\nint f{number}(void)\n{{\n  int value;\n  value = 1;\n'
        "  return SCALE * value;\n}\n"
    )


def main(parts: int) -> str:
    declarations = "".join(f"int f{i}(void);\n" for i in range(1, parts + 1))
    calls = " + ".join(f"f{i}()" for i in range(1, parts + 1))
    return (
        f"#include <stdio.h>\n{declarations}int main(void)\n{{\n"
        f'  printf("%d\\n", {calls});\n  return 0;\n}}\n'
    )


def write_parts(place: Workplace, count: int, header: str) -> None:
    place.write(main_c=main(count))
    for number in range(1, count + 1):
        (place.path / f"part{number}.c").write_text(part(number))
    path = place.path / header
    path.parent.mkdir(exist_ok=True)
    path.write_text("#define SCALE 1\n")


def needed(*tools: str) -> None:
    for tool in tools:
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")


def make(place: Workplace, *words: str) -> str:
    variables = {k: "" for k in ("MAKEFLAGS", "MFLAGS") if k in os.environ}
    done = place.run("make", "-j4", f"CC={place.wrapper} gcc", *words, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_make(place: Workplace) -> None:
    needed("make")
    write_parts(place, 6, "shared.h")
    (place.path / "Makefile").write_text(MAKEFILE)
    make(place)
    assert place.run("./prog").stdout == "12\n"
    assert place.left_behind() == []


def test_make_again_builds_what_a_header_concerns_and_nothing_else(place: Workplace) -> None:
    needed("make")
    write_parts(place, 6, "shared.h")
    (place.path / "Makefile").write_text(MAKEFILE)
    make(place)
    assert "up to date" in make(place)
    (place.path / "shared.h").write_text("#define SCALE 10\n")
    newer = (place.path / "prog").stat().st_mtime + 10
    os.utime(place.path / "shared.h", (newer, newer))
    assert " main.c" not in make(place)
    assert place.run("./prog").stdout == "120\n"


def test_make_stops_at_an_error_with_the_compilers_words(place: Workplace) -> None:
    needed("make")
    place.write(bad_c=(_HERE / "undeclared.c").read_text())
    done = place.run("make", f"CC={place.wrapper} gcc", "bad.o")
    assert done.returncode == 2
    assert "bad.c:5:10: error: 'nothing' undeclared" in done.stderr


@pytest.mark.parametrize("generator", ["Unix Makefiles", "Ninja"])
def test_cmake(place: Workplace, generator: str) -> None:
    needed("cmake", "make" if generator == "Unix Makefiles" else "ninja")
    write_parts(place, 3, "include/shared.h")
    (place.path / "CMakeLists.txt").write_text(CMAKE_LISTS)
    launcher = ";".join([sys.executable, str(place.path / ".wrapper.py"), "--"])
    configure = ["cmake", "-G", generator, "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Debug"]
    done = place.run(*configure, f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}")
    assert done.returncode == 0, done.stderr
    build = ["cmake", "--build", "build", "--parallel", "2"]
    assert place.run(*build).returncode == 0
    assert place.run("build/prog").stdout == "6\n"
    (place.path / "include" / "shared.h").write_text("#define SCALE 10\n")
    again = place.run(*build)
    assert again.returncode == 0, again.stderr
    assert place.run("build/prog").stdout == "60\n"
    assert "main.c" not in again.stdout


def test_the_command_itself_in_make(place: Workplace) -> None:
    """The installed entry, with the real transformation, whatever that does to these files."""
    needed("make")
    write_parts(place, 6, "shared.h")
    (place.path / "Makefile").write_text(MAKEFILE)
    done = place.run("make", f"CC={sys.executable} -m s2s cc -- gcc", "-j2")
    assert (done.returncode, done.stderr) == (0, "")
    assert place.run("./prog").stdout == "6\n"
