"""A run of a kernel to look at: slots of each cycle, registers, loops, the roofline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from s2s.source.pictures import Bars, Listing, Part, Picture, Roofline, Slice, Table, Timeline

if TYPE_CHECKING:
    from s2s.simulators.aie.report import Report
    from s2s.simulators.aie.timing.cycles import LoopSchedule

_FILES = ("vector", "accumulator")


def draw(report: Report) -> Picture:
    """The picture of a kernel that ran."""
    cycles = report.cycles
    numbers = [(f"{cycles.total:,}", "cycles"), (f"{report.useful:,}", "useful multiplications")]
    if report.peak:
        numbers.append((f"{report.rate:.2f} of {report.peak}", "multiplications per cycle"))
    numbers.append((f"{cycles.code_bytes:,}", "bytes of program memory"))
    schedules: list[Part] = []
    for one in cycles.schedules:
        schedules += _schedule(one, cycles.machine["slots"])
    views: list[tuple[str, tuple[Part, ...]]] = [("Slots and registers", tuple(schedules))]
    if report.peak:
        views.append(("Roofline", (_roofline(report),)))
    views += [("Loops", tuple(_loops(report))), ("Numbers", (_numbers(report),))]
    title = f"{report.program.name} on {cycles.machine.name}"
    return Picture(title, cycles.machine.name, tuple(numbers), tuple(views))


def _schedule(one: LoopSchedule, slots: list[str]) -> Iterator[Part]:
    """The slots of one iteration, of the cycles that repeat, and the registers meanwhile."""
    schedule, operations = one.fitted.schedule, one.fitted.body.operations
    places = {slot: k for k, slot in enumerate(slots)}
    issued = [(places[schedule.slots[o.number]], schedule.times[o.number], o) for o in operations]
    kind = "pipelined" if one.pipelined else "not pipelined"
    where = f"loop of line {one.line}" if one.is_loop else f"code from line {one.line} on"
    title = f"One iteration of the {where}" if one.is_loop else f"The {where}"
    stage = f", {kind}; a stage is {schedule.interval} cycles" if one.is_loop else ""
    slices = tuple(
        Slice(slot, time, 1, f"{o.mnemonic}, stage {time // schedule.interval}", o.line)
        for slot, time, o in issued
    )
    yield Timeline(
        title, tuple(slots), slices, max(1, schedule.length), f"{schedule.length} cycles{stage}.",
    )  # fmt: skip
    if one.pipelined and schedule.stages > 1:
        folded = tuple(
            Slice(slot, time % schedule.interval, 1,
                  f"{o.mnemonic}, stage {time // schedule.interval}", o.line)
            for slot, time, o in issued
        )  # fmt: skip
        yield Timeline(
            f"The cycles that repeat in the {where}",
            tuple(slots),
            folded,
            schedule.interval,
            f"II is {schedule.interval}: operations of {schedule.stages} iterations at once.",
        )
    yield _registers(one, where)


def _registers(one: LoopSchedule, where: str) -> Timeline:
    """Which parts of the register files hold a value in which cycles."""
    from s2s.simulators.aie.timing.registers import lives

    fitted = one.fitted
    held = lives(fitted.body, fitted.schedule)
    rows: dict[tuple[str, int], list[tuple[int, int, str]]] = {}
    for register, parts in fitted.allocation.parts.items():
        life = held.get(register)
        if life is None or life.cycles <= 0:
            continue
        for part in parts:
            key = register.file.value, part
            rows.setdefault(key, []).append((life.start, life.end, str(register)))
    names = sorted(rows, key=lambda key: (_FILES.index(key[0]), key[1]))
    least = min((start for lives_ in rows.values() for start, _, _ in lives_), default=0)
    slices = tuple(
        Slice(track, start - least, end - start, name)
        for track, key in enumerate(names)
        for start, end, name in rows[key]
    )
    end = max((s.start + s.length for s in slices), default=1)
    return Timeline(
        f"Registers of {'one iteration of ' if one.is_loop else ''}the {where}",
        tuple(f"{file} part {part}" for file, part in names), slices, end,
        f"Cycle 0 is {-least} cycles before the first issue." if least < 0 else "",
    )  # fmt: skip


def _roofline(report: Report) -> Roofline:
    loaded = widest = 0.0
    loops = {loop.line: loop for loop in report.cycles.loops}
    for one in report.cycles.schedules:
        sizes = [
            o.access.size
            for o in one.fitted.body.operations
            if o.access is not None and not o.access.is_store
        ]
        loop = loops.get(one.line)
        if loop is not None:
            loaded += sum(sizes) * loop.entries * loop.trips
        widest = max([widest, *map(float, sizes)])
    ports = len(report.cycles.machine["operations.load"]["slots"])
    points: tuple[tuple[str, float, float], ...] = ()
    if loaded:
        points = (("the kernel", report.useful / loaded, report.rate),)
    return Roofline(
        "Roofline", float(report.peak), ports * widest, "multiplications", points,
        f"Bytes are those that innermost loops load; {ports} loads in a cycle, of at most"
        f" {widest:g} bytes in this kernel.",
    )  # fmt: skip


def _loops(report: Report) -> Iterator[Part]:
    loops = report.cycles.loops
    shares = {loop.line: (loop.cycles, float(loop.interval)) for loop in loops}
    yield Listing("Cycles of innermost loops", report.text, ("cycles", "interval"), shares)
    rows = tuple(
        (f"line {loop.line}", tuple(map(float, (loop.operations, loop.reloads, loop.spills))))
        for loop in loops
    )
    yield Bars("Operations of an iteration", "operations", ("all", "reloads", "spills"), rows)
    columns = ("line", "entries", "iterations", "interval", "stages", "cycles", "bound by")
    table = tuple(
        (
            loop.line, loop.entries, loop.trips, loop.interval, loop.stages, loop.cycles,
            loop.why if loop.pipelined else f"not pipelined: {loop.why}",
        )
        for loop in loops
    )  # fmt: skip
    yield Table("Innermost loops", columns, table)


def _numbers(report: Report) -> Table:
    numbers = report.cycles.machine.numbers.values()
    rows = tuple((n.name, str(n.value), n.status, n.source) for n in numbers)
    return Table("Numbers of the machine", ("name", "value", "status", "source"), rows)
