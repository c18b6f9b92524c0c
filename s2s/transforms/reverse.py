"""Loop reversal: the iterations of a loop in the other order, the last one first.

::

    for (int i = 0; i < n; i++)            for (int i = n - 1; i >= 0; i--)
        a[i] = b[i] + a[i + n];     ->         a[i] = b[i] + a[i + n];

Legal where no iteration depends on another one of the same loop (M. Wolfe, "High Performance
Compilers for Parallel Computing", chapter 9). It gains nothing by itself: it is there to be asked
for, and to make other orders of loops visible to a compiler.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality
from s2s.scop.nodes import Construct, Scop, Statement, walk
from s2s.scop.schedule import Dimension, Role, Schedule
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.scop_pass import Form, Look, ScopPass
from s2s.transforms.transformed import Transformed

_IN, _OUT = isl.dim_type.in_, isl.dim_type.out


@dataclass(frozen=True)
class Reverse(ScopPass):
    """The pass: the loops at ``depth`` run backwards, the outermost loop is at depth 1."""

    name: ClassVar[str] = "reverse"
    form: ClassVar[Form] = Form.LOOPS
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.LOOP})
    depth: int = field(default=1, metadata={"help": "the loop, counted from outside", "least": 1})

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Negate one dimension of the source's order. Raises NotApplicable with the reason."""
        _check(scop)
        row, name = self._loop(scop)
        maps = {s.name: _negate(s, row) for s in scop.statements}
        length = scop.statements[0].schedule.dim(_OUT)
        dimensions = tuple(Dimension(f"o{place}", Role.ORDER) for place in range(length))
        planned = replace(scop, target=Schedule(maps, dimensions))
        violation = legality.check(planned, dependences)
        if violation is not None:
            text = f"an iteration of the loop over '{name}' has to come before another"
            raise NotApplicable(scop.span, text)
        done = replace(planned, history=(f"the loop over '{name}' runs backwards",))
        return Transformed(done, isl.Set.universe(scop.context.get_space()))

    def _loop(self, scop: Scop) -> tuple[int, str]:
        """The entry of the source's time vectors that counts the loop, and the loop's variable."""
        for statement in scop.statements:
            if statement.depth >= self.depth:
                name = statement.iterators[self.depth - 1].spelling
                return _row_of(statement, self.depth - 1), name
        raise NothingToGain(scop.span, f"there is no loop at depth {self.depth}")


def _check(scop: Scop) -> None:
    """Raise NotApplicable for what keeps its place."""
    for node in walk(scop.tree):
        if isinstance(node, Construct):
            raise NothingToGain(node.span, f"'{node.kind.value}' keeps its place")
    if scop.carried or scop.guards or scop.order is not None:
        raise NotApplicable(scop.span, "the order of the statements is not known")
    for access in (a for s in scop.statements for a in s.accesses):
        if access.commutes is not None or scop.arrays[access.array].external:
            raise NothingToGain(access.span, "an update or call keeps its place")


def _row_of(statement: Statement, iterator: int) -> int:
    """The entry of a statement's time vectors that counts an iterator."""
    pieces: list[isl.MultiAff] = []
    function = isl.PwMultiAff.from_map(statement.schedule)
    function.foreach_piece(lambda _, piece: pieces.append(piece))
    rows = range(statement.schedule.dim(_OUT))
    return next(
        row for row in rows
        if not pieces[0].get_at(row).get_coefficient_val(_IN, iterator).is_zero()
    )  # fmt: skip


def _negate(statement: Statement, row: int) -> isl.Map:
    """The statement's order with one entry of the time vectors negated."""
    names = [f"o{place}" for place in range(statement.schedule.dim(_OUT))]
    times = ", ".join(f"-{name}" if place == row else name for place, name in enumerate(names))
    mirror = isl.Map(f"{{ [{', '.join(names)}] -> [{times}] }}")
    return statement.schedule.intersect_domain(statement.domain).apply_range(mirror)
