"""``NAME_design.json``: a mapped design as the simulator of the array reads it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from s2s.scop.netlist import Controller, Delay, Instance, Kernel, Memory, Mux, Netlist, Stream

Json = dict[str, object]


def print_design(netlist: Netlist) -> str:
    """The text of the file, one instance or connection in a line."""
    head: Json = {
        "format": 1,
        "name": netlist.name,
        "cycles": netlist.cycles,
        "memory": f"{netlist.name}_memory.cpp",
        "compute": f"{netlist.name}_compute.h",
        "terms": [[term.name, term.cycles, term.shown] for term in netlist.terms],
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    instances = [
        f"    {json.dumps(name)}: {json.dumps(_instance(instance))}"
        for name, instance in netlist.instances.items()
    ]
    lines.append('  "instances": {\n' + ",\n".join(instances) + "\n  }")
    pairs = [f"    {json.dumps(pair)}" for pair in netlist.connections]
    lines.append('  "connections": [\n' + ",\n".join(pairs) + "\n  ]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _instance(instance: Instance) -> Json:
    match instance:
        case Stream(direction, buffer, controller, element):
            places = [{"start": start, "stride": list(stride)} for start, stride in element]
            return {
                "type": direction,
                "buffer": buffer,
                "controller": print_controller(controller),
                "element": places,
            }
        case Kernel():
            return _kernel(instance)
        case Delay(buffer, 1):
            return {"type": "register", "buffer": buffer}
        case Delay(buffer, cycles):
            return {"type": "delay", "buffer": buffer, "cycles": cycles}
        case Memory():
            return _memory(instance)
        case Mux(select):
            return {"type": "mux", "select": [_port(each) for each in select]}


def _kernel(kernel: Kernel) -> Json:
    uses: list[Json] = [
        {"operation": use.operation, "controller": print_controller(use.controller)}
        for use in kernel.uses
    ]
    which: Json = uses[0] if len(uses) == 1 else {"uses": uses}
    return {
        "type": "kernel",
        **which,
        "function": kernel.function,
        "latency": kernel.latency,
        "indices": list(kernel.indices),
        "pes": kernel.pes,
    }


def _memory(memory: Memory) -> Json:
    ports: Json = {"in": _ports(memory.writes), "out": _ports(memory.reads)}
    if memory.mode == "sram":
        ports = {
            "in2agg": _ports(memory.writes),
            "agg2sram": _ports(memory.to_sram, "agg"),
            "sram2tb": _ports(memory.from_sram, "tb"),
            "tb2out": _ports(memory.reads),
        }
    modulo: Json = {} if memory.modulo is None else {"modulo": memory.modulo}
    head: Json = {"type": "memory", "buffer": memory.buffer, "mode": memory.mode}
    chain: Json = {"tiles": memory.tiles} if memory.tiles > 1 else {}
    words: Json = {}
    if memory.addressed:
        words = {
            "read_words": [list(factors) for factors in memory.read_words],
            "write_words": [list(factors) for factors in memory.write_words],
        }
    return {**head, "capacity": memory.capacity, **modulo, **chain, **ports, **words}


def _ports(ports: Sequence[Sequence[Controller]], second: str = "") -> list[object]:
    return [_port(controllers, second) for controllers in ports]


def _port(controllers: Sequence[Controller], second: str = "") -> object:
    texts = [print_controller(each, second) for each in controllers]
    return texts[0] if len(texts) == 1 else texts


def print_controller(controller: Controller, second: str = "") -> Json:
    found: Json = {
        "extent": list(controller.extent),
        "stride": list(controller.stride),
        "start": controller.start,
    }
    for prefix, address in (("address", controller.address), (second, controller.second)):
        if address is not None:
            found[f"{prefix}_stride"] = list(address[1])
            found[f"{prefix}_start"] = address[0]
    return found
