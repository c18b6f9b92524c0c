"""What a region costs on a device and on the host, in seconds, and whether it is worth it.

The published rule is ``CalcMAC(region) > 0``. The other one counts: a region goes to a device where
transfer, launch and computing there take less than computing on the host. The numbers are in
``costs.toml``, each with its source.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from s2s.source.records import dataclass
from s2s.transforms.outline.graph import Node, calc_mac


@dataclass(frozen=True)
class Costs:
    """``macs`` and ``flops`` in a second, ``launch`` in seconds, ``transfer`` in bytes a second.

    ``clock``: cycles in a second, for what a simulator counts.
    """

    macs: float
    flops: float
    launch: float
    transfer: float
    clock: float

    def compute(self, nodes: Iterable[Node]) -> float:
        """Seconds that the operations take."""
        listed = list(nodes)
        return sum(n.macs for n in listed) / self.macs + sum(n.flops for n in listed) / self.flops


@cache
def load_costs() -> dict[str, Costs]:
    """The numbers by device; ``default`` is any other one's."""
    table = tomllib.loads(Path(__file__).with_name("costs.toml").read_text())
    return {
        name: Costs(
            *(row[key]["value"] for key in ("macs", "flops", "launch", "transfer", "clock"))
        )
        for name, row in table.items()
    }


def costs_of(device: str) -> Costs:
    """A device's numbers."""
    table = load_costs()
    return table.get(device, table["default"])


def saved(nodes: Iterable[Node], moved: int, device: str) -> float:
    """Seconds that a region saves on a device, negative where it loses; ``moved`` in bytes."""
    listed, own = list(nodes), costs_of(device)
    there = own.launch + moved / own.transfer + own.compute(listed)
    return costs_of("host").compute(listed) - there


def refusal(rule: str, nodes: Iterable[Node], moved: int, device: str) -> str:
    """Why a region is not worth it by a rule; empty where it is."""
    listed = list(nodes)
    if rule == "macs" and calc_mac(listed) == 0:
        return "it multiplies and accumulates nothing"
    if rule == "time":
        gain = saved(listed, moved, device)
        if gain <= 0:
            return f"it would take {-gain * 1e6:.1f} us more than on the host"
    return ""
