"""The machine ``toy``: runs what the target printed and counts stores."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from s2s.simulators.machine import Machine, Ran
from s2s.source.diagnostics import Diagnostic, Severity, UserError


def add_arguments(group: argparse._ArgumentGroup) -> None:
    """The options of the machine."""
    group.add_argument("--toy-seed", type=int, default=1, help="of the random inputs (default: 1)")


def run(args: argparse.Namespace) -> Ran:
    """Run a file; a sum and a count for each tensor."""
    from s2s_toy.memory import run

    try:
        memory = run(Path(args.file).read_text(), args.toy_seed)
    except (OSError, SyntaxError, KeyError) as error:
        text = f"{args.file}: not a program of this machine: {error}"
        raise UserError(Diagnostic(Severity.ERROR, text, "toy")) from None
    counted = {n: {"stores": m.stores, "sum": sum(m.values())} for n, m in memory.items()}
    text = "".join(f"{n}: {c['stores']} stores, sum {c['sum']}\n" for n, c in counted.items())
    return Ran(text, record=json.dumps(counted).encode())


TOY = Machine("toy", add_arguments, run)
