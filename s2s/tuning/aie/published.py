"""The schedules that the Vyasa paper publishes, and the factors of unroll-and-jam chosen there.

The loop of the vectors, the layouts and the order of loops are those of Tables VI and VII; the
factors of unroll-and-jam of rows and columns are left to the search. Kernels are made by
the paper's own steps (``Mapping.paper``), so that what differs is the machine's model alone.

Cycles of the model are right to a few per cent (docs/aie-simulator.md). Of mappings that are as
good as the best to that precision the one with the least code counts as chosen: the paper bounds
factors because of the program memory and the time that compiling takes (section III.F).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from s2s.scop.contraction import Contraction
from s2s.scop.layouts import Axis, Tiled
from s2s.source.records import dataclass
from s2s.transforms.aie.mapping import Mapping as LoopMapping
from s2s.transforms.aie.mapping_text import to_json
from s2s.transforms.aie.space import factors, rows_padded
from s2s.tuning.aie.measured import Measured
from s2s.tuning.aie.search import Search

PRECISION = 0.02
"""The part of the best mapping's cycles by which another one may be slower and count as equal."""
_TOKEN = re.compile(
    r"\((?P<of>[A-Z]'?)/(?P<by>\d+)\)|\((?P<tile>\d+)(?P<own>[A-Z]'?)?\)|(?P<all>[A-Z]'?)"
)


@dataclass(frozen=True)
class Schedule:
    """What the paper's tuner chose: its words about loops, and layouts by tensor.

    ``vector`` and ``order`` are canonical names of loops, outermost first; ``jam`` has the factors
    that are not 1. ``layouts`` are for arrays without dimensions of one element.
    """

    table: str
    vector: str
    order: str
    jam: Mapping[str, int]
    layouts: Mapping[str, Tiled]


def layout(text: str, names: Sequence[str], extents: Sequence[int]) -> Tiled:
    """A layout in the paper's notation, as ``(C/2)Y'X'(2)``, outermost first.

    ``names`` and ``extents`` of dimensions, innermost first. Tiles belong to the divided dimensions
    in their order, or to that which they name. Raises ValueError.
    """
    if _TOKEN.sub("", text):
        raise ValueError(f"no layout: {text}")
    tokens = [match.groupdict() for match in _TOKEN.finditer(text)]
    divided = {token["of"]: int(token["by"]) for token in tokens if token["of"]}
    turn = iter(divided)
    axes = []
    for token in tokens:
        if token["tile"]:
            name = token["own"] or next(turn)
            axes.append(Axis(_place(name, names), 1, int(token["tile"])))
            continue
        place = _place(token["of"] or token["all"], names)
        by = int(token["by"] or 1)
        axes.append(Axis(place, by, -(-extents[place] // by)))
    found = Tiled(tuple(axes))
    if any(found.capacity(place) < extent for place, extent in enumerate(extents)):
        raise ValueError(f"{text} has no place for all of {' '.join(names)}")
    return found


def _place(name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise ValueError(f"{name} is none of {' '.join(names)}")
    return list(names).index(name)


def schedules(contraction: Contraction, schedule: Schedule) -> Iterator[LoopMapping]:
    """The mappings with a published schedule, one for each choice of jam factors."""
    tensors = schedule.layouts
    outputs = [loop.name for loop in contraction.output_loops]
    order = [name for name in schedule.order if name in outputs]
    base = LoopMapping(
        schedule.vector,
        order=(*(name for name in outputs if name not in order), *order),
        image=tensors.get("image"),
        weight=tensors.get("weight"),
        output=tensors.get("output"),
        paper=True,
    )
    if base.image is None and base.weight is None:
        base = rows_padded(contraction, base)
    for jam in factors(contraction, base.vector, _fixed(contraction, schedule)):
        yield replace(base, jam=jam)


def _fixed(contraction: Contraction, schedule: Schedule) -> dict[str, int]:
    """Factors that are not chosen: of the filters, where there are other loops to jam.

    All rows of Table VII have 1 there. That another filter in a body costs so much more than
    another row that it never pays is nothing that the model knows.
    """
    several = [loop.name for loop in contraction.output_loops if loop.extent > 1]
    if not set(several) - {"k"}:
        return {}
    return {name: schedule.jam.get(name, 1) for name in several if name == "k"}


def without_single(tiled: Tiled, extents: Sequence[int]) -> Tiled:
    """The layout without dimensions of one element, as contractions have their arrays."""
    kept = [place for place, extent in enumerate(extents) if extent > 1]
    axes = (axis for axis in tiled.axes if axis.dimension in kept)
    return Tiled(tuple(replace(axis, dimension=kept.index(axis.dimension)) for axis in axes))


@dataclass(frozen=True)
class Choice:
    """The factors that we choose in a published schedule, beside the paper's."""

    schedule: Schedule
    chosen: LoopMapping | None
    cycles: int = 0
    published: int = 0
    """Cycles with the published factors; 0 where that is no kernel that fits."""
    note: str = ""

    @property
    def agrees(self) -> bool:
        """Whether all factors are the published ones."""
        return self.chosen is not None and dict(self.chosen.jam) == dict(self.schedule.jam)


def choice(search: Search, schedule: Schedule) -> Choice:
    """The factors of a published schedule that can be the choice are measured."""
    every = list(schedules(search.contraction, schedule))
    own = [mapping for mapping in every if dict(mapping.jam) == dict(schedule.jam)]
    found = [*search.measured(own), *search.measured(every, PRECISION)]
    good = [(mapping, measured) for mapping, measured in found if measured.is_good]
    if not good:
        return Choice(schedule, None, note=next((m.failure for _, m in found), "no mapping"))
    mapping, measured = chosen(good)
    same = search.found[to_json(own[0])][1] if own else Measured()
    return Choice(schedule, mapping, measured.cycles, same.cycles if same.is_good else 0)


def chosen(good: Iterable[tuple[LoopMapping, Measured]]) -> tuple[LoopMapping, Measured]:
    """The least code of all that are as fast as the fastest, as far as the model can tell."""
    every = list(good)
    limit = (1 + PRECISION) * min(measured.cycles for _, measured in every)
    near = [pair for pair in every if pair[1].cycles <= limit]
    return min(near, key=lambda pair: (pair[1].code_bytes, pair[1].cycles, str(pair[0])))
