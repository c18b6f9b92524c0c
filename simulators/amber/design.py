"""A mapped design: instances of few types with ports, connections, and controllers that count.

``docs/clockwork.md`` says what each field means; what is wrong with a design before it runs is an
error here, with the instance's name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from s2s.simulators.amber.problems import problem
from s2s.source.diagnostics import UserError
from s2s.source.reading import read_source
from s2s.source.records import dataclass

TYPES = (
    "input", "output", "kernel", "register", "delay", "memory", "rom", "mux", "constant",
)  # fmt: skip
MODES = ("dual_port", "sram", "fifo", "register_file", "global_buffer")
WIDE = ("in2agg", "agg2sram", "sram2tb", "tb2out")


@dataclass(frozen=True)
class Counts:
    """A start and a stride for each loop of a controller, innermost first: an address."""

    start: int
    stride: tuple[int, ...]


@dataclass(frozen=True)
class Controller:
    """Loops that fire in the cycles ``start + sum(index*stride)``, innermost first, none of one
    iteration. ``address`` and ``second`` are what it gives in them.
    """

    extent: tuple[int, ...]
    stride: tuple[int, ...]
    start: int
    address: Counts | None = field(default=None, compare=False)
    second: Counts | None = field(default=None, compare=False)
    kept: tuple[int, ...] = field(default=(), compare=False)

    @property
    def last(self) -> int:
        """The cycle in which it fires for the last time."""
        return self.start + sum((e - 1) * s for e, s in zip(self.extent, self.stride, strict=True))

    def selected(self, counts: Counts) -> Counts:
        """A start and strides for the loops that were given, for those that are left."""
        return Counts(counts.start, tuple(counts.stride[k] for k in self.kept))


Controllers = tuple[Controller, ...]


@dataclass(frozen=True)
class Instance:
    """An instance: its type, its other fields as they stand in the file, its controllers by field.

    ``controllers["in"][0]`` are those of port ``in0``. ``uses`` are a kernel's operations, each
    with its controller; ``elements`` say for each controller of a stream which element is at the
    port, a count for each dimension.
    """

    name: str
    type: str
    fields: Mapping[str, Any]
    controllers: Mapping[str, tuple[Controllers, ...]]
    uses: tuple[tuple[str, Controller], ...] = ()
    elements: tuple[tuple[Counts, ...], ...] = ()

    @property
    def buffer(self) -> str:
        return str(self.fields.get("buffer", ""))

    def factors(self, port: str) -> tuple[int, ...]:
        """Factors of the words that are added to the addresses of port ``out0`` or ``in1``.

        Raises UserError.
        """
        verb, place = ("read", port[3:]) if port.startswith("out") else ("write", port[2:])
        lists = self.fields.get(f"{verb}_words") or []
        found = lists[int(place)] if int(place) < len(lists) else []
        if not isinstance(found, list) or not all(isinstance(n, int) for n in found):
            raise problem(f"instance '{self.name}': '{verb}_words' is {_shown(lists)}")
        return tuple(found)

    def number(self, name: str, default: int | None = None) -> int:
        """A field that is a number, not negative. Raises UserError."""
        value = self.fields.get(name, default)
        if not isinstance(value, int) or value < 0:
            raise problem(f"instance '{self.name}': '{name}' is {_shown(value)}")
        return value


@dataclass(frozen=True)
class Design:
    """A design of a file; ``sources`` leads from an instance's input port to what drives it."""

    path: str
    name: str
    memory: str
    compute: str
    cycles: int | None
    terms: tuple[tuple[Any, ...], ...]
    instances: Mapping[str, Instance]
    sources: Mapping[tuple[str, str], tuple[str, str]]

    @property
    def streamed(self) -> dict[str, tuple[tuple[int, int], ...]]:
        """The least and the greatest subscripts of each input stream's elements."""
        found: dict[str, tuple[tuple[int, int], ...]] = {}
        for one in self.of_type("input"):
            ranges = tuple(stream_ranges(one))
            for more in ranges:
                before = found.get(one.buffer, more)
                pairs = zip(before, more, strict=False)
                found[one.buffer] = tuple((min(a, c), max(b, d)) for (a, b), (c, d) in pairs)
        return found

    def of_type(self, *types: str) -> list[Instance]:
        return [one for one in self.instances.values() if one.type in types]


def stream_ranges(one: Instance) -> Iterator[tuple[tuple[int, int], ...]]:
    """For each controller of a stream the least and greatest subscripts of its elements."""
    for controller, element in zip(one.controllers["controller"][0], one.elements, strict=True):
        found = []
        for counts in element:
            steps = [s * (e - 1) for s, e in zip(counts.stride, controller.extent, strict=True)]
            low = counts.start + sum(s for s in steps if s < 0)
            found.append((low, counts.start + sum(s for s in steps if s > 0)))
        yield tuple(found)


