"""What a remembered choice depends on, and what it does not."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest

from s2s.driver import passes
from s2s.driver.options import Options
from s2s.frontends.c.regions import candidates, functions
from s2s.source import compiler_answers
from s2s.transforms.scop_pass import Pass
from s2s.tuning import key as keys
from s2s.tuning.settings import Tuning, parse_sizes
from tests.lifting import parse_text

REGION = """\
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[j][i] = b[j][i] + 1.0; /* walks down */
"""
FUNCTION = "void f(int n, double a[n][n], double b[n][n])\n{\n" + REGION + "}\n"


def key(text: str = FUNCTION, options: Options | None = None, tuning: Tuning | None = None) -> str:
    unit = parse_text(text)
    function = next(iter(functions(unit, every=True)))
    attempt = next(iter(candidates(function)))
    region = unit.buffer.text(attempt.span)
    return keys.key(region, attempt.scop(), options or Options(), tuning or Tuning())


def test_edits_elsewhere_and_comments_do_not_matter() -> None:
    assert key() == key()
    assert key("#include <stdio.h>\nint other;\n\n" + FUNCTION + "int more;\n") == key()
    assert key(FUNCTION.replace("/* walks down */", "// slow")) == key()
    assert key(FUNCTION.replace("    ", "\t").replace("; i < n", ";  i<n")) == key()
    assert key(FUNCTION.replace("void f", "void another_name")) == key()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("+ 1.0", "+ 2.0"),
        ("i < n", "i < n - 1"),
        ("double", "float"),
        ("int n", "long n"),
        ("    for (int i", "#pragma omp parallel for\n    for (int i"),
    ],
)
def test_another_region_has_another_key(old: str, new: str) -> None:
    assert key(FUNCTION.replace(old, new, -1 if old == "double" else 1)) != key()


def test_a_macros_value_matters_though_the_text_is_the_same() -> None:
    text = "#define SIZE 64\n" + FUNCTION.replace("< n", "< SIZE")
    assert key(text) != key(text.replace("64", "65"))


@pytest.mark.parametrize(
    "options",
    [
        Options(passes=("popp",)),
        Options(passes=("popp:chunk=8", "permute")),
        Options(passes=("permute", "popp")),
        Options(parallel=True),
        Options(reassociate=True),
    ],
)
def test_the_passes_matter(options: Options) -> None:
    assert key(options=options) != key()


@pytest.mark.parametrize("flags", [("-O2",), ("-O2", "-march=native"), ("-O2", "-DN=3")])
def test_flags_matter(flags: tuple[str, ...]) -> None:
    assert key(tuning=Tuning(flags=flags)) != key(tuning=Tuning(flags=("-O3",)))


def test_how_it_is_measured_matters_but_not_for_how_long() -> None:
    assert key(tuning=Tuning(sizes={"n": 9})) != key(tuning=Tuning(sizes={"n": 8}))
    assert key(tuning=Tuning(run="./a")) != key(tuning=Tuning())
    assert key(tuning=Tuning(budget=3.0, cache="x", progress=2)) == key()


@pytest.mark.parametrize("name", ["OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES"])
def test_threads_matter(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(name, raising=False)
    before = key()
    monkeypatch.setenv(name, "1")
    assert key() != before


@pytest.mark.parametrize(
    ("name", "fake"),
    [
        ("processor", lambda: "Another 9000"),
        ("cache_sizes", lambda: ((1, 1 << 15), (2, 1 << 30))),
    ],
)
def test_the_machine_matters(
    name: str, fake: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = key()
    monkeypatch.setattr(keys, name, fake)
    assert key() != before


def test_cores_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key()
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(1000)))
    assert key() != before


def test_the_compilers_version_matters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def version(number: int) -> str:
        fake = tmp_path / "cc"
        fake.write_text(f"#!/bin/sh\necho cc {number}\n")
        fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
        os.utime(fake, ns=(number, number))
        compiler_answers._answers.clear()
        return key(tuning=Tuning(compiler=(str(fake),)))

    first, again, second = version(1), version(1), version(2)
    assert first == again != second


def test_a_passes_version_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    @dataclass(frozen=True)
    class Sample(Pass):
        name: ClassVar[str] = "sample"
        size: int = field(default=8, metadata={"help": "a size"})

    monkeypatch.setitem(sys.modules, "sample_pass", SimpleNamespace(Sample=Sample))
    monkeypatch.setitem(passes.DEFAULT, "sample", "sample_pass:Sample")
    options = replace(Options(), passes=("sample",))
    before = key(options=options)
    Sample.version = 2
    assert key(options=options) != before


def test_normalized_keeps_what_tokens_need() -> None:
    assert keys.normalized("a  =  b+3 ;") == keys.normalized("a=b + 3;") == "a = b + 3 ; "
    assert keys.normalized("return x; // y\nint  z;") == "return x ; int z ; "
    assert keys.normalized('f("a // b", \'"\'); /* "x" */ g') == 'f ( "a // b" , \'"\' ) ; g '
    assert keys.normalized("#pragma omp \\\n for\nx") == "\n# pragma omp for\nx "


def test_sizes_on_the_command_line() -> None:
    assert parse_sizes("n=2048, steps=64") == {"n": 2048, "steps": 64}
    for wrong in ("n", "n=x", "=3", "", "n=1,"):
        with pytest.raises(ValueError, match="NAME=NUMBER"):
            parse_sizes(wrong)
