"""``s2s explain`` for a design: its schedule, its buffers, and what it takes of the array."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from s2s.scop.netlist import Delay, Kernel, Memory, Mux

if TYPE_CHECKING:
    from s2s.scop.cycles import Start, Term
    from s2s.targets.clockwork.design import Compiled


def explained(compiled: Compiled) -> str:
    """Lines under headings, each after an empty one."""
    parts = [
        [f"schedule: {compiled.scheduled.schedule.rule}", *_schedule(compiled)],
        ["unified buffers", *_buffers(compiled)],
        ["memories", *_memories(compiled)],
        ["kernels", *_kernels(compiled)],
    ]
    return "".join("\n" + "\n".join(part) + "\n" for part in parts)


def _schedule(compiled: Compiled) -> Iterator[str]:
    schedule = compiled.scheduled.schedule
    yield f"  {compiled.netlist.cycles} cycles = {_sum(compiled.netlist.terms)}"
    for name, start in schedule.starts.items():
        terms = schedule.terms.get(name, ())
        why = f"   offset = {_sum(terms)}" if terms else ""
        yield f"  {name}: {_start(start)}{why}"
    for reason in compiled.scheduled.declined:
        yield f"  declined: {reason}"


def _start(start: Start) -> str:
    """``130 + 64*i0 + i1``, and the latency where there is one."""
    terms = [str(start.offset)]
    for k, (stride, extent) in enumerate(zip(start.strides, start.extents, strict=True)):
        if extent > 1:
            terms.append(f"i{k}" if stride == 1 else f"{stride}*i{k}")
    latency = f", latency {start.latency}" if start.latency else ""
    return f"[{' + '.join(terms)}]{latency}"


def _sum(terms: Sequence[Term]) -> str:
    return " + ".join(f"{term.shown} ({term.name})" for term in terms) or "0"


def _buffers(compiled: Compiled) -> Iterator[str]:
    accelerator = compiled.accelerator
    streams = {*accelerator.inputs, *accelerator.outputs}
    for buffer in compiled.buffers:
        ports = f"{len(buffer.inputs)} in, {len(buffer.outputs)} out"
        words = f"capacity {buffer.capacity} words" if buffer.capacity else "wires"
        yield f"  {buffer.name}: {'stream' if buffer.name in streams else words}, ports: {ports}"


def _memories(compiled: Compiled) -> Iterator[str]:
    netlist = compiled.netlist
    for name, one in netlist.instances.items():
        if isinstance(one, Memory):
            ports = f"{len(one.writes)} in, {len(one.reads)} out"
            yield f"  {name}: {one.mode}, {one.capacity} words, ports: {ports}"
    beside = sum(_is_global(one) for one in netlist.instances.values())
    counts = f"{netlist.count(Memory) - beside} memory tiles, {netlist.registers} registers"
    yield f"  {counts}, {netlist.count(Mux)} multiplexers, {netlist.count(Delay)} delays"


def _is_global(one: object) -> bool:
    """Whether a memory is none of the array's."""
    return isinstance(one, Memory) and one.mode == "global_buffer"


def _kernels(compiled: Compiled) -> Iterator[str]:
    for one in compiled.netlist.instances.values():
        if isinstance(one, Kernel):
            users = ", ".join(use.operation for use in one.uses) if len(one.uses) > 1 else ""
            shared = f", shared by {users}" if users else ""
            yield f"  {one.function}: {one.pes} PEs{shared}"
    yield f"  {compiled.netlist.pes} PEs"
