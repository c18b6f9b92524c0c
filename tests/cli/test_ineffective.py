"""Settings without effect are usage errors: status 2, one line that names the option, no output."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from s2s.cli import cc
from s2s.cli.main import main
from s2s.simulators.machine import OURS
from s2s.source.diagnostics import UsageError

Run = Callable[..., CompletedProcess[bytes]]

_TEXTS = {
    "x.c": "void f(int nx, double *a)\n{\n    for (int i = 1; i < nx; i++) a[i] = a[i - 1];\n}\n",
    "x.cpp": '#include "Halide.h"\nclass G : public Halide::Generator<G> { };\n',
    "x.cc": "void k(int8_t *restrict in) { }\n",
    "e.c": "int main(void) { return 0; }\n",
}


@pytest.fixture(autouse=True)
def inputs() -> None:
    for name, text in _TEXTS.items():
        Path(name).write_text(text)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("transform x.c --tune-size nx=4", "'--tune-size' has no effect without '--tune'"),
        ("transform x.c --tune-run ./a.out", "'--tune-run' has no effect without '--tune'"),
        ("transform x.c --tune-build make", "'--tune-build' has no effect without '--tune'"),
        ("transform x.c --tune-budget 3", "'--tune-budget' has no effect without '--tune'"),
        ("transform x.c --tune-cache c", "'--tune-cache' has no effect without '--tune'"),
        ("transform x.c --tune --tune-build make", "'--tune-build' has no effect without "),
        ("transform x.c --tune --tune-run a --tune-size nx=1", "with '--tune-run', which has"),
        ("transform x.c --size output=3x3", "'--size' has no effect for 'x.c', which is not Hal"),
        ("transform x.c --param a=1", "'--param' has no effect for 'x.c', which is not Halide"),
        ("transform x.c --generator g", "'--generator' has no effect for 'x.c', which is not"),
        ("explain x.c --size output=3x3", "'--size' has no effect for 'x.c', which is not Hal"),
        ("transform x.cpp --passes jam", "'--passes' has no effect for 'x.cpp', which is Hal"),
        ("transform x.cpp --parallel", "'--parallel' has no effect for 'x.cpp', which is Hal"),
        ("transform x.cpp --tune", "'--tune' has no effect for 'x.cpp', which is Halide-like"),
        ("transform x.c --emu-steps fuse", "'--emu-steps' has no effect without '--target emu'"),
        ("transform x.c --emu-headers old", "'--emu-headers' has no effect without '--target "),
        ("transform x.c --target emu --passes jam", "'--target emu' has no passes to choose from"),
        ("transform x.c --target cuda --passes jam", "'--target cuda' has no passes to choose"),
        ("transform x.c --target aie --passes jam", "'--target aie' has no passes to choose"),
        ("explain x.c --target aie --passes jam", "'--target aie' has no passes to choose"),
        ("transform x.c --target emu --budget 3", "'--budget' has no effect with '--target emu"),
        ("transform x.c --target emu --spacelimit 3", "'--spacelimit' has no effect with '--tar"),
        ("transform x.c --target emu --compiler clang", "'--compiler' has no effect with '--tar"),
        ("transform x.c --target cuda --tune", "'--tune' has no effect with '--target cuda'"),
        ("transform x.c --target cuda --force", "'--force' has no effect with '--target cuda'"),
        ("transform x.c --target emu --size o=3", "'--size' has no effect with '--target emu'"),
        ("transform x.c --passes jam --spacelimit 3", "no effect with '--passes jam'"),
        ("tune x.c --clear", "'--clear' has no effect with a FILE"),
        ("tune --size o=3x3", "'--size' has no effect without a FILE"),
        ("tune --jobs 77", "'--jobs' has no effect without a FILE"),
        ("tune -o out", "'-o' has no effect without a FILE"),
        ("tune -- -O3", "'--' has no effect without a FILE"),
        ("simulate x.cc --machine aie1 --graph path:n=3", "'--graph' has no effect with '--mach"),
        ("simulate x.cc 5 --machine aie1", "a kernel has no arguments of its own: '5'"),
        ("simulate e.c --machine emu-chick --size 3", "'--size' has no effect with '--machine e"),
        ("bench --seed 7", "'--seed' has no effect but with a suite of that kind"),
        ("bench vyasa --scales 3:4", "'--scales' has no effect but with a suite of that kind"),
        ("passes -- -O3", "'s2s passes' has no use for what follows '--'"),
        ("targets -- -O3", "'s2s targets' has no use for what follows '--'"),
        ("cc --tune-size n=3 -- gcc -c x.c", "'--tune-size' has no effect without '--tune'"),
        ("cc --passes jam --spacelimit 3 -- gcc -c x.c", "no effect with '--passes jam'"),
    ],
)
def test_refused(run: Run, words: str, said: str) -> None:
    before = sorted(Path().rglob("*"))
    transform = words.startswith("transform")
    result = run(*shlex.split(words), *(["-o", "written"] if transform else []))
    assert said in result.stderr.decode()
    assert len(result.stderr.splitlines()) == 1
    assert result.returncode == 2
    assert result.stdout == b""
    assert sorted(Path().rglob("*")) == before


@pytest.mark.parametrize("machine", OURS)
def test_a_missing_program_is_said_first(machine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "nosuch/", "--machine", machine, "--trace", "run.json"]) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert re.match(r"s2s: error: nosuch/?: No such file or directory", said[0])
    assert not Path("run.json").exists()


@pytest.mark.parametrize("value", ["bogus", "TEXT", "1"])
def test_remarks_of_the_environment(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("S2S_REMARKS", value)
    with pytest.raises(UsageError, match=f"S2S_REMARKS={value} is none of text, json, none"):
        cc.main(["gcc", "-c", "x.c"])


def test_no_file_is_written_before_the_wrong_one_is_seen(run: Run) -> None:
    Path("out").mkdir()
    result = run("transform", "x.c", "x.cpp", "-o", "out/", "--spacelimit", "4")
    assert result.returncode == 2
    assert not list(Path("out").iterdir())


@pytest.mark.parametrize(
    "words",
    [
        "--spacelimit 3",
        "--passes polysimd:paper=true,jam --spacelimit 3",
        "--tune --tune-budget 1 --tune-size nx=40",
        "--compiler clang --reassociate --parallel --force --no-happens-before",
    ],
)
def test_taken(run: Run, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path.cwd()))
    result = run("transform", "x.c", "-o", "written", *shlex.split(words))
    assert (result.returncode, b"error" in result.stderr) == (0, False), result.stderr


def test_a_size_that_no_region_has(run: Run) -> None:
    """Another file of the program may have it: a warning, which names what there is."""
    words = "--tune --tune-size nosuch=5,nx=40 --tune-cache cache --tune-budget 1 --remarks=none"
    result = run("transform", "x.c", "-o", "written", *words.split())
    assert result.returncode == 0
    text = "--tune-size: no measured region has a parameter 'nosuch' (nx) [tune]"
    assert result.stderr.decode() == f"s2s: warning: {text}\n"
