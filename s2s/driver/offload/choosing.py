"""The settings of ``--offload``: which devices, by which rule, and where their tables come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from s2s.driver.offload.doors import register_codegens, register_doors
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.installed import find_installed
from s2s.targets.flags import flag
from s2s.transforms.outline import cost, table

GROUP = "s2s.devices"
OURS = ("aie", "davinci", "clockwork", "spatial")
ALIASES = {"cgra": "clockwork"}


def _names(text: str) -> tuple[str, ...]:
    names = tuple(ALIASES.get(name.strip(), name.strip()) for name in text.split(","))
    if not all(names) or len(set(names)) < len(names):
        raise ValueError(f"'{text}' is no list of different devices")
    return names


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"'{text}' is no number of operations")
    return int(text)


@dataclass(frozen=True)
class OffloadOptions:
    """Which devices may take parts of a program, the first one having priority."""

    devices: tuple[str, ...] = field(
        default=(),
        metadata=flag(
            "give what suits them to these devices, the first one first:"
            " aie, davinci, clockwork (or cgra), spatial, and those of other packages",
            name="--offload",
            metavar="LIST",
            parse=_names,
        ),
    )
    rule: str = field(
        default="none",
        metadata=flag(
            "what is worth it: none is all that a device takes, macs what multiplies and"
            " accumulates, time what is expected to be faster there (default: none)",
            name="--offload-rule",
            choices=cost.RULES,
        ),
    )
    most: int = field(
        default=0,
        metadata=flag(
            "operations of a region at most (default: any number)",
            name="--offload-most",
            metavar="COUNT",
            parse=_number,
        ),
    )
    lossy: bool = field(
        default=False,
        metadata=flag(
            "devices may compute in narrower types than the program's", name="--offload-lossy"
        ),
    )


def load_devices(options: OffloadOptions) -> None:
    """Fill the tables of all devices. Raises UserError for one that nobody brings."""
    register_doors(lossy=options.lossy)
    register_codegens()
    others = [name for name in options.devices if name not in OURS]
    installed = find_installed(GROUP, OURS) if others else {}
    for name in others:
        if name not in installed:
            raise _error(f"no device is named '{name}' (there are: {_known([*OURS, *installed])})")
        try:
            installed[name].load()
        except Exception as error:
            text = f"device '{name}' cannot be loaded: {type(error).__name__}: {error}"
            raise _error(text) from error
        if table.find_codegen(name) is None:
            raise _error(f"device '{name}' has no code generator")


def _known(names: Sequence[str]) -> str:
    return ", ".join(names)


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "offload"))
