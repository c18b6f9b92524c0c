"""The text that replaces a region: guard, parallel loops, tiles, and the original as fallback."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from textwrap import dedent

import islpy as isl

from s2s.emitters.c import generated
from s2s.emitters.c.before_loops import declare_before_loops
from s2s.emitters.c.blocks import (
    CLOSE,
    END,
    OPEN,
    ORIGINAL,
    VERBATIM,
    Block,
    Item,
    declared,
    leave_out_iterators,
    parse,
    tidy,
)
from s2s.emitters.c.carried_scalars import Rotator
from s2s.emitters.c.counting import count_lines
from s2s.emitters.c.errors import Unprintable
from s2s.emitters.c.expressions import Names
from s2s.emitters.c.first_values import with_first_values
from s2s.emitters.c.guard import Emission, Part
from s2s.emitters.c.instances import INDENT
from s2s.emitters.c.layout import Layout
from s2s.emitters.c.line_breaks import guard_lines
from s2s.emitters.c.loops import LoopPrinter
from s2s.emitters.c.members import with_members_in_locals
from s2s.emitters.c.panels import PanelWriter
from s2s.emitters.c.row_checks import row_lines
from s2s.emitters.c.scalar_replacement import Holder
from s2s.emitters.c.shared_loads import LoadSharer
from s2s.emitters.c.shared_loops import are_shared
from s2s.emitters.c.style import columns, style_of
from s2s.emitters.c.team import BARRIER, TeamWriter
from s2s.emitters.c.tiling import Tiling
from s2s.scop.nodes import Around, Scop, Statement
from s2s.scop.schedule import Dimension, Parallelism, Role, Team
from s2s.scop.texts import PREFIX
from s2s.source import Edit, Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Rewritten:
    """A region's new text and where in it statements of the source stand, by byte offsets."""

    edit: Edit
    leaves: tuple[tuple[Span, str], ...]
    guard: str = ""
    """The condition of the run-time check; empty without one."""
    short: Edit | None = None
    """The text that leaves: without the iterators that the net alone reads."""
    c90: Edit | None = None
    """The same where the language is C90, in which loops declare nothing."""


def emit(scop: Scop, emission: Emission) -> Rewritten:
    """The edit that rewrites a region by its target schedule. Raises Unprintable."""
    if scop.target is None:
        raise Unprintable("no schedule")
    for carried in scop.carried.values():
        raise Unprintable(f"'{carried.spelling}' carries values between statements")
    region = _Region(scop, emission)
    marked = [_without_marks(t.encode("utf-8", "surrogateescape")) for t in region.texts()]
    whole, short, *c90 = (Edit(scop.span.start, scop.span.end, text) for text, _ in marked)
    return Rewritten(whole, marked[0][1], region.checked, short, *c90)


def _without_marks(marked: bytes) -> tuple[bytes, tuple[tuple[Span, str], ...]]:
    pieces: list[bytes] = []
    leaves: list[tuple[Span, str]] = []
    length, name, start = 0, "", 0
    for piece in re.split(f"({OPEN}\\w+{CLOSE}|{END})".encode(), marked):
        if piece.startswith(OPEN.encode()):
            name, start = piece[3:-3].decode(), length
        elif piece == END.encode():
            leaves.append((Span(start, length), name))
        else:
            pieces.append(piece)
            length += len(piece)
    return b"".join(pieces), tuple(leaves)


# Lines inside of which a line break or its blanks belong to a token.
_SPLICED = re.compile(r"\\\n|R\"")


def _fixed(known: isl.Set, place: int) -> int | None:
    """The number that a parameter is, where it is one."""
    value = known.plain_get_val_if_fixed(isl.dim_type.param, place)
    return None if value.is_nan() else int(value.to_python())


