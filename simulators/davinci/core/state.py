"""A core: its memories, registers, clock, and the checks that every instruction makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from s2s.simulators.davinci.core.buffers import Buffers
from s2s.simulators.davinci.core.clock import Clock
from s2s.simulators.davinci.core.findings import Findings
from s2s.simulators.davinci.core.hazards import Hazards
from s2s.simulators.davinci.core.lanes import Lanes
from s2s.simulators.davinci.core.memory import BASE, Array, Memory
from s2s.simulators.davinci.kinds import MEMORY_NAMES
from s2s.simulators.davinci.machine import Chip
from s2s.source.records import dataclass

SIZES = {
    "ub": "ub_bytes",
    "l1": "l1_bytes",
    "l0a": "l0a_bytes",
    "l0b": "l0b_bytes",
    "l0c": "l0c_bytes",
}
ALL = (1 << 128) - 1


class Stop(Exception):
    """The program cannot be run any further: a finding says why."""


@dataclass(frozen=True)
class Window:
    """What ``set_fmatrix`` or ``set_fcol2img`` says of an image: extents and padding in points."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int


def window(bits: int) -> Window:
    """Fields of the register: W 15:0, H 31:16, then a byte each: left, right, top, bottom."""
    width, height = bits & 0xFFFF, bits >> 16 & 0xFFFF
    return Window(width, height, *(bits >> shift & 0xFF for shift in (32, 40, 48, 56)))


