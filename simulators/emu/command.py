"""``s2s simulate FILE --machine emu-chick``: options, and from them to what is printed."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from s2s.simulators.machine import Machine, Ran, wants_picture
from s2s.source import work_done

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


def run(args: argparse.Namespace) -> Ran:
    """Run the program; its exit status is the command's.

    Raises UserError for what cannot be read, compiled or run.
    """
    from s2s.simulators.emu import report
    from s2s.simulators.emu.lengths import Length
    from s2s.simulators.emu.machine import load
    from s2s.simulators.emu.program import build, default_compiler

    machine = load().with_values(dict(args.numbers))
    compiler = args.cc or default_compiler()
    with (
        _graph_file(args.graph) as graph,
        build(Path(args.file), machine, compiler, args.cflags) as program,
    ):
        length = Length(args.file, [args.graph or "", *args.arguments])
        accesses = length.recall()
        followed = work_done.begin_outside(accesses) if accesses else ()
        done = program.run([*graph, *args.arguments], args.timeout, followed)
        length.keep(done.accesses)
    record = json.dumps(report.record(done, machine), indent=1) + "\n" if args.json else ""
    drawn = None
    if wants_picture(args):
        from s2s.simulators.emu.picture import draw

        drawn = draw(done, machine, args.file, Path(args.file).read_text(errors="replace"))
    return Ran(
        done.stdout + report.text(done, machine, args.stats),
        done.stderr,
        record=record.encode(),
        status=done.status,
        picture=drawn,
    )


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


EMU_CHICK = Machine("emu-chick", add_arguments, run)
