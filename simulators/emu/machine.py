"""The parameters of a machine, each with what it rests on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass

STATUSES = ("documented", "assumed", "fitted")
CYCLES = (
    "operation",
    "load",
    "store",
    "atomic",
    "channel",
    "migration",
    "engine",
    "packet",
    "remote_round_trip",
    "spawn",
    "start",
    "end",
)
SIZES = (
    "nodelets",
    "cores_per_nodelet",
    "threads_per_core",
    "pieces_of_cilk_for",
    "clock_hz",
    "bytes_per_nodelet",
)
SWITCHES = ("first_thread_goes_home",)


@dataclass(frozen=True)
class Parameter:
    """A number of the machine; ``status`` is one of ``STATUSES``, ``source`` says where from."""

    value: int
    status: str
    source: str


@dataclass(frozen=True)
class Machine:
    """A machine by name with its sizes and what things cost in cycles of a core."""

    name: str
    parameters: Mapping[str, Parameter]

    def __getitem__(self, name: str) -> int:
        return self.parameters[name].value

    def definitions(self) -> tuple[str, ...]:
        """Compiler flags with which the runtime is this machine."""
        return (
            f"-DS2S_N={self['nodelets']}",
            f"-DS2S_CORES={self['cores_per_nodelet']}",
            f"-DS2S_CONTEXTS={self['threads_per_core']}",
            f"-DS2S_PIECES={self['pieces_of_cilk_for']}",
            f"-DS2S_GOES_HOME={self['first_thread_goes_home']}",
            f"-DS2S_CLOCK_HZ={self['clock_hz']}",
            f"-DS2S_BYTES={self['bytes_per_nodelet']}ul",
            *(f"-DC_{name.upper()}={self[name]}" for name in CYCLES),
        )

    def with_values(self, values: Mapping[str, int]) -> Machine:
        """The machine with some numbers replaced by a user's.

        Raises UserError for names that it does not have and values that make no machine.
        """
        parameters = dict(self.parameters)
        for name, value in values.items():
            if name not in parameters:
                known = ", ".join(parameters)
                raise _error(f"{self.name} has no parameter '{name}'; it has {known}")
            most = 1024 if name == "nodelets" else 1 if name in SWITCHES else value
            if not (1 if name in SIZES else 0) <= value <= most:
                raise _error(f"{value} is no value for '{name}'")
            parameters[name] = Parameter(value, "assumed", "the command line")
        return replace(self, parameters=parameters)


def load(name: str = "emu_chick") -> Machine:
    """The machine of a file in this folder."""
    with open(Path(__file__).parent / f"{name}.toml", "rb") as stream:
        table = tomllib.load(stream)
    return Machine(
        table.pop("name"), {key: Parameter(**described) for key, described in table.items()}
    )


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "s2s-emu-machine"))
