"""``NAME.place.json``: what each tile of the array does and what its switch box selects."""

from __future__ import annotations

import json

from s2s.emitters.clockwork.design import print_controller
from s2s.scop.fabric import (
    SIDES,
    Branch,
    Configuration,
    Element,
    Fabric,
    Operand,
    Part,
    Tile,
    Track,
)

Json = dict[str, object]


def print_configuration(configuration: Configuration) -> str:
    """The text of the file, a tile in a line."""
    fabric, array = configuration.fabric, configuration.array
    numbers = {
        name: {"value": one.value, "status": one.status, "source": one.source}
        for name, one in array.numbers.items()
    }
    path = {"picoseconds": configuration.path, "through": list(configuration.through)}
    head: Json = {"format": 1, "name": fabric.name, "design": f"{fabric.name}_design.json"}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    rows = [f"    {json.dumps(name)}: {json.dumps(one)}" for name, one in numbers.items()]
    lines.append('  "array": {\n' + ",\n".join(rows) + "\n  }")
    lines.append(f'  "longest_path": {json.dumps(path)}')
    tiles = _tiles(configuration)
    rows = [f'    "{x},{y}": {json.dumps(tiles[x, y])}' for x, y in sorted(tiles, key=_row)]
    lines.append('  "tiles": {\n' + ",\n".join(rows) + "\n  }")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _row(tile: Tile) -> Tile:
    return tile[::-1]


def _tiles(configuration: Configuration) -> dict[Tile, Json]:
    """What is on each tile that is used, be it only for its switch box."""
    fabric = configuration.fabric
    found = {configuration.places[name]: _part(fabric, part) for name, part in fabric.parts.items()}
    inputs: dict[Tile, Json] = {}
    switches: dict[Tile, dict[str, Json]] = {}
    for net in configuration.nets:
        for track, branch in net.branches.items():
            boxes = switches.setdefault(track.tile, {}).setdefault(net.layer, {})
            boxes[_side(track)] = _driver(branch, net.source[1])
        for (name, port), (track, registered) in net.targets.items():
            own = inputs.setdefault(configuration.places[name], {})
            own[port] = [_arrival(track), int(registered)]
    for tile, ports in inputs.items():
        found[tile]["inputs"] = dict(sorted(ports.items()))
    for tile, layers in switches.items():
        ordered = {layer: dict(sorted(boxes.items())) for layer, boxes in sorted(layers.items())}
        found.setdefault(tile, {})["switches"] = ordered
    return found


def _side(track: Track) -> str:
    return f"{SIDES[track.side]}{track.number}"


def _arrival(track: Track) -> str:
    """A track by the side at which it comes in at its end."""
    return f"{SIDES[(track.side + 2) % 4]}{track.number}"


def _driver(branch: Branch, port: str) -> list[object]:
    source = port if branch.driver is None else _arrival(branch.driver)
    return [source, int(branch.registered)]


def _part(fabric: Fabric, part: Part) -> Json:
    found: Json = {"kind": part.kind, "part": part.name, "instance": part.instance}
    if part.element is not None:
        found["element"] = _element(part.element)
        found["stage"] = fabric.stages.get(part.name, 0)
    return found


def _element(element: Element) -> Json:
    found: Json = {"op": element.op, "type": str(element.type)}
    found["operands"] = [_operand(each) for each in element.operands]
    if element.conversions:
        found["as"] = list(element.conversions)
    if element.select:
        found["select"] = [print_controller(each) for each in element.select]
    if element.table:
        found["table"] = list(element.table)
    if element.index:
        found["index"] = element.index
    return found


def _operand(operand: Operand) -> Json:
    found: Json = {"type": str(operand.type)}
    if operand.port:
        found["port"] = operand.port
    else:
        found["value"] = operand.value
    if operand.load is not None:
        found["load"] = operand.load
    if operand.conversions:
        found["as"] = list(operand.conversions)
    return found
