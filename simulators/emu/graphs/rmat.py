"""R-MAT graphs with the parameters of Graph500 (Chakrabarti, Zhan and Faloutsos, SDM 2004)."""

from __future__ import annotations

from s2s.simulators.emu.graphs.edges import EdgeList, edge_list

A, B, C = 0.57, 0.19, 0.19


def rmat(
    scale: int, edge_factor: int = 16, seed: int = 1, *, weights: int = 1, permute: bool = False
) -> EdgeList:
    """``edge_factor`` times 2 to the ``scale`` edges among 2 to the ``scale`` vertices.

    Each edge descends ``scale`` times into one of four quadrants, with the same probabilities at
    each step. Weights are uniform in 1..``weights``. Vertices keep the numbers that the quadrants
    give them, under which those of high degree are even, unless ``permute`` shuffles them.
    """
    import numpy as np

    random = np.random.Generator(np.random.PCG64(seed))
    count = edge_factor << scale
    sources = np.zeros(count, dtype=np.int64)
    targets = np.zeros(count, dtype=np.int64)
    for _ in range(scale):
        draw = random.random(count)
        down = draw >= A + B
        right = ((draw >= A) & (draw < A + B)) | (draw >= A + B + C)
        sources = 2 * sources + down
        targets = 2 * targets + right
    drawn = random.integers(1, weights + 1, count)
    if permute:
        numbers = random.permutation(1 << scale)
        sources, targets = numbers[sources], numbers[targets]
    return edge_list(1 << scale, sources, targets, drawn)
