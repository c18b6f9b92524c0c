"""Loops over tiles and strips: their bounds and widths, and what each strip has for itself."""

from __future__ import annotations

import re

import islpy as isl

from s2s.emitters.c import generated
from s2s.emitters.c.choices import Choice, choice_of
from s2s.emitters.c.errors import Unprintable
from s2s.emitters.c.expressions import Names, Text, convert, divided
from s2s.emitters.c.guard import Emission, Guard
from s2s.emitters.c.instances import INDENT
from s2s.emitters.c.waits import Waits, waits
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule
from s2s.scop.stack import on_stack
from s2s.scop.texts import Storage

# The width of elastic strips in isl; names of parameters never begin so.
_WIDTH = "_width"
_VECTOR = 4


class Tiling:
    """The tiles of one region."""

    def __init__(self, scop: Scop, emission: Emission) -> None:
        assert scop.target is not None
        self.scop = scop
        self.emission = emission
        self.schedule: Schedule = scop.target
        self.tiles = [d for d in self.schedule.dimensions if d.role is Role.TILE]
        self.tile_names = [f"{emission.prefix}{d.name}" for d in self.tiles]
        spelling = {p.name: p.spelling for p in scop.parameters}
        narrow = frozenset(p.name for p in scop.parameters if p.size < 8)
        unsigned = frozenset(p.name for p in scop.parameters if p.unsigned)
        self.names = Names(spelling, narrow, unsigned)
        self._check_names()
        self.guard = Guard(scop, emission, self.names)
        self.known = self.guard.known
        self.checked = ""
        self._choices: dict[str, Choice] = {}
        """Texts of tiles' ends that choose among more than two values."""

    def _check_names(self) -> None:
        """An iterator declared inside a leaf must not hide a parameter that its value uses."""
        parameters = {w for p in self.scop.parameters for w in re.findall(r"\w+", p.spelling)}
        for statement in self.scop.statements:
            for variable in statement.iterators:
                if variable.spelling in parameters:
                    raise Unprintable(f"'{variable.spelling}' is a loop variable and a parameter")

    def _names_in_tiles(self, count: int) -> Names:
        """Names inside the first ``count`` loops over tiles."""
        names = self.names.renamed(_WIDTH, self._width)
        for position, parameter in enumerate(self._tile_parameters()[:count]):
            names = names.renamed(parameter, self._first_point(position))
        return names

    def _waiting(self, piped: list[int]) -> Waits:
        """How tiles of the loops at these places wait for each other."""
        kind = self.tiles[piped[0]].parallelism if piped else Parallelism.DOACROSS
        counters = [self.tile_names[i] for i in piped]
        return waits(kind, counters, self._clauses, self.emission.prefix)

    def _ends(self, position: int, box: list[tuple[str, str]]) -> tuple[str, str]:
        """From where to where a tile loop counts."""
        low, high = box[position]
        if self._counts_strips(position):
            return "0", f"{self._span} / {self._width}"
        return low, high

    @property
    def _width(self) -> str:
        return f"{self.emission.prefix}width"

    @property
    def _span(self) -> str:
        return f"{self.emission.prefix}span"

    def _counts_strips(self, position: int) -> bool:
        """Whether a loop counts strips: waits name earlier ones by a constant distance."""
        tile = self.tiles[position]
        return tile.elastic and tile.parallelism.waits

    def _first_point(self, position: int) -> str:
        """The name of what a tile's parameter stands for: its number, or its first point."""
        name = self.tile_names[position]
        return f"{name}_first" if self._counts_strips(position) else name

    def _strips(self, box: list[tuple[str, str]]) -> list[str]:
        """Where the strips of pipelined loops begin."""
        return [
            f"const long {self._first_point(i)} = {box[i][0]} + {name} * {self._width};"
            for i, name in enumerate(self.tile_names)
            if self._counts_strips(i)
        ]

    def _widths(self, dimension: Dimension, ends: tuple[str, str]) -> list[str]:
        """The width of strips: what each thread gets, in whole vectors, within bounds."""
        name, (low, high) = self._width, ends
        if dimension.parallelism.waits:
            first = low if re.fullmatch(r"[\w *]+", low) else f"({low})"
            return [
                f"const long {self._span} = {high} - {first};",
                f"long {name} = {self._span} / {self.guard.threads} + 1;",
                f"if ({name} > {dimension.size}) {name} = {dimension.size};",
            ]
        last = f"(long){high}" if high.isidentifier() else f"(long)({high})"
        first = low if low.isalnum() else f"({low})"
        span = last if low == "0" else f"({last} - {first})"
        share = f"{span} / {self.guard.threads} / {_VECTOR}"
        return [
            f"long {name} = ({share} + 1) * {_VECTOR};",
            f"if ({name} > {dimension.size}) {name} = {dimension.size};",
        ]

    def _kept_storage(self) -> list[str]:
        """Declarations of arrays from which strips take over what others have left."""
        return [self._declared(s) for s in self.scop.storage if s.carry]

    def _storage(self, box: list[tuple[str, str]]) -> list[str]:
        """Declarations of what each strip has for itself, and what it takes over."""
        lines = [self._declared(s) for s in self.scop.storage if s.size and not s.carry]
        carried = [s for s in self.scop.storage if s.carry]
        if not carried:
            return lines
        lines.append(f"if ({self.tile_names[-1]} > {box[-1][0]}) {{")
        for storage in carried:
            lines += [INDENT + line for line in self._taken_over(storage)]
        return [*lines, "}"]

    def _taken_over(self, storage: Storage) -> list[str]:
        name, strip = f"{self.emission.prefix}{storage.name}", storage.size - storage.carry
        if storage.carry == 1:
            return [f"{name}[0] = {name}[{strip}];"]
        at = f"{self.emission.prefix}carried"
        return [
            f"for (int {at} = 0; {at} < {storage.carry}; {at}++)",
            f"{INDENT}{name}[{at}] = {name}[{at} + {strip}];",
        ]

    def _declared(self, storage: Storage) -> str:
        name = f"{self.emission.prefix}{storage.name}"
        sizes = "".join(f"[{size}]" for size in (storage.size, *storage.inner))
        return on_stack(f"{storage.type} {name}{sizes}")

    @property
    def _clauses(self) -> str:
        """What the source's parallel constructs say, after a blank."""
        return "".join(f" {clause}" for clause in self.emission.clauses) + self.guard.clause()

    @staticmethod
    def _distribution(dimension: Dimension, construct: str, clauses: str) -> list[str]:
        if dimension.parallelism is not Parallelism.DOALL:
            return []
        dynamic = " schedule(dynamic)" if dimension.dynamic else ""
        return [f"#pragma omp {construct}{dynamic}{clauses}"]

    def _box(self) -> list[tuple[str, str]]:
        """Smallest and largest value of each tile dimension, as C text.

        A pipelined nest is rectangular: its bounds may use the counters of loops outside of it, and
        loops inside may use all.
        """
        if not self.tiles:
            return []
        times = self._times()
        piped = [i for i, d in enumerate(self.tiles) if d.parallelism.waits]
        ranges = []
        for position in range(len(self.tiles)):
            outer = piped[0] if position in piped else position
            ranges.append(self._tile_range(self._slice(times, outer), position, outer))
        return ranges

    def _chosen_ends(
        self, position: int, piped: list[int], box: list[tuple[str, str]]
    ) -> tuple[list[str], list[str]]:
        """Name those ends of loops over tiles in their box that are choices of several cases.

        They are declared and set before the loop at a position, or before the pipelined nest that
        begins there; what the width of strips is worked out from stays as it is.
        """
        inside = piped if position in piped[:1] else [position] if position not in piped else []
        declared, chosen = list[str](), list[str]()
        for place in inside:
            ends = []
            for text, what in zip(box[place], ("begin", "last"), strict=True):
                choice, name = self._choices.get(text), f"{self.tile_names[place]}_{what}"
                if choice is None or self.tiles[place].elastic:
                    ends.append(text)
                else:
                    ends.append(name)
                    declared.append(f"long {name};")
                    chosen += choice.lines(name)
            box[place] = (ends[0], ends[1])
        return declared, chosen

    def _end(self, known: isl.Set, value: isl.PwAff, names: Names, size: int = 1) -> str:
        """A value by a tile's size, which may be a choice, too."""
        expression = generated.value(known, value.coalesce())

        def by_size(text: Text) -> Text:
            return divided(text, size) if size > 1 else text

        text = by_size(convert(expression, names)).text
        if (choice := choice_of(expression, names, by_size)) is not None:
            self._choices[text] = choice
        return text

    def _slice(self, times: isl.Set, count: int) -> isl.Set:
        """Time vectors in given tiles (parameters) of the first ``count`` tile dimensions."""
        if not count:
            return times
        vector = ", ".join(f"x{i}" for i in range(times.dim(isl.dim_type.set)))
        header = f"[{', '.join([*self._tile_parameters()[:count], _WIDTH])}]"
        equal = [self._in_tile(f"x{i}", i) for i in range(count)]
        equal += [self._of_width(d) for d in self.tiles[:count] if d.elastic]
        return times.intersect(isl.Set(f"{header} -> {{ [{vector}] : {' and '.join(equal)} }}"))

    def _times(self) -> isl.Set:
        """All time vectors."""
        times: isl.Set | None = None
        for name, item in self.schedule.maps.items():
            image = item.intersect_domain(self.scop.statement(name).domain).range()
            times = image if times is None else times.union(image)
        assert times is not None
        return times.intersect_params(self.known)

    def _tile_range(self, times: isl.Set, position: int, outer: int) -> tuple[str, str]:
        """From where to where tiles count along one dimension."""
        tile = self.tiles[position]
        known = times.params()
        names = self._names_in_tiles(outer)
        if tile.start == "0" or tile.band is None or tile.elastic:
            ends = (times.dim_min(position), times.dim_max(position))
            low, high = (self._end(known, end, names) for end in ends)
            return low, high
        band = len(self.tiles) + (tile.band if tile.entry is None else tile.entry)
        start = self._parameter_expression(tile.start)
        ends = (times.dim_min(band).sub(start), times.dim_max(band).sub(start))
        low, high = (self._end(known, end, names, tile.size) for end in ends)
        return low, high

    def _parameter_expression(self, text: str) -> isl.PwAff:
        names = ", ".join(p.name for p in self.scop.parameters)
        return isl.PwAff(f"[{names}] -> {{ [{text}] }}")

    def _tile_parameters(self) -> list[str]:
        return [f"_tile{i}" for i in range(len(self.tiles))]  # no parameter begins so

    def _inside_tiles(self) -> isl.Set:
        """What is known about parameters and tile counters inside the tile loops."""
        context = self.known
        times = self._times()
        for position, name in enumerate(self._tile_parameters()):
            counter = isl.PwAff(f"[{name}] -> {{ [{name}] }}")
            low, high = times.dim_min(position), times.dim_max(position)
            context = context.intersect(counter.ge_set(low)).intersect(counter.le_set(high))
        for dimension in self.tiles:
            if dimension.elastic:
                bounds = f"[{_WIDTH}] -> {{ : {self._of_width(dimension)} }}"
                context = context.intersect(isl.Set(bounds))
        return context

    def _point_schedule(self) -> isl.UnionMap:
        """The schedule with tile dimensions as parameters."""
        count = len(self.schedule.dimensions)
        names = [f"x{i}" for i in range(count)]
        parameters = self._tile_parameters()
        equal = " and ".join(self._in_tile(f"x{i}", i) for i in range(len(parameters))) or "true"
        header = f"[{', '.join([*parameters, _WIDTH])}] -> " if parameters else ""
        slice_ = isl.Set(f"{header}{{ [{', '.join(names)}] : {equal} }}")
        result: isl.UnionMap | None = None
        for name, item in self.schedule.maps.items():
            domain = self.scop.statement(name).domain
            for printed in self._printed(name, item.intersect_domain(domain)):
                part = printed.intersect_range(slice_)
                part = part.project_out(isl.dim_type.out, 0, len(parameters))
                both = isl.UnionMap.from_map(part.coalesce())
                result = both if result is None else result.union(both)
        assert result is not None
        return result

    def _printed(self, name: str, times: isl.Map) -> list[isl.Map]:
        """What loops are made for: of a tile in registers the first lanes, and its panels."""
        tile = self.schedule.tile
        if tile is None or tile.statement != name:
            return [times]
        first = ", ".join(f"i{p}" for p in range(times.dim(isl.dim_type.in_)))
        vectors = isl.Set(f"{{ {name}[{first}] : i{tile.lane} mod {tile.width} = 0 }}")
        whole = times.intersect_domain(tile.whole.intersect(vectors))
        whole = whole.set_tuple_name(isl.dim_type.in_, tile.name)
        return [times.subtract_domain(tile.whole), whole, *tile.packs.values()]

    def _in_tile(self, entry: str, position: int) -> str:
        """That an entry of the time vectors belongs to the current tile."""
        counter = self._tile_parameters()[position]
        if self.tiles[position].elastic:
            return f"{counter} <= {entry} < {counter} + {_WIDTH}"
        return f"{entry} = {counter}"

    @staticmethod
    def _of_width(dimension: Dimension) -> str:
        """What the width of an elastic dimension's strips may be."""
        return f"1 <= {_WIDTH} <= {dimension.size}"
