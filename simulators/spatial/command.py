"""``s2s simulate MAPPING.m --machine p1``: options, and from them to what is printed."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from s2s.simulators.machine import Machine, Ran, wants_picture
from s2s.source import work_done

if TYPE_CHECKING:
    from s2s.simulators.spatial.costs.figures import Figures
    from s2s.simulators.spatial.cuts import Plan
    from s2s.simulators.spatial.execution import Execution
    from s2s.simulators.spatial.machine import Machine as Numbers
    from s2s.simulators.spatial.picture import Simulated
    from s2s.source.spatial.layers import Layer


def add_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--hardware", metavar="FILE", help="the numbers of another machine, a TOML file like p1's"
    )
    group.add_argument(
        "--layer", metavar="NAME", help="one layer of the file (default: all that have a mapping)"
    )
    group.add_argument("--seed", type=int, default=1, help="of the random data (default: 1)")
    group.add_argument(
        "--no-maestro-compat",
        dest="compat",
        action="store_false",
        help="charge tiles that MAESTRO's model forgets to fetch again",
    )


def _runner(name: str) -> Machine:
    def run(args: argparse.Namespace) -> Ran:
        """Execute each mapping of the file, the models' figures beside it. Raises UserError."""
        from s2s.simulators.spatial.machine import load
        from s2s.source.reading import read_source
        from s2s.source.spatial.reading import read_network

        machine = load(args.hardware or name)
        network = read_network(args.file, read_source(args.file))
        layers = [one for one in network.layers if args.layer in (None, one.name)]
        if args.layer is None:
            layers = [one for one in layers if one.mapping] or layers[:1]
        if not layers:
            raise _no_layer(args.layer)
        plans = [_plan(layer, machine) for layer in layers]
        told = work_done.begin_outside(sum(one.macs for one in plans))
        found, before = [], 0
        for layer, plan in zip(layers, plans, strict=True):
            followed = (*told, before) if told else ()
            found.append(_simulate(layer, plan, machine, args, followed))
            before += plan.macs
        record = json.dumps([one for _, one, _ in found], indent=1) + "\n" if args.json else ""
        lines = [line for lines, _, _ in found for line in lines]
        wrong = any(one["wrong"] for _, one, _ in found)
        drawn = None
        if wants_picture(args):
            from s2s.simulators.spatial.picture import draw

            drawn = draw([one for _, _, one in found], machine)
        text = "\n".join(lines) + "\n"
        return Ran(text, record=record.encode(), status=1 if wrong else 0, picture=drawn)

    return Machine(name, add_arguments, run)


def _plan(layer: Layer, machine: Numbers) -> Plan:
    """How a layer is cut by its mapping. Raises UserError where the machine has no room for it."""
    from s2s.simulators.spatial.cuts import plan
    from s2s.simulators.spatial.fitting import overflows
    from s2s.source.spatial.problems import problem
    from s2s.source.spatial.tiles import tile_levels

    levels = tile_levels(layer, None, machine.elements)
    found = plan(layer, levels, block=machine.dram_block, deep=bool(machine.l3))
    too_much = overflows(found, machine)
    if too_much:
        assert layer.mapping is not None
        raise problem("; ".join(too_much), layer.mapping.at)
    return found


def _simulate(
    layer: Layer, found: Plan, machine: Numbers, args: argparse.Namespace, followed: tuple[int, ...]
) -> tuple[list[str], dict[str, object], Simulated]:
    from s2s.simulators.spatial.costs.models import MODELS
    from s2s.simulators.spatial.execution import execute
    from s2s.source.spatial.tiles import tile_levels

    levels = tile_levels(layer, None, machine.elements)
    done = execute(found, machine, args.seed, followed)
    models = ["exact", "maestro" if args.compat else "maestro-refetching"]
    figures = [done.figures, *(MODELS[name](layer, levels, machine) for name in models)]
    from s2s.simulators.spatial import report

    lines = [
        f"{layer.name or 'layer'} ({layer.kind.value}) on {machine.name}, {found.macs} iterations",
        *report.table(figures, machine),
        *_values(done),
        *report.activity(found, done),
        f"energies: {machine.multipliers}",
        *report.numbers(machine),
    ]
    from s2s.simulators.spatial.picture import Simulated

    shown = Simulated(layer.name or "layer", found, figures, done)
    return lines, _record(layer, machine, figures, done), shown


def _values(done: Execution) -> Iterator[str]:
    if done.wrong:
        yield f"values: {done.wrong} elements are NOT those of the plain loop nest"
    else:
        yield "values: all those of the plain loop nest"


_UNITS = dict.fromkeys(
    ("cycles", "compute", "fill", "noc_stalls", "l3_stalls", "dram_stalls", "busy"), "cycles"
) | {
    "steps": "steps of the array",
    "macs": "multiply-accumulates",
    "operands": "reads of L1 for a multiply-accumulate",
    "wrong": "elements",
    "l1": "elements, twice those of a tile",
    "l2": "elements, twice those of a tile",
    "l3": "elements, twice those of a tile",
    "traffic": "elements, those of dram in whole blocks",
}


def _record(
    layer: Layer, machine: Numbers, figures: list[Figures], done: Execution
) -> dict[str, object]:
    return {
        "layer": layer.name,
        "machine": machine.name,
        "wrong": done.wrong,
        "units": _UNITS | {"energy": f"multiply-accumulates ({machine.multipliers})"},
        "models": {one.model: asdict(one) | {"energy": one.energy(machine)} for one in figures},
        "busy": done.busy,
    }


def _no_layer(name: str) -> Exception:
    from s2s.source.spatial.problems import problem

    return problem(f"the file has no layer '{name}'")


P1 = _runner("p1")
P2 = _runner("p2")
