"""Whole programs that read a graph, build lists in functions of their own, and go through them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

_HELPERS = "\n" + Path(__file__).with_name("built_programs_helpers.c").read_text()
_STRUCTS = "\n" + Path(__file__).with_name("built_programs_structs.c").read_text()
_STATIC = "\n" + Path(__file__).with_name("built_programs_static.c").read_text()
_GRAPHS = {
    "empty": "0 0\n",
    "without edges": "4 0\n",
    "star": "5 6\n0 1\n0 2\n0 3\n0 4\n2 0\n4 0\n",
    "loops and twins": "4 7\n0 0\n1 1\n0 1\n0 1\n1 2\n3 2\n2 3\n",
}


def _printed(program: Path, graph: Path) -> str:
    done = subprocess.run(
        [str(program), str(graph)], check=True, timeout=60, capture_output=True, text=True,
        env={"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"},
    )  # fmt: skip
    return done.stdout


@pytest.mark.parametrize("text", [_HELPERS, _STRUCTS], ids=["helpers", "structs"])
def test_programs_with_lists_of_their_own_push(tmp_path: Path, text: str) -> None:
    source, new = tmp_path / "old.c", tmp_path / "new.c"
    source.write_text(text)
    options = Options(passes=("graph:flip=push",), strict=True)
    outcome = transform_file(str(source), ("-fopenmp",), options)
    said = [d.text for d in outcome.diagnostics]
    assert any("vertices push" in line for line in said), said
    new.write_text(outcome.text.decode())
    for file in (source, new):
        command = ["gcc", "-O1", "-fopenmp", "-w", "-o", str(file.with_suffix("")), str(file)]
        subprocess.run(command, check=True, timeout=60)
    for name, graph in _GRAPHS.items():
        path = tmp_path / name
        path.write_text(graph)
        wanted = _printed(source.with_suffix(""), path)
        assert _printed(new.with_suffix(""), path) == wanted, name


def test_edges_may_lead_beyond_the_vertices_of_static_arrays(tmp_path: Path) -> None:
    source = tmp_path / "old.c"
    source.write_text(_STATIC)
    options = Options(passes=("graph:flip=push",), strict=True)
    outcome = transform_file(str(source), ("-fopenmp",), options)
    words = "edges in 'rstart' may be of vertices that the loop does not go through"
    assert any(words in d.text for d in outcome.diagnostics), outcome.diagnostics
    assert not any("edges flipped" in d.text for d in outcome.diagnostics)