@dataclass
class Core:
    """``deep``: also look for missing barriers inside of the vector pipe.

    ``block`` is the number of the block that it runs, of ``blocks``.
    """

    chip: Chip
    arrays: Sequence[Array]
    findings: Findings
    clock: Clock
    hazards: Hazards
    seed: int = 0
    deep: bool = False
    block: int = 0
    blocks: int = 1
    memories: Mapping[str, Memory] = field(default_factory=dict)
    mask: int = ALL
    cmpmask: Any = None
    cmpmask_at: int = -1
    """The number that the vector instruction had that set it."""
    image: Window | None = None
    output: Window | None = None
    padding: int = 0
    moved: dict[str, int] = field(default_factory=dict)
    lanes_used: int = 0
    lanes_all: int = 0
    vector_writes: Any = None
    buffers: Buffers = field(default_factory=Buffers)

    def __post_init__(self) -> None:
        self.memories = {s: Memory(s, self.chip.size(name)) for s, name in SIZES.items()}
        self.ub = self.memories["ub"]
        self.vector_writes = np.zeros(self.ub.size // 32, np.int64)

    # ---- addresses

    def inside(
        self, space: str, address: int, low: int, high: int, line: int, align: int = 32
    ) -> None:
        """An access of a buffer's bytes. Raises Stop where they are not there."""
        memory = self.memories[space]
        if address % align:
            self.findings.say(
                "alignment", line,
                f"byte {address} of {MEMORY_NAMES[space]} is not aligned to {align} bytes",
            )  # fmt: skip
            raise Stop
        if self.deep:
            odd = self.buffers.touch(space, address + low, address + high, line)
            if odd:
                self.findings.say("buffers", line, odd, is_error=False)
        if address + low < 0 or address + high > memory.size:
            self.findings.say(
                "overflow", line,
                f"bytes {address + low} to {address + high - 1} of {MEMORY_NAMES[space]}, "
                f"which has {memory.size}",
            )  # fmt: skip
            raise Stop

    def array(self, address: int, low: int, high: int, line: int) -> tuple[Array, int]:
        """The array of a global address, and the byte in it."""
        number, byte = (address >> BASE) - 1, address & ((1 << BASE) - 1)
        if not 0 <= number < len(self.arrays) or byte >= 1 << (BASE - 1):
            self.findings.say("overflow", line, "an address before the beginning of an array")
            raise Stop
        array = self.arrays[number]
        if byte + low < 0 or (array.fixed and byte + high > len(array.bytes)):
            self.findings.say(
                "overflow", line,
                f"bytes {byte + low} to {byte + high - 1} of '{array.name}', "
                f"which has {len(array.bytes)}",
            )  # fmt: skip
            raise Stop
        array.grow(byte + high, self.seed)
        return array, byte

    def load(self, array: Array, where: Any, line: int) -> Any:
        """Bytes of an array that no other block may have written."""
        if self.blocks > 1:
            self._say_block(array, array.read_after(where, self.block), line, "reads what")
        return array.bytes[where]

    def store(self, array: Array, where: Any, values: Any, line: int) -> None:
        """Write bytes of an array; other blocks may write the same values only."""
        array.written = True
        if self.blocks == 1:
            array.bytes[where] = values
        else:
            other = array.store(where, values, self.block)
            self._say_block(array, other, line, "overwrites with another value what")

    def _say_block(self, array: Array, other: tuple[int, int] | None, line: int, what: str) -> None:
        if other is not None:
            byte, block = other
            self.findings.say(
                "race", line,
                f"block {self.block} {what} block {block} writes, byte {byte} of '{array.name}'; "
                "nothing orders blocks",
            )  # fmt: skip

    # ---- vector operands

    def reads(self, address: int, lanes: Lanes, line: int, name: str) -> None:
        """A vector instruction's operand: inside, defined, in nobody else's hands."""
        if lanes.low == lanes.high:
            return
        ub = self.ub
        self.inside("ub", address, lanes.low, lanes.high, line)
        low, high = address + lanes.low, address + lanes.high
        if not ub.spans.covers(low, high) and not ub.defined[lanes.halves + address // 2].all():
            first = (lanes.halves + address // 2)[~ub.defined[lanes.halves + address // 2]][0]
            self.findings.say(
                "undefined", line, f"{name} is read at byte {2 * int(first)}, which has no value"
            )
        self.hazards.touch("V", "ub", low, high, False, line, address // 32, lanes.blocks)
        if self.deep:
            self.late(lanes.blocks + address // 32, line, name)

    def writes(self, address: int, lanes: Lanes, line: int) -> None:
        """A vector instruction's result."""
        if lanes.low == lanes.high:
            return
        self.inside("ub", address, lanes.low, lanes.high, line)
        low, high = address + lanes.low, address + lanes.high
        self.hazards.touch("V", "ub", low, high, True, line, address // 32, lanes.blocks)
        if self.deep:
            self.late(lanes.blocks + address // 32, line, "what is written")

    def wrote(self, address: int, lanes: Lanes, line: int) -> None:
        """The result has its values."""
        if lanes.low == lanes.high:
            return
        low, high = address + lanes.low, address + lanes.high
        if lanes.dense:
            self.ub.define(low, high)
        else:
            self.ub.define_at(lanes.halves + address // 2, low, high)
        if self.deep:
            self.mark(lanes.blocks + address // 32, line)

    def mark(self, blocks: Any, line: int) -> None:
        """Blocks that the vector instruction which is issued next writes."""
        self.vector_writes[blocks] = (self.clock.pipes["V"].count + 1) << 32 | line

    def late(self, blocks: Any, line: int, name: str) -> None:
        """Say where an operand may not be there yet: its writer was issued to the same pipe, with
        no barrier, and no flag that comes back from another pipe, between them.
        """
        marks = self.vector_writes[blocks]
        late = marks[marks >> 32 > self.clock.pipes["V"].known["V"]]
        late = late[(late & 0xFFFFFFFF) != line] if name.startswith("the image") else late
        if late.size:
            self.findings.say(
                "barrier", line,
                f"{name} was written in line {int(late[0]) & 0xFFFFFFFF} of the same pipe, "
                "with no pipe_barrier(PIPE_V) between them", is_error=False,
            )  # fmt: skip

    def count_bytes(self, path: str, count: int) -> None:
        self.moved[path] = self.moved.get(path, 0) + count
