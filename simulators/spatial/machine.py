"""The numbers of a spatial accelerator, each with its unit and what it rests on."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from s2s.source.diagnostics import Diagnostic, Severity, UserError

STATUSES = ("documented", "assumed", "fitted")
COUNTS = (
    "elements",
    "clock",
    "noc_bandwidth",
    "l1",
    "l2",
    "dram_block",
    "dram_bandwidth",
    "element_bytes",
)
ENERGIES = ("energy_mac", "energy_l1", "energy_l2", "energy_dram")
OURS = ("p1", "p2")


@dataclass(frozen=True)
class Parameter:
    """A number with its unit; ``status`` is one of ``STATUSES``, ``source`` says where from."""

    value: int | float
    unit: str
    status: str
    source: str


@dataclass(frozen=True)
class Machine:
    """A DRAM, a shared buffer L2, and ``elements`` processing elements with a buffer L1 each.

    ``noc_bandwidth`` and ``dram_bandwidth`` are elements per cycle, ``l1``, ``l2`` and
    ``dram_block`` elements; ``clock`` is in MHz. Energies are in multiply-accumulates.
    """

    name: str
    elements: int
    clock: int
    noc_bandwidth: int
    l1: int
    l2: int
    dram_block: int
    dram_bandwidth: int
    element_bytes: int
    energy_mac: float
    energy_l1: float
    energy_l2: float
    energy_dram: float
    parameters: dict[str, Parameter] = field(default_factory=dict, compare=False, hash=False)

    @property
    def multipliers(self) -> str:
        """The energies of one event, in words."""
        return (
            f"multiply-accumulate {self.energy_mac:g}, L1 access {self.energy_l1:g}, "
            f"L2 access {self.energy_l2:g}, DRAM byte {self.energy_dram:g}"
        )


def load(name: str) -> Machine:
    """The machine ``p1`` or ``p2``, or that of a TOML file.

    Raises UserError where it cannot be read, or a number is missing or makes no machine.
    """
    path = Path(__file__).parent / f"{name}.toml" if name in OURS else Path(name)
    try:
        table = tomllib.loads(path.read_text())
    except OSError as error:
        known = ", ".join(OURS)
        raise _error(f"{name}: {error.strerror} (a TOML file, or one of {known})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _error(f"{name}: {error}") from None
    return _machine(name, table)


def _machine(path: str, table: dict[str, object]) -> Machine:
    name = table.pop("name", Path(path).stem)
    for key in table:
        if key not in (*COUNTS, *ENERGIES):
            raise _error(f"{path}: a machine has no number '{key}'")
    found = {key: _parameter(path, key, table.get(key)) for key in (*COUNTS, *ENERGIES)}
    number: dict[str, Any] = {key: int(found[key].value) for key in COUNTS}
    size = number["element_bytes"]
    for key in ("noc_bandwidth", "dram_bandwidth", "l1", "l2", "dram_block"):
        number[key] //= size
        if not number[key]:
            raise _error(f"{path}: '{key}' is less than one element of {size} bytes")
    number |= {key: float(found[key].value) for key in ENERGIES}
    return Machine(str(name), **number, parameters=found)


def _parameter(path: str, key: str, given: object) -> Parameter:
    if not isinstance(given, dict) or "value" not in given:
        raise _error(f"{path}: the machine has no '{key}' ([{key}] with value, unit, source)")
    value = given["value"]
    least = 0 if key in ENERGIES else 1
    kinds = (int, float) if key in ENERGIES else (int,)
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value < 2**50:
        raise _error(f"{path}: {value!r} is no value for '{key}'")
    status = given.get("status", "assumed")
    if status not in STATUSES:
        raise _error(f"{path}: the status of '{key}' is one of {', '.join(STATUSES)}")
    return Parameter(value, str(given.get("unit", "")), status, str(given.get("source", path)))


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "machine"))
