"""A configuration beside its design: what is run of it, and what it uses of the array."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from s2s.simulators.amber.agreement import Agreement
from s2s.simulators.amber.configuration import LAYERS, Configuration, read_configuration
from s2s.simulators.amber.design import Design
from s2s.simulators.amber.elements import Placed, placed_functions
from s2s.simulators.amber.machine import Array
from s2s.simulators.amber.timing import longest_path
from s2s.source.clockwork.programs import Program
from s2s.source.records import dataclass

NAMES = {"pe": "PE tiles", "memory": "memory tiles", "io": "stream tiles"}


@dataclass(frozen=True)
class Placement:
    """``functions``: those of kernels as the tiles have them."""

    configuration: Configuration
    functions: Placed

    def record(self) -> dict[str, Any]:
        """What is used of the array, for JSON."""
        found = self.configuration
        uses = {
            name: {"used": count, "there": found.capacity[name]} for name, count in self._counts()
        }
        path, end = longest_path(found)
        return {
            "uses": uses,
            "tiles_for_wires_only": sum(not tile.part for tile in found.tiles.values()),
            "registers": sum(registered for _, registered in found.switches.values())
            + sum(r for tile in found.tiles.values() for _, r in tile.inputs.values()),
            "longest_path_ps": path,
            "longest_path_end": end,
            "delays": {
                name: {"value": value, "status": found.status[name]}
                for name, value in found.numbers.items()
                if name.endswith("_ps")
            },
            "operations_on_tiles": len(self.functions.texts),
            "kernels_by_compute_file": list(self.functions.others),
        }

    def _counts(self) -> Iterator[tuple[str, int]]:
        found = self.configuration
        for kind in NAMES:
            yield kind, sum(tile.kind == kind for tile in found.tiles.values() if tile.part)
        for layer in LAYERS:
            yield layer, sum(own == layer for _, own, _ in found.switches)


def read_placement(path: str, design: Design, program: Program, array: Array) -> Placement:
    """The configuration of a file, if it is that of the design. Raises UserError."""
    configuration = read_configuration(path, array)
    agreement = Agreement(design, configuration)
    agreement.check()
    operations = [operation for operation, _ in program.operations]
    return Placement(configuration, placed_functions(agreement, operations))


def text(found: Mapping[str, Any]) -> str:
    """The record in short, for people."""
    shares = [
        f"{one['used']} of {one['there']} {NAMES.get(name, f'{name} tracks')}"
        f" ({one['used'] / one['there']:.1%})"
        for name, one in found["uses"].items()
    ]
    path = found["longest_path_ps"]
    clock = f", for {1e6 / path:.0f} MHz" if path else ""
    others = found["kernels_by_compute_file"]
    by_file = f", {len(others)} by the compute file" if others else ""
    return (
        f"placed and routed: {', '.join(shares)}, {found['registers']} registers,"
        f" {found['tiles_for_wires_only']} tiles for wires only\n"
        f"longest path {path} ps{clock} (assumed delays), to"
        f" {found['longest_path_end'] or 'a switch box'}"
        f"\nrun from the tiles: {found['operations_on_tiles']} operations{by_file}\n"
    )
