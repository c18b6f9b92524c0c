"""The real Halide's header with hardware primitives: sources that have them compile with it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from s2s.bench.pipelines import header
from s2s.bench.pipelines.real import wheel
from tests.frontends.halide.oracle import header_folder, needs_wheel

_SOURCE = """
#include "Halide.h"
using namespace Halide;
void schedule(Func f, Func g, Var x, Var xo, RVar r) {
    f.hw_accelerate(x, xo).linebuffer().fifo_depth(g, 3).compute_share(g).dual_bank();
    f.stream_to_accelerator().stream_to_accelerator({"glb"}).accelerator_input();
    f.update().coarse_grain_loop(x).iteration_order({{"mem", {{x, 4}, {r, 2}}}}).output_rate(2);
    f.accelerate({g}, x, xo).create_memories({g}, LoopLevel::root()).mem_hierarchy({"a", "b"});
    f.get_memory_level("glb").store_in(MemoryType::GLB).prepare_for_software_pipelining(x);
    get_host_target().has_feature(Target::Clockwork);
}
"""


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
