"""The designs of ``s2s bench clockwork``, and the tables and figures that they stand in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, TypeVar

from s2s.bench import descriptions
from s2s.source.diagnostics import UsageError
from s2s.source.records import dataclass
from s2s.source.spelling import did_you_mean

NAME = "clockwork"

T = TypeVar("T")


@dataclass(frozen=True)
class Design:
    """A generator of a source with values of its parameters; ``rate`` as Table 6.5 has it,
    ``sharing`` and ``memory`` as ``MappingOptions``. ``search``: limits, and the effort of a search
    that chooses the parameters that are not given; such a design is measured when it is asked for.
    """

    name: str
    path: Path
    source: str
    rate: int
    sharing: str = ""
    memory: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    small: Mapping[str, Any] = field(default_factory=dict)
    search: Mapping[str, int] = field(default_factory=dict)

    def parameters(self, size: str) -> dict[str, str]:
        """As the frontend takes them: at the published size, or at ``small``."""
        chosen = {**self.params, **(self.small if size == "small" else {})}
        return {name: str(value) for name, value in chosen.items()}


@dataclass(frozen=True)
class TableRow:
    """A design's row: figures as published by metric, those that are printed otherwise, and
    what published ones may mean instead (``readings``).
    """

    label: str
    design: str
    derivable: str
    rule: str
    published: Mapping[str, float] = field(default_factory=dict)
    printed: Mapping[str, float] = field(default_factory=dict)
    readings: Mapping[str, float] = field(default_factory=dict)
    buffer: str = ""
    against: str = ""


@dataclass(frozen=True)
class Table:
    """A table; ``geomean`` are published means by metric, ``printed`` those that are misprints."""

    rows: Sequence[TableRow]
    number: str
    title: str
    columns: tuple[str, ...]
    geomean: Mapping[str, float] = field(default_factory=dict)
    printed: Mapping[str, float] = field(default_factory=dict)

    @property
    def designs(self) -> frozenset[str]:
        return frozenset(d for row in self.rows for d in (row.design, row.against) if d)


@dataclass(frozen=True)
class Figure:
    """Curves of a metric along another; ``trend``: whether the dissertation's rise or fall."""

    series: Mapping[str, tuple[str, ...]]
    number: str
    title: str
    x: str
    y: str
    trend: str

    @property
    def designs(self) -> frozenset[str]:
        return frozenset(name for names in self.series.values() for name in names)


@dataclass(frozen=True)
class Description:
    """All of the file."""

    designs: Sequence[Design]
    tables: Sequence[Table]
    figures: Sequence[Figure]

    @property
    def parts(self) -> list[Table | Figure]:
        """Tables and figures."""
        return [*self.tables, *self.figures]

    def chosen(self, only: Sequence[str]) -> list[Design]:
        """Designs by name, source, or the number of a table or figure; for no name all but those
        that are searched.

        Raises UsageError for a name that nothing has.
        """
        found: set[str] = set()
        for wanted in only:
            own = self._of(wanted)
            if not own:
                sources = [design.source for design in self.designs]
                names = dict.fromkeys([*sources, *(part.number for part in self.parts)])
                raise UsageError(
                    f"no design or table is named '{wanted}'{did_you_mean(wanted, names)}"
                )
            found |= own
        return [d for d in self.designs if (d.name in found if only else not d.search)]

    def _of(self, wanted: str) -> set[str]:
        own = {d.name for d in self.designs if d.name == wanted}
        own |= {d.name for d in self.designs if d.source == wanted and not d.search}
        for one in self.parts:
            if wanted == one.number:
                own |= one.designs
        return own


def read() -> Description:
    """The description. Raises UserError for one that is wrong."""
    path = descriptions.find(f"{NAME}/tables.toml")
    data = descriptions.read_toml(path)
    designs = [
        _read(path, Design, table, name=name, path=path.parent / f"{table.get('source')}.cpp")
        for name, table in data.get("designs", {}).items()
    ]
    tables = [
        _read(path, Table, one, rows=[_read(path, TableRow, row) for row in one.pop("rows", ())])
        for one in data.get("tables", ())
    ]
    figures = [
        _read(path, Figure, one, series={k: tuple(v) for k, v in one.pop("series", {}).items()})
        for one in data.get("figures", ())
    ]
    _check(path, designs, [*tables, *figures])
    return Description(designs, tables, figures)


def _read(where: Path, kind: Callable[..., T], table: Mapping[str, Any], **given: Any) -> T:
    try:
        return descriptions.read(kind, table, **given)
    except descriptions.BadValueError as error:
        raise descriptions.bench_error(f"{where}: {error}") from error


def _check(path: Path, designs: Sequence[Design], users: Sequence[Table | Figure]) -> None:
    names = {d.name for d in designs}
    for one in users:
        for name in sorted(one.designs - names):
            text = f"{path}: {one.number} has a design '{name}' that is not there"
            raise descriptions.bench_error(text)
