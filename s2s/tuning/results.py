"""What ``s2s.tune`` gives for accelerators, as data: designs of pipelines, mappings of layers.

Everything here is frozen and can be pickled.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from textwrap import dedent
from typing import TYPE_CHECKING

from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.tuning.clockwork.search import Found, Search
    from s2s.tuning.spatial.networks import Result as Shape
    from s2s.tuning.spatial.networks import Wanted


@dataclass(frozen=True)
class Design:
    """A schedule of a pipeline that was compiled for the array and simulated, and fits it.

    ``values`` are what the search chose, by parameter or directive; ``schedule`` is the text that
    stands in the source for it. ``cycles`` are those of all ``runs`` together, none of which can
    be below ``bound``. ``pes`` and ``memories`` are tiles of the array; ``occupancy`` is the part
    of the cycles in which the last kernels fire, None where that is not known. ``on_front``: no
    other design beats it in cycles, PEs and memories at once.
    """

    values: Mapping[str, str]
    schedule: str
    cycles: int
    runs: int
    bound: int
    pes: int
    memories: int
    occupancy: float | None
    on_front: bool


@dataclass(frozen=True)
class Designs:
    """The designs that a search found, fastest first; there is at least one.

    ``data`` is the source with the fastest schedule, ``original`` as it came. ``limits`` are what
    a design may take. ``considered`` schedules were bounded, ``simulated`` ones executed;
    ``first_cycles`` are those of the source's own schedule, None where it has no design.
    """

    path: str
    name: str
    original: bytes = field(repr=False)
    data: bytes = field(repr=False)
    designs: tuple[Design, ...]
    limits: Mapping[str, int]
    considered: int
    simulated: int
    first_cycles: int | None
    warnings: tuple[str, ...] = ()

    @property
    def best(self) -> Design:
        """The fastest."""
        return self.designs[0]

    @property
    def front(self) -> tuple[Design, ...]:
        """Those that no other one beats, fastest first."""
        return tuple(one for one in self.designs if one.on_front)

    @property
    def text(self) -> str:
        """The source with the fastest schedule."""
        return self.data.decode("utf-8", "surrogateescape")

    def _repr_html_(self) -> str:
        head = ("cycles", "at least", "PEs", "memories", "schedule")
        rows = [
            (str(one.cycles), str(one.bound), str(one.pes), str(one.memories), one.schedule)
            for one in self.front
        ]
        said = f"{self.name}: {self.considered} schedules, {self.simulated} simulated"
        return f"<p>{html.escape(said)}</p>{_table(head, rows)}"


@dataclass(frozen=True)
class LayerMapping:
    """The best mapping that was found of layers of one shape, and what it costs each of them.

    ``directives`` is the layer with its mapping, in MAESTRO's notation. ``bound`` are cycles below
    which none goes; ``gap`` is the part of the lower bound by which another mapping may be better
    in what was searched for, 0 where none is. ``roofline`` are the cycles of the peak. ``energy``
    is in multiply-accumulates, ``dram`` in bytes, ``utilization`` the part of the units that are
    busy. ``front`` has cycles and energy of the mappings that no other one beats in both.
    """

    names: tuple[str, ...]
    kind: str
    directives: str
    macs: int
    cycles: int
    roofline: float
    bound: float
    gap: float
    energy: float
    dram: int
    utilization: float
    front: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Mappings:
    """The layers of a file, mapped for a machine; repeated shapes are searched once.

    ``text`` is the network with its mappings, which ``s2s simulate`` runs and ``s2s transform
    --mapping`` takes. ``missing`` are layers that fit the machine's buffers in no way, ``left_out``
    says what of the file is no layer.
    """

    path: str
    machine: str
    objective: str
    text: str = field(repr=False)
    shapes: tuple[LayerMapping, ...]
    missing: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def cycles(self) -> int:
        """Of all layers, one after the other."""
        return sum(len(one.names) * one.cycles for one in self.shapes)

    @property
    def energy(self) -> float:
        """Of all layers, in multiply-accumulates."""
        return sum(len(one.names) * one.energy for one in self.shapes)

    def layer(self, name: str) -> LayerMapping:
        """The mapping of the layer with this name. Raises KeyError."""
        for one in self.shapes:
            if name in one.names:
                return one
        raise KeyError(name)

    def _repr_html_(self) -> str:
        head = ("layers", "cycles", "roofline", "gap %", "energy", "DRAM bytes")
        rows = [
            (
                ", ".join(one.names), str(one.cycles), f"{one.roofline:.0f}",
                f"{100 * one.gap:.2f}", f"{one.energy:.4g}", str(one.dram),
            )
            for one in self.shapes
        ]  # fmt: skip
        said = f"{self.machine}, for {self.objective}: {self.cycles} cycles"
        return f"<p>{html.escape(said)}</p>{_table(head, rows)}"


def designs_of(path: str, search: Search, original: bytes) -> Designs:
    """What a search that has run found; it has at least one good design.

    Raises UserError where the source's text cannot be given the fastest schedule.
    """
    from s2s.tuning.clockwork.rewritten import rewritten

    good, front = search.good(), {one.places for one in search.front()}
    own = search.mapped.get(search.space.base)
    return Designs(
        path,
        search.space.program(search.space.base).steps.pipeline.name,
        original,
        rewritten(search.space, good[0].places).data,
        tuple(_design(search, one, one.places in front) for one in good),
        dict(vars(search.limits)),
        len(search.bounds),
        len(search.measured),
        own.total if own is not None and own.is_good else None,
        tuple(search.store.warnings),
    )


def _design(search: Search, found: Found, on_front: bool) -> Design:
    from s2s.tuning.clockwork.rewritten import schedule_text

    one = found.measured
    assert one is not None
    return Design(
        search.space.values(found.places), schedule_text(search.space, found.places), found.total,
        one.runs, found.bound.total, one.pes, one.memories,
        one.ideal / one.cycles if one.ideal else None, on_front,
    )  # fmt: skip


def shape_of(one: Shape, wanted: Wanted) -> LayerMapping:
    """What was found for layers of one shape."""
    from s2s.source.spatial.writing import write_layer
    from s2s.tuning.spatial.bound import roofline

    machine, figures = wanted.machine, one.figures
    return LayerMapping(
        one.names,
        one.problem.layer.kind.value,
        dedent(write_layer(one.best.mapped(one.problem))).rstrip(),
        figures.macs,
        figures.cycles,
        roofline(one.problem.layer, machine),
        one.outcome.bound,
        one.gap(wanted),
        figures.energy(machine),
        figures.dram * machine.element_bytes,
        figures.utilization(machine),
        tuple((each.cycles, each.energy(machine)) for _, each in one.front),
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table that a notebook shows with its own colours."""
    body = "".join(_row("td", row) for row in rows)
    return f"<table><thead>{_row('th', head)}</thead><tbody>{body}</tbody></table>"


def _row(tag: str, cells: Sequence[str]) -> str:
    style = ' style="white-space:pre-wrap;text-align:left"'
    return "<tr>" + "".join(f"<{tag}{style}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"
