"""Counts that Emu's own simulator is known to print, per nodelet of four."""

from pathlib import Path

import pytest

from s2s.simulators.emu.machine import load
from s2s.simulators.emu.program import build
from tests.simulators.emu.running import built, run_text

_PROGRAMS = Path(__file__).parent / "goldens"

OPTIMIZED = True

PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.parametrize(
    ("program", "arguments", "outbound"),
    [
        ("saxpy_1d.c", ["4", "32", "5"], (8, 8, 8, 8)),
        ("saxpy_2d_at.c", ["4", "8", "5.0"], (12, 5, 5, 5)),
    ],
)
def test_outbound_migrations(program: str, arguments: list[str], outbound: tuple[int, ...]) -> None:
    machine = load().with_values({"nodelets": 4})
    with build(PROGRAMS / program, machine) as built:
        run = built.run(arguments)
    assert run.status == 0
    assert run.outbound == outbound
    assert run.created == ((4, 0, 0, 0) if program == "saxpy_1d.c" else (1, 1, 1, 1))
    assert run.died == (5, 0, 0, 0)


FIBONACCI = (_PROGRAMS / "fibonacci.c").read_text()

LOOP = (_PROGRAMS / "loop.c").read_text()


@pytest.mark.parametrize(("text", "argument", "created"), [(FIBONACCI, "10", 88), (LOOP, "32", 3)])
def test_threads_that_are_not_made(text: str, argument: str, created: int, tmp_path: Path) -> None:
    """A spawn before a sync is a call, and a loop's last piece is its spawner's."""
    run = run_text(tmp_path, text, [argument])
    assert run.status == 0
    assert (run.migrations, run.threads, sum(run.died)) == (0, created, created + 1)


def test_what_the_first_thread_reads_it_takes_home() -> None:
    run = built(PROGRAMS / "first_thread.c", nodelets=4).run()
    assert run.status == 0
    counts = {r.name: (r.migrations, r.remotes, r.threads) for r in run.regions}
    assert counts == {
        "stores": (0, 6, 0),
        "reads": (12, 0, 0),
        "one pointer for a row": (12, 24, 0),
        "read again after a store": (4, 2, 0),
        "atomics": (4, 0, 0),
        "threads at their rows": (18, 0, 8),
        "pieces of a loop": (0, 0, 63),
        "its last piece": (8, 6, 1),
    }


UNUSED = (_PROGRAMS / "unused.c").read_text()


@pytest.mark.parametrize(
    ("printed", "outbound"),
    [
        ("", (6, 3, 3, 3)),  # a row's pointer is read in each loop, a thread comes back
        ('printf("%ld\\n", sum);', (9, 4, 4, 4)),
        ('printf("%ld %ld\\n", sum, top);', (12, 5, 5, 5)),
    ],
)
def test_what_nobody_uses_is_not_read(
    printed: str, outbound: tuple[int, ...], tmp_path: Path
) -> None:
    """As in the tutorial's intrs, which prints none of its sums: 6, 3, 3, 3 there."""
    run = run_text(tmp_path, UNUSED.replace("PRINT", printed))
    assert (run.status, run.outbound) == (0, outbound)
