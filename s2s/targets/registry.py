"""The targets by name: those of s2s, and those that other packages bring.

A package brings a target by an entry point of the group ``s2s.targets`` whose name is the target's
and whose object is a ``Target``.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from contextlib import suppress

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.installed import find_installed, load_installed
from s2s.source.spelling import did_you_mean
from s2s.targets.target import Target

GROUP = "s2s.targets"
OURS = {
    "cpu": "s2s.targets.cpu:CPU",
    "cuda": "s2s.targets.cuda.target:CUDA",
    "emu": "s2s.targets.emu.target:EMU",
    "aie": "s2s.targets.aie.target:AIE",
    "clockwork": "s2s.targets.clockwork.target:CLOCKWORK",
    "davinci": "s2s.targets.davinci.target:DAVINCI",
    "spatial": "s2s.targets.spatial.target:SPATIAL",
}


def find(name: str) -> Target:
    """The target of this name. Raises UserError where there is none, or it cannot be loaded."""
    if name in OURS:
        module, _, attribute = OURS[name].partition(":")
        found: Target = getattr(importlib.import_module(module), attribute)
        return found
    installed = find_installed(GROUP, OURS)
    if name not in installed:
        text = f"no target is named '{name}'{did_you_mean(name, [*OURS, *installed])}"
        raise UserError(Diagnostic(Severity.ERROR, text, "target"))
    return load_installed(installed[name], Target)


def names() -> list[str]:
    """All names, ours first."""
    return [*OURS, *find_installed(GROUP, OURS)]


def known(chosen: Iterable[str]) -> dict[str, Target]:
    """Those of some targets that there are, each once. Raises UserError."""
    asked = dict.fromkeys(chosen)
    others = [name for name in asked if name not in OURS]
    installed = find_installed(GROUP, OURS) if others else {}
    return {name: find(name) for name in asked if name in OURS or name in installed}


def loadable() -> list[str]:
    """The names of all targets but those of packages that are broken."""
    found = []
    for name in names():
        with suppress(UserError):
            found.append(find(name).name)
    return found
