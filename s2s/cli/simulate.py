"""``s2s simulate``: run an emitted program on a simulated machine, chosen by its name.

Each machine is a package with a module ``command``: ``add_arguments(group)`` declares its options,
and ``main(args)`` runs ``args.file`` and gives the exit status.
"""

from __future__ import annotations

import argparse
import importlib

from s2s.cli.arguments import positive
from s2s.cli.ineffective import check_groups
from s2s.source.output import write_file

MACHINES = {"aie1": "s2s.simulators.aie.command", "emu-chick": "s2s.simulators.emu.command"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the program, in the machine's C")
    parser.add_argument(
        "arguments", nargs="*", metavar="ARG", help="arguments of the program itself"
    )
    parser.add_argument("--machine", choices=tuple(MACHINES), required=True)
    parser.add_argument("--json", metavar="FILE", help="write all that was counted to FILE")
    parser.add_argument(
        "--time-limit",
        type=positive,
        default=600,
        metavar="SECONDS",
        help="processor time of the simulation (default: %(default)s)",
    )
    groups = []
    for module in dict.fromkeys(MACHINES.values()):
        names = ", ".join(name for name, its in MACHINES.items() if its == module)
        groups.append(parser.add_argument_group(names))
        importlib.import_module(module).add_arguments(groups[-1])
    parser.set_defaults(groups=groups, write=write_file)


def main(args: argparse.Namespace) -> int:
    from s2s.cli.limited import limited

    check_groups(args, args.groups, args.machine, f"with '--machine {args.machine}'")
    with limited(args.time_limit, args.file):
        return int(importlib.import_module(MACHINES[args.machine]).main(args))
