"""Run a kernel: every block on a core of its own, one after another."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from s2s.simulators.davinci.core.clock import Clock
from s2s.simulators.davinci.core.findings import Findings
from s2s.simulators.davinci.core.hazards import Hazards
from s2s.simulators.davinci.core.intrinsics import MAKE
from s2s.simulators.davinci.core.memory import BASE, Array
from s2s.simulators.davinci.core.state import Core, Stop
from s2s.simulators.davinci.core.sweep import Sweep
from s2s.simulators.davinci.kernel import Kernel
from s2s.simulators.davinci.kinds import Pointer, Scalar, Type
from s2s.simulators.davinci.machine import Chip
from s2s.simulators.davinci.problems import problem
from s2s.source import work_done
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Given:
    """What a kernel gets: arrays and numbers by the names of parameters, blocks, a seed."""

    arrays: Mapping[str, Any]
    numbers: Mapping[str, float]
    blocks: int = 1
    seed: int = 0
    deep: bool = False
    trace: int = 0


@dataclass(frozen=True)
class Execution:
    """``cores``: clocks and counters of each block. ``arrays``: what global memory holds."""

    kernel: Kernel
    arrays: Sequence[Array]
    cores: Sequence[Core]
    findings: Findings

    @property
    def cycles(self) -> float:
        """Those of the slowest core."""
        return max(core.clock.cycles for core in self.cores)


def execute(kernel: Kernel, chip: Chip, given: Given) -> Execution:
    """Run a kernel on all its blocks. Raises UserError for a call of what is no intrinsic."""
    if not given.blocks >= 1:
        raise problem("a kernel runs in one block at least")
    findings = Findings()
    shared = _arrays(kernel, given)
    cores: list[Core] = []
    collecting = gc.isenabled()
    gc.disable()
    try:
        work_done.begin(given.blocks)
        for block in range(given.blocks):
            core = _core(chip, shared, findings, given, block)
            used: list[str] = []
            run = kernel.bind(_binder(core, used))
            core.hazards.use(tuple(dict.fromkeys([*used, "S"])))
            cores.append(core)
            if not _run(kernel, run, core, block, given):
                break
            work_done.advance(inside=True)
    finally:
        if collecting:
            gc.enable()
    return Execution(kernel, shared, cores, findings)


def _core(
    chip: Chip, arrays: Sequence[Array], findings: Findings, given: Given, block: int
) -> Core:
    keep = given.trace if block == 0 else 0
    clock = Sweep(chip) if chip.settings > 1 else Clock(chip, keep)
    hazards = Hazards(clock, findings, ())
    blocks = given.blocks if given.deep else 1
    return Core(chip, arrays, findings, clock, hazards, given.seed, given.deep, block, blocks)


def _run(kernel: Kernel, run: Callable[..., None], core: Core, block: int, given: Given) -> bool:
    """Run a block; whether the others are worth running."""
    addresses: list[float] = []
    number = 0
    for parameter in kernel.parameters:
        if isinstance(parameter.type, Pointer):
            number += 1
            addresses.append(number << BASE)
        else:
            addresses.append(given.numbers[parameter.name])
    try:
        with np.errstate(all="ignore"):
            run(block, given.blocks, *addresses)
    except Stop:
        return False
    for (source, target, event), token in core.clock.tokens.items():
        core.findings.say(
            "flag", token.line,
            f"EVENT_ID{event} from {source} to {target} is set and never waited for",
        )  # fmt: skip
    return True


def _binder(core: Core, used: list[str]) -> Callable[..., Callable[..., Any]]:
    def bind(name: str, types: tuple[Type, ...], line: int) -> Callable[..., Any]:
        pipe, make = MAKE[name]
        used.append(pipe)
        return make(core, name, types)

    return bind


def _arrays(kernel: Kernel, given: Given) -> list[Array]:
    names = {p.name for p in kernel.parameters}
    for name in [*given.arrays, *given.numbers]:
        if name not in names:
            known = ", ".join(p.name for p in kernel.parameters)
            raise problem(f"'{kernel.name}' has no parameter '{name}'; it has {known}")
    arrays = []
    for parameter in kernel.parameters:
        if isinstance(parameter.type, Pointer):
            if parameter.name in given.numbers:
                raise problem(f"'{parameter.name}' is an array, not a number")
            if parameter.type.space != "gm":
                raise problem(f"'{parameter.name}' has to be an address in '__gm__'")
            values = given.arrays.get(parameter.name)
            element = parameter.type.element.name
            arrays.append(Array(parameter.name, element, values, values is not None))
        elif isinstance(parameter.type, Scalar) and parameter.name not in given.numbers:
            raise problem(f"'{parameter.name}' is a number: give --value {parameter.name}=NUMBER")
    return arrays
