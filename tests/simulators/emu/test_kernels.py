"""Graph kernels by hand for Emu: the results of the plain C, and the published counts nearly."""

import subprocess
from functools import cache
from math import prod
from pathlib import Path
from tempfile import mkdtemp

import pytest

from s2s.simulators.emu.graphs.named import graph
from tests.simulators.emu.running import CODES, built

VARIANTS = [
    ("conductance", ()),
    ("conductance", ("-DFUSED",)),
    ("sssp", ()),
    ("sssp", ("-DPUSH",)),
    ("sssp", ("-DPUSH", "-DREMOTE")),
    ("triangles", ()),
    ("triangles", ("-DREMOTE", "-DPER_WEDGE")),
    ("triangles", ("-DPER_WEDGE=4",)),
]
GRAPHS = {
    "empty": "0 0\n",
    "no edges": "3 0\n",
    "a loop": "1 1\n0 0 1\n",
    "star": "6 5\n0 1 1\n0 2 5\n0 3 2\n0 4 1\n0 5 1\n",
    "repeated edges": "3 5\n0 1 4\n0 1 2\n1 0 3\n1 2 1\n2 0 9\n",
    "unreachable": "4 2\n2 3 1\n3 2 1\n",
    "weights": graph("rmat:scale=6,ef=8,weights=50").text(),
    "permuted": graph("rmat:scale=7,seed=5,permute=1").text(),
}


@cache
def plain(kernel: str) -> Path:
    path = Path(mkdtemp()) / kernel
    source = CODES / f"{kernel}.c"
    subprocess.run(["gcc", "-O1", "-fopenmp", "-w", source, "-o", path], check=True)
    return path


@pytest.mark.parametrize("kernel, flags", VARIANTS)
def test_results_are_those_of_plain_c(kernel: str, flags: tuple[str, ...], tmp_path: Path) -> None:
    for text in GRAPHS.values():
        path = tmp_path / "graph"
        path.write_text(text)
        arguments = [str(path), "3" if kernel == "conductance" else "print"]
        wanted = subprocess.run([plain(kernel), *arguments], capture_output=True, text=True)
        run = built(CODES / "by_hand" / f"{kernel}.c", flags).run(arguments)
        assert (run.status, run.stdout) == (wanted.returncode, wanted.stdout)


def counts(scale: int, tmp_path: Path) -> list[int]:
    path = tmp_path / "graph"
    path.write_text(graph(f"rmat:scale={scale}").text())
    return [
        built(CODES / "by_hand" / f"{kernel}.c", flags).run([str(path)]).migrations
        for kernel, flags in [*VARIANTS, ("triangles", ("-DPER_WEDGE",))]
    ]


# Migrations of the whole program in Table 7.2: conductance, shortest paths, triangles.
PUBLISHED = {7: (13812, 22851, 84168), 9: (59068, 104653, 809423), 10: (122088, 220204, 2475350)}


def test_counts_are_near_the_published_ones(tmp_path: Path) -> None:
    for scale, (conductance, sssp, triangles) in PUBLISHED.items():
        found = counts(scale, tmp_path)
        assert found[0] == pytest.approx(conductance, rel=0.06)
        assert found[2] == pytest.approx(sssp, rel=0.25)
        assert found[8] == pytest.approx(triangles, rel=0.16)
        assert found[7] > found[8] > found[5]


def test_reductions_are_near_the_published_ones(tmp_path: Path) -> None:
    kept = [
        [
            after / before
            for before, after in ((f[0], f[1]), (f[2], f[3]), (f[3], f[4]), (f[8], f[6]))
        ]
        for f in (counts(scale, tmp_path) for scale in range(6, 11))
    ]
    means = [100 * (1 - prod(column) ** (1 / len(column))) for column in zip(*kept, strict=True)]
    for mean, published in zip(means, (6.06, 8.69, 30.28, 54.55), strict=True):
        assert mean == pytest.approx(published, abs=4)
