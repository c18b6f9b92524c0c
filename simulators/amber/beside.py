"""A design's handshakes run beside its cycles, on the same words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from s2s.simulators.amber.handshakes import (
    CompiledHandshakes,
    HandshakeRun,
    compiled_handshakes,
    read_handshakes,
)
from s2s.simulators.amber.problems import problem
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.simulators.amber.data import Words
    from s2s.simulators.amber.design import Design
    from s2s.simulators.amber.execute import Execution, Run
    from s2s.source.clockwork.programs import Program


@dataclass
class Beside:
    """Runs of both; ``runs`` are those of the handshakes."""

    run: Run
    waiting: CompiledHandshakes
    stalls: int = 0
    runs: list[HandshakeRun] = field(default_factory=list)

    @property
    def program(self) -> Program:
        return self.run.program

    def __call__(self, words: Words, *, check: bool = True, trace: int = 0) -> Execution:
        """What comes of the words of all input streams. Raises UserError where both differ."""
        found = self.run(words, check=check, trace=trace)
        other = self.waiting(words, check=check, stalls=self.stalls)
        if (found.words != other.words).any():
            raise problem(f"{other.design.path}: its words are not those of the design's cycles")
        self.runs.append(other)
        return found


@contextmanager
def with_handshakes(run: Run, design: Design, stalls: int = 0) -> Iterator[Run | Beside]:
    """A compiled design, with its handshakes where there are some. Raises UserError."""
    path = Path(design.path).with_name(f"{design.name}_handshakes.json")
    if not path.is_file():
        if stalls:
            raise problem(f"{design.path}: has no handshakes, so its streams cannot stand still")
        yield run
        return
    with compiled_handshakes(read_handshakes(str(path)), run.program, design.compute) as waiting:
        yield Beside(run, waiting, stalls)
