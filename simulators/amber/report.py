"""What a run of a design counted, as text and as a record.

Spatial occupancy is the share of the array's PEs and memory tiles that a design takes (Table 6.7 of
Setter's dissertation). Compute occupancy is how many cycles the last kernels before the outputs
would take if they ran in every cycle, by the cycles of the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from s2s.simulators.amber import placement
from s2s.simulators.amber.design import WIDE, Design, Instance
from s2s.simulators.amber.execute import Execution
from s2s.simulators.amber.machine import Array
from s2s.simulators.amber.netlist import Netlist

ROWS = 20
"""Rows of a table that are printed."""


def record(netlist: Netlist, execution: Execution, *, checked: bool) -> dict[str, Any]:
    """All counts, for JSON."""
    design, array, counted = netlist.design, netlist.array, execution.counted
    rows = [_instance(netlist, one, counted) for one in design.instances.values()]
    cycles = counted["cycles"]
    pes = sum(map(_pes, design.instances.values()))
    tiles = sum(map(_tiles, design.instances.values()))
    ideal = max((_fires(netlist, one, counted) for one in _last_kernels(design)), default=0)
    return {
        "machine": array.name,
        "design": design.name,
        "cycles": cycles,
        "terms": [list(term) for term in design.terms],
        "compared_with_program_order": checked,
        "pes": pes,
        "memory_tiles": tiles,
        "global_buffer_words": sum(map(_global_words, design.instances.values())),
        "registers": sum(row.get("registers", 0) for row in rows),
        "kernels": len(design.of_type("kernel")),
        "pe_occupancy": pes / array["pes"],
        "memory_occupancy": tiles / array["memory_tiles"],
        "compute_occupancy": ideal / cycles if cycles and ideal else None,
        "busy_pes": sum(
            _pes(one) * _fires(netlist, one, counted) for one in design.of_type("kernel")
        )
        / (pes * cycles)
        if pes * cycles
        else None,
        "streams": {
            one.name: {"buffer": one.buffer, "words": _fires(netlist, one, counted)}
            for one in design.of_type("input", "output")
        },
        "instances": rows,
        "numbers": {
            name: {"value": one.value, "status": one.status, "source": one.source}
            for name, one in array.numbers.items()
        },
    }


def _instance(netlist: Netlist, one: Instance, counted: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"name": one.name, "type": one.type}
    if one.buffer:
        row["buffer"] = one.buffer
    if one.type == "kernel":
        row |= {"operations": [name for name, _ in one.uses], "pes": _pes(one)}
    if one.type in ("kernel", "input", "output"):
        row["fires"] = _fires(netlist, one, counted)
    if one.type in ("register", "delay"):
        row["registers"] = one.number("cycles", 1)
    if one.type == "memory":
        row |= _memory(netlist, one, counted)
    return row


def _memory(netlist: Netlist, one: Instance, counted: dict[str, Any]) -> dict[str, Any]:
    found = counted["memories"][list(netlist.memories).index(one.name)]
    names = (WIDE[0], WIDE[3], WIDE[1], WIDE[2]) if one.fields["mode"] == "sram" else ("in", "out")
    ports = [f"{name}{k}" for name in names for k in range(len(one.controllers[name]))]
    return {
        "mode": one.fields["mode"],
        "capacity": one.number("capacity"),
        "live": found["live"],
        "live_is_exact": found["exact"],
        "ports": dict(zip(ports, found["uses"], strict=True)),
    }


def _fires(netlist: Netlist, one: Instance, counted: dict[str, Any]) -> int:
    """In how many cycles a kernel or a stream fired."""
    controllers = [c for _, c in one.uses] or one.controllers["controller"][0]
    return sum(counted["controllers"][netlist.controllers[c]][0] for c in controllers)


def _pes(one: Instance) -> int:
    """Processing elements: of a kernel as the design says, of a mux one for each choice of two."""
    if one.type == "mux":
        return len(one.controllers["select"]) - 1
    return one.number("pes", 0) if one.type == "kernel" else 0


def _tiles(one: Instance) -> int:
    """Memory tiles that an instance takes."""
    if one.type == "memory" and one.fields["mode"] not in ("register_file", "global_buffer"):
        return one.number("tiles", 1)
    return int(one.type == "rom")


def _global_words(one: Instance) -> int:
    """Words in the global buffer beside the array."""
    is_there = one.type == "memory" and one.fields["mode"] == "global_buffer"
    return one.number("capacity") if is_there else 0


def _last_kernels(design: Design) -> Iterator[Instance]:
    """The last kernels with PEs before the outputs."""
    into: dict[str, list[str]] = {}
    for (target, _), (source, _) in design.sources.items():
        into.setdefault(target, []).append(source)
    stack, seen = [one.name for one in design.of_type("output")], set()
    while stack:
        name = stack.pop()
        if name in seen:
            continue
        seen.add(name)
        one = design.instances[name]
        if one.type == "kernel" and _pes(one):
            yield one
        else:
            stack += into.get(name, ())


def text(found: dict[str, Any], array: Array) -> str:
    """The record in short, for people."""
    lines = [f"{found['design']}: {_cycles(found)}"]
    milliseconds = 1000 * found["cycles"] / array["clock_hz"]
    lines.append(f"{milliseconds:.4f} ms at {array['clock_hz'] / 1e6:.0f} MHz")
    if "tiles" in found:
        lines.append(f"{found['tiles']} tiles: {found['cycles_of_all']} cycles, one after another")
    if found["compared_with_program_order"]:
        lines.append("all outputs as in program order")
    lines.append(
        f"{found['pes']} PEs ({found['pe_occupancy']:.1%}), {found['memory_tiles']} memory tiles"
        f" ({found['memory_occupancy']:.1%}), {found['registers']} registers,"
        f" {found['kernels']} kernels"
    )
    if found["global_buffer_words"]:
        lines.append(f"{found['global_buffer_words']} words of the global buffer")
    if found["compute_occupancy"] is not None:
        busy = f", PEs busy {found['busy_pes']:.1%}" if found["busy_pes"] is not None else ""
        lines.append(f"compute occupancy {found['compute_occupancy']:.1%}{busy}")
    if "placement" in found:
        lines.append(placement.text(found["placement"]).rstrip())
    if "handshakes" in found:
        lines += _handshakes(found["handshakes"])
    memories = [row for row in found["instances"] if row["type"] == "memory"]
    if memories:
        head = ("memory", "buffer", "mode", "capacity", "live", "uses of ports")
        lines.append(_table([head, *map(_memory_row, memories)]))
    streams = [(name, s["buffer"], str(s["words"])) for name, s in found["streams"].items()]
    lines.append(_table([("stream", "buffer", "words"), *streams]))
    return "".join(f"{line}\n" for line in lines)


def _handshakes(found: dict[str, Any]) -> Iterator[str]:
    """The run in which nodes wait for words and room."""
    stalls = f", streams stand still in {found['stalls']}% of them" if found["stalls"] else ""
    yield f"with handshakes {found['cycles']} cycles, the same words{stalls}"
    rows = found["queues"]
    words = {k: sum(q["capacity"] for q in rows if q["kind"] == k) for k in ("memory", "registers")}
    yield (
        f"{len(rows)} queues: {words['memory']} words in"
        f" {sum(q.get('tiles', 0) for q in rows)} memory tiles, {words['registers']} in registers"
    )


def _cycles(found: dict[str, Any]) -> str:
    terms = " + ".join(f"{term[2]} ({term[0]})" for term in found["terms"])
    return f"{found['cycles']} cycles{' = ' + terms if terms else ''}"


def _memory_row(row: dict[str, Any]) -> tuple[str, ...]:
    live = str(row["live"]) if row["live_is_exact"] else f"at least {row['live']}"
    ports = ", ".join(f"{name} {uses}" for name, uses in row["ports"].items())
    return row["name"], row["buffer"], row["mode"], str(row["capacity"]), live, ports


def _table(rows: Sequence[Sequence[str]]) -> str:
    """A head and the first of the rows below it."""
    lines = rows[: ROWS + 1]
    widths = [max(len(row[k]) for row in lines) for k in range(len(lines[0]))]
    shown = [
        "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in lines
    ]
    if len(rows) > len(lines):
        shown.append(f"and {len(rows) - len(lines)} more ('--json' has all)")
    return "\n".join(shown)
