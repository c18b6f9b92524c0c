"""The OpenMP side of ``s2s bench emu``: kernels in plain C before and after the pass."""

from __future__ import annotations

from s2s.bench.graph_kernels import kernels as suite
from s2s.bench.graph_kernels import openmp


def test_kernels_print_the_same_before_and_after() -> None:
    found = list(openmp.compare(suite.plain(), 6, 1, "gcc", 1))
    assert all(one.same for one in found)
    done = {one.kernel: " ".join(one.done) for one in found}
    assert "3 loops over the same vertices are one" in done["conductance"]
    for name in ("sssp", "components"):
        assert "vertices that have changed push" in done[name]
    assert "where they have few edges" in done["bfs"]
    assert done["triangles"] == done["pagerank"] == ""
    text = openmp.render(found)
    assert "left as it is" in text and "WRONG" not in text
    assert {r.variant for r in openmp.records(found)} == {"openmp"}
