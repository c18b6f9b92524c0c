"""Lines that compare where rows lie, before code that takes them to be apart.

::

    int s2s_often = (guard);
    if (s2s_often) {
        /* rows of 'a' and 'c' do not overlap */
        const long s2s_c_step = c[n - 1] < c[0] ? -1 : 1, ...
        for (long s2s_i = 1; s2s_often && s2s_i < n; s2s_i++) {
            s2s_often = (one row of c ends before the next one begins);
        }
        ... of 'a' and 'c' the row that lies first ends before the other one, and so on
    }

Rows that were allocated one after the other lie in the order of their addresses, up or down; others
are not compared, and the source's code runs. So one walk over two tables compares all their rows.
"""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from s2s.emitters.c.errors import Unprintable
from s2s.emitters.c.guard import Guard
from s2s.scop.nodes import Scop
from s2s.source.records import dataclass

_INDENT = "    "


@dataclass(frozen=True)
class _Table:
    """C texts about a table.

    Its ``rows`` are so many, from ``low`` to ``high``; in each, elements are touched from ``begin``
    on up to that before ``end``. Variables that are called as ``name`` count them by addresses.
    """

    text: str
    name: str
    rows: str
    low: str
    high: str
    begin: str
    end: str

    @property
    def is_single(self) -> bool:
        """Whether there is one row, which needs no order."""
        return self.low == self.high

    def declared(self) -> str:
        """In which order rows lie, and where the first one of that order is."""
        step, first = f"{self.name}_step", f"{self.name}_first"
        falling = f"{self.text}[{self.high}] < {self.text}[{self.low}]"
        ends = f"{first} = {step} < 0 ? {self.high} : {self.low}"
        return f"const long {step} = {falling} ? -1 : 1, {ends};"

    def address(self, index: str, element: str) -> str:
        """Where an element of a row lies, the row that lies first being 0."""
        place = f"{self.name}_first + {self.name}_step * {index}"
        row = f"{self.text}[{self.low if self.is_single else place}]"
        return f"(const char *){row}" if element == "0" else f"(const char *)({row} + {element})"


def row_lines(scop: Scop, guard: Guard) -> list[str]:
    """Lines of a block inside ``s2s_often``, one indentation deep; none without such rows."""
    if not scop.rows_apart:
        return []
    writer = _Writer(scop, guard)
    comment, *comparisons = writer.lines()
    if not comparisons:  # tables of one row
        return []
    inside = (_INDENT + line for line in (comment, *comparisons))
    return [_INDENT + line for line in (f"if ({writer.often}) {{", *inside, "}")]


