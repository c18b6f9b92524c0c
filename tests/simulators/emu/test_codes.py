"""Programs in the styles of published ones: results, and counts from where threads have to be."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from s2s.simulators.emu.program import Run
from tests.simulators.emu.running import PROGRAMS, built

N = 4


def counts(run: Run, name: str) -> tuple[int, int, int]:
    region = run.region(name)
    assert region is not None
    return region.migrations, region.remotes, region.threads


def hops(places: Iterable[int]) -> int:
    """Migrations of a thread that has to be at these words, one after the other."""
    nodelets = [place % N for place in places]
    return sum(a != b for a, b in pairwise(nodelets))


def random_updates() -> int:
    """The packets of eight threads that each update twenty words."""
    found = 0
    for thread in range(8):
        state = thread
        for _ in range(20):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            found += (state >> 59) % N != thread % N
    return found


def row(i: int, n: int = 12) -> Iterator[int]:
    """The words that a row's thread reads, which starts where its sum is to go."""
    columns = {j: [k for k in (j - 1, j, j + 1) if 0 <= k < n] for j in range(n)}
    first = sum(len(columns[j]) for j in range(i))
    yield from (i, i, i + 1)
    for k, column in enumerate(columns[i], first):
        yield from (k, k, column)
    yield i  # where the thread that spawned it is


def test_codes() -> None:
    run = built(PROGRAMS / "codes.c", nodelets=N).run()
    assert (run.status, run.stdout) == (0, "")
    chased = [[5 * i % 16 for i in range(8 * t, 8 * t + 8)] for t in range(2)]
    assert counts(run, "pointer chasing") == (sum(hops([*c, 0]) for c in chased), 0, 2)
    assert counts(run, "serial spawn") == (4 * hops([*range(8), 0]), 0, 4)
    assert counts(run, "recursive spawn") == (4 * hops([*range(8), 0]), 0, 3)
    assert counts(run, "random updates") == (6, random_updates(), 8)
    rows = [list(row(i)) for i in range(12)]
    remote = sum(places[-2] % N != i % N for i, places in enumerate(rows))  # where y[i] is stored
    assert counts(run, "sparse rows") == (sum(map(hops, rows)) + N - 1, remote, 16)
    assert counts(run, "chunks") == (N - 1, 0, 4 + 8)
    assert counts(run, "sum of chunks") == (N - 1, N - 1, 4 + 8)
    assert counts(run, "chunks by halving") == (3, 0, 3 + 4)
    assert counts(run, "chunks to one place") == (N - 1, 12, 4 + 4)
    assert counts(run, "bit-fields") == (1, 0, 0)
