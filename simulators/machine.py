"""What a simulated machine is, and which there are.

A package brings a machine by an entry point of the group ``s2s.machines`` whose name is the
machine's and whose object is a ``Machine``.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Mapping
from dataclasses import field

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.installed import find_installed, load_installed
from s2s.source.pictures import Picture
from s2s.source.records import dataclass
from s2s.source.spelling import did_you_mean

GROUP = "s2s.machines"
OURS = {
    "aie1": "s2s.simulators.aie.command:AIE1",
    "amber": "s2s.simulators.amber.command:AMBER",
    "ascend910-documented": "s2s.simulators.davinci.command:DOCUMENTED",
    "ascend910-paper": "s2s.simulators.davinci.command:PAPER",
    "emu-chick": "s2s.simulators.emu.command:EMU_CHICK",
    "p1": "s2s.simulators.spatial.command:P1",
    "p2": "s2s.simulators.spatial.command:P2",
}


@dataclass(frozen=True)
class Ran:
    """What a run leaves: its words on both streams, all that was counted, its exit status.

    ``sources`` are the texts that ``said`` points into, by path. The ``picture`` is what a page
    and a trace are made of, where one is wanted.
    """

    text: str = ""
    errors: str = ""
    said: tuple[Diagnostic, ...] = ()
    sources: Mapping[str, bytes] = field(default_factory=dict)
    record: bytes = b""
    status: int = 0
    picture: Picture | None = None


@dataclass(frozen=True)
class Machine:
    """A machine of ``s2s simulate``.

    ``add_arguments`` declares its options. ``run`` runs the program ``args.file`` with
    ``args.arguments``; ``args.json`` says that a record is wanted, ``wants_picture`` whether a
    picture is. It raises UserError for what
    cannot be read or run, UsageError for options that do not go together. ``check`` looks in a
    program for what is wrong with it (``s2s check``), where the machine can say more than a run
    does; it takes the same arguments.
    """

    name: str
    add_arguments: Callable[[argparse._ArgumentGroup], None]
    run: Callable[[argparse.Namespace], Ran]
    check: Callable[[argparse.Namespace], Ran] | None = None


def wants_picture(args: argparse.Namespace) -> bool:
    """Whether a page or a trace will be made of a run."""
    return bool(getattr(args, "report", None) or getattr(args, "trace", None))


def find_machine(name: str) -> Machine:
    """The machine of this name. Raises UserError where there is none, or it cannot be loaded."""
    if name in OURS:
        module, _, attribute = OURS[name].partition(":")
        found: Machine = getattr(importlib.import_module(module), attribute)
        return found
    installed = find_installed(GROUP, OURS)
    if name not in installed:
        text = f"no machine is named '{name}'{did_you_mean(name, [*OURS, *installed])}"
        raise UserError(Diagnostic(Severity.ERROR, text, "machine"))
    return load_installed(installed[name], Machine)


def machine_names() -> list[str]:
    """All names, ours first."""
    return [*OURS, *find_installed(GROUP, OURS)]