class _Writer:
    """Writes the comparisons of one region."""

    def __init__(self, scop: Scop, guard: Guard) -> None:
        self.scop = scop
        self.guard = guard
        self.prefix = guard.emission.prefix
        self.often = f"{self.prefix}often"
        self.written = {a.array for s in scop.statements for a in s.accesses if a.write}

    def lines(self) -> Iterator[str]:
        pairs = sorted(tuple(sorted(p)) for p in self.scop.checked if p & self.scop.rows_apart)
        named = {name for pair in pairs for name in pair} | (self.scop.rows_apart & self.written)
        tables = {n: self._table(n) for n in sorted(self.scop.rows_apart & named)}
        shown = sorted(f"'{self.scop.arrays[n].spelling}'" for n in named)
        yield f"/* rows of {' and '.join(shown)} do not overlap */"
        yield from (t.declared() for t in tables.values() if not t.is_single)
        for name, table in tables.items():
            yield from self._in_order(table, apart=name in self.written)
        for one, other in pairs:
            if one in tables and other in tables:
                yield from self._both(tables[one], tables[other])
            else:
                flat, name = (one, other) if other in tables else (other, one)
                yield from self._beside(flat, tables[name])

    def _in_order(self, table: _Table, *, apart: bool) -> Iterator[str]:
        """That rows of a table lie in order, and where it is written, ``apart``."""
        if table.is_single:
            return
        i = f"{self.prefix}i"
        before = table.address(f"({i} - 1)", table.end if apart else table.begin)
        yield f"for (long {i} = 1; {self.often} && {i} < {table.rows}; {i}++) {{"
        yield f"{_INDENT}{self.often} = {before} <= {table.address(i, table.begin)};"
        yield "}"

    def _both(self, one: _Table, other: _Table) -> Iterator[str]:
        """That no row of a table overlaps one of another table."""
        i, j, before = (f"{self.prefix}{word}" for word in ("i", "j", "before"))
        within = f"{self.often} && {i} < {one.rows} && {j} < {other.rows}"
        first = f"{one.address(i, one.end)} <= {other.address(j, other.begin)}"
        second = f"{other.address(j, other.end)} <= {one.address(i, one.begin)}"
        yield "{"
        yield f"{_INDENT}long {i} = 0, {j} = 0;"
        yield f"{_INDENT}while ({within}) {{"
        yield f"{_INDENT * 2}const int {before} = {first};"
        yield f"{_INDENT * 2}{self.often} = {before} || {second};"
        yield f"{_INDENT * 2}{i} += {before};"
        yield f"{_INDENT * 2}{j} += !{before};"
        yield f"{_INDENT}}}"
        yield "}"

    def _beside(self, flat: str, table: _Table) -> Iterator[str]:
        """That an array overlaps no row of a table."""
        touched = self.guard.byte_range(flat)
        if touched is None:
            return
        i, (first, end) = f"{self.prefix}i", touched
        ways = (
            f"{end} <= {table.address(i, table.begin)} || {table.address(i, table.end)} <= {first}"
        )
        yield f"for (long {i} = 0; {self.often} && {i} < {table.rows}; {i}++) {{"
        yield f"{_INDENT}{self.often} = {ways};"
        yield "}"

    def _table(self, name: str) -> _Table:
        """What is to be compared of a table. Raises Unprintable where its rows may not be there."""
        array = self.scop.arrays[name]
        assert array.table is not None
        touched = self._touched(name).intersect_params(self.guard.known)
        touched = touched.project_out(isl.dim_type.set, 0, array.rank - 2).reset_tuple_id()
        rows = touched.project_out(isl.dim_type.set, 1, 1).reset_tuple_id().coalesce()
        if not self._fills(rows):
            raise Unprintable(f"rows of '{array.spelling}' would be looked for that may not exist")
        one = isl.Val(1)
        low, high = rows.dim_min(0), rows.dim_max(0)
        behind = touched.dim_max(1).add_constant_val(one)
        count, *values = (
            self.guard.value(value.coalesce())
            for value in (
                high.sub(low).add_constant_val(one),
                low,
                high,
                touched.dim_min(1),
                behind,
            )
        )
        texts = [v.text if v.text.isalnum() else v.inside(5) for v in values]
        name = f"{self.prefix}{array.table if array.table.isidentifier() else name}"
        return _Table(array.table, name, count.inside(6), *texts)

    def _touched(self, name: str) -> isl.Set:
        """Subscripts of what the source touches of an array, whenever the new code runs."""
        touched: isl.Set | None = None
        for statement in self.scop.statements:
            for access in statement.accesses:
                if access.array == name:
                    image = access.relation.intersect_domain(statement.domain).range()
                    touched = image if touched is None else touched.union(image)
        if touched is None:
            spelling = self.scop.arrays[name].spelling
            raise Unprintable(f"the new code does not touch '{spelling}' any more")
        return touched

    def _fills(self, rows: isl.Set) -> bool:
        """Whether rows are all from a first to a last one, and there is one."""
        if not self.guard.known.is_subset(rows.params()):
            return False
        space = rows.get_space()
        up = isl.Map.lex_le(space)
        between = rows.apply(up).intersect(rows.apply(up.reverse()))
        return bool(between.is_subset(rows))
