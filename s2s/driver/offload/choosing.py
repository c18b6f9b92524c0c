"""The devices of ``--offload``: ours, and those that packages bring by entry points."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.driver.offload import emu_door, spatial_door
from s2s.driver.offload.doors import register_codegens, register_doors
from s2s.driver.offload.settings import OffloadOptions
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.installed import PlugIn, find_installed
from s2s.transforms.outline import table

GROUP = "s2s.devices"
OURS = ("aie", "davinci", "clockwork", "spatial", "cuda", "emu")


def load_devices(options: OffloadOptions) -> None:
    """Fill the tables of all devices. Raises UserError for one that nobody brings."""
    register_doors(lossy=options.lossy)
    register_codegens()
    table.register_codegen("spatial")(spatial_door.codegen)
    emu_door.register()
    others = [name for name in options.devices if name not in OURS]
    installed = find_installed(GROUP, OURS) if others else {}
    for name in others:
        if name not in installed:
            raise _error(f"no device is named '{name}' (there are: {_known([*OURS, *installed])})")
        load_device(installed[name])


def load_device(found: PlugIn) -> None:
    """Import the module of a device, which fills its tables. Raises UserError."""
    found.load()
    if table.find_codegen(found.name) is None:
        raise found.broken(f"'{found.entry.value}' registers no code generator of that name")


def _known(names: Sequence[str]) -> str:
    return ", ".join(names)


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "offload"))
