"""``s2s plugins``: what other packages bring, and what is wrong with it."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator

from s2s.cli.reporting import Reporter, Status
from s2s.source import output
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.installed import GROUPS, PlugIn, distribution, load_installed, plug_ins


def main(args: argparse.Namespace) -> int:
    """List all of them; one that cannot be loaded is a warning, and the status is 1."""
    reporter = Reporter()
    lines, status = [], Status.DONE
    for found in every_plug_in():
        try:
            _load(found)
        except UserError as error:
            reporter.say(as_warnings(error))
            status = Status.USER_ERROR
        place = f"{distribution(found.entry)}\t{found.entry.value}"
        lines.append(f"{found.word}\t{found.name}\t{place}\n")
    output.write_standard_output("".join(lines).encode())
    return status


def as_warnings(error: UserError) -> Iterator[Diagnostic]:
    """What is wrong with a package, where it keeps nothing else from being done."""
    for said in error.diagnostics:
        yield Diagnostic(Severity.WARNING, said.text, "plug-in")


def every_plug_in() -> Iterator[PlugIn]:
    """The entry points of all groups, with what clashes with them."""
    for group in GROUPS:
        yield from plug_ins(group, _ours(group))


def _ours(group: str) -> Collection[str]:
    from s2s.bench.harness import KINDS
    from s2s.driver import passes
    from s2s.driver.libraries.offloading import NAMES
    from s2s.driver.offload import choosing
    from s2s.simulators import machine
    from s2s.targets import registry

    if group == passes.GROUP:
        return passes.own_names()
    names: dict[str, Collection[str]] = {
        registry.GROUP: registry.OURS,
        machine.GROUP: machine.OURS,
        choosing.GROUP: (*choosing.OURS, *NAMES),
    }
    return names.get(group, KINDS)


def _load(found: PlugIn) -> None:
    """Raises UserError where it is not what it should be."""
    from s2s.driver.offload.choosing import load_device
    from s2s.driver.passes import load_pass
    from s2s.simulators.machine import Machine
    from s2s.targets.target import Target

    if found.word == "device":
        load_device(found)
    elif found.word == "suite":
        if not callable(found.load()):
            raise found.broken(f"'{found.entry.value}' is no such suite")
    elif found.word == "pass":
        load_pass(found)
    else:
        load_installed(found, Target if found.word == "target" else Machine)
