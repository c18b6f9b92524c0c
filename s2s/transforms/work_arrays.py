"""Arrays that each iteration of the loops around fills before it reads them get copies.

::

    for j: for k: {                              parallel for j: for strip of k: {
        shared for i: w[i] = f(a[i][j][k]);          double copy[n][strip];
        shared for i: b[i][j][k] = w[i - 1]; }   ->  for i: for k: copy[i][k] = ...;
                                                     for i: for k: b[i][j][k] = copy[i - 1][k];
                                                     the last j and k: w[i] = copy[i][k]; }

Array expansion (Feautrier, "Array expansion", 1988) with as few elements as the order of loops asks
for. What the last iteration has left in an array is copied back, so that nothing has to be known of
who reads it. That the values are the source's is proved by ``analyses/same_values.py``, that no
cell is used again too early by ``analyses/cells.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod

import islpy as isl

from s2s.analyses import cells
from s2s.analyses import dependences as memory
from s2s.analyses.same_values import Agreement, Provenance
from s2s.analyses.value_flow import ValueFlow
from s2s.scop.nodes import Access, Array, Scop, Statement
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule
from s2s.scop.texts import PREFIX, Storage
from s2s.source import Edit
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable
from s2s.transforms.units import direction

_IN, _OUT = isl.dim_type.in_, isl.dim_type.out
# What a thread has on its stack for all copies (a first cache holds it), iterations in a strip.
_MOST_BYTES, _STRIP = 32768, 64
_VECTOR = 8


@dataclass(frozen=True)
class CopiesProof:
    """That a region with copies of arrays computes the same values, and that they are kept."""

    provenance: Provenance

    def dependences(self, before: Scop, after: Scop, _: isl.UnionMap) -> isl.UnionMap | None:
        """The dependences of the changed region in its source's order."""
        agreement = Agreement(ValueFlow(before), ValueFlow(after), self.provenance)
        if not agreement.holds or not cells.are_enough(after):
            return None
        return memory.conservative(after).all


@dataclass(frozen=True)
class Line:
    """Which of the loops around is shared by threads, and which becomes the innermost one."""

    shared: int
    innermost: int | None = None


def work_arrays(scop: Scop, around: int) -> tuple[str, ...]:
    """Arrays whose elements do not depend on the ``around`` outermost loops, and are written."""
    written = {a.array for s in scop.statements for a in s.accesses if a.write}
    return tuple(sorted(n for n in written if scop.arrays[n].rank and _stays(scop, n, around)))


def _stays(scop: Scop, name: str, around: int) -> bool:
    for statement in scop.statements:
        for access in statement.accesses:
            if access.array == name:
                relation = access.relation.gist_domain(statement.domain)
                if relation.involves_dims(_IN, 0, around):
                    return False
    return True


def with_copies(
    scop: Scop, around: int, names: Sequence[str], line: Line
) -> tuple[Scop, Provenance]:
    """The region with copies, scheduled in lines. Raises NotApplicable."""
    strip = _strip(scop, names, line)
    made = _Copies(scop, around, tuple(names), line, strip)
    return made.scop(), made.provenance


