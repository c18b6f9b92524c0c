"""Generated graphs, and the same graph read from every format."""

from pathlib import Path

import numpy as np
import pytest

from s2s.simulators.emu.graphs.edges import edge_list
from s2s.simulators.emu.graphs.named import graph
from s2s.simulators.emu.graphs.readers import read
from s2s.simulators.emu.graphs.rmat import rmat
from s2s.source.diagnostics import UserError

EDGES = [(0, 1, 5), (1, 2, 3), (2, 0, 1), (3, 3, 7)]


def rows(path: Path) -> list[tuple[int, int, int]]:
    edges = read(path)
    columns = (edges.sources, edges.targets, edges.weights)
    return [(int(u), int(v), int(w)) for u, v, w in zip(*columns, strict=True)]


def test_every_text_format(tmp_path: Path) -> None:
    texts = {
        "g.el": "# comment\n" + "".join(f"{u} {v}\n" for u, v, _ in EDGES),
        "g.wel": "".join(f"{u}\t{v} {w}\n" for u, v, w in EDGES),
        "g.gr": "c of DIMACS\np sp 4 4\n"
        + "".join(f"a {u + 1} {v + 1} {w}\n" for u, v, w in EDGES),
        "g.mtx": "%%MatrixMarket matrix coordinate integer general\n% comment\n4 4 4\n"
        + "".join(f"{u + 1} {v + 1} {w}\n" for u, v, w in EDGES),
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.write_text(text)
        wanted = [(u, v, 1) for u, v, _ in EDGES] if name == "g.el" else EDGES
        assert rows(path) == wanted
        assert read(path).vertices == 4


def test_symmetric_patterns_have_both_directions(tmp_path: Path) -> None:
    path = tmp_path / "g.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n")
    assert rows(path) == [(1, 0, 1), (2, 2, 1), (0, 1, 1)]


@pytest.mark.parametrize("weighted", [False, True])
def test_serialized_graphs_of_gap(weighted: bool, tmp_path: Path) -> None:
    header = bytes([1]) + np.array([4, 4], "<i8").tobytes()
    offsets = np.array([0, 1, 2, 3, 4], "<i8").tobytes()
    neighbours = [x for _, v, w in EDGES for x in ((v, w) if weighted else (v,))]
    path = tmp_path / ("g.wsg" if weighted else "g.sg")
    path.write_bytes(header + offsets + np.array(neighbours, "<i4").tobytes() + b"incoming")
    assert rows(path) == (EDGES if weighted else [(u, v, 1) for u, v, _ in EDGES])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.el", "0 x\n"),
        ("g.el", "0\n"),
        ("g.el", "0 -1\n"),
        ("g.mtx", "3 3 1\n1 1\n"),
        ("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 1\n"),
        ("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n4 1\n"),
        ("g.sg", "short"),
        ("g.unknown", "0 1\n"),
    ],
)
def test_what_is_no_graph(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(UserError):
        read(path)


def test_missing_files_and_generators() -> None:
    for description in ("nothing.el", "tree:n=3", "rmat:", "star:n=x", "path:n=2,m=3"):
        with pytest.raises(UserError):
            graph(description)


def test_rmat_has_the_quadrants_of_graph500() -> None:
    edges = rmat(10, seed=3)
    assert (edges.vertices, len(edges)) == (1024, 16384)
    down, right = edges.sources >= 512, edges.targets >= 512
    for quadrant, share in (
        (~down & ~right, 0.57), (~down & right, 0.19), (down & ~right, 0.19), (down & right, 0.05)
    ):  # fmt: skip
        assert np.mean(quadrant) == pytest.approx(share, abs=0.01)
    again = rmat(10, seed=3)
    assert np.array_equal(edges.sources, again.sources)
    assert not np.array_equal(edges.sources, rmat(10, seed=4).sources)
    weights = rmat(6, weights=9).weights
    assert weights.min() == 1 and weights.max() == 9


def test_a_permuted_graph_has_the_same_degrees() -> None:
    plain, permuted = rmat(8, seed=2), rmat(8, seed=2, permute=True)
    degrees = [sorted(np.bincount(g.sources, minlength=256)) for g in (plain, permuted)]
    assert degrees[0] == degrees[1]
    assert not np.array_equal(plain.sources, permuted.sources)


def test_the_text_for_programs() -> None:
    assert edge_list(3, [0, 1], [1, 2], [4, 5]).text() == "3 2\n0 1 4\n1 2 5\n"
    assert graph("star:n=3").text() == "3 2\n0 1 1\n0 2 1\n"
    assert graph("path:n=3").text() == "3 2\n0 1 1\n1 2 1\n"
    assert graph("empty:n=2").text() == "2 0\n"
    assert len(graph("complete:n=4")) == 12
