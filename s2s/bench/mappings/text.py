"""The tables on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from s2s.bench.mappings.cases import Group, Numbers, Verdict, Worked, published_spaces
from s2s.bench.mappings.rows import (
    ANY,
    BOUND,
    CYCLES,
    DIVIDING,
    MAESTRO,
    MAESTRO_DIVIDING,
    OVER,
    PARALLEL,
    TILE,
    VARIANTS,
    Layers,
    Row,
    by_layer,
    mean,
)
from s2s.bench.tables import table


def text(rows: Sequence[Row]) -> str:
    """Table 5.1, MAESTRO's cycles, then each group on each machine with its means."""
    parts = [*_verdicts(rows), *_machines(rows), *_worked(rows)]
    layers = by_layer(rows)
    for (group, machine), members in groupby(
        layers, lambda one: (one.case.group, one.case.machine)
    ):
        parts += _group(group, machine, list(members))
    parts += [*_tiles(rows), *_spaces(layers)]
    return "\n".join(parts)


def _verdicts(rows: Sequence[Row]) -> Iterator[str]:
    found = [row for row in rows if isinstance(row.case, Verdict)]
    if found:
        words = [(row.case.name, str(row.value), str(row.published)) for row in found]
        bad = [k for k, row in enumerate(found) if row.value != row.published]
        head = ("nest", "R1 R2 R3 R4, all", "published")
        yield table(head, words, title="Conformability (Table 5.1)", left=(0, 1, 2), bad=bad)
        yield f"{len(found) - len(bad)} of {len(found)} verdicts as published"


def _machines(rows: Sequence[Row]) -> Iterator[str]:
    found = [row for row in rows if isinstance(row.case, Numbers)]
    if found:
        words = [
            (row.case.name, row.metric, _count(row.value), _count(row.published), row.unit)
            for row in found
        ]
        bad = [k for k, row in enumerate(found) if row.value != row.published]
        head = ("machine", "number", "ours", "published", "unit")
        yield table(head, words, title="Machines (Table 5.3)", left=(0, 1, 4), bad=bad)


def _tiles(rows: Sequence[Row]) -> Iterator[str]:
    found = [row for row in rows if row.metric in (TILE, PARALLEL) and row.published]
    if found:
        words = [
            (row.case.name, row.metric, row.variant, str(row.value), str(row.published))
            for row in found
        ]
        head = ("layer", "", "", "ours", "published")
        yield table(head, words, title="Tiles (Table 5.5)", left=(0, 1, 2, 3, 4))


def _spaces(layers: Sequence[Layers]) -> Iterator[str]:
    """The numbers of mappings of all convolutions that were searched, each shape once."""
    convolutions = [one for one in layers if one.case.group.name == "conv2d"]
    if not convolutions:
        return
    words = []
    for name, published in published_spaces().items():
        numbers = [one.number(DIVIDING, name) for one in convolutions]
        known = [number for number in numbers if number is not None]
        if known:
            ours = (min(known), sum(known) / len(known), max(known))
            words.append((name, *(f"{n:.1e}" for n in ours), *(f"{n:.1e}" for n in published)))
    head = ("space", "least", "average", "greatest", "published", "", "")
    yield table(head, words, title="Mappings with dividing tiles (Table 5.4)", left=(0,))


def _worked(rows: Sequence[Row]) -> Iterator[str]:
    found = [row for row in rows if isinstance(row.case, Worked)]
    if found:
        words = [
            (row.case.name, _count(row.value), _count(row.published), row.note) for row in found
        ]
        bad = [k for k, row in enumerate(found) if row.value != row.published]
        head = ("mapping", "cycles", "MAESTRO's", "machine")
        yield table(head, words, title="The maestro model", left=(0, 3), bad=bad)


def _count(value: object) -> str:
    return f"{value:,.0f}" if isinstance(value, int | float) else "-"


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _group(group: Group, machine: str, layers: Sequence[Layers]) -> Iterator[str]:
    words = [
        (
            f"{one.case.network}/{one.case.names[0]}",
            f"x{len(one.case.names)}" if len(one.case.names) > 1 else "",
            _count(one.number(ANY, CYCLES)),
            *(_ratio(one.number(variant, OVER)) for variant in VARIANTS),
            _ratio(one.number(ANY, BOUND)),
        )
        for one in layers
    ]
    head = ("layer", "", "cycles", "over roofline", "dividing", "maestro", "dividing", "bound")
    yield table(head, words, title=f"{group.name} on {machine} ({group.source})", left=(0, 1))
    of = "layers" if group.mean == "each" else "networks"
    means = {variant: _ratio(mean(group, layers, variant, OVER)) for variant in VARIANTS}
    yield (
        f"geometric mean of {of}: {means[ANY]}, dividing tiles {means[DIVIDING]}; by MAESTRO's "
        f"model {means[MAESTRO]}, dividing tiles {means[MAESTRO_DIVIDING]}; lower bound "
        f"{_ratio(mean(group, layers, ANY, BOUND))}; published "
        f"{_ratio(group.published.get(machine))}"
    )
