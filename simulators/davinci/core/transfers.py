"""Transfers between memories, in bursts of 32-byte blocks."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from s2s.simulators.davinci.core.state import Core
from s2s.simulators.davinci.kinds import MEMORY_NAMES, NUMPY, SPACES, Pointer, Type
from s2s.source.records import dataclass

Run = Callable[..., None]


@dataclass(frozen=True)
class Path:
    """From a memory to another one: the pipe, and names of the machine's numbers."""

    source: str
    target: str
    pipe: str
    rate: str
    fixed: str


PATHS = {
    "copy_gm_to_ubuf": Path("gm", "ub", "MTE2", "gm_read_bytes", "gm_read_fixed"),
    "copy_gm_to_cbuf": Path("gm", "l1", "MTE2", "gm_read_bytes", "gm_read_fixed"),
    "copy_ubuf_to_gm": Path("ub", "gm", "MTE3", "gm_write_bytes", "gm_write_fixed"),
    "copy_ubuf_to_ubuf": Path("ub", "ub", "V", "ub_copy_bytes", "vector_start"),
    "copy_cbuf_to_ubuf": Path("l1", "ub", "MTE1", "move_bytes", "move_fixed"),
    "copy_ubuf_to_cbuf": Path("ub", "l1", "MTE3", "move_bytes", "move_fixed"),
}


@lru_cache(maxsize=4096)
def _bytes(count: int, length: int, gap: int) -> tuple[Any, Any, int]:
    """Bytes and blocks of bursts, counted from the first one, and how far they reach."""
    starts = np.arange(count)[:, None] * (length + gap)
    blocks = (starts + np.arange(length)).ravel()
    places = (blocks[:, None] * 32 + np.arange(32)).ravel()
    return places, blocks, int(blocks[-1] + 1) * 32


def transfer(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``name(dst, src, sid, bursts, blocks in one, gap in src, gap in dst[, padding mode])``."""
    if len(types) not in (7, 8) or (len(types) == 8 and name != "copy_gm_to_cbuf"):
        raise TypeError(f"'{name}' takes 7 arguments, {len(types)} are given")
    path = PATHS[name]
    for place, space in ((0, path.target), (1, path.source)):
        given = types[place]
        if not isinstance(given, Pointer) or given.space != space:
            word = next(w for w, s in SPACES.items() if s == space)
            raise TypeError(f"argument {place + 1} of '{name}' has to be an address in '{word}'")
    rate, fixed = core.chip[path.rate], core.chip[path.fixed]
    burst = core.chip["gm_burst"] if "gm" in (path.source, path.target) else 0.0
    tail = core.chip["vector_tail"] if path.pipe == "V" else 0.0

    def run(
        line: int, dst: int, src: int, _: int, count: int, length: int, s_gap: int, d_gap: int,
        *__: object,
    ) -> None:  # fmt: skip
        if not 0 <= count <= 4095:
            core.findings.say("burst", line, f"'{name}' with {count} bursts; 4095 at most")
            count &= 4095
        for what, value in (("length", length), ("gap", s_gap), ("gap", d_gap)):
            if not 0 <= value <= 65535:
                core.findings.say(
                    "burst", line, f"'{name}' with a {what} of {value}; 65535 at most"
                )
        s_gap, d_gap, length = s_gap & 65535, d_gap & 65535, length & 65535
        if count == 0 or length == 0:
            return
        here, s_blocks, s_end = _bytes(count, length, s_gap)
        there, d_blocks, d_end = _bytes(count, length, d_gap)
        values = _read(core, path, src, here, s_blocks, s_end, line)
        _write(core, path, dst, there, d_blocks, d_end, line, values, d_gap == 0 or count == 1)
        moved = count * length * 32
        core.count_bytes(f"{path.source} to {path.target}", moved)
        cycles = fixed + burst * (count - 1) + moved / rate
        core.clock.run(path.pipe, line, cycles, 0.0, tail)

    return run


def _read(
    core: Core, path: Path, address: int, places: Any, blocks: Any, end: int, line: int
) -> Any:
    dense = len(places) == end
    if path.source == "gm":
        array, byte = core.array(address, 0, end, line)
        used = None if dense else blocks + address // 32
        core.hazards.touch(path.pipe, "gm", address, address + end, False, line, 0, used)
        return core.load(array, slice(byte, byte + end) if dense else places + byte, line)
    core.inside(path.source, address, 0, end, line)
    memory = core.memories[path.source]
    if not memory.spans.covers(address, address + end):
        halves = (places[::2] + address) // 2
        if not memory.defined[halves].all():
            first = int(halves[~memory.defined[halves]][0]) * 2
            core.findings.say(
                "undefined", line,
                f"byte {first} of {MEMORY_NAMES[path.source]} is copied, which has no value",
            )  # fmt: skip
    core.hazards.touch(
        path.pipe, path.source, address, address + end, False, line,
        address // 32, None if dense else blocks,
    )  # fmt: skip
    return memory.bytes[address : address + end].copy() if dense else memory.bytes[places + address]


def _write(
    core: Core, path: Path, address: int, places: Any, blocks: Any, end: int, line: int,
    values: Any, dense: bool,
) -> None:  # fmt: skip
    if path.target == "gm":
        array, byte = core.array(address, 0, end, line)
        used = None if dense else blocks + address // 32
        core.hazards.touch(path.pipe, "gm", address, address + end, True, line, 0, used)
        core.store(array, places + byte, values, line)
        return
    core.inside(path.target, address, 0, end, line)
    memory = core.memories[path.target]
    core.hazards.touch(
        path.pipe, path.target, address, address + end, True, line,
        address // 32, None if dense else blocks,
    )  # fmt: skip
    if dense:
        memory.bytes[address : address + end] = values
        memory.define(address, address + end)
    else:
        memory.bytes[places + address] = values
        memory.define_at((places[::2] + address) // 2, address, address + end)


def load_scalar(core: Core, name: str, types: tuple[Type, ...]) -> Callable[..., Any]:
    """The scalar unit reads an element."""
    given = types[0]
    assert isinstance(given, Pointer)
    _scalar_space(given)
    size, kind = given.element.bytes, given.element.name

    def run(line: int, address: int) -> Any:
        core.hazards.touch("S", given.space, address, address + size, False, line)
        core.clock.work(line, core.chip["scalar_load"])
        if given.space == "gm":
            array, byte = core.array(address, 0, size, line)
            return core.load(array, slice(byte, byte + size), line).view(NUMPY[kind])[0].item()
        core.inside("ub", address, 0, size, line, align=size)
        if not core.ub.is_whole(address, address + size):
            core.findings.say("undefined", line, f"byte {address} is read, which has no value")
        return core.ub.view(kind)[address // size].item()

    return run


def store_scalar(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """The scalar unit writes an element."""
    given = types[0]
    assert isinstance(given, Pointer)
    _scalar_space(given)
    size, kind = given.element.bytes, given.element.name

    def run(line: int, address: int, value: float) -> None:
        core.hazards.touch("S", given.space, address, address + size, True, line)
        core.clock.work(line, core.chip["scalar_load"])
        if given.space == "gm":
            array, byte = core.array(address, 0, size, line)
            values = np.array([value], NUMPY[kind]).view(np.uint8)
            core.store(array, slice(byte, byte + size), values, line)
            return
        core.inside("ub", address, 0, size, line, align=size)
        core.ub.view(kind)[address // size] = value
        core.ub.define(address, address + size)

    return run


def _scalar_space(given: Pointer) -> None:
    if given.space not in ("ub", "gm"):
        raise TypeError("the scalar unit reads and writes '__ubuf__' and '__gm__' alone")
