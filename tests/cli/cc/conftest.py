"""A workplace with ``s2s cc`` in it whose transformation does not need the rest of s2s."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import s2s
from tests.cli.cc import forked

ROOT = Path(s2s.__file__).parent.parent

# What is tested is done in a process of its own, as in a build. FAKE says what the transformation
# does: every "value = 1;" becomes three lines, so that a program can tell and lines go astray.
WRAPPER = """
import os, sys
from s2s.cli import cc
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.driver.options import Outcome

def fake(path, flags, options):
    with open(path, "rb") as stream:
        data = stream.read()
    kind = os.environ.get("FAKE", "change")
    if kind == "abort":
        os.write(2, b"crash")
        os.abort()
    if kind == "internal":
        raise ZeroDivisionError
    if kind == "user":
        raise UserError(Diagnostic(Severity.ERROR, "bad input", "syntax"))
    if kind == "flags":
        with open("flags", "w") as stream:
            print(*flags, file=stream)
    if kind == "compiler":
        with open("compiler", "w") as stream:
            print(options.compiler, file=stream)
    if kind == "region":
        lost = Diagnostic(Severity.MISSED, "internal error: no reason; left as it was", "internal")
        return Outcome(path, data, data, (lost, lost))
    old = b"value = 1;"
    new = {
        "nothing": old,
        "broken": b"value = @;",
        "simd": b"value = 0;\\n#pragma omp simd\\nfor (int i = 0; i < 2; i++) value = 2;",
    }.get(kind, b"value = 1;\\n  /* more */\\n  value += 1;")
    print("noise of the transformer")
    remark = Diagnostic(Severity.REMARK, "rewritten", "fake")
    return Outcome(path, data, data.replace(old, new), (remark,))

real_run = cc.run
cc.run = lambda *args, **options: real_run(*args, transform=fake, **options)
sys.exit(cc.main(sys.argv[1:]))
"""


@dataclass(frozen=True)
class Workplace:
    path: Path

    def write(self, **files: str) -> None:
        """Write files; ``__`` in a keyword is a slash and ``_`` before the suffix a dot."""
        for key, text in files.items():
            stem, _, suffix = key.rpartition("_")
            path = self.path / f"{stem.replace('__', '/')}.{suffix}"
            path.parent.mkdir(exist_ok=True, parents=True)
            path.write_text(text)

    @property
    def wrapper(self) -> str:
        return f"{sys.executable} {self.path / '.wrapper.py'}"

    def environment(self, **variables: str) -> dict[str, str]:
        places = {"PYTHONPATH": str(ROOT), "TMPDIR": str(self.path / ".tmp"), "LC_ALL": "C"}
        places["S2S_CACHE"] = "0"
        return {**os.environ, **places, **variables}

    def run(
        self, *command: str, stdin: str | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.path,
            env=self.environment(**variables),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
        )

    def cc(
        self, command: str, *, own: Sequence[str] = (), stdin: str | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run ``s2s cc [own --] command`` with the fake transformation."""
        words = [*own, "--", *command.split()] if own else command.split()
        argv = [str(self.path / ".wrapper.py"), *words]
        return forked.run(argv, self.path, self.environment(**variables), stdin)

    def left_behind(self) -> list[str]:
        return os.listdir(self.path / ".tmp")


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    (tmp_path / ".tmp").mkdir()
    (tmp_path / ".wrapper.py").write_text(WRAPPER)
    return Workplace(tmp_path)


@pytest.fixture(params=["gcc", "clang"])
def compiler(request: pytest.FixtureRequest) -> str:
    """Each compiler that is installed."""
    name = str(request.param)
    if not any(os.access(os.path.join(d, name), os.X_OK) for d in os.get_exec_path()):
        pytest.skip(f"no {name}")
    return name


@pytest.fixture
def recorder(place: Workplace) -> Callable[[int], str]:
    """Make a compiler that writes down its arguments and ends with a status."""

    def make(status: int) -> str:
        script = place.path / "bin" / "gcc"
        script.parent.mkdir(exist_ok=True)
        script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > called\nexit {status}\n')
        script.chmod(0o755)
        return str(script)

    return make
