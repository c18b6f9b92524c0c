"""MAESTRO's model against figures of its binary."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from s2s.simulators.spatial.costs import maestro
from s2s.simulators.spatial.machine import load
from s2s.source.spatial.layers import Kind, Layer
from s2s.source.spatial.reading import read_network
from s2s.source.spatial.tiles import TileLevel, TileLoop, tile_levels

_GNMT = {"M": 128, "N": 2048, "K": 4096}


def test_small_product_of_matrices() -> None:
    path = Path(__file__).parent / "mappings" / "gemm_cluster_of_4.m"
    layer = read_network(str(path), path.read_bytes()).layers[0]
    machine = replace(load("p1"), elements=16, noc_bandwidth=64)
    found = maestro.evaluate(layer, tile_levels(layer, None, 16), machine)
    assert found.cycles == 768 * (8 + 1) + 1 == 6913


@pytest.mark.parametrize(
    ("machine", "spatial", "units", "top", "inner", "cycles"),
    [
        ("p1", "KN", (8, 16), (16, 128, 32), (16, 8, 4), 8489984),
        ("p1", "MN", (8, 21), (8, 84, 256), (8, 4, 16), 6655158),
        ("p2", "MN", (32, 32), (4, 128, 128), (4, 4, 16), 1057536),
    ],
)
def test_gnmt(
    machine: str,
    spatial: str,
    units: tuple[int, int],
    top: tuple[int, int, int],
    inner: tuple[int, int, int],
    cycles: int,
) -> None:
    layer = Layer("", Kind.GEMM, tuple(_GNMT.items()))
    extents = tuple(_GNMT.values())
    levels = [
        TileLevel(
            tuple(TileLoop(dim, tile, extent, dim == shared)
                  for dim, tile, extent in zip("MNK", tiles, given, strict=True)), count)
        for shared, count, tiles, given in zip(
            spatial, units, (top, inner), (extents, top), strict=True)
    ]  # fmt: skip
    found = maestro.evaluate(layer, levels, load(machine))
    assert found.cycles == cycles
    assert found.l1 <= 512 and found.l2 <= 110592


def test_what_is_fetched_again_is_charged_without_compatibility() -> None:
    layer = Layer("", Kind.GEMM, (("M", 4), ("N", 4), ("K", 4)))
    order = [TileLoop("N", 1, 4, True), TileLoop("M", 1, 4), TileLoop("K", 1, 4)]
    levels = [TileLevel(tuple(order), 1)]
    machine = replace(load("p1"), elements=1)
    forgets = maestro.evaluate(layer, levels, machine)
    charges = maestro.evaluate(layer, levels, machine, compat=False)
    assert forgets.traffic[0].noc_in < charges.traffic[0].noc_in == 64
