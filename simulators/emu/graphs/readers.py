"""Readers of graph files: edge lists, Matrix Market, DIMACS and the formats of the GAP suite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.simulators.emu.graphs.edges import EdgeList, edge_list
from s2s.source.diagnostics import Diagnostic, Severity, UserError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def read(path: Path) -> EdgeList:
    """The edges of a file, whose ending says its format.

    ``.el`` and ``.txt`` have lines ``source target``, ``.wel`` ``source target weight``, counted
    from 0; ``.mtx`` is a Matrix Market coordinate matrix; ``.gr`` is of the DIMACS shortest-path
    challenge; ``.sg`` and ``.wsg`` are serialized by the GAP benchmark suite. Raises UserError for
    what cannot be read.
    """
    reader = _READERS.get(path.suffix)
    if reader is None:
        known = ", ".join(_READERS)
        raise refused(f"{path}: graphs are in files ending in {known}")
    try:
        return checked(reader(path.read_bytes()), path)
    except OSError as error:
        raise refused(f"{path}: {error.strerror}") from None
    except (ValueError, IndexError, OverflowError) as error:
        raise refused(f"{path}: not a graph in this format ({error})") from None


def checked(edges: EdgeList, path: Path) -> EdgeList:
    for ends in (edges.sources, edges.targets):
        if len(ends) and not 0 <= ends.min() <= ends.max() < edges.vertices:
            raise refused(f"{path}: an edge ends outside of its {edges.vertices} vertices")
    return edges


def refused(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "s2s-emu-graph"))


def _lines(data: bytes, comments: Sequence[str]) -> Iterator[list[str]]:
    for line in data.decode("utf-8", "replace").splitlines():
        words = line.split()
        if words and not words[0].startswith(tuple(comments)):
            yield words


def _edge_list(data: bytes) -> EdgeList:
    rows = [tuple(map(int, words[:3])) for words in _lines(data, ("#", "%"))]
    if any(len(row) < 2 for row in rows):
        raise ValueError("a line has one word")
    weights = [row[2] if len(row) > 2 else 1 for row in rows]
    vertices = max((max(row[:2]) for row in rows), default=-1) + 1
    return edge_list(vertices, [row[0] for row in rows], [row[1] for row in rows], weights)


def _matrix_market(data: bytes) -> EdgeList:
    first = data.split(b"\n", 1)[0].decode("utf-8", "replace").lower().split()
    if first[:3] != ["%%matrixmarket", "matrix", "coordinate"] or len(first) < 5:
        raise ValueError("the first line names no coordinate matrix")
    rows = list(_lines(data, ("%",)))
    height, width, count = map(int, rows[0])
    if len(rows) - 1 != count:
        raise ValueError(f"{len(rows) - 1} entries and not {count}")
    sources = [int(row[0]) - 1 for row in rows[1:]]
    targets = [int(row[1]) - 1 for row in rows[1:]]
    weights = [1 if first[3] == "pattern" else round(float(row[2])) for row in rows[1:]]
    if first[4] != "general":
        mirrored = [i for i in range(count) if sources[i] != targets[i]]
        sources, targets, weights = (
            sources + [targets[i] for i in mirrored],
            targets + [sources[i] for i in mirrored],
            weights + [weights[i] for i in mirrored],
        )
    return edge_list(max(height, width), sources, targets, weights)


def _dimacs(data: bytes) -> EdgeList:
    rows = list(_lines(data, ("c",)))
    vertices = next(int(row[2]) for row in rows if row[0] == "p")
    arcs = [tuple(map(int, row[1:4])) for row in rows if row[0] == "a"]
    columns = ([arc[k] for arc in arcs] for k in range(3))
    sources, targets, weights = columns
    return edge_list(
        vertices, [source - 1 for source in sources], [target - 1 for target in targets], weights
    )


def _serialized(data: bytes, weighted: bool) -> EdgeList:
    """A byte (directed), edges and vertices as int64, offsets as int64, neighbours as int32.

    Of a directed graph the incoming edges follow, which say the same once more.
    """
    import numpy as np

    edges, vertices = (int(n) for n in np.frombuffer(data, "<i8", 2, 1))
    offsets = np.frombuffer(data, "<i8", vertices + 1, 17)
    width = 2 if weighted else 1
    flat = np.frombuffer(data, "<i4", edges * width, 17 + 8 * (vertices + 1))
    sources: NDArray[Any] = np.repeat(np.arange(vertices), np.diff(offsets))
    return edge_list(vertices, sources, flat[::width], flat[1::2] if weighted else None)


_READERS: dict[str, Callable[[bytes], EdgeList]] = {
    ".el": _edge_list,
    ".wel": _edge_list,
    ".txt": _edge_list,
    ".mtx": _matrix_market,
    ".gr": _dimacs,
    ".sg": lambda data: _serialized(data, False),
    ".wsg": lambda data: _serialized(data, True),
}
