"""What ``s2s explain`` says of declared levels of memory."""

from __future__ import annotations

from pathlib import Path

from s2s.driver.designs import Steps
from s2s.driver.explain.accelerator import explained
from s2s.source import SourceBuffer
from s2s.source.reading import read_source
from s2s.targets.source_options import SourceOptions

SOURCE = Path(__file__).resolve().parents[2] / "frontends" / "halide" / "levels" / "gaussian.cpp"


def test_each_declared_level_has_a_line() -> None:
    buffer = SourceBuffer(str(SOURCE), read_source(str(SOURCE)))
    said = explained(buffer, Steps(buffer, SourceOptions()).program, "", "")
    places = "{hw_output.x0, hw_output_GLB.x0, root}"
    streamed = f"hw_input.stream_to_accelerator({{MEM, GLB, host}}, {places})"
    assert f"{streamed}: carried out as other directives" in said
    for name in ("hw_input", "hw_output"):
        place = f"buffers of the global buffer: {name}_glb_stencil"
        assert f"{name}_GLB.store_in(GLB): {place}" in said
