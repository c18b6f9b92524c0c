"""Netlists with other connections, without what nothing needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from s2s.scop.netlist import Delay, Instance, Memory, Mux, Netlist


def rewire(netlist: Netlist, moved: Mapping[str, str]) -> Netlist:
    """Ports that took words from a source take them from another; chains of moves are followed."""

    def final(source: str) -> str:
        while source in moved:
            source = moved[source]
        return source

    pairs = tuple((final(source), target) for source, target in netlist.connections)
    return replace(netlist, connections=pairs)


def with_instances(
    netlist: Netlist,
    instances: Mapping[str, Instance],
    connections: Iterable[tuple[str, str]] = (),
    removed: Iterable[str] = (),
) -> Netlist:
    """Instances put in or in the place of others, and connections; ``removed`` ones are gone."""
    gone = set(removed)
    kept = {n: i for n, i in {**netlist.instances, **instances}.items() if n not in gone}
    pairs = (p for p in netlist.connections if owner(p[0]) not in gone and owner(p[1]) not in gone)
    return replace(netlist, instances=kept, connections=(*pairs, *connections))


def remove_unused(netlist: Netlist) -> Netlist:
    """Without delays, memories and multiplexers from which nothing takes a word."""
    while True:
        used = {owner(source) for source, _ in netlist.connections}
        idle = [
            name
            for name, instance in netlist.instances.items()
            if isinstance(instance, Delay | Memory | Mux) and name not in used
        ]
        if not idle:
            return netlist
        netlist = with_instances(netlist, {}, removed=idle)


def drivers(netlist: Netlist) -> dict[str, str]:
    """The source of each input port."""
    return {target: source for source, target in netlist.connections}


def owner(port: str) -> str:
    """The instance of a port."""
    return port.rpartition(".")[0]


def fresh(netlist: Netlist, name: str) -> str:
    """A name that no instance has."""
    new, number = name, 0
    while new in netlist.instances:
        number += 1
        new = f"{name}_{number}"
    return new
