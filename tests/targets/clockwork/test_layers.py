"""Layers of a network on one array: one configuration, one layer after the other."""

from __future__ import annotations

from pathlib import Path

from s2s.driver.designs import Steps
from s2s.scop.netlist import Kernel
from s2s.source import SourceBuffer
from s2s.source.reading import read_source
from s2s.targets.clockwork.explain import explained
from s2s.targets.source_options import SourceOptions

SOURCE = Path(__file__).resolve().parents[3] / "benchmarks" / "clockwork" / "network.cpp"
SIZES = {"width": 4, "height": 4, "channels": 4, "in_unroll": 4, "out_unroll": 4, "io_rate": 2}


def steps(layers: int, share: bool) -> Steps:
    given = {**SIZES, "layers": layers, "share": str(share).lower()}
    words = SourceOptions(parameters=tuple((k, str(v)) for k, v in given.items()))
    return Steps(SourceBuffer(str(SOURCE), read_source(str(SOURCE))), words)


def test_layers_share_the_products() -> None:
    alone, shared = steps(2, False).netlist, steps(2, True)
    kernels = [i for i in shared.netlist.instances.values() if isinstance(i, Kernel)]
    both = [k for k in kernels if len(k.uses) == 2]
    # Four sums of four products each, and their first values.
    assert sum(k.pes for k in both) == 4 * (4 + 4)
    assert alone.pes - shared.netlist.pes >= 4 * (4 + 4)
    # A layer waits for the one before it in any case.
    assert shared.netlist.cycles <= alone.cycles * 1.05
    said = explained(shared.compiled)
    assert "shared by op_hcompute_sum0_s1_stencil, op_hcompute_sum1_s1_stencil" in said
