"""The targets by name: those of s2s, and those that other packages bring.

A package brings a target by an entry point of the group ``s2s.targets`` whose name is the target's
and whose object is a ``Target``. Entry points are read where a name is asked for that is none of
ours, or all are: to look at every installed package takes longer than to start.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.targets.target import Target

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "s2s.targets"
OURS = {
    "cpu": "s2s.targets.cpu:CPU",
    "cuda": "s2s.targets.cuda.target:CUDA",
    "emu": "s2s.targets.emu.target:EMU",
    "aie": "s2s.targets.aie.target:AIE",
}


def find(name: str) -> Target:
    """The target of this name. Raises UserError where there is none, or it cannot be loaded."""
    if name in OURS:
        module, _, attribute = OURS[name].partition(":")
        found: Target = getattr(importlib.import_module(module), attribute)
        return found
    brought = _brought()
    if name not in brought:
        raise _error(f"no target is named '{name}' (there are: {', '.join([*OURS, *brought])})")
    return _loaded(brought[name])


def names() -> list[str]:
    """All names, ours first."""
    return [*OURS, *_brought()]


def known(chosen: Iterable[str] = ()) -> dict[str, Target]:
    """Our targets, and those others that are chosen and can be found. Raises UserError."""
    others = [name for name in chosen if name not in OURS]
    brought = _brought() if others else {}
    return {name: find(name) for name in (*OURS, *(n for n in others if n in brought))}


def _brought() -> dict[str, EntryPoint]:
    """The entry points of other packages, by name; none of them takes the place of ours."""
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return {entry.name: entry for entry in found if entry.name not in OURS}


def _loaded(entry: EntryPoint) -> Target:
    try:
        found = entry.load()
    except Exception as error:
        kind = type(error).__name__
        raise _error(f"target '{entry.name}' cannot be loaded: {kind}: {error}") from error
    if not isinstance(found, Target) or found.name != entry.name:
        raise _error(f"target '{entry.name}' cannot be loaded: '{entry.value}' is no such target")
    return found


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "target"))
