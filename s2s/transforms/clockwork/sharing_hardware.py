"""Less hardware around kernels that operations share (section 5.3 of Setter's dissertation).

A shared kernel has a multiplexer before each of its ports, after registers that each operation has
for itself. Where operations take turns of a line or a block, the registers hold nothing from one
turn to the next: one multiplexer before common registers does (stencil register sharing). Where a
multiplexer chooses among memories, these pass each other's words on through their chain ports, and
it is gone (memory chaining).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from s2s.analyses.memory_tiles import firings
from s2s.scop.netlist import Controller, Delay, Memory, Mux, Netlist
from s2s.source.records import dataclass
from s2s.transforms.clockwork.netlist_edits import (
    drivers,
    fresh,
    owner,
    remove_unused,
    rewire,
    with_instances,
)


def share_registers(netlist: Netlist) -> Netlist:
    """Operations that take turns have their registers in common, if these hold nothing between."""
    groups: dict[object, list[_Tap]] = {}
    for tap in _taps(netlist):
        groups.setdefault((tap.kernel, tap.heads), []).append(tap)
    for taps in groups.values():
        if max(tap.distance for tap in taps) > 0:
            netlist = _with_common_registers(netlist, taps)
    return remove_unused(netlist)


@dataclass(frozen=True)
class _Tap:
    """A multiplexer whose inputs are all ``distance`` registers after ``heads``."""

    name: str
    kernel: str
    mux: Mux
    heads: tuple[str, ...]
    distance: int


def _taps(netlist: Netlist) -> Iterable[_Tap]:
    sources = drivers(netlist)
    users = {source: owner(target) for target, source in sources.items()}
    for name, mux in netlist.instances.items():
        if isinstance(mux, Mux) and f"{name}.out" in users:
            ends = [_head(netlist, sources, f"{name}.in{k}") for k in range(len(mux.select))]
            heads, distances = zip(*ends, strict=True)
            if len(set(distances)) == 1:
                yield _Tap(name, users[f"{name}.out"], mux, heads, distances[0])


def _head(netlist: Netlist, sources: Mapping[str, str], port: str) -> tuple[str, int]:
    """What a port gets its words from by way of registers, and by how many."""
    count, source = 0, sources[port]
    while isinstance(delay := netlist.instances[owner(source)], Delay):
        count += delay.cycles
        source = sources[f"{owner(source)}.in"]
    return source, count


def _with_common_registers(netlist: Netlist, taps: Sequence[_Tap]) -> Netlist:
    select = tuple(
        tuple(dict.fromkeys(c for tap in taps for c in _earlier(tap.mux.select[k], tap.distance)))
        for k in range(len(taps[0].heads))
    )
    if _overlap(select) or not all(select):
        return netlist
    name = fresh(netlist, f"{taps[0].kernel}_mux")
    netlist = with_instances(
        netlist,
        {name: Mux(tuple(map(_joined, select)))},
        [(head, f"{name}.in{k}") for k, head in enumerate(taps[0].heads)],
    )
    places = {0: f"{name}.out"}
    for distance in range(1, max(tap.distance for tap in taps) + 1):
        register = fresh(netlist, f"{taps[0].kernel}_reg")
        pair = (places[distance - 1], f"{register}.in")
        netlist = with_instances(netlist, {register: Delay(taps[0].kernel)}, [pair])
        places[distance] = f"{register}.out"
    return rewire(netlist, {f"{tap.name}.out": places[tap.distance] for tap in taps})


def _earlier(controllers: Sequence[Controller], cycles: int) -> tuple[Controller, ...]:
    return tuple(replace(each, start=each.start - cycles) for each in controllers)


def _overlap(select: Sequence[Sequence[Controller]]) -> bool:
    """Whether two inputs are needed in a cycle."""
    import numpy as np

    every = [firings(controllers).cycles for controllers in _shortened(select)]
    first = min((int(cycles.min()) for cycles in every if cycles.size), default=0)
    last = max((int(cycles.max()) for cycles in every if cycles.size), default=0)
    taken = np.zeros(last - first + 1, np.bool_)
    for cycles in (each - first for each in every):
        if np.any(taken[cycles]):
            return True
        taken[cycles] = True
    return False


def _shortened(select: Sequence[Sequence[Controller]]) -> list[list[Controller]]:
    """Without outer loops that all controllers have, if an iteration ends before the next one."""
    found = [[Controller(c.extent, c.stride, c.start) for c in one] for one in select]
    every = [each for controllers in found for each in controllers]
    while every and all(each.extent for each in every):
        loops = {(each.extent[-1], each.stride[-1]) for each in every}
        inner = [replace(e, extent=e.extent[:-1], stride=e.stride[:-1]) for e in every]
        first, last = min(e.start for e in inner), max(map(_last_firing, inner))
        if len(loops) > 1 or last - first >= loops.pop()[1]:
            return found
        rest = iter(inner)
        found = [[next(rest) for _ in controllers] for controllers in found]
        every = inner
    return found


def _last_firing(controller: Controller) -> int:
    pairs = zip(controller.extent, controller.stride, strict=True)
    return controller.start + sum((extent - 1) * stride for extent, stride in pairs)


def _joined(controllers: Sequence[Controller]) -> tuple[Controller, ...]:
    """Controllers that begin an iteration after each other as one with a longer innermost loop."""
    ordered = sorted(controllers, key=lambda each: each.start)
    first = ordered[0]
    step = first.stride[0] if first.stride else 1
    alike = all(replace(each, start=0) == replace(first, start=0) for each in ordered)
    follow = all(each.start == first.start + k * step for k, each in enumerate(ordered))
    if not (alike and follow and first.stride):
        return tuple(ordered)
    return (replace(first, extent=(first.extent[0] + len(ordered) - 1, *first.extent[1:])),)


def chain_memories(netlist: Netlist) -> Netlist:
    """Without multiplexers that choose among memories, if no two give a word in a cycle."""
    for name, mux in list(netlist.instances.items()):
        if isinstance(mux, Mux):
            netlist = _chained(netlist, name, mux)
    return netlist


def _chained(netlist: Netlist, name: str, mux: Mux) -> Netlist:
    sources = drivers(netlist)
    inputs = [(sources[f"{name}.in{k}"], select) for k, select in enumerate(mux.select)]
    inputs.sort(key=lambda each: _reads(netlist, each[0]) is not None)
    passed: list[tuple[Controller, ...]] = []
    links = []
    for number, (source, select) in enumerate(inputs):
        reads = _reads(netlist, source)
        if number:
            target = _chain_port(source)
            if reads is None or target in sources or _overlap([reads, sum(passed, ())]):
                return netlist
            links.append((inputs[number - 1][0], target))
        if not select:
            return netlist
        passed.append(select)
    netlist = with_instances(rewire(netlist, {f"{name}.out": inputs[-1][0]}), {}, links, [name])
    return netlist


def _chain_port(source: str) -> str:
    instance, _, port = source.rpartition(".")
    return f"{instance}.{port.replace('out', 'chain')}"


def _reads(netlist: Netlist, source: str) -> tuple[Controller, ...] | None:
    """When a memory's port gives words; None where this is no memory."""
    instance = netlist.instances[owner(source)]
    if not isinstance(instance, Memory) or instance.mode == "global_buffer":
        return None
    return instance.reads[int(source.rpartition(".out")[2])]
