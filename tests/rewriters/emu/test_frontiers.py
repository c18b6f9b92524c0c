"""Searches level by level: pushed or pulled as it suits each level, never worse than as written."""

from pathlib import Path

from s2s.simulators.emu.graphs.named import graph
from s2s.simulators.emu.program import Run, build
from s2s.targets.emu.options import STEPS
from tests.rewriters.emu.emitted import text
from tests.simulators.emu.running import CODES, machine

WRITTEN = tuple(step for step in STEPS if step != "flip")


def kernel(steps: tuple[str, ...], folder: Path) -> tuple[int, str]:
    """The migrations of the benchmark's search, and what it prints."""
    path, edges = folder / f"{len(steps)}.c", folder / "graph.wel"
    path.write_bytes(text(CODES / "bfs.c", (), steps))
    edges.write_text(graph("rmat:scale=8,seed=1").text())
    with build(path, machine()) as program:
        run: Run = program.run([str(edges), "print"], timeout=60)
    region = run.region("kernel")
    assert region is not None and run.status == 0
    return region.migrations, run.stdout


def test_the_direction_is_chosen_as_it_runs(tmp_path: Path) -> None:
    written, values = kernel(WRITTEN, tmp_path)
    chosen, others = kernel(STEPS, tmp_path)
    assert values == others
    assert chosen < 0.7 * written
    emitted = text(CODES / "bfs.c").decode()
    assert "if (s2s_pushed < s2s_pulled)" in emitted


LOOPS = Path(__file__).with_name("frontiers.c").read_text()


def test_loops_without_edges_are_fused(tmp_path: Path) -> None:
    """Two are one; the third reads what other iterations write."""
    source = tmp_path / "loops.c"
    source.write_text(LOOPS)
    assert text(source).count(b"_home(s2s_k, ") == 2
    assert text(source, (), WRITTEN).count(b"_home(s2s_k, ") == 2
    assert text(source, (), ("home", "remote")).count(b"_home(s2s_k, ") == 3
