"""The files of a design, executed against the program of others that they came from.

Both run on the same words: the design cycle by cycle with the functions that were printed, the
program in its own order with the functions of its own compute file.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from s2s.net import Mismatch
from s2s.source.clockwork.memory_file import read_program
from s2s.source.clockwork.programs import Program
from s2s.source.diagnostics import UserError


def check_program(name: str, files: Mapping[str, str], memory: str, compute: str) -> str:
    """Words about what was compared. Raises Mismatch, and UserError for an output of the program
    that depends on what nothing wrote.
    """
    import numpy as np

    from s2s.simulators.amber.data import input_words
    from s2s.simulators.amber.design import read_design
    from s2s.simulators.amber.execute import execute
    from s2s.simulators.amber.machine import load
    from s2s.simulators.amber.netlist import flatten

    source = read_program(memory, name, compute)
    words = input_words(source, {}, 0)
    wanted = execute(source, compute, None, words).words
    with tempfile.TemporaryDirectory(prefix="s2s-net-") as folder:
        for file, text in files.items():
            (Path(folder) / file).write_text(text, encoding="utf-8")
        try:
            design = read_design(f"{folder}/{name}_design.json")
            made = replace(read_program(design.memory), streamed=design.streamed)
            _check_streams(source, made)
            given = execute(made, design.compute, flatten(design, made, load()), words).words
        except UserError as error:
            said = error.diagnostics[0]
            where = f"line {said.location.line}: " if said.location else ""
            raise Mismatch(f"the emitted design fails: {where}{said.text}") from None
    if not np.array_equal(given, wanted):
        place = int(np.nonzero(given != wanted)[0][0])
        element = source.element(place + source.count(source.inputs))
        raise Mismatch(
            f"the emitted design gives {given[place]} for {element}, the program {wanted[place]}"
        )
    return f"the emitted design gave what the program gives, {wanted.size} elements"


def run_program(program: Program, compute: str) -> None:
    """Run a program in its own order on words that are made up. Raises UserError, as above."""
    from s2s.simulators.amber.data import input_words
    from s2s.simulators.amber.execute import execute

    execute(program, compute, None, input_words(program, {}, 0))


def _check_streams(source: Program, made: Program) -> None:
    """Both have the same streams: numbers of elements are compared, not names."""
    for name in (*source.inputs, *source.outputs):
        if name not in source.boxes:
            continue
        one, other = source.boxes[name], made.boxes.get(name)
        if other is None or (one.minima, one.extents) != (other.minima, other.extents):
            raise Mismatch(f"the emitted design has another stream '{name}'")
