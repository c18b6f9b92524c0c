"""What s2s emits for Emu computes what the C program computes."""

import subprocess
from pathlib import Path

import pytest

from s2s.targets.emu.options import STEPS
from tests.rewriters.emu.emitted import NONE, emitted, plain, text
from tests.simulators.emu.running import CODES, PROGRAMS
from tests.simulators.emu.test_kernels import GRAPHS

PROGRAM_STEPS = [
    (CODES / "conductance.c", (), STEPS, "new"),
    (CODES / "sssp.c", (), NONE, "new"),
    (CODES / "sssp.c", (), STEPS, "old"),
    (CODES / "triangles.c", ("-DPER_WEDGE",), STEPS, "new"),
    (CODES / "pagerank.c", (), STEPS, "new"),
    (CODES / "bfs.c", (), STEPS, "new"),
    (CODES / "components.c", (), STEPS, "new"),
    (PROGRAMS / "forms.c", (), NONE, "old"),
    (PROGRAMS / "forms.c", (), STEPS, "new"),
    (PROGRAMS / "teams.c", (), NONE, "new"),
    (PROGRAMS / "teams.c", (), STEPS, "new"),
    (PROGRAMS / "builtins.c", (), STEPS, "new"),
]


@pytest.mark.parametrize("source, flags, steps, headers", PROGRAM_STEPS)
def test_results_are_those_of_the_source(
    source: Path, flags: tuple[str, ...], steps: tuple[str, ...], headers: str, tmp_path: Path
) -> None:
    for number, graph in enumerate(GRAPHS.values()):
        path = tmp_path / str(number)
        path.write_text(graph)
        arguments = [str(path), "3" if source.stem == "conductance" else "print"]
        wanted = subprocess.run([plain(source, flags), *arguments], capture_output=True, text=True)
        found = emitted(source, flags, steps, headers).run(arguments, timeout=60)
        assert (found.status, found.stdout) == (wanted.returncode, wanted.stdout)


def test_what_is_not_changed_keeps_its_text() -> None:
    before = (CODES / "pagerank.c").read_text()
    after = text(CODES / "pagerank.c").decode()
    assert before[before.index("int main") :] in after
    assert "#include <cilk/cilk.h>" in after and "#include <omp.h>" not in after
    assert "#include <cilk.h>" in text(CODES / "pagerank.c", headers="old").decode()


def test_layouts_and_operations() -> None:
    after = text(CODES / "triangles.c", ("-DPER_WEDGE",)).decode()
    assert "mw_malloc2d(size, sizeof(struct vertex))" in after
    assert "s2s_local_realloc(list->edges" in after
    assert "REMOTE_ADD(&to_w->triangles, found);" in after
    assert "cilk_spawn_at(&vertices[s2s_k])" in after
    before = text(CODES / "triangles.c", ("-DPER_WEDGE",), NONE).decode()
    assert "ATOMIC_ADDMS(&to_w->triangles, found);" in before
    assert "cilk_spawn s2s_count_1(vertices[i]);" in before
    forms = text(PROGRAMS / "forms.c").decode()
    assert "mw_malloc1dlong" in forms and "static replicated int *offsets" in forms
    assert "s2s_mul_double(&(*s2s_at_product), 1.0)" in forms
