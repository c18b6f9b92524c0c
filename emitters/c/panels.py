"""A tile of a statement's target in vector registers, with copies of its operands in panels.

Vectors are those of gcc and clang (``vector_size``): one operation of the statement's text is one
on all lanes, scalars among its operands are the same in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

import islpy as isl

from s2s.analyses.locality import coefficient
from s2s.emitters.c.elements import Head
from s2s.emitters.c.errors import Unprintable
from s2s.emitters.c.products import Number, Operation, Read, Value, reads, spell, value_of
from s2s.emitters.c.scalar_replacement import Load, Locals, Piece
from s2s.scop.nodes import Access, Scop, Statement
from s2s.scop.schedule import RegisterTile
from s2s.scop.stack import on_stack
from s2s.source import Span
from s2s.source.records import dataclass

_BYTES = {"float": 4, "double": 8}
_PLAIN = re.compile(r"[A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*(?:\[[\w\s+*.>()-]+\])+")
_CALL = re.compile(r"\w\s*\(|\(\s*\w+\s*\)\s*\w|--")
_WORD = re.compile(r"(?<![\w.])(?<!->)[A-Za-z_]\w*")


@dataclass(frozen=True)
class PanelWriter:
    """Texts for the ``tile`` of a SCoP's schedule; ``source`` gives the text of a span."""

    scop: Scop
    tile: RegisterTile
    source: Callable[[Span], str]
    prefix: str

    @property
    def statement(self) -> Statement:
        return self.scop.statement(self.tile.statement)

    @property
    def _target(self) -> Access:
        return next(a for a in self.statement.accesses if a.write)

    @property
    def _type(self) -> str:
        return self._target.type

    @property
    def _vector(self) -> str:
        return f"{self.prefix}vector"

    @cached_property
    def _value(self) -> tuple[str, Value]:
        spans = [a.span for a in self.statement.accesses]
        edits = self.statement.edits
        if not all(any(s.start <= e.start and e.end <= s.end for s in spans) for e in edits):
            raise Unprintable("a statement's text was changed")
        return value_of(self.statement, self.source)

    @cached_property
    def rows(self) -> list[Value]:
        """What moves with the rows and not with the lanes: the largest parts of the value."""
        return list(self._parts(self._value[1], self.tile.row, self.tile.lane))

    @cached_property
    def lanes(self) -> list[Value]:
        """What moves with the lanes and not with the rows."""
        return list(self._parts(self._value[1], self.tile.lane, self.tile.row))

    def _parts(self, value: Value, moving: int, other: int) -> Iterator[Value]:
        found = list(reads(value))
        if any(self._moves(a, other) for a in found):
            if isinstance(value, Operation):
                for part in (value.left, value.right):
                    if part is not None:
                        yield from self._parts(part, moving, other)
            return
        if any(self._moves(a, moving) for a in found):
            yield value
        elif moving == self.tile.row and any(self._moves(a, self.tile.along) for a in found):
            yield value  # it moves with the sum alone

    @staticmethod
    def _moves(access: Access, iterator: int) -> bool:
        rows = range(access.relation.dim(isl.dim_type.out))
        return any(coefficient(access, row, iterator) != 0 for row in rows)

    # -- panels -----------------------------------------------------------------------------------

    def declarations(self) -> list[str]:
        """The type of vectors, and the panels."""
        tile, size = self.tile, _BYTES[self._type]
        attributes = f"vector_size({tile.width * size}), aligned({size}), may_alias"
        lines = [f"typedef {self._type} {self._vector} __attribute__(({attributes}));"]
        across = tile.across * self._stride * tile.lanes
        for number in range(len(self.lanes)):
            lines.append(on_stack(f"{self._type} {self._panel('lanes', number)}[{across}]"))
        for number in range(len(self.rows)):
            count = tile.down * tile.depth * tile.rows
            lines.append(on_stack(f"{self._type} {self._panel('rows', number)}[{count}]"))
        return lines

    @property
    def private(self) -> list[str]:
        """The panels that each thread fills for itself."""
        return [self._panel("lanes", number) for number in range(len(self.lanes))]

    @property
    def _stride(self) -> int:
        """Places between tiles of lanes: one more than are used.

        The parts of a row go to all tiles; these are powers of two apart otherwise, in one set of
        the cache.
        """
        return self.tile.depth + 1

    def _panel(self, kind: str, number: int) -> str:
        return f"{self.prefix}{kind}_{number}"

    def fill(self, name: str, arguments: Sequence[str]) -> list[str]:
        """Lines that fill one place along the sum of all panels of a kind."""
        tile = self.tile
        if name == RegisterTile.LANES:
            (_, block, along), size, counter = arguments, tile.lanes, f"{self.prefix}lane"
            values, kind, place, many = self.lanes, "lanes", tile.lane, tile.across
            stride = self._stride
        else:
            (block, along), size, counter = arguments, tile.rows, f"{self.prefix}row"
            values, kind, place, many = self.rows, "rows", tile.row, tile.down
            stride = tile.depth
        at = f"({_operand(block)} % {many} * {stride}"
        at += f" + {_operand(along)} % {tile.depth}) * {size}"
        known = {place: f"{size} * {_operand(block)} + {counter}", tile.along: along}
        lines = [f"for (int {counter} = 0; {counter} < {size}; {counter}++) {{"]
        for number, value in enumerate(values):
            text = spell(value, lambda v: self._leaf(v, self._spelled_values(known)))
            lines.append(f"{self._panel(kind, number)}[{at} + {counter}] = {text};")
        return [*lines, "}"]

    def _spelled_values(self, values: Mapping[int, str]) -> dict[str, str]:
        """The values of iterators by how the source spells them."""
        iterators = self.statement.iterators
        return {iterators[place].spelling: text for place, text in values.items()}

    def _leaf(self, value: Value, values: Mapping[str, str]) -> str | None:
        if isinstance(value, Read):
            return self._element(value.access, values)
        return value.text if isinstance(value, Number) else None

    def _element(self, access: Access, values: Mapping[str, str]) -> str:
        """The text of an element with values for the iterators' names. Raises Unprintable."""
        spelled = self._spelled(access)
        if access.relation.dim(isl.dim_type.out) == 0:
            if not re.fullmatch(r"[A-Za-z_]\w*", spelled):
                raise Unprintable(f"'{spelled}' is not spelled plainly")
            return spelled
        if not _PLAIN.fullmatch(spelled) or _CALL.search(spelled):
            raise Unprintable(f"'{spelled}' is not spelled plainly")

        def put(match: re.Match[str]) -> str:
            word = match.group()
            value = values.get(word)
            if value is None:
                return word
            before, after = spelled[: match.start()].rstrip(), spelled[match.end() :].lstrip()
            alone = before.endswith("[") and after.startswith("]")
            return value if alone or re.fullmatch(r"\w+", value) else f"({value})"

        return _WORD.sub(put, spelled)

    def _spelled(self, access: Access) -> str:
        """The text of an access, with what transforms have changed in it."""
        spelled, at = "", access.span.start
        inside = [e for e in self.statement.edits
                  if access.span.start <= e.start and e.end <= access.span.end]  # fmt: skip
        for edit in sorted(inside, key=lambda e: e.start):
            spelled += self.source(Span(at, edit.start))
            spelled += edit.text.decode("utf-8", "surrogateescape")
            at = edit.end
        return " ".join((spelled + self.source(Span(at, access.span.end))).split())

    # -- the loop ---------------------------------------------------------------------------------

    def locals(self, head: Head, instances: Sequence[Sequence[str]]) -> Locals:
        """What stands around the loop along the sum and in it.

        ``instances`` are values of the iterators of the vectors' first lanes.
        """
        tile, result = self.tile, Locals(leaf=self.tile.name)
        first_row, lane = (instances[0][p] for p in (tile.row, tile.lane))
        at = f"{self.prefix}lanes", f"{self.prefix}rows"
        block = f"{_quotient(head.start, tile.depth)} * {tile.depth}"
        across = f"{_quotient(lane, tile.lanes)} % {tile.across} * {self._stride}"
        down = f"{_quotient(first_row, tile.rows)} % {tile.down} * {tile.depth}"
        result.before.append(f"const long {at[0]} = {across} - {block};")
        result.before.append(f"const long {at[1]} = {down} - {block};")
        unsigned = self.statement.iterators[tile.along].unsigned
        counter = f"(long){head.spelling}" if unsigned else head.spelling
        held: dict[str, str] = {}
        known: set[str] = set()
        for place, values in enumerate(instances):
            element = self._element(self._target, self._spelled_values(dict(enumerate(values))))
            name = f"{self.prefix}sum_{len(held)}"
            if element in held:
                raise Unprintable("two vectors of a tile are the same")
            held[element] = name
            row, vector = self._within(instances, place)
            piece = Piece(f"{name} {self._value[0]}= {self._operation(row, vector)};")
            for load in self._loads(counter, at, row, vector):
                if load.name not in known:
                    known.add(load.name)
                    piece.loads.append(load)
            result.pieces.append(piece)
        for element, name in held.items():
            result.before.append(f"{self._vector} {name} = *(const {self._vector} *)&{element};")
            result.after.append(f"*({self._vector} *)&{element} = {name};")
        return result

    def _within(self, instances: Sequence[Sequence[str]], place: int) -> tuple[int, int]:
        """The row and the vector of a tile that an instance is."""
        rows = list(dict.fromkeys(i[self.tile.row] for i in instances))
        vectors = list(dict.fromkeys(i[self.tile.lane] for i in instances))
        row, vector = (instances[place][p] for p in (self.tile.row, self.tile.lane))
        whole = len(rows) == self.tile.rows and len(vectors) * self.tile.width == self.tile.lanes
        if not whole or len(instances) != len(rows) * len(vectors):
            raise Unprintable("a tile is not printed as a whole")
        return rows.index(row), vectors.index(vector)

    def _operation(self, row: int, vector: int) -> str:
        def leaf(value: Value) -> str | None:
            if value in self.rows:
                return self._row_local(self.rows.index(value), row)
            if value in self.lanes:
                return self._lane_local(self.lanes.index(value), vector)
            return self._leaf(value, {})

        return spell(self._value[1], leaf, 2 if self._value[0] == "-" else 0)

    def _row_local(self, number: int, row: int) -> str:
        return f"{self.prefix}row_{number}_{row}"

    def _lane_local(self, number: int, vector: int) -> str:
        return f"{self.prefix}lanes_{number}_{vector}"

    def _loads(self, counter: str, at: tuple[str, str], row: int, vector: int) -> Iterator[Load]:
        """What one instance reads."""
        tile = self.tile
        for number in range(len(self.lanes)):
            local = self._lane_local(number, vector)
            panel = f"{self._panel('lanes', number)}[({at[0]} + {counter}) * {tile.lanes}"
            panel += f" + {vector * tile.width}]" if vector else "]"
            yield Load(self._vector, local, f"*(const {self._vector} *)&{panel}", True)
        for number in range(len(self.rows)):
            local = self._row_local(number, row)
            panel = f"{self._panel('rows', number)}[({at[1]} + {counter}) * {tile.rows}"
            panel += f" + {row}]" if row else "]"
            yield Load(self._type, local, panel, True)


def _quotient(text: str, size: int) -> str:
    """A value that is not negative divided by a number, as a factor; a multiple of it plainly."""
    product = re.fullmatch(rf"{size}L? \* (\w+)", text)
    return product[1] if product else f"{_operand(text)} / {size}"


def _operand(text: str) -> str:
    """A text as an operand of a product."""
    return text if re.fullmatch(r"\w+", text) else f"({text})"