def _strip(scop: Scop, names: Sequence[str], line: Line) -> int:
    """How many iterations of the loop that becomes innermost have copies at once."""
    each = sum(_bytes(scop, name) for name in names)
    if line.innermost is None:
        if each > _MOST_BYTES:
            raise NotApplicable(scop.span, "copies of the arrays would be too large")
        return 1
    strip = min(_STRIP, _MOST_BYTES // max(1, each))
    if strip < 2 * _VECTOR:
        raise NotApplicable(scop.span, "copies of the arrays would be too large")
    return strip // _VECTOR * _VECTOR


def _bytes(scop: Scop, name: str) -> int:
    return prod(_sizes(scop, name)) * (scop.arrays[name].element_size or 8)


def _sizes(scop: Scop, name: str) -> tuple[int, ...]:
    array = scop.arrays[name]
    sizes = array.sizes
    if len(sizes) != array.rank or not all(s is not None and s.isdigit() for s in sizes):
        raise NotApplicable(scop.span, f"the size of '{array.spelling}' is not known")
    return tuple(int(s or 0) for s in sizes)


@dataclass(frozen=True)
class _Copies:
    """Builds the new region. Raises NotApplicable."""

    before: Scop
    around: int
    names: tuple[str, ...]
    line: Line
    strip: int

    @property
    def provenance(self) -> Provenance:
        origins = {s.name: s.name for s in self.before.statements}
        return Provenance(origins, frozenset(self._copy(n) for n in self.names))

    def scop(self) -> Scop:
        arrays, storage = dict(self.before.arrays), []
        assumptions = self.before.assumptions
        for name in self.names:
            sizes = _sizes(self.before, name)
            array = self.before.arrays[name]
            copy = self._copy(name)
            size = array.element_size
            arrays[copy] = Array(copy, copy, self.around + array.rank, element_size=size)
            first, *inner = self._shape(sizes)
            storage.append(
                Storage(copy, self._type(name), first, 0, tuple(inner), self._cells(sizes))
            )
            assumptions = assumptions.intersect(self._inside(name, sizes))
        statements = [self._changed(s) for s in self.before.statements]
        statements += self._copied_back()
        made = replace(
            self.before, arrays=arrays, statements=tuple(statements), storage=tuple(storage),
            assumptions=assumptions.coalesce(),
        )  # fmt: skip
        return replace(made, target=self._target(made))

    def _copy(self, name: str) -> str:
        copy = f"{name}_copy"
        while copy in self.before.arrays or copy in self.before.parameter_names():
            copy += "_"
        return copy

    def _type(self, name: str) -> str:
        types = {
            a.type for s in self.before.statements for a in s.accesses if a.array == name
        }  # fmt: skip
        if len(types) != 1 or not all(types) or "(" in "".join(types):
            raise NotApplicable(self.before.span, f"no variable can hold an element of '{name}'")
        (found,) = types
        return " ".join(w for w in found.split() if w not in ("const", "static"))

    def _shape(self, sizes: Sequence[int]) -> tuple[int, ...]:
        return (*sizes, self.strip) if self.line.innermost is not None else tuple(sizes)

    def _cells(self, sizes: Sequence[int]) -> isl.Map:
        around = [f"t{i}" for i in range(self.around)]
        subscripts = [f"e{i}" for i in range(len(sizes))]
        places = list(subscripts)
        if self.line.innermost is not None:
            places.append(f"t{self.line.innermost} mod {self.strip}")
        elements = ", ".join([*around, *subscripts])
        return isl.Map(f"{{ [{elements}] -> [{', '.join(places)}] }}")

    def _inside(self, name: str, sizes: Sequence[int]) -> isl.Set:
        """Parameters for which all elements are in the array."""
        names = [f"e{i}" for i in range(len(sizes))]
        box = " and ".join(f"0 <= {n} < {size}" for n, size in zip(names, sizes, strict=True))
        outside = isl.Set(f"{{ [{', '.join(names)}] : {box} }}").complement()
        bad = isl.Set.empty(self.before.context.get_space())
        for statement in self.before.statements:
            for access in statement.accesses:
                if access.array == name:
                    used = access.relation.intersect_domain(statement.domain).range()
                    bad = bad.union(used.reset_tuple_id().intersect(outside).params())
        return bad.complement()

    # -- statements -------------------------------------------------------------------------

    def _changed(self, statement: Statement) -> Statement:
        edits, uses = set(statement.edits), set(statement.uses)
        accesses = []
        for access in statement.accesses:
            if access.array in self.names:
                edits |= set(self._texts(access))
                if self.line.innermost is not None:
                    uses.add(statement.iterators[self.line.innermost].spelling)
                access = self._moved(access, statement)
            accesses.append(access)
        places = sorted((e.start, e.end) for e in edits)
        if any(a[1] > b[0] for a, b in pairwise(places)):
            raise NotApplicable(statement.span, "a reference is not spelled plainly")
        return replace(
            statement, accesses=tuple(accesses), edits=tuple(sorted(edits)), uses=frozenset(uses),
            schedule=_later(statement.schedule, 0),
        )  # fmt: skip

    def _texts(self, access: Access) -> Iterator[Edit]:
        """Edits that let an access name the copy."""
        if not access.exact or len(access.names) != len(access.spans):
            raise NotApplicable(access.span, "a reference is not spelled plainly")
        for span, name in zip(access.spans, access.names, strict=True):
            if name.start != span.start or name.end >= span.end:
                raise NotApplicable(access.span, "a reference is not spelled plainly")
            yield Edit(name.start, name.end, f"{PREFIX}{self._copy(access.array)}".encode())
            if self.line.innermost is not None:
                yield Edit(span.end, span.end, self._cell_text().encode())

    def _cell_text(self) -> str:
        assert self.line.innermost is not None
        spelled = self.before.statements[0].iterators[self.line.innermost].spelling
        return f"[{spelled} - {self.strip} * {PREFIX}{self._strip_name}]"

    @property
    def _strip_name(self) -> str:
        assert self.line.innermost is not None
        return f"{self.before.statements[0].iterators[self.line.innermost].spelling}_strip"

    def _moved(self, access: Access, statement: Statement) -> Access:
        """The access to the copy of an iteration of the loops around."""
        kept = ", ".join(f"i{i}" for i in range(self.around))
        every = ", ".join(f"i{i}" for i in range(statement.depth))
        outer = isl.Map(f"{{ {statement.name}[{every}] -> [{kept}] }}")
        relation = outer.flat_range_product(access.relation.reset_tuple_id(_OUT))
        name = self._copy(access.array)
        relation = relation.set_tuple_name(_OUT, name).intersect_domain(statement.domain)
        return replace(access, array=name, relation=relation, places=())

    def _copied_back(self) -> Iterator[Statement]:
        """Copies of what is last written."""
        flow = ValueFlow(self.before)
        for name in self.names:
            last = flow.last_writes(name).range()
            for statement in self.before.statements:
                for number, access in enumerate(statement.accesses):
                    if access.write and access.array == name:
                        domain = last.extract_set(statement.domain.get_space())
                        if not domain.is_empty():
                            yield self._copy_back(statement, number, access, domain.coalesce())

    def _copy_back(
        self, statement: Statement, number: int, access: Access, domain: isl.Set
    ) -> Statement:
        text = self._subscripts(statement, access)
        if self.line.innermost is not None:
            text += self._cell_text()
        name = f"{statement.name}_last{number}"

        def within(relation: isl.Map) -> isl.Map:
            return relation.intersect_domain(domain).set_tuple_name(_IN, name)

        write = replace(access, relation=within(access.relation), places=(), also=(), names=())
        moved = self._moved(access, statement)
        read = replace(moved, relation=within(moved.relation), write=False, also=(), names=())
        end = access.span.end
        edit = Edit(end, end, f" = {PREFIX}{self._copy(access.array)}{text};".encode())
        used = frozenset(v.spelling for v in statement.iterators)
        return Statement(
            name, statement.iterators, domain.set_tuple_name(name),
            _later(statement.schedule, 1).set_tuple_name(_IN, name), (read, write), access.span,
            uses=used, edits=(edit,),
        )  # fmt: skip

    def _subscripts(self, statement: Statement, access: Access) -> str:
        """The element's subscripts as text, made of loop variables and numbers."""
        relation = access.relation.gist_domain(statement.domain)
        pieces: list[isl.MultiAff] = []
        isl.PwMultiAff.from_map(relation).foreach_piece(lambda _, piece: pieces.append(piece))
        if len(pieces) != 1 or access.also:
            raise NotApplicable(access.span, "an element has no text")
        texts = []
        for row in range(relation.dim(_OUT)):
            value = pieces[0].get_at(row)
            terms = [
                (value.get_coefficient_val(_IN, i), statement.iterators[i].spelling)
                for i in range(statement.depth)
            ]  # fmt: skip
            terms = [(c, n) for c, n in terms if not c.is_zero()]
            plain = value.dim(isl.dim_type.div) == 0 and not any(
                value.involves_dims(isl.dim_type.param, p, 1)
                for p in range(value.dim(isl.dim_type.param))
            )
            constant = value.get_constant_val()
            if not plain or not constant.is_int() or any(not c.is_one() for c, _ in terms):
                raise NotApplicable(access.span, "an element has no text")
            number = int(constant.to_python())
            words = [n for _, n in terms]
            text = " + ".join(words) or str(number)
            if words and number:
                text += f" {'+' if number > 0 else '-'} {abs(number)}"
            texts.append(f"[{text}]")
        return "".join(texts)

    # -- the order --------------------------------------------------------------------------

    def _target(self, scop: Scop) -> Schedule:
        """Lines outside, in strips, the source's order inside, one loop innermost perhaps."""
        outer, places = self._common(scop), self._trailing(scop)
        line, inner = self.line.shared, self.line.innermost
        others = [i for i in range(self.around) if i not in (line, inner)]
        maps: dict[str, isl.Map] = {}
        for statement in scop.statements:
            every = ", ".join(v.name for v in statement.iterators)
            head = f"{{ {statement.name}[{every}] -> "
            steps = [direction(statement, i) for i in range(self.around)]
            entries = [steps[line]]
            if inner is not None:
                entries.append(f"floor({statement.iterators[inner].name}/{self.strip})")
            entries += [steps[i] for i in others]
            time = isl.Map(f"{head}[{', '.join(entries)}] }}")
            kept = statement.schedule.project_out(_OUT, 1, outer)
            tail = kept.dim(_OUT) - places
            time = time.flat_range_product(kept.project_out(_OUT, tail, places))
            if inner is not None:
                time = time.flat_range_product(isl.Map(f"{head}[{steps[inner]}] }}"))
            time = time.flat_range_product(kept.project_out(_OUT, 0, tail))
            time = time.intersect_domain(statement.domain)
            maps[statement.name] = time.set_tuple_name(_IN, statement.name).reset_tuple_id(_OUT)
        spelled = [v.spelling for v in self.before.statements[0].iterators]
        dimensions = [Dimension(f"{spelled[line]}_line", Role.TILE, Parallelism.DOALL)]
        if inner is not None:
            dimensions.append(Dimension(self._strip_name, Role.TILE, size=self.strip))
        dimensions += [Dimension(spelled[i], Role.ORDER) for i in others]
        length = next(iter(maps.values())).dim(_OUT)
        rest = [Dimension(f"order{i}", Role.ORDER) for i in range(length - len(dimensions))]
        if inner is not None:
            rest[-1 - places] = Dimension(spelled[inner], Role.ORDER)
        return Schedule(maps, (*dimensions, *rest))

    def _common(self, scop: Scop) -> int:
        """How many entries of time after the first are of the loops around all statements."""
        last = 0
        for statement in scop.statements:
            time = isl.PwMultiAff.from_map(statement.schedule)
            for entry in range(time.dim(_OUT)):
                value = time.get_pw_aff(entry)
                if value.involves_dims(_IN, self.around - 1, 1):
                    last = max(last, entry)
                    break
        return last

    def _trailing(self, scop: Scop) -> int:
        """How many entries of time at the end are places of statements in their innermost loop."""
        count = scop.statements[0].schedule.dim(_OUT)
        for places in range(count):
            for statement in scop.statements:
                value = isl.PwMultiAff.from_map(statement.schedule).get_pw_aff(count - 1 - places)
                if value.involves_dims(_IN, 0, statement.depth):
                    return places
        return 0


def _later(schedule: isl.Map, phase: int) -> isl.Map:
    """The times of one phase after those of earlier ones."""
    name = schedule.get_tuple_name(_IN)
    inputs = ", ".join(f"i{i}" for i in range(schedule.dim(_IN)))
    first = isl.Map(f"{{ {name}[{inputs}] -> [{phase}] }}")
    return first.flat_range_product(schedule).set_tuple_name(_IN, name)
