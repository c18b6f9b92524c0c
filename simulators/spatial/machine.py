"""The numbers of a spatial accelerator, each with its unit and what it rests on."""

from __future__ import annotations

import re
import tomllib
from dataclasses import field
from pathlib import Path
from typing import Any

from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError
from s2s.source.records import dataclass
from s2s.source.spatial.problems import meant

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
DEEP = ("l3", "l3_bandwidth", "energy_l3")
"""What a machine with a third buffer, between DRAM and L2, has in addition."""
ENERGIES = ("energy_mac", "energy_l1", "energy_l2", "energy_dram")
_KEYS = (*COUNTS, *ENERGIES, *DEEP)
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

    Between DRAM and L2 there may be a buffer ``l3`` (0: none), that brings ``l3_bandwidth`` to L2.
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
    l3: int = 0
    l3_bandwidth: int = 0
    energy_l3: float = 0
    parameters: dict[str, Parameter] = field(default_factory=dict, compare=False, hash=False)

    @property
    def multipliers(self) -> str:
        """The energies of one event, in words."""
        deep = f"L3 access {self.energy_l3:g}, " if self.l3 else ""
        return (
            f"multiply-accumulate {self.energy_mac:g}, L1 access {self.energy_l1:g}, "
            f"L2 access {self.energy_l2:g}, {deep}DRAM byte {self.energy_dram:g}"
        )


def load(name: str) -> Machine:
    """The machine ``p1`` or ``p2``, or that of a TOML file.

    Raises UserError where it cannot be read, or a number is missing or makes no machine.
    """
    path = Path(__file__).parent / f"{name}.toml" if name in OURS else Path(name)
    file = _File(name, "")
    try:
        file = _File(name, path.read_text())
        table = tomllib.loads(file.text)
    except OSError as error:
        known = ", ".join(OURS)
        said = f"{name}: {error.strerror} (a TOML file, or one of {known})"
        raise UserError(Diagnostic(Severity.ERROR, said, "machine")) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise file.syntax_error(str(error)) from None
    return _machine(file, table)


@dataclass(frozen=True)
class _File:
    """A machine's text, for the places of what is wrong in it."""

    path: str
    text: str

    def error(self, said: str, key: str = "") -> UserError:
        """At the table of a number; at the end of the file where there is none."""
        lines = self.text.splitlines() or [""]
        heads = (n for n, line in enumerate(lines, 1) if re.match(rf"\s*\[?\s*{key}\b", line))
        line = next(heads, len(lines)) if key else 1
        return self._at(said, line, 1)

    def syntax_error(self, said: str) -> UserError:
        """Where the reader of TOML says."""
        place = re.search(r" \(at line (\d+), column (\d+)\)", said)
        if place is None:
            return self._at(said.replace(" (at end of document)", ""), self.text.count("\n") + 1, 1)
        return self._at(said.replace(place.group(), ""), int(place[1]), int(place[2]))

    def _at(self, said: str, line: int, column: int) -> UserError:
        place = Location(self.path, line, column, line, column + 1)
        return UserError(Diagnostic(Severity.ERROR, said, "machine", place))


def _machine(file: _File, table: dict[str, object]) -> Machine:
    name = table.pop("name", Path(file.path).stem)
    for key in table:
        if key not in _KEYS:
            raise file.error(f"a machine has no number '{key}'{meant(key, _KEYS)}", key)
    deep = DEEP if any(key in table for key in DEEP) else ()
    found = {key: _parameter(file, key, table.get(key)) for key in (*COUNTS, *ENERGIES, *deep)}
    number: dict[str, Any] = {
        key: int(found[key].value) for key in found if not key.startswith("energy")
    }
    size = number["element_bytes"]
    for key in ("noc_bandwidth", "dram_bandwidth", "l1", "l2", "dram_block", *deep[:2]):
        number[key] //= size
        if not number[key]:
            raise file.error(f"'{key}' is less than one element of {size} bytes", key)
    number |= {key: float(found[key].value) for key in found if key.startswith("energy")}
    return Machine(str(name), **number, parameters=found)


def _parameter(file: _File, key: str, given: object) -> Parameter:
    if not isinstance(given, dict) or "value" not in given:
        raise file.error(f"the machine has no '{key}' ([{key}] with value, unit, source)", key)
    value = given["value"]
    least = 0 if key.startswith("energy") else 1
    kinds = (int, float) if key.startswith("energy") else (int,)
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value < 2**50:
        raise file.error(f"{value!r} is no value for '{key}'", key)
    status = given.get("status", "assumed")
    if status not in STATUSES:
        raise file.error(f"the status of '{key}' is one of {', '.join(STATUSES)}", key)
    source = str(given.get("source", file.path))
    return Parameter(value, str(given.get("unit", "")), status, source)
