"""``s2s.tune`` for accelerators: the searches of ``s2s tune``, with data in place of text."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from s2s.cli import tune_designs as designs
from s2s.cli import tune_mappings as mappings
from s2s.cli.api_options import Path, source_options
from s2s.source.diagnostics import UsageError
from s2s.source.spelling import did_you_mean
from s2s.targets.clockwork.options import MEMORIES

if TYPE_CHECKING:
    from s2s.tuning.results import Designs, Mappings


def tune_designs(
    file: Path,
    *,
    flags: Sequence[str] = (),
    sizes: Mapping[str, Sequence[int]] | None = None,
    parameters: Mapping[str, object] | None = None,
    generator: str = "",
    limits: Mapping[str, int] | None = None,
    memory: str = "",
    effort: int | None = None,
    budget: float | None = None,
    jobs: int = 1,
    cache: Path | None = None,
) -> Designs:
    """Schedules of a pipeline for the array (``s2s.tune``). Raises UserError or UsageError."""
    from s2s.source.reading import read_source
    from s2s.tuning.clockwork.search import Plan
    from s2s.tuning.clockwork.space import Program
    from s2s.tuning.results import designs_of

    if memory not in ("", *MEMORIES):
        raise UsageError(f"no memory is named '{memory}'{did_you_mean(memory, MEMORIES)}")
    _check_positive(effort=effort, budget=budget, jobs=jobs)
    name, given = os.fspath(file), source_options(sizes, parameters, generator)
    data = read_source(name)
    program = Program(
        name, data, given.parameters, given.generator, given.sizes, tuple(flags), memory
    )
    plan = Plan(
        designs.array_limits(dict(limits or {})), jobs, effort or designs.EFFORT,
        budget or designs.SECONDS,
    )  # fmt: skip
    search = designs.search_designs(program, plan, None if cache is None else os.fspath(cache))
    if not search.good():
        raise designs.nothing_found(search)
    return designs_of(name, search, data)


def tune_mappings(
    file: Path,
    *,
    machine: str = "p1",
    layer: str | None = None,
    flags: Sequence[str] = (),
    sizes: Mapping[str, Sequence[int]] | None = None,
    parameters: Mapping[str, object] | None = None,
    generator: str = "",
    objective: str = "runtime",
    fixes: Sequence[str] = (),
    style: str = "",
    dividing: bool = False,
    decoupled: bool = False,
    model: str = "exact",
    effort: int | None = None,
    jobs: int = 1,
    scheduler: str = "",
    cache: Path | None = None,
) -> Mappings:
    """Mappings of layers for a machine (``s2s.tune``). Raises UserError or UsageError."""
    from s2s.tuning.results import Mappings, shape_of
    from s2s.tuning.settings import default_cache
    from s2s.tuning.spatial.networks import search_all
    from s2s.tuning.spatial.store import Store

    _check_positive(effort=effort, jobs=jobs)
    wanted = mappings.wanted_of(
        machine, objective=objective, effort=effort, dividing=dividing, fixes=fixes,
        decoupled=decoupled, model=model, style=style,
    )  # fmt: skip
    name = os.fspath(file)
    given = source_options(sizes, parameters, generator)
    network, left = mappings.choose_layers(name, layer, given, tuple(flags))
    store = Store(default_cache() if cache is None else os.fspath(cache))
    results = list(search_all(network.layers, wanted, store, jobs, scheduler))
    return Mappings(
        name,
        wanted.machine.name,
        objective,
        mappings.mapped_network(network, results),
        tuple(shape_of(one, wanted) for one in results),
        tuple(mappings.missing_layers(network, results)),
        tuple(one.text for one in left),
        tuple(store.warnings),
    )


def _check_positive(**numbers: float | None) -> None:
    for name, value in numbers.items():
        if value is not None and not 0 < value < float("inf"):
            raise UsageError(f"'{name}' is {value}, not a positive number")
