"""A list of edges, and the text in which programs get it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]


@dataclass(frozen=True)
class EdgeList:
    """Directed edges ``sources[i] -> targets[i]`` (int64, from 0) of weight ``weights[i]``.

    Edges stand in the order of their origin; loops and duplicates are not removed.
    """

    vertices: int
    sources: Integers
    targets: Integers
    weights: Integers

    def __len__(self) -> int:
        return len(self.sources)

    def text(self) -> str:
        """``vertices edges``, then a line ``source target weight`` for each edge."""
        lines = [f"{self.vertices} {len(self)}"]
        columns = (self.sources.tolist(), self.targets.tolist(), self.weights.tolist())
        lines += [f"{u} {v} {w}" for u, v, w in zip(*columns, strict=True)]
        return "\n".join(lines) + "\n"


def edge_list(vertices: int, sources: Any, targets: Any, weights: Any = None) -> EdgeList:
    """Edges from anything that numpy takes; without weights, each is 1."""
    import numpy as np

    from_ = np.asarray(sources, dtype=np.int64)
    to = np.asarray(targets, dtype=np.int64)
    given = np.ones(len(from_)) if weights is None else weights
    return EdgeList(vertices, from_, to, np.asarray(given, dtype=np.int64))
