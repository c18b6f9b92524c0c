"""New text brings no new warning, and goes through s2s once more as it is."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

import s2s
from s2s.driver.transform import transform_file
from s2s.source.diagnostics import Severity
from tests.thorough import some

BENCHMARKS = Path(s2s.__file__).parent.parent / "benchmarks"
WARNINGS = (
    "-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wdeclaration-after-statement",
    "-pedantic",
)  # fmt: skip
FLAGS = ("-O3", "-fopenmp", "-march=x86-64-v3")
# A false alarm of gcc's about arrays that strips take over.
IGNORED = "maybe-uninitialized"

PROGRAM = "\n" + Path(__file__).with_name("new_text.c").read_text()
# Types of counts and of elements, and the dialect.
TYPES = [
    ("int", "double", "-std=c99"),
    ("unsigned", "double", "-std=gnu17"),
    ("size_t", "float", "-std=c99"),
    ("long", "int", "-std=gnu17"),
    ("ptrdiff_t", "unsigned", "-std=c11"),
]
KERNELS = ["heat2d/heat2d.c", "polysimd/kernels.c", "bar/bar.c", "hotplate/hotplate.c"]


def warnings(source: Path, flags: Sequence[str]) -> set[str]:
    command = ["gcc", "-c", *WARNINGS, *flags, str(source), "-o", "/dev/null"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    return {w for w in re.findall(r"(?:warning|error): (.*)", said) if IGNORED not in w}


def check(source: Path, flags: Sequence[str]) -> bytes:
    """Transform a file twice, and compile it before and after."""
    outcome = transform_file(str(source), flags)
    assert outcome.changed
    assert not [d for d in outcome.diagnostics if d.id == "internal"]
    before = warnings(source, flags)
    source.write_bytes(outcome.text)
    assert warnings(source, flags) - before == set()
    again = transform_file(str(source), flags)
    assert again.text == outcome.text
    assert {d.severity for d in again.diagnostics} <= {Severity.MISSED, Severity.WARNING}
    assert any(d.id == "rewritten" for d in again.diagnostics)
    return outcome.text


@cache
def checked(count: str, element: str, dialect: str) -> bytes:
    """What becomes of the program with these types in a dialect."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source.c")
        source.write_text(PROGRAM.replace("COUNT", count).replace("TYPE", element))
        return check(source, (*FLAGS, dialect))


@pytest.mark.parametrize(("count", "element", "dialect"), some(TYPES))
def test_types_and_dialects(count: str, element: str, dialect: str) -> None:
    assert checked(count, element, dialect)


@pytest.mark.parametrize("name", KERNELS)
def test_kernels(name: str, tmp_path: Path) -> None:
    source = tmp_path / "source.c"
    source.write_bytes((BENCHMARKS / name).read_bytes())
    check(source, (*FLAGS, f"-I{(BENCHMARKS / name).parent}"))


def test_without_the_comment_a_function_is_transformed_again(tmp_path: Path) -> None:
    source = tmp_path / "source.c"
    text = checked(*TYPES[0])
    source.write_bytes(re.sub(rb"/\* s2s: [^*]*\*/", b"", text, count=1))
    again = transform_file(str(source), (*FLAGS, TYPES[0][2]))
    first = text.split(b"void relax")[0]
    assert again.text.split(b"void relax")[0] != re.sub(rb"/\* s2s: [^*]*\*/", b"", first)
    assert again.text.split(b"void relax")[1] == text.split(b"void relax")[1]
