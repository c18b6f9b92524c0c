"""What the engine's faults mean, with names, cycles and places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from s2s.simulators.amber.problems import line_of, problem

if TYPE_CHECKING:
    from s2s.source.clockwork.programs import Program
    from s2s.source.diagnostics import UserError

# In the order of the enumeration in ``include/engine.h``; a port is one of the instance's.
TEXTS = (
    "takes a word at port {port} to which nothing was written, as {element}",
    "takes {other} at port {port}, where {element} has to be",
    "uses port {port} twice",
    "runs {operation} and {other_operation} at a time",
    "uses its SRAM twice, by {other_port} and {port}",
    "writes the word at address {address} twice, by ports {other_port} and {port}",
    ": address {address} of port {port} is not among {number} words",
    "writes to port {port} of a queue that is full ({number} words)",
    "reads from port {port} of a queue that is empty",
    "gives {element} again, after cycle {number}",
    "{element} of the output is never given",
    "selects inputs {other_port} and {port} at a time",
    "holds {address} words that are needed later, its capacity is {number}",
    "{element} is {got}, in program order {expected}",
    "{operation} loads {element}, which nothing wrote before; {other} depends on it",
    ": address {address} of port {port} is not among {number} words of the table",
    "{operation} {verb} '{buffer}' at subscripts of no element that others name",
    "uses port {port} with an address to which nothing was written",
)


class Named(Protocol):
    """What has a name and a type."""

    @property
    def name(self) -> str: ...

    @property
    def type(self) -> str: ...


class Described(Protocol):
    """A design of a file with its instances, as they are numbered."""

    @property
    def path(self) -> str: ...

    @property
    def instances(self) -> Mapping[str, Named]: ...


def described(fault: Mapping[str, int], design: Described | None, program: Program) -> UserError:
    """The error for a fault: instance, port, cycle, element and operation as far as they apply."""
    one = None
    if design and fault["instance"] >= 0:
        one = list(design.instances.values())[fault["instance"]]
    where = f"instance '{one.name}'" if one else ""
    when = f"cycle {fault['cycle']}: " if fault["cycle"] >= 0 else ""
    operation = _operation(program, fault["operation"])
    text = TEXTS[fault["fault"]].format_map(_words(fault, program, one))
    if operation and operation.name not in text:
        text += f" ({operation.name})"
    place = None
    if operation:
        load = fault["load"]
        place = operation.accesses[load].at if load >= 0 else operation.at
    elif design is None:
        place = line_of(program.path, 1)
    space = " " if where and not text.startswith(":") else ""
    head = f"{design.path}: " if design and place is None else ""
    return problem(f"{head}{when}{where}{space}{text}", place)


def _operation(program: Program, place: int) -> Any:
    return program.operations[place][0] if place >= 0 else None


def _words(fault: Mapping[str, int], program: Program, one: Named | None) -> dict[str, Any]:
    element, other, operation = fault["element"], fault["other"], fault["operation"]
    one_of = _operation(program, operation)
    access = one_of.accesses[fault["load"]] if one_of and fault["load"] >= 0 else None
    second = (
        _operation(program, other) if operation >= 0 and other < len(program.operations) else None
    )
    return {
        "port": "in" if one and one.type == "output" else _port(fault["port"]),
        "other_port": _port(other),
        "element": program.element(element),
        "other": program.element(other),
        "address": element,
        "number": other,
        "operation": one_of.name if one_of else "",
        "other_operation": second.name if second else "",
        "verb": "stores to" if access and access is one_of.store else "loads",
        "buffer": access.buffer if access else "",
        "got": other >> 32,
        "expected": other & 0xFFFFFFFF,
    }


def _port(number: int) -> str:
    """Numbers of ports count from 0 for inputs, 100 for outputs, 200 and 300 for the SRAM's."""
    names = ("in{}", "out{}", "agg2sram {}", "sram2tb {}")
    return names[number // 100].format(number % 100) if 0 <= number < 400 else ""
