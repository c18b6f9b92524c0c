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
from dataclasses import dataclass, replace

from s2s.bench.vyasa.workloads import Schedule, Source, Workload
from s2s.scop.contraction import Contraction
from s2s.scop.layouts import Axis, Tiled
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
_SPATIAL = ("X'", "Y'", "Z'")


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


def schedules(contraction: Contraction, workload: Workload) -> Iterator[LoopMapping]:
    """The mappings with a workload's published schedule, one for each choice of jam factors."""
    schedule = workload.schedule
    if schedule is None:
        return
    tensors = {
        tensor: _without_single(layout(text, _letters(workload.source, tensor), shape), shape)
        for tensor, text in schedule.layouts.items()
        for shape in (workload.shapes[tensor],)
    }
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


def _without_single(tiled: Tiled, extents: Sequence[int]) -> Tiled:
    """The layout without dimensions of one element, as contractions have their arrays."""
    kept = [place for place, extent in enumerate(extents) if extent > 1]
    axes = (axis for axis in tiled.axes if axis.dimension in kept)
    return Tiled(tuple(replace(axis, dimension=kept.index(axis.dimension)) for axis in axes))


def _letters(source: Source, tensor: str) -> list[str]:
    """The paper's names of a tensor's dimensions: X' and Y' are the image's."""
    names = [name.upper() for name in source.names[tensor]]
    if tensor != "image":
        return names
    return [_SPATIAL[n] if name in ("", "WIDTH") else name for n, name in enumerate(names)]


@dataclass(frozen=True)
class Choice:
    """The factors that we choose in a published schedule, beside the paper's."""

    workload: Workload
    chosen: LoopMapping | None
    cycles: int
    published: int
    """Cycles with the published factors; 0 where that is no kernel that fits."""
    note: str = ""

    @property
    def agrees(self) -> bool:
        """Whether all factors are the published ones."""
        schedule = self.workload.schedule
        return (
            self.chosen is not None
            and schedule is not None
            and dict(self.chosen.jam) == dict(schedule.jam)
        )


def choice(search: Search, workload: Workload) -> Choice:
    """The factors of a workload's published schedule that can be the choice are measured."""
    schedule = workload.schedule
    assert schedule is not None
    every = list(schedules(search.contraction, workload))
    own = [mapping for mapping in every if dict(mapping.jam) == dict(schedule.jam)]
    found = [*search.measured(own), *search.measured(every, PRECISION)]
    good = [(mapping, measured) for mapping, measured in found if measured.is_good]
    if not good:
        return Choice(workload, None, 0, 0, next((m.failure for _, m in found), "no mapping"))
    mapping, measured = chosen(good)
    same = search.found[to_json(own[0])][1] if own else Measured()
    return Choice(workload, mapping, measured.cycles, same.cycles if same.is_good else 0)


def chosen(good: Iterable[tuple[LoopMapping, Measured]]) -> tuple[LoopMapping, Measured]:
    """The least code of all that are as fast as the fastest, as far as the model can tell."""
    every = list(good)
    limit = (1 + PRECISION) * min(measured.cycles for _, measured in every)
    near = [pair for pair in every if pair[1].cycles <= limit]
    return min(near, key=lambda pair: (pair[1].code_bytes, pair[1].cycles, str(pair[0])))


def agreement(choices: Sequence[Choice]) -> str:
    """A line for each published schedule, and how many agree by table."""
    lines = [
        f"{'workload':<12} {'type':<6} {'published':<10} {'here':<10} {'cycles':>8} {'slower':>7}"
    ]
    lines += [_line(one) for one in choices]
    tables = dict.fromkeys(one.workload.schedule.table for one in choices if one.workload.schedule)
    for table in tables:
        own = [c for c in choices if c.workload.schedule and c.workload.schedule.table == table]
        equal = sum(one.agrees for one in own)
        lines.append(f"factors of unroll-and-jam as in table {table}: {equal} of {len(own)}")
    return "\n".join(lines)


def _line(one: Choice) -> str:
    workload = one.workload
    head = f"{workload.name:<12} {workload.type:<6}"
    printed = _jam(workload.schedule.jam if workload.schedule else {})
    if one.chosen is None:
        return f"{head} {printed:<10} {one.note}"
    ours = _jam(dict(one.chosen.jam))
    slower = f"{one.published / one.cycles - 1:7.1%}" if one.published else "      -"
    return f"{head} {printed:<10} {ours:<10} {one.cycles:>8} {slower}{'' if one.agrees else '  *'}"


def _jam(jam: Mapping[str, int]) -> str:
    return " ".join(f"{name}{factor}" for name, factor in jam.items()) or "1"
