"""Graph loops: fused, their edges flipped (chapter 7 of Chatarasi's dissertation).

A pass on the text of functions: what loops over vertices and edges do is recognised by
``frontends/c/graphs.py``, and each transformation proves what it needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import ClassVar, Literal

from s2s.frontends.c.unit import Unit
from s2s.rewriters.graphs.cilk import openmp_edits
from s2s.rewriters.graphs.flips import Flips
from s2s.rewriters.graphs.fusion import Fusion
from s2s.rewriters.text_pass import FilePass, TextPass
from s2s.source import Edit
from s2s.source.diagnostics import Diagnostic
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Graph(FilePass):
    """The pass. ``machine`` is what the estimates of gains are for."""

    name: ClassVar[str] = "graph"
    machine: Literal["cpu", "emu"] = field(
        default="cpu", metadata={"help": "what the new loops are for"}
    )
    fuse: bool = field(default=True, metadata={"help": "loops over the same vertices become one"})
    flip: Literal["no", "push", "pull", "any"] = field(
        default="any", metadata={"help": "loops that pull become ones that push, and back"}
    )
    remote: bool = field(
        default=True, metadata={"help": "atomics whose values are not used cost no migration"}
    )
    changed: bool = field(
        default=True, metadata={"help": "in rounds, only vertices that have changed push"}
    )
    small: int = field(
        default=4096, metadata={"help": "graphs with fewer vertices pull where others may push"}
    )
    reassociate: bool = field(
        default=False, metadata={"help": "sums and products may be regrouped"}
    )

    @property
    def regroups(self) -> bool:
        return self.reassociate

    def prepare(self, data: bytes) -> tuple[Edit, ...]:
        """What makes OpenMP of Cilk's loops."""
        return openmp_edits(data)

    def remarks(self, unit: Unit) -> Sequence[Diagnostic]:
        """What is odd about the declarations of graphs."""
        return unit.graphs.diagnostics

    def steps(self, unit: Unit) -> Iterator[TextPass]:
        """The transformations in their order; a loop with several updates is not flipped, so that
        fusion comes last.
        """
        if unit.is_cxx:
            return
        if self.flip != "no":
            yield Flips(
                self.machine, self.flip, self.reassociate, self.remote, self.changed, self.small
            )
        if self.fuse:
            yield Fusion(self.machine)
