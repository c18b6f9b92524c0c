"""A kernel of the suite on the simulator, with numbers that are the same each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from s2s.scop.cce import Program
    from s2s.simulators.davinci.core.execute import Execution
    from s2s.simulators.davinci.machine import Chip


def simulate(program: Program, chip: Chip, path: Path | None = None) -> Execution:
    """Run the first block, which has as many planes as any; ``path``: where its text is kept."""
    import numpy as np

    from s2s.emitters.davinci.kernel import print_program
    from s2s.simulators.davinci.core.execute import Given, execute
    from s2s.simulators.davinci.source import read
    from s2s.simulators.davinci.translate import translate
    from s2s.source.output import write_file

    text = print_program(program)
    if path is not None:
        write_file(str(path), text.encode())
    random = np.random.default_rng(1)
    arrays = {}
    for argument in program.arguments:
        high = 2 if argument.name == "masks" else 64
        values = random.integers(0, high, argument.extents) if not argument.is_output else 0
        arrays[argument.name] = np.zeros(argument.extents, np.float16) + values
    return execute(translate(read(text, "kernel.cce.c")), chip, Given(arrays, {}))
