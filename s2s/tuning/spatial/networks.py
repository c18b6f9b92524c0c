"""All layers of a network: repeated shapes once, in several processes, remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace

from s2s.simulators.spatial.costs.figures import Figures
from s2s.simulators.spatial.costs.models import MODELS
from s2s.simulators.spatial.machine import Machine
from s2s.source.records import dataclass
from s2s.source.spatial.layers import Layer
from s2s.source.spatial.problems import problem
from s2s.tuning.spatial.bound import lower_bound
from s2s.tuning.spatial.candidate import Candidate, Problem
from s2s.tuning.spatial.decoupled import search_decoupled
from s2s.tuning.spatial.fixed import Fixed, fixed_by
from s2s.tuning.spatial.found import cost_of
from s2s.tuning.spatial.search import EFFORT, Search
from s2s.tuning.spatial.store import Outcome, Store
from s2s.tuning.spatial.styles import is_for, with_style


@dataclass(frozen=True)
class Wanted:
    """How to search each layer; ``fixes`` are texts for ``fixed_by``, ``style`` a name of one."""

    machine: Machine
    objective: str = "runtime"
    effort: int = EFFORT
    divide: bool = False
    fixes: tuple[str, ...] = ()
    decoupled: bool = False
    model: str = "exact"
    style: str = ""

    @property
    def setting(self) -> str:
        """What tells searches of one layer apart."""
        return repr(
            (
                self.objective, self.effort, self.divide, self.fixes, self.decoupled, self.model,
                self.style,
            )
        )  # fmt: skip

    def fixed(self, layer: Layer) -> Fixed:
        """What is decided of a mapping. Raises UserError for what the layer does not have."""
        found = fixed_by(self.fixes, layer.loops)
        if not self.style:
            return found
        if not is_for(self.style, layer):
            raise problem(f"'{self.style}' is no style for a layer of type {layer.kind.value}")
        return with_style(found, self.style, layer)


@dataclass(frozen=True)
class Result:
    """Layers of one shape: their names, the best mapping, and what the search did.

    ``front``: the mappings that no other one beats in cycles and energy, fastest first.
    """

    names: tuple[str, ...]
    problem: Problem
    outcome: Outcome
    figures: Figures
    front: tuple[tuple[Candidate, Figures], ...] = field(default=())

    @property
    def best(self) -> Candidate:
        """The best candidate by the objective."""
        return self.outcome.candidates[0]

    @property
    def count(self) -> int:
        """How many layers have this shape."""
        return len(self.names)

    def gap(self, wanted: Wanted) -> float:
        """The most that any mapping may be better, by the objective: a part of the lower bound."""
        cost = cost_of(self.figures, wanted.objective, wanted.machine)
        return cost / self.outcome.cost_bound - 1


def shapes(layers: Sequence[Layer]) -> dict[Layer, list[str]]:
    """Layers without names and mappings, each with the names of those that are so."""
    found: dict[Layer, list[str]] = {}
    for layer in layers:
        found.setdefault(replace(layer, name="", mapping=None), []).append(layer.name)
    return found


def search_all(
    layers: Sequence[Layer],
    wanted: Wanted,
    store: Store,
    jobs: int = 1,
    scheduler: str = "",
    said: Callable[[int, int, str], None] = lambda done, total, name: None,
) -> Iterator[Result]:
    """A result for each shape for which something fits, in the order of the layers.

    ``jobs`` processes here, or a dask ``scheduler``'s workers, search shapes at once. ``said`` is
    told how many of all are done, and which is looked at. Raises UserError for what is
    fixed that a layer does not have.
    """
    found = shapes(layers)
    for layer in found:
        wanted.fixed(layer)
    known = {layer: store.known(layer, wanted.machine, wanted.setting) for layer in found}
    missing = [layer for layer, outcome in known.items() if outcome is None]
    done = len(found) - len(missing)
    for layer, outcome in _searched(missing, wanted, jobs, scheduler):
        done += 1
        said(done, len(found), found[layer][0])
        if outcome.candidates:
            store.keep(layer, wanted.machine, wanted.setting, outcome)
        known[layer] = outcome
    for layer, names in found.items():
        best = known[layer]
        if best is not None and best.candidates:
            yield _result(names, layer, wanted, best)


def _searched(
    layers: Sequence[Layer], wanted: Wanted, jobs: int, scheduler: str
) -> Iterator[tuple[Layer, Outcome]]:
    if not scheduler and (jobs == 1 or len(layers) < 2):
        for layer in layers:
            yield layer, search_one(layer, wanted)
        return
    from s2s.tuning.executors import executor

    with executor(jobs, scheduler) as found:
        waiting = {found.submit(search_one, layer, wanted): layer for layer in layers}
        for future in found.completed(waiting):
            yield waiting[future], future.result()


def search_one(layer: Layer, wanted: Wanted) -> Outcome:
    """Search one layer."""
    asked = Problem(layer, wanted.machine)
    if wanted.decoupled:
        return _decoupled(asked)
    fixed = wanted.fixed(layer)
    search = Search(asked, wanted.objective, wanted.effort, wanted.divide, fixed, wanted.model)
    if wanted.model != "exact" and not wanted.divide:
        search.starts = _dividing(asked, wanted, fixed)
    best = search.run()
    candidates = [] if best is None else [best.candidate]
    candidates += [one.candidate for one in search.front() if one.candidate not in candidates]
    return Outcome(
        tuple(candidates), len(search.evaluated), search.considered, len(search.branches),
        search.bound, search.cost_bound,
    )  # fmt: skip


def _dividing(problem: Problem, wanted: Wanted, fixed: Fixed) -> tuple[Candidate, ...]:
    """The best mapping with tiles that divide: for MAESTRO's model edges are full tiles."""
    search = Search(problem, wanted.objective, wanted.effort // 2, True, fixed, wanted.model)
    found = search.run()
    return () if found is None else (found.candidate,)


def _decoupled(problem: Problem) -> Outcome:
    """As the chapter searches."""
    found, bound = search_decoupled(problem), lower_bound(problem, divide=True)
    if found is None:
        return Outcome((), 0, 0, 0, bound, bound)
    pruned = found.off_chip, found.on_chip
    return Outcome((found.candidate,), found.asked, sum(pruned), 0, bound, bound, pruned)


def _result(names: Sequence[str], layer: Layer, wanted: Wanted, outcome: Outcome) -> Result:
    problem = Problem(replace(layer, name=names[0]), wanted.machine)
    machine = wanted.machine
    figures = [
        MODELS[wanted.model](problem.layer, one.levels(problem), machine)
        for one in outcome.candidates
    ]
    order = sorted(
        zip(outcome.candidates, figures, strict=True),
        key=lambda one: (one[1].cycles, one[1].energy(machine)),
    )
    front: list[tuple[Candidate, Figures]] = []
    for candidate, one in order:
        if not front or one.energy(machine) < front[-1][1].energy(machine):
            front.append((candidate, one))
    return Result(tuple(names), problem, outcome, figures[0], tuple(front))
