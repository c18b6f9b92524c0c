"""What a simulation found, for people and as JSON."""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from s2s.simulators.aie.program import Array, Loop, Program, loops

if TYPE_CHECKING:
    from s2s.simulators.aie.execute import Execution

_MACS = re.compile(r"\b(\d+) multiplications\b")


def useful_multiplications(text: str, execution: Execution) -> int:
    """Those that the kernel is for, as a comment in it says; else all that it does."""
    said = _MACS.search(text)
    return int(said[1]) if said else execution.counts.multiplications


def as_json(program: Program, execution: Execution, text: str, inputs: Mapping[str, Any]) -> str:
    record = {
        "kernel": program.name,
        "machine": "aie1",
        "multiplications": execution.counts.multiplications,
        "useful_multiplications": useful_multiplications(text, execution),
        "result": execution.result,
        "arrays": [_array(one, execution) for one in _arrays(program)],
        "loops": [_loop(loop, execution) for loop in loops(program.body)],
    }
    return json.dumps(record, indent=2) + "\n"


def _arrays(program: Program) -> list[Array]:
    return [one for one in (*program.parameters, *program.arrays) if isinstance(one, Array)]


def _array(array: Array, execution: Execution) -> dict[str, Any]:
    values = execution.arrays[array.name]
    return {
        "name": array.name,
        "direction": array.direction.value,
        "type": str(array.element),
        "extents": list(values.shape),
        "crc32": f"{zlib.crc32(values.tobytes()):08x}",
    }


def _loop(loop: Loop, execution: Execution) -> dict[str, Any]:
    counted = execution.counts.loops.get(loop.number, Counter())
    return {
        "line": loop.line,
        "entries": sum(counted.values()),
        "iterations": sum(trips * entries for trips, entries in counted.items()),
        "innermost": loop.is_innermost,
    }


def as_text(
    program: Program,
    execution: Execution,
    text: str,
    inputs: Mapping[str, Any],
    *,
    profile: bool = False,
) -> str:
    """The report: arrays with a checksum, multiplications, cycles."""
    lines = [f"kernel {program.name} on aie1", *_array_lines(program, execution, inputs)]
    done, useful = execution.counts.multiplications, useful_multiplications(text, execution)
    share = f", {useful} of them useful" if useful != done else ""
    lines.append(f"multiplications {done}{share}")
    if execution.result is not None:
        lines.append(f"result {execution.result}")
    if profile:
        lines += _loop_lines(program, execution)
    return "\n".join(lines) + "\n"


def _array_lines(
    program: Program, execution: Execution, inputs: Mapping[str, Any]
) -> Iterator[str]:
    for array in _arrays(program):
        said = _array(array, execution)
        extents = "".join(f"[{extent}]" for extent in said["extents"])
        yield f"  {said['direction']:5} {said['type']} {array.name}{extents} crc32 {said['crc32']}"


def _loop_lines(program: Program, execution: Execution) -> Iterator[str]:
    for loop in loops(program.body):
        said = _loop(loop, execution)
        yield f"  line {said['line']}: {said['iterations']} iterations in {said['entries']} entries"
