"""A design on the array: placed, routed, with pipelining registers if asked for, and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2s.analyses.placement import check_nets, check_places, longest_path
from s2s.scop.accelerator import Accelerator
from s2s.scop.cycles import Term
from s2s.scop.fabric import Array, Configuration, Fabric, Port, Tile
from s2s.scop.netlist import Netlist
from s2s.source.diagnostics import InternalError
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import MappingError, NotRoutable
from s2s.transforms.clockwork.fit_design import DEFAULTS, MappingOptions
from s2s.transforms.clockwork.mapping import map_design
from s2s.transforms.clockwork.parts import make_fabric
from s2s.transforms.clockwork.pipelining import latencies, make_plan, recurrent
from s2s.transforms.clockwork.place import place
from s2s.transforms.clockwork.route import Late, Limit, route
from s2s.transforms.clockwork.schedule import Scheduled, schedule

ROUNDS = 24
"""How often latencies grow until all paths are short."""


@dataclass(frozen=True)
class Configured:
    """A configuration, and the schedule and the netlist that it is of."""

    scheduled: Scheduled
    netlist: Netlist
    configuration: Configuration


def configure(scheduled: Scheduled, netlist: Netlist, array: Array, *, seed: int = 0) -> Configured:
    """A netlist placed and routed as it is.

    Raises DoesNotFit with what the array has too little of, NotRoutable.
    """
    fabric = make_fabric(scheduled.accelerator, netlist)
    places = place(fabric, array, seed=seed)
    return Configured(scheduled, netlist, _routed(fabric, array, places, {}))


def pipeline(
    accelerator: Accelerator,
    scheduled: Scheduled,
    netlist: Netlist,
    array: Array,
    options: MappingOptions = DEFAULTS,
    *,
    seed: int = 0,
) -> Configured:
    """The same with registers such that paths fit into the array's clock period.

    ``accelerator`` is what was scheduled, ``options`` those of its mapping. The schedule is
    computed again with the latencies of kernels. Kernels that need what they computed before keep
    theirs. Raises also MappingError
    where there is no schedule with the latencies, or they do not come to an end.
    """
    loose = recurrent(accelerator)
    known: dict[str, int] = {}
    more: dict[Port, int] = {}
    places: dict[str, Tile] | None = None
    plain = netlist
    for _ in range(ROUNDS):
        fabric = make_fabric(scheduled.accelerator, netlist)
        if places is None or set(places) != set(fabric.parts):
            places = place(fabric, array, seed=seed, start=places)
        extra, found = _settle(fabric, array, places, loose, more)
        if not extra:
            return Configured(scheduled, _with_terms(netlist, plain), found)
        for function, cycles in extra.items():
            known[function] = known.get(function, 0) + cycles
        own = dict(latencies(accelerator, known))
        scheduled = schedule(replace(accelerator, latencies=own))
        netlist = map_design(scheduled.accelerator, scheduled.schedule, options)
    raise MappingError(f"'{accelerator.name}': pipelining comes to no end")


def _settle(
    fabric: Fabric,
    array: Array,
    places: Mapping[str, Tile],
    loose: frozenset[str],
    more: dict[Port, int],
) -> tuple[dict[str, int], Configuration]:
    """What kernels' latencies lack, and a configuration as if they had it.

    ``more`` grows by the registers that ways needed which became longer than they might be.
    """
    extra: dict[str, int] = {}
    for _ in range(ROUNDS):
        links = tuple(
            replace(link, cycles=link.cycles + extra.get(link.after, 0)) for link in fabric.links
        )
        longer = replace(fabric, links=links)
        plan = make_plan(longer, array, places, loose, more)
        for function, cycles in plan.lacking.items():
            extra[function] = extra.get(function, 0) + cycles
        if not plan.lacking:
            try:
                staged = replace(longer, stages=plan.stages)
                return extra, _routed(staged, array, places, plan.limits)
            except Late as late:
                for link in late.links:
                    more[link.target] = more.get(link.target, 0) + 1
    raise MappingError(f"'{fabric.name}': ways are too long, whatever registers they have")


def _with_terms(netlist: Netlist, plain: Netlist) -> Netlist:
    """The latency as that without pipelining, and what that adds."""
    more = netlist.cycles - plain.cycles
    if not more:
        return netlist
    return replace(netlist, terms=(*plain.terms, Term("pipelining", more, str(more))))


def _routed(
    fabric: Fabric, array: Array, places: Mapping[str, Tile], limits: Mapping[Port, Limit]
) -> Configuration:
    wrong = check_places(fabric, array, places)
    if wrong is not None:
        raise InternalError(f"a placement is wrong: {wrong}")
    nets = route(fabric, array, places, limits)
    wrong = check_nets(fabric, array, places, nets)
    if wrong is not None:
        raise InternalError(f"a routing is wrong: {wrong}")
    try:
        path = longest_path(fabric, array, nets)
    except ValueError as error:
        raise NotRoutable(f"'{fabric.name}': {error}") from None
    return Configuration(array, fabric, places, nets, path.picoseconds, path.parts)
