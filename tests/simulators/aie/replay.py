"""A schedule and its registers run on a machine of labels, as the hardware would.

Every operation of every iteration puts its label into the parts of its register when its latency
has passed, and finds the labels that it should in the parts that it reads; slots and pointers are
taken once per cycle.
"""

from s2s.simulators.aie.timing.fit import Fitted
from s2s.simulators.aie.timing.operation import File, Part, Register


def replay(fitted: Fitted, iterations: int = 4) -> None:
    """Fails if a value is not where it is read, or two operations meet in a slot."""
    assert fitted.fits
    _check_resources(fitted, iterations)
    assert _labels(fitted, iterations) > 0


def _check_resources(fitted: Fitted, iterations: int) -> None:
    taken: set[tuple[str, int]] = set()
    schedule = fitted.schedule
    for one in fitted.body.operations:
        assert schedule.slots[one.number] in one.slots
        for turn in range(iterations):
            time = schedule.times[one.number] + turn * schedule.interval
            keys = [(schedule.slots[one.number], time)]
            if one.access is not None:
                keys.append((f"through {one.access.pointer}", time))
            assert not taken & set(keys), (one, time)
            taken |= set(keys)


def _labels(fitted: Fitted, iterations: int) -> int:
    """Runs the labels; how many parts were read and right."""
    schedule = fitted.schedule
    lands: dict[int, list[tuple[Register, int]]] = {}
    reads: dict[int, list[tuple[Part, int]]] = {}
    for one in fitted.body.operations:
        for turn in range(iterations):
            time = schedule.times[one.number] + turn * schedule.interval
            if one.result is not None:
                lands.setdefault(time + one.latency, []).append((one.result, turn))
            for part, stage in one.reads():
                reads.setdefault(time + stage, []).append((part, turn - part.distance))
    where = fitted.allocation.parts
    outside = set(fitted.body.live_in)
    held = {
        (r.file, where[r][i]): (r, i, -1)
        for r in outside
        if r.file is not File.SCALAR
        for i in range(r.parts)
    }
    right = 0
    for cycle in range(max((*lands, *reads), default=-1) + 1):
        for register, turn in lands.get(cycle, ()):
            if register.file is not File.SCALAR:
                for index, place in enumerate(where[register]):
                    held[register.file, place] = register, index, turn
        for part, turn in reads.get(cycle, ()):
            register = part.register
            if register.file is File.SCALAR or turn < 0:
                continue
            found = held.get((register.file, where[register][part.index]))
            wanted = -1 if register in outside else turn
            assert found == (register, part.index, wanted), (cycle, part, found)
            right += 1
    return right