class _Region(Tiling):
    """Emission of one region."""

    def texts(self) -> Iterator[str]:
        """The new text as the net reads it, with all iterators; as it leaves; and in C90."""
        if self.scop.team is not None and any(d.parallelism.waits for d in self.tiles):
            raise Unprintable("threads of the team would wait for single tiles")
        parts = self.guard.parts()
        self.checked = " && ".join(part.text for part in parts)
        counting = row_lines(self.scop, self.guard)
        counting += count_lines(self.scop, self.emission, self.names, self.known)
        body: list[str] = []
        self._tiles(body, 0)
        if self.scop.team is not None and not are_shared(body):
            raise Unprintable("each thread of the team would run a part of the loop")
        front, body = self._with_members(body)
        style = style_of(self.emission.buffer.data)
        layout = Layout(style, self._indentation())
        new = parse(body)
        block = Block([], self._before_guard(parts, counting, body, new))
        if parts or counting:
            head = [f"if ({f'{self.emission.prefix}often' if counting else self.checked})"]
            width = style.width - columns(layout.base + style.unit)
            if parts and not counting and len(head[0]) + 2 > width:
                head = list(guard_lines(parts, width))
            inside = [*front, *new]
            block.items.append(Block(head, inside, otherwise=Block(["else"], [ORIGINAL])))
        else:
            block.items += [*new, *self._unused(body)]
        tidy(block)
        yield self._joined(layout.lines([block]))
        leave_out_iterators(block)
        yield self._joined(layout.lines([block]))
        if self.emission.is_c90:
            declare_before_loops(block)
            yield self._joined(layout.lines([block]))

    def _with_members(self, body: list[str]) -> tuple[list[str], list[str]]:
        """Locals with members of records, and the lines that name these instead."""
        assert self.scop.target is not None
        front: list[str] = []
        if not self.emission.is_cxx and self.scop.team is None:
            front, body = with_members_in_locals(
                self.scop, self.checked, body, self.emission.prefix
            )
        if self.scop.target.members and not front:
            raise Unprintable("the records are named for more than their members")
        return [*self._numbers(body), *front], body

    def _numbers(self, body: list[str]) -> list[str]:
        """Locals for parameters that the guard has found to be numbers: threads know them."""
        dimensions = self.scop.target.dimensions if self.scop.target is not None else ()
        if not any(d.parallelism is Parallelism.DOALL for d in dimensions):
            return []
        used = set(re.findall(r"\w+", " ".join(body)))
        lines = []
        for place, parameter in enumerate(self.scop.parameters):
            name = parameter.spelling
            number = _fixed(self.guard.known, place)
            if number is None or _fixed(self.scop.context, place) is not None:
                continue
            if name in used and name.isidentifier():
                lines.append(f"const {parameter.type.removeprefix('const ')} {name} = {number};")
        return lines

    def _joined(self, lines: Iterable[str]) -> str:
        ending = "\r\n" if b"\r\n" in self.emission.buffer.data[:4096] else "\n"
        text = ending.join(lines).replace(VERBATIM, "")
        if self._head():
            text = text.lstrip()  # the source's own indentation stands before it
        return text.replace(ORIGINAL, self._original())

    def _before_guard(
        self, parts: Sequence[Part], counting: list[str], body: list[str], new: Sequence[Item]
    ) -> list[Item]:
        lines = [f"/* {self._comment()} */"]
        if self.scop.team is Around.RUNS:
            lines.append(BARRIER)
        used = set(re.findall(r"\w+", " ".join([*body, self.checked])))
        plain = [(line, {*declared(line)}) for line in self.scop.preamble]
        needed = [line for line, names in plain if "=" in line or not names or names & used]
        lines += with_first_values(needed, new)
        lines += self.guard.declarations()
        if counting:
            name = f"{self.emission.prefix}often"
            lines += [f"int {name} = {self.checked if parts else 1};", *counting]
        return parse(lines)

    def _unused(self, body: list[str]) -> list[str]:
        """Uses of variables that the region named and the new code does not: else a warning."""
        left = set(re.findall(r"\w+", " ".join(body)))
        source = set(re.findall(r"\w+", self.emission.buffer.text(self.scop.span)))
        spelled = {a.spelling for a in self.scop.arrays.values() if not (a.rank or a.external)}
        return [f"(void){name};" for name in sorted((spelled & source) - left)]

    def _head(self) -> str:
        """What stands before the region on its line."""
        start = self.emission.buffer.line_start(self.scop.span.start)
        return self.emission.buffer.data[start : self.scop.span.start].decode("utf-8", "replace")

    def _indentation(self) -> str:
        head = self._head()
        if head.strip():
            return re.match(r"[ \t]*", head).group()  # type: ignore[union-attr]
        if head:
            return head
        first = self.scop.statements[0].span.start
        inside = self.emission.buffer.data[self.scop.span.start : first].decode("utf-8", "replace")
        rows = [r for r in inside.split("\n")[1:] if r.strip() and not r.lstrip().startswith("#")]
        return re.match(r"[ \t]*", rows[0]).group() if rows else ""  # type: ignore[union-attr]

    def _comment(self) -> str:
        return f"s2s: {', '.join(self.scop.history)}"

    def _original(self) -> str:
        """The source's own text, to the byte, beginning where its first line did."""
        if self.emission.fallback is not None:
            return self.emission.fallback
        buffer = self.emission.buffer
        start = buffer.line_start(self.scop.span.start)
        head = buffer.data[start : self.scop.span.start].decode("utf-8", "replace")
        return (head if not head.strip() else "") + buffer.text(self.scop.span)

    # -- loops ------------------------------------------------------------------------------

    def _tiles(self, lines: list[str], depth: int) -> None:
        """Tile loops over the bounding box of the tile space, and what is inside them."""
        box = self._box()
        names = self._names_in_tiles(len(self.tiles))
        piped = [i for i, d in enumerate(self.tiles) if d.parallelism.waits]
        waiting = self._waiting(piped)
        outer = depth
        lines += [INDENT * depth + line for line in self._kept_storage()]
        for position, dimension in enumerate(self.tiles):
            declared, chosen = self._chosen_ends(position, piped, box)
            lines += [INDENT * depth + line for line in declared]
            if dimension.elastic:
                lines += [INDENT * depth + line for line in self._widths(dimension, box[position])]
            lines += [INDENT * depth + line for line in chosen]
            lines += self._tile_pragmas(position)
            if position in piped[:1]:
                lines += _indented(waiting.before(*self._ends(piped[-1], box)), depth)
            low, high = self._ends(position, box)
            name = self.tile_names[position]
            whole = dimension.elastic and not self._counts_strips(position)
            step = f"{name} += {self._width}" if whole else f"{name}++"
            head = f"for (long {name} = {low}; {name} <= {high}; {step})"
            nested = position in piped[:-1]  # a pipelined nest is perfect
            lines.append(INDENT * depth + head + ("" if nested else " {"))
            depth += 1
            if position in piped[-1:]:
                lines += _indented(waiting.begin(), depth)
                lines += [INDENT * depth + line for line in self._strips(box)]
        lines += [INDENT * depth + line for line in self._storage(box)]
        if self._panels is not None:
            lines += [INDENT * depth + line for line in self._panels.declarations()]
        self._points(lines, names, depth)
        for position in reversed(range(len(self.tiles))):
            if position in piped[-1:]:
                lines += _indented([waiting.end()], outer + position + 1)
            if position not in piped[:-1]:
                lines.append(INDENT * (outer + position) + "}")
            if position in piped[:1]:
                lines += _indented(waiting.behind(), outer + position)

    def _tile_pragmas(self, position: int) -> list[str]:
        """Directives of a loop over tiles; a team's threads wait after its parallel loop."""
        team, dimension = self._team, self.tiles[position]
        if not dimension.holds_for(s.name for s in self.scop.statements):
            return []
        if team is None or team.dimension not in [d.name for d in self.tiles]:
            return self._parallel_pragma(dimension)
        if dimension.name == team.dimension:
            return [f"#pragma omp parallel{self._clauses}"]
        kinds = [d.parallelism for d in self.tiles]
        first = kinds.index(Parallelism.DOALL) == position
        return self._distribution(dimension, "for", "") if first else []

    def _parallel_pragma(self, dimension: Dimension) -> list[str]:
        construct = "parallel for" if self.scop.team is None else "for"
        own = ", ".join(f"{self.emission.prefix}{s.name}" for s in self.scop.storage if s.size)
        private = f" private({own})" if own and not self.tiles else ""
        if self._panels is not None and dimension.holds_for((self._panels.tile.statement,)):
            private = f" private({', '.join(self._panels.private)})"
        return self._distribution(dimension, construct, self._clauses + private)

    def _points(self, lines: list[str], names: Names, depth: int) -> None:
        dimensions = self.schedule.dimensions[len(self.tiles) :]
        prefix = self.emission.prefix
        iterators = [f"{prefix}{d.name}" for d in dimensions]
        known = _in_one_piece(self._inside_tiles())
        options = self._options(dimensions)
        schedule = self._point_schedule()
        if self.schedule.tile is not None:
            schedule = schedule.gist_params(known)  # the same loops in half the time
        node = generated.loops(known, schedule, iterators, options)
        rotator = self._rotator()
        printer = LoopPrinter(
            self.scop, self._statement_text, dict(zip(iterators, dimensions, strict=True)), prefix,
            self._point_pragmas, f"#pragma omp parallel{self._clauses}", self._team_writer(),
            self._holder(), rotator, self._panels, self._sharer(), self.known,
        )  # fmt: skip
        printer.print_all(node, names, depth)
        if rotator is not None:
            rotator.check()
        lines += printer.lines

    @cached_property
    def _panels(self) -> PanelWriter | None:
        tile = self.schedule.tile
        if tile is None:
            return None
        if self.emission.is_cxx:
            raise Unprintable("vectors of C++ are not checked")
        return PanelWriter(self.scop, tile, self.emission.buffer.text, self.emission.prefix)

    def _holder(self) -> Holder | None:
        if not self.schedule.held:
            return None
        source = self.emission.buffer.text
        return Holder(self.scop, self._statement_text, source, self.emission.prefix)

    def _sharer(self) -> LoadSharer | None:
        if self.schedule.shared is None:
            return None
        source = self.emission.buffer.text
        return LoadSharer(self.scop, self._statement_text, source, self.emission.prefix)

    def _rotator(self) -> Rotator | None:
        if not self.schedule.rotated:
            return None
        buffer, prefix = self.emission.buffer, self.emission.prefix
        return Rotator(self.scop, self._statement_text, buffer, prefix)

    @property
    def _team(self) -> Team | None:
        """The schedule's team, unless a loop inside would change what its clauses say."""
        written = {
            self.scop.arrays[a.array].spelling
            for s in self.scop.statements for a in s.accesses if a.write
        }  # fmt: skip
        named = set(re.findall(r"\w+", " ".join(self.emission.clauses)))
        return None if named & written else self.schedule.team

    def _team_writer(self) -> TeamWriter | None:
        team = self._team
        tiles = {d.name for d in self.tiles}
        return None if team is None or team.dimension in tiles else TeamWriter(team)

    def _point_pragmas(
        self, dimension: Dimension, inside: list[Statement], in_team: bool = False
    ) -> list[str]:
        """Directives of a loop over the statements ``inside``."""
        if not dimension.holds_for(s.name for s in inside):
            return []
        if dimension.parallelism is Parallelism.DOALL:
            if in_team:
                return self._distribution(dimension, "for", " nowait")
            return self._parallel_pragma(dimension)
        straight = dimension.masked or all(s.straight for s in inside)
        if dimension.parallelism is Parallelism.SIMD and straight:
            return ["#pragma omp simd"]
        return []

    def _options(self, dimensions: Sequence[Dimension]) -> isl.UnionMap:
        """Inner loops are separated at boundaries, outer ones kept in one piece."""
        names = ", ".join(f"x{i}" for i in range(len(dimensions)))
        texts = [f"[{names}] -> {_generated(d)}[{i}]" for i, d in enumerate(dimensions)]
        return isl.UnionMap("{ " + "; ".join(texts) + " }")

    def _statement_text(self, statement: Statement) -> str:
        """A statement's text, its lines moved to the left together where that changes no token."""
        buffer = self.emission.buffer
        text = buffer.edited(statement.span, statement.edits).replace("\r\n", "\n")
        text = text.replace(PREFIX, self.emission.prefix)
        if _SPLICED.search(text):
            return text.replace("\n", f"\n{VERBATIM}")
        start = buffer.line_start(statement.span.start)
        head = buffer.data[start : statement.span.start].decode("utf-8", "replace")
        lead = head if not head.strip() else re.match(r"[ \t]*", head).group()  # type: ignore[union-attr]
        return dedent(lead + text.lstrip()) if "\n" in text else text


def _in_one_piece(known: isl.Set) -> isl.Set:
    """A convex superset without modulos: code that is right for more values is right.

    Making loops takes isl ten times as long where a context comes in pieces, for the same loops.
    """
    known = known.remove_divs().coalesce()
    return known if known.n_basic_set() < 2 else isl.Set.from_basic_set(known.simple_hull())


def _indented(lines: Sequence[str], depth: int) -> list[str]:
    """Lines of code further to the right, directives at the margin."""
    return [line if line.startswith("#") else INDENT * depth + line for line in lines]


def _generated(dimension: Dimension) -> str:
    """How isl makes loops of a dimension."""
    if dimension.unroll:
        return "unroll"
    return "separate" if dimension.role is Role.ORDER else "atomic"