def read_design(path: str) -> Design:
    """The design of a file. Raises UserError for one that is none."""
    try:
        table = json.loads(read_source(path))
    except ValueError as error:
        raise problem(f"{path}: is not JSON: {error}") from None
    if not isinstance(table, dict) or table.get("format") != 1:
        raise problem(f"{path}: is no design of format 1")
    try:
        return _design(path, table)
    except UserError as error:
        text = error.diagnostics[0].text
        raise problem(text if text.startswith(path) else f"{path}: {text}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise problem(f"{path}: a field is missing or of the wrong type: {error}") from None


def _design(path: str, table: dict[str, Any]) -> Design:
    instances = {name: _instance(name, fields) for name, fields in table["instances"].items()}
    sources: dict[tuple[str, str], tuple[str, str]] = {}
    for pair in table["connections"]:
        a, b = (_port(text, instances) for text in pair)
        source, target = (a, b) if a[1].startswith("out") else (b, a)
        if not source[1].startswith("out") or target[1].startswith("out"):
            raise problem(f"'{pair[0]}' and '{pair[1]}' are not an output and an input")
        if sources.setdefault(target, source) != source:
            raise problem(f"port '{'.'.join(target)}' has two drivers")
    folder = Path(path).parent
    return Design(
        path,
        str(table["name"]),
        str(folder / table["memory"]),
        str(folder / table["compute"]),
        table.get("cycles"),
        tuple(tuple(term) for term in table.get("terms", ())),
        instances,
        sources,
    )


def _port(text: str, instances: Mapping[str, Instance]) -> tuple[str, str]:
    name, _, port = text.rpartition(".")
    if name not in instances:
        raise problem(f"'{text}' is connected, but there is no instance '{name}'")
    return name, port


def _instance(name: str, fields: dict[str, Any]) -> Instance:
    kind = fields["type"]
    if kind not in TYPES:
        raise problem(f"instance '{name}': no type is named '{kind}' ({', '.join(TYPES)})")
    try:
        controllers = _controllers(kind, fields)
        return Instance(
            name, kind, fields, controllers, _uses(kind, fields), _elements(kind, fields)
        )
    except (KeyError, TypeError, ValueError) as error:
        what = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error)
        raise problem(f"instance '{name}': {what}") from None


def _uses(kind: str, fields: dict[str, Any]) -> tuple[tuple[str, Controller], ...]:
    if kind != "kernel":
        return ()
    uses = fields.get("uses") or [fields]
    return tuple((str(use["operation"]), controller_of(use["controller"])) for use in uses)


def _elements(kind: str, fields: dict[str, Any]) -> tuple[tuple[Counts, ...], ...]:
    """The elements of a stream; a controller of several may have its own ``element``."""
    if kind not in ("input", "output"):
        return ()
    given = fields["controller"]
    found = []
    for one in given if isinstance(given, list) else [given]:
        controller, element = controller_of(one), one.get("element") or fields["element"]
        if any(len(d.get("stride", [])) != len(one.get("extent", [])) for d in element):
            raise ValueError("'element' has not a stride for each loop of the controller")
        counts = (Counts(d.get("start", 0), tuple(d.get("stride", []))) for d in element)
        found.append(tuple(map(controller.selected, counts)))
    return tuple(found)


def _controllers(kind: str, fields: dict[str, Any]) -> dict[str, tuple[Controllers, ...]]:
    if kind in ("input", "output"):
        return {"controller": (_list(fields["controller"]),)}
    if kind == "mux":
        found = tuple(map(_list, fields["select"]))
        if sum(not controllers for controllers in found) > 1:
            raise ValueError("more than one input of the mux has no controller")
        return {"select": found}
    if kind != "memory":
        return {}
    if fields["mode"] not in MODES:
        raise ValueError(f"no mode is named '{fields['mode']}' ({', '.join(MODES)})")
    names = WIDE if fields["mode"] == "sram" else ("in", "out")
    return {name: tuple(map(_list, fields.get(name) or ())) for name in names}


def _list(given: Any) -> Controllers:
    return tuple(map(controller_of, given if isinstance(given, list) else [given]))


def controller_of(given: dict[str, Any]) -> Controller:
    """A controller without its loops of one iteration. Raises ValueError."""
    extent, stride = list(given.get("extent", [])), list(given.get("stride", []))
    if len(extent) != len(stride) or any(e < 1 for e in extent):
        raise ValueError(f"{_shown(given)} is no controller: its extents are wrong")
    kept = tuple(k for k, e in enumerate(extent) if e > 1)
    span = 0
    for k in kept:
        if stride[k] <= span:
            raise ValueError(f"the cycles of {_shown(given)} do not increase")
        span += (extent[k] - 1) * stride[k]
    if given["start"] < 0:
        raise ValueError(f"{_shown(given)} starts in a negative cycle")
    found = Controller(
        tuple(extent[k] for k in kept), tuple(stride[k] for k in kept), given["start"], kept=kept
    )
    second = "agg" if "agg_stride" in given else "tb"
    return Controller(
        found.extent,
        found.stride,
        found.start,
        _counts(given, "address", found),
        _counts(given, second, found),
        kept,
    )


def _counts(given: dict[str, Any], name: str, controller: Controller) -> Counts | None:
    if f"{name}_stride" not in given and f"{name}_start" not in given:
        return None
    stride = given.get(f"{name}_stride", [])
    if len(stride) != len(given.get("extent", [])):
        raise ValueError(f"{_shown(given)}: '{name}_stride' has not a stride for each loop")
    return controller.selected(Counts(given.get(f"{name}_start", 0), tuple(stride)))


def _shown(given: Any) -> str:
    text = json.dumps(given)
    return text if len(text) <= 100 else f"{text[:97]}..."
