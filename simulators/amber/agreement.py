"""Whether a configuration is the design that it says: every port, its registers, its operations.

Registers and delays of a design, and kernels that only hand words on, are on no tile: they have to
be registers on the way. A kernel's latency, and the stage of an element in it, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from s2s.simulators.amber.configuration import Configuration, Tile
from s2s.simulators.amber.design import Controllers, Design, Instance, controller_of
from s2s.simulators.amber.problems import problem
from s2s.source.diagnostics import UserError
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Origin:
    """What drives a port in the design: a part's port so many cycles before; "" for a constant."""

    part: str
    port: str
    cycles: int


@dataclass(frozen=True)
class Agreement:
    """A design beside its configuration."""

    design: Design
    configuration: Configuration

    @cached_property
    def tiles(self) -> Mapping[str, list[Tile]]:
        """The tiles of each instance."""
        found: dict[str, list[Tile]] = defaultdict(list)
        for tile in self.configuration.tiles.values():
            if tile.part:
                found[tile.instance].append(tile)
        return dict(found)

    def check(self) -> None:
        """Raise UserError for the first thing in which they differ."""
        for name in self.tiles:
            if name not in self.design.instances:
                raise self.wrong(f"the design has no instance '{name}'")
        for one in self.design.instances.values():
            self.check_count(one)
        for tiles in self.tiles.values():
            for tile in tiles:
                self.check_tile(tile)

    def check_count(self, one: Instance) -> None:
        """An instance has the tiles that it needs."""
        there = len(self.tiles.get(one.name, ()))
        wanted = {"mux": len(one.controllers.get("select", ())) - 1}.get(one.type, 1)
        if one.type == "kernel":
            if one.number("pes", 0) and not there:
                raise self.wrong(f"kernel '{one.name}' is on no tile")
        elif one.type in ("register", "delay"):
            wanted = 0
        if one.type != "kernel" and there != wanted:
            raise self.wrong(f"instance '{one.name}' is on {there} tiles, not {wanted}")

    def check_tile(self, tile: Tile) -> None:
        """What comes in at the ports of a tile is what the design has there."""
        ports = dict(self.ports(tile))
        missing = ports.keys() - tile.inputs.keys()
        if missing or tile.inputs.keys() - ports.keys():
            name = min(missing or tile.inputs.keys() - ports.keys())
            text = "is not connected" if missing else "is connected and not used"
            raise self.configuration.wrong(tile.place, f"port '{name}' {text}")
        for port, load in ports.items():
            way = self.configuration.ways[tile.part, port]
            registers = way.registers + way.tile.stage - tile.stage
            if load is None:
                if way.tile.instance != tile.instance or registers:
                    text = f"port '{port}' gets {way.tile.part} with {registers} registers too many"
                    raise self.configuration.wrong(tile.place, text)
                continue
            origin = self.origin(tile.instance, load)
            if (way.tile.part, way.port, registers) != (origin.part, origin.port, origin.cycles):
                raise self.configuration.wrong(
                    tile.place,
                    f"port '{port}' gets {way.tile.part}.{way.port} {registers} cycles later, the"
                    f" design has {origin.part}.{origin.port} {origin.cycles} cycles later at"
                    f" '{load}' of '{tile.instance}'",
                )
        self.check_element(tile)

    def ports(self, tile: Tile) -> Iterator[tuple[str, str | None]]:
        """Ports of a tile, each with the design's port whose word it takes (None: an inner one)."""
        one = self.design.instances[tile.instance]
        if one.type == "output":
            yield "in", "in"
        elif one.type == "memory":
            count = len(one.controllers["in2agg" if one.fields["mode"] == "sram" else "in"])
            yield from ((f"in{k}", f"in{k}") for k in range(count))
            known = (port for name, port in self.design.sources if name == one.name)
            given = ("chain", "read", "write")
            yield from ((port, port) for port in known if port.startswith(given))
        for operand in (tile.element or {}).get("operands", ()):
            load = operand.get("load")
            if operand.get("port"):
                yield operand["port"], None if load is None else f"in{load}"
            elif load is not None:
                part = self.origin(tile.instance, f"in{load}").part
                element = self.configuration.by_part[part].element if part else None
                if part and (element is None or element["op"] != "constant"):
                    text = f"'in{load}' of '{tile.instance}' is no constant"
                    raise self.configuration.wrong(tile.place, text)

    def origin(self, instance: str, port: str) -> Origin:
        """Follow the design's connections back to a part."""
        cycles = 0
        for _ in range(len(self.design.instances) + 1):
            source = self.design.sources.get((instance, port))
            if source is None:
                raise self.wrong(f"port '{port}' of instance '{instance}' is not connected")
            one = self.design.instances[source[0]]
            if one.type in ("register", "delay"):
                cycles += one.number("cycles", 1)
                instance, port = one.name, "in"
                continue
            if one.type not in ("kernel", "mux"):
                return Origin(self.tiles[one.name][0].part, source[1], cycles)
            if one.type == "kernel":
                cycles += one.number("latency", 0)
            if one.name in self.tiles:
                return Origin(self.last(one.name).part, "out", cycles)
            ports = [p for name, p in self.design.sources if name == one.name]
            if not ports:
                return Origin("", "", cycles)
            if len(ports) > 1:
                raise self.wrong(f"kernel '{one.name}' with {len(ports)} operands is on no tile")
            instance, port = one.name, ports[0]
        raise self.wrong(f"port '{port}' of instance '{instance}' is in a circle")

    def last(self, instance: str) -> Tile:
        """The tile that gives an instance's word: no other one of it takes that."""
        taken = {
            self.configuration.ways[tile.part, operand["port"]].tile.part
            for tile in self.tiles[instance]
            for operand in (tile.element or {}).get("operands", ())
            if operand.get("port") and operand.get("load") is None
        }
        found = [tile for tile in self.tiles[instance] if tile.part not in taken]
        if len(found) != 1:
            raise self.wrong(f"instance '{instance}' has {len(found)} last elements")
        return found[0]

    def check_element(self, tile: Tile) -> None:
        """A multiplexer chooses in the cycles of the design."""
        one = self.design.instances[tile.instance]
        if one.type != "mux":
            return
        own = tuple(controller_of(c) for c in (tile.element or {}).get("select", ()))
        load = (tile.element or {})["operands"][1].get("load")
        selects: tuple[Controllers, ...] = one.controllers["select"]
        if not isinstance(load, int) or load >= len(selects) or selects[load] != own:
            text = f"chooses an input of '{tile.instance}' in other cycles than the design"
            raise self.configuration.wrong(tile.place, text)

    def wrong(self, text: str) -> UserError:
        return problem(f"{self.configuration.path}: {text}")
