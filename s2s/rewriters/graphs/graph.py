"""Graph loops: fused, their edges flipped (chapter 7 of Chatarasi's dissertation).

A pass on the text of functions: what loops over vertices and edges do is recognised by
``frontends/c/graphs.py``, and each transformation proves what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from s2s.frontends.c.regions import Function
from s2s.rewriters.graphs.flips import Flips
from s2s.rewriters.graphs.fusion import fusions
from s2s.rewriters.graphs.rewrite import Rewrite

Step = Callable[[Function], Iterator[Rewrite]]


@dataclass(frozen=True)
class Graph:
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

    def steps(self) -> Iterator[Step]:
        """The transformations in their order, each for the text that the one before left.

        A loop with several updates is not flipped, so fusion comes last.
        """
        if self.flip != "no":
            yield Flips(
                self.machine, self.flip, self.reassociate, self.remote, self.changed, self.small
            )
        if self.fuse:
            yield fusions
