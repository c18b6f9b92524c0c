"""The real Halide's header with hardware primitives: sources that have them compile with it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from s2s.bench.pipelines import header
from s2s.bench.pipelines.real import wheel
from tests.frontends.halide.oracle import header_folder, needs_wheel

_HERE = Path(__file__).parent

_SOURCE = (_HERE / "extensions.cpp").read_text()


@needs_wheel
def test_a_source_with_primitives_compiles(tmp_path: Path) -> None:
    home = wheel()
    assert home is not None
    assert header.main(["-o", str(tmp_path / "hardware")]) == 0
    shared = header_folder()
    written = (tmp_path / "hardware" / "Halide.h").read_bytes()
    assert written == (shared / "Halide.h").read_bytes()  # which is compiled by now
    source = tmp_path / "source.cpp"
    source.write_text(_SOURCE)
    folders = [f"-I{shared}", f"-I{home / 'include'}"]
    command = ["g++", "-std=c++17", "-O0", "-w", "-fsyntax-only", *folders, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000]


def test_another_header_is_refused() -> None:
    with pytest.raises(ValueError, match="class Func"):
        header.with_primitives("class Other {\n};\n")
