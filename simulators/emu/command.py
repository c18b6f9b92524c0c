"""``s2s simulate FILE --machine emu-chick``: options, and from them to what is printed."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STATS = ("migrations", "time", "regions", "sites", "traffic", "parameters")


def add_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--graph",
        metavar="GRAPH",
        help="put a file with this graph in front of the program's arguments: a generator as"
        " rmat:scale=10,ef=16,seed=1 (also path, star, complete, empty with n=...), or a file"
        " (.el .wel .mtx .gr .sg .wsg)",
    )
    group.add_argument(
        "--stats",
        type=_stats,
        default=("migrations", "time", "regions"),
        metavar="LIST",
        help=f"what to print, of {', '.join(STATS)} or all (default: migrations,time,regions)",
    )
    group.add_argument(
        "--set",
        dest="numbers",
        action="append",
        type=_parameter,
        default=[],
        metavar="NAME=NUMBER",
        help="another number for a parameter of the machine: nodelets=4",
    )
    group.add_argument("--cc", metavar="COMMAND", help="the host's compiler (default: $CC or gcc)")
    group.add_argument(
        "--timeout", type=float, metavar="SECONDS", help="give up after this time (default: never)"
    )


def main(args: argparse.Namespace) -> int:
    """Run the program; its exit status is the command's. ``args.write`` makes a file of bytes.

    Raises UserError for what cannot be read, compiled or run.
    """
    from s2s.simulators.emu import report
    from s2s.simulators.emu.machine import load
    from s2s.simulators.emu.program import build, default_compiler

    machine = load().with_values(dict(args.numbers))
    compiler = args.cc or default_compiler()
    with (
        _graph_file(args.graph) as graph,
        build(Path(args.file), machine, compiler, args.cflags) as program,
    ):
        run = program.run([*graph, *args.arguments], args.timeout)
    sys.stdout.write(run.stdout)
    sys.stderr.write(run.stderr)
    sys.stdout.write(report.text(run, machine, args.stats))
    if args.json:
        text = json.dumps(report.record(run, machine), indent=1) + "\n"
        args.write(args.json, text.encode())
    return run.status


@contextmanager
def _graph_file(description: str | None) -> Iterator[list[str]]:
    """The arguments that stand for the graph, while its file exists."""
    if description is None:
        yield []
        return
    from s2s.simulators.emu.graphs.named import graph

    with tempfile.TemporaryDirectory(prefix="s2s-graph-") as folder:
        path = Path(folder) / "graph.wel"
        path.write_text(graph(description).text())
        yield [str(path)]


def _stats(text: str) -> tuple[str, ...]:
    names = STATS if text == "all" else tuple(text.split(","))
    for name in names:
        if name not in STATS:
            raise argparse.ArgumentTypeError(f"'{name}' is none of {', '.join(STATS)}")
    return names


def _parameter(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    if not name or not value.isascii() or not value.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=NUMBER")
    return name, int(value)
