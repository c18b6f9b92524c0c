"""The passes on nests in their order: from a lowered nest to one that is ready to print.

After them the nest says all that its printer needs: where memory lies (``Tensor.memory``), which
loops are lanes and which the C compiler unrolls (``For.kind``), which run in parallel together
(``For.collapse``), and which values get a name (``invariants``, ``Store.shared``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from s2s.scop.nest import Nest, Node
from s2s.scop.normal_form import normal
from s2s.source.records import dataclass
from s2s.transforms.nest.atomic import serialize_atomics
from s2s.transforms.nest.group_lanes import group_lanes
from s2s.transforms.nest.jam import jam_rows
from s2s.transforms.nest.join import join_lanes
from s2s.transforms.nest.lanes import lower_lanes
from s2s.transforms.nest.lifetimes import hoist_memory, place_memory
from s2s.transforms.nest.lookups import split_lookups
from s2s.transforms.nest.merge import merge_lanes
from s2s.transforms.nest.narrow_floats import widen_floats
from s2s.transforms.nest.partition import partition_loops
from s2s.transforms.nest.registers import unroll_copies
from s2s.transforms.nest.sharing import name_values
from s2s.transforms.nest.threads import collapse_loops
from s2s.transforms.nest.undefined import drop_undefined
from s2s.transforms.nest.unroll import unroll_loops
from s2s.transforms.nest.windows import compute_windows


@dataclass(frozen=True)
class NestPass:
    """A step from a nest to a nest that computes the same; ``run`` may raise Inexpressible."""

    name: str
    run: Callable[[Nest], Nest]


def _on_body(name: str, change: Callable[[Node], Node]) -> NestPass:
    """A pass that only changes the statements of a nest."""
    return NestPass(name, lambda nest: replace(nest, body=change(nest.body)))


CHANGES = (
    NestPass("narrow-floats", widen_floats),
    _on_body("undefined", drop_undefined),
    _on_body("normal", normal),
    _on_body("unroll", unroll_loops),
    _on_body("atomic", serialize_atomics),
    _on_body("join", join_lanes),
    _on_body("partition", partition_loops),
    _on_body("merge", merge_lanes),
    _on_body("divided", group_lanes),
    _on_body("lanes", lower_lanes),
    _on_body("windows", compute_windows),
    _on_body("jam", jam_rows),
    _on_body("lookups", split_lookups),
    _on_body("lifetimes", hoist_memory),
)
"""What changes loops and statements."""

CHOICES = (
    _on_body("memory", place_memory),
    _on_body("threads", collapse_loops),
    _on_body("registers", unroll_copies),
    NestPass("sharing", name_values),
)
"""What says how to print them; nothing may change a nest afterwards."""


def prepare(nest: Nest, passes: Sequence[NestPass] = CHANGES + CHOICES) -> Nest:
    """The nest after the passes, ready to print. Raises Inexpressible."""
    for step in passes:
        nest = step.run(nest)
    return nest
