"""Renaming of variables in an innermost loop: sections 4.3.1 and 4.3.2 of the PolySIMD chapter.

::

    for i: { a[i] = b[i];          for i: { a_1[i] = b[i];  a[i] = a_1[i];       SiVR of a[i]
             c[i] = a[i-1]                  k[i] = d[i+1];                       SoVR of d[i+1]
                    + d[i+1]; }             c[i] = (i > first ? a_1[i-1] : a[i-1]) + k[i]; }

Temporaries have an element for each iteration here; ``storage`` gives them as little memory as the
order of the statements allows. In place of the conditional expression there are two statements, one
of which has the first iterations. The result is the loop in its own order; that it computes the
same is proved by ``analyses/same_values.py``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace

import islpy as isl

from s2s.analyses.renaming import Renaming
from s2s.analyses.same_values import Provenance
from s2s.analyses.value_flow import ValueFlow
from s2s.scop.nodes import Access, Array, Leaf, Loop, Scop, Statement
from s2s.scop.nodes import Sequence as Block
from s2s.source import Edit, Span
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable
from s2s.transforms.vector.renamed import Renamed, Temporary, Use

# Statements into which one may fall apart, for the first iterations that read older values.
_MOST_PIECES = 6


def rename(flow: ValueFlow, loop: Loop, renamings: Collection[Renaming]) -> Renamed:
    """Apply renamings to a loop whose statements all stand in it and nowhere deeper.

    Raises NotApplicable where a renaming has no text.
    """
    return _Renamer(flow.scop, flow, loop, tuple(sorted(renamings))).run()


def check_able(scop: Scop, loop: Loop, renaming: Renaming) -> None:
    """Raise NotApplicable where a renaming has no text."""
    _Renamer(scop, ValueFlow(scop), loop, (renaming,)).check()


def within(statement: Statement, name: str, domain: isl.Set) -> Statement:
    """Some instances of a statement under a name of their own."""

    def part(relation: isl.Map) -> isl.Map:
        relation = relation.set_tuple_name(isl.dim_type.in_, name)
        return relation.intersect_domain(domain.set_tuple_name(name))

    accesses = tuple(replace(a, relation=part(a.relation)) for a in statement.accesses)
    return replace(
        statement, name=name, domain=domain.set_tuple_name(name), accesses=accesses,
        schedule=statement.schedule.set_tuple_name(isl.dim_type.in_, name),
    )  # fmt: skip


@dataclass
class _Renamer:
    """Builds the statements one after the other. Raises NotApplicable."""

    scop: Scop
    flow: ValueFlow
    loop: Loop
    renamings: Sequence[Renaming]
    _statements: list[Statement] = field(default_factory=list)
    _uses: dict[str, list[Use]] = field(default_factory=dict)
    _origins: dict[str, str] = field(default_factory=dict)

    def check(self) -> None:
        self._temporaries = {r: self._temporary(r) for r in self._all_renamings()}

    def run(self) -> Renamed:
        self.check()
        for statement in self._in_order():
            self._add(statement)
        temporaries = {t.name: t for t in self._temporaries.values()}
        arrays = {n: Array(n, n, 1, element_size=t.size) for n, t in temporaries.items()}
        body = Block(tuple(Leaf(s.name, s.span) for s in self._statements), self.loop.body.span)
        scop = replace(
            self.scop, arrays={**self.scop.arrays, **arrays}, statements=self._scheduled(),
            tree=replace(self.loop, body=body),
        )  # fmt: skip
        uses = {name: tuple(found) for name, found in self._uses.items()}
        return Renamed(scop, temporaries, uses, Provenance(self._origins, frozenset(temporaries)))

    def _in_order(self) -> list[Statement]:
        def place(statement: Statement) -> tuple[int, ...]:
            time = statement.schedule
            values = [
                time.plain_get_val_if_fixed(isl.dim_type.out, i)
                for i in range(time.dim(isl.dim_type.out))
            ]
            return tuple(int(v.to_python()) if v.is_int() else 0 for v in values)

        return sorted(self.scop.statements, key=place)

    # -- which ------------------------------------------------------------------------------

    def _all_renamings(self) -> list[Renaming]:
        """With the reads of ``a[i] += x`` where the write is renamed: there is no text for them."""
        found = list(self.renamings)
        for renaming in self.renamings:
            statement = self.scop.statement(renaming.statement)
            own = _own_read(statement)
            if renaming.kind == "sink" and own is not None:
                read = Renaming("source", statement.name, own)
                if read not in found:
                    found.append(read)
        return found

    def _temporary(self, renaming: Renaming) -> Temporary:
        statement = self.scop.statement(renaming.statement)
        access = statement.accesses[renaming.access]
        if not access.exact or not access.relation.is_single_valued():
            raise NotApplicable(access.span, "an element that is not known cannot be renamed")
        if not access.relation.domain().is_equal(statement.domain):
            raise NotApplicable(access.span, "an element that is not always used is not renamed")
        type_ = access.type
        if renaming.kind == "sink":
            type_ = self._written_type(statement, access)
        elif not access.places and _own_read(statement) != renaming.access:
            raise NotApplicable(access.span, "the text of an element cannot be replaced")
        if not type_:
            raise NotApplicable(access.span, "no variable can hold the element")
        name = self._fresh(f"{access.array}_{statement.name}_{renaming.access}")
        return Temporary(name, type_, self.scop.arrays[access.array].element_size, renaming)

    def _written_type(self, statement: Statement, access: Access) -> str:
        found = statement.assignment
        writes = [a for a in statement.accesses if a.write]
        if found is None or writes != [access]:
            raise NotApplicable(statement.span, "the statement is no plain assignment")
        if found.operation and _own_read(statement) is None:
            raise NotApplicable(statement.span, "the element that is updated is read twice")
        return found.type

    def _fresh(self, name: str) -> str:
        taken = {*self.scop.arrays, *self.scop.parameter_names()}
        while name in taken:
            name += "_"
        return name

    # -- statements -------------------------------------------------------------------------

    def _add(self, statement: Statement) -> None:
        """A statement in pieces, after copies of what it reads, before one of what it writes."""
        names = {*(s.name for s in self._statements), *(s.name for s in self.scop.statements)}
        pieces = self._pieces(statement)
        for renaming, temporary in self._temporaries.items():
            if (renaming.kind, renaming.statement) == ("source", statement.name):
                self._load(statement, renaming.access, temporary, pieces)
        for number, piece in enumerate(pieces):
            name = statement.name
            while number and name in names:
                name += "_first"
            names.add(name)
            self._piece(statement, name, piece)
        for renaming, temporary in self._temporaries.items():
            if (renaming.kind, renaming.statement) == ("sink", statement.name):
                self._store(statement, renaming.access, temporary)

    def _pieces(self, statement: Statement) -> list[_Piece]:
        """Instances that read the same accesses from temporaries; most of them first."""
        pieces = [_Piece(statement.domain, {})]
        for index, access in enumerate(statement.accesses):
            if access.write or not access.exact:
                continue
            for temporary in self._sinks(access.array):
                known = self._known(statement, index, temporary)
                if known is not None:
                    pieces = [p for piece in pieces for p in piece.split(index, known)]
        pieces = [p for p in pieces if not p.domain.is_empty()]
        if len(pieces) > _MOST_PIECES:
            raise NotApplicable(statement.span, "too many ways to read older values")
        return sorted(pieces, key=lambda piece: -len(piece.reads))

    def _sinks(self, array: str) -> list[Temporary]:
        """Temporaries that are written instead of an array."""
        return [
            t for r, t in self._temporaries.items()
            if r.kind == "sink" and self._access(r).array == array
        ]  # fmt: skip

    def _access(self, renaming: Renaming) -> Access:
        return self.scop.statement(renaming.statement).accesses[renaming.access]

    def _known(self, statement: Statement, index: int, temporary: Temporary) -> _Known | None:
        """The instances of a read that see what a temporary holds, and how far back."""
        access = statement.accesses[index]
        own = _own_read(statement) == index
        text = access.places or (own and statement.assignment is not None)
        if not text or not access.type or not access.relation.is_single_valued():
            return None
        writer = self.scop.statement(temporary.renaming.statement)
        found = self.flow.sources(access).writes.domain_factor_domain()
        space = statement.domain.get_space().map_from_domain_and_range(writer.domain.get_space())
        relation = found.extract_map(space).coalesce()
        if relation.is_empty() or relation.domain().coalesce().n_basic_set() > 1:
            return None
        distance = relation.set_tuple_name(isl.dim_type.in_, writer.name).deltas()
        value = distance.plain_get_val_if_fixed(isl.dim_type.set, 0)
        if not value.is_int():
            return None
        return _Known(temporary, relation, -int(value.to_python()) // self.loop.step)

    def _piece(self, statement: Statement, name: str, piece: _Piece) -> None:
        made = within(statement, name, piece.domain)
        accesses = list(made.accesses)
        uses: list[Use] = []
        for index, access in enumerate(statement.accesses):
            known = piece.reads.get(index)
            if known is not None:
                relation = _to_temporary(known.relation, known.temporary).intersect_domain(
                    piece.domain
                )
                relation = relation.set_tuple_name(isl.dim_type.in_, name)
                temporary, distance = known.temporary, known.distance
            elif (own := self._renamed(statement, index)) is not None:
                relation = _identity(made, own)
                temporary, distance = own, 0
            else:
                continue
            accesses[index] = replace(access, array=temporary.name, relation=relation)
            uses += self._texts(statement, index, temporary, distance)
        self._origins[name] = statement.name
        edits = tuple(e for e in statement.edits if not _covered(e, uses))
        self._keep(replace(made, accesses=tuple(accesses), edits=edits), uses)

    def _renamed(self, statement: Statement, index: int) -> Temporary | None:
        access = statement.accesses[index]
        renaming = Renaming("sink" if access.write else "source", statement.name, index)
        return self._temporaries.get(renaming)

    def _texts(
        self, statement: Statement, index: int, temporary: Temporary, distance: int
    ) -> list[Use]:
        """Where a temporary stands instead of an access."""
        access, found = statement.accesses[index], statement.assignment
        if access.write:
            assert found is not None
            return [Use(found.target, temporary.name)]
        if access.places:
            return [Use(place, temporary.name, distance) for place in access.places]
        assert found is not None
        return [
            Use(found.operator, temporary.name, distance, "= ", f" {found.operation} ("),
            Use(Span(found.end, found.end), "", 0, ")"),
        ]

    def _load(
        self, statement: Statement, index: int, temporary: Temporary, pieces: Sequence[_Piece]
    ) -> None:
        """The copy of what is read, for instances that do not read a temporary anyway."""
        domain: isl.Set | None = None
        for piece in pieces:
            if index not in piece.reads:
                domain = piece.domain if domain is None else domain.union(piece.domain)
        if domain is None:
            return
        access = statement.accesses[index]
        place = access.places[0] if access.places else access.span
        name = f"{statement.name}_load{index}"
        copied = within(statement, name, domain.coalesce())
        write = replace(
            access, array=temporary.name, relation=_identity(copied, temporary), write=True,
            places=(),
        )  # fmt: skip
        accesses = (copied.accesses[index], write)
        self._copy(copied, accesses, place, [
            Use(Span(place.start, place.start), temporary.name, 0, "", " = "),
            Use(Span(place.end, place.end), "", 0, ";"),
        ])  # fmt: skip

    def _store(self, statement: Statement, index: int, temporary: Temporary) -> None:
        """The copy of what was computed to the element."""
        assert statement.assignment is not None
        place = statement.assignment.target
        name = f"{statement.name}_store{index}"
        copied = within(statement, name, statement.domain)
        access = copied.accesses[index]
        read = replace(
            access, array=temporary.name, relation=_identity(copied, temporary), write=False
        )
        self._copy(copied, (read, access), place, [
            Use(Span(place.end, place.end), temporary.name, 0, " = ", ";"),
        ])  # fmt: skip

    def _copy(
        self, statement: Statement, accesses: tuple[Access, ...], span: Span, uses: list[Use]
    ) -> None:
        edits = tuple(e for e in statement.edits if span.start <= e.start and e.end <= span.end)
        self._keep(
            replace(
                statement, accesses=accesses, span=span, edits=edits, control=(), choices=(),
                locals=(), assignment=None,
            ),
            uses,
        )  # fmt: skip

    def _keep(self, statement: Statement, uses: list[Use]) -> None:
        self._statements.append(statement)
        self._uses[statement.name] = uses

    def _scheduled(self) -> tuple[Statement, ...]:
        """The statements one after the other in each iteration."""
        sign = "-" if self.loop.step < 0 else ""
        return tuple(
            replace(s, schedule=isl.Map(f"{{ {s.name}[i] -> [{sign}i, {place}] }}"))
            for place, s in enumerate(self._statements)
        )


@dataclass(frozen=True)
class _Known:
    """Reads that see what a temporary holds: from readers to writers, ``distance`` iterations."""

    temporary: Temporary
    relation: isl.Map
    distance: int


@dataclass(frozen=True)
class _Piece:
    """Instances of a statement that read some accesses from temporaries."""

    domain: isl.Set
    reads: Mapping[int, _Known]

    def split(self, index: int, known: _Known) -> list[_Piece]:
        if index in self.reads:
            return [self]
        inside = known.relation.domain()
        return [
            _Piece(self.domain.intersect(inside).coalesce(), {**self.reads, index: known}),
            _Piece(self.domain.subtract(inside).coalesce(), self.reads),
        ]


def _own_read(statement: Statement) -> int | None:
    """The read that ``a[i] += x`` has without a text of its own."""
    found = statement.assignment
    if found is None or not found.operation:
        return None
    for index, access in enumerate(statement.accesses):
        if not access.write and not access.places and access.span == found.target:
            return index
    return None


def _identity(statement: Statement, temporary: Temporary) -> isl.Map:
    relation = isl.Map.identity(statement.domain.get_space().map_from_set())
    relation = relation.set_tuple_name(isl.dim_type.out, temporary.name)
    return relation.intersect_domain(statement.domain)


def _to_temporary(relation: isl.Map, temporary: Temporary) -> isl.Map:
    return relation.set_tuple_name(isl.dim_type.out, temporary.name)


def _covered(edit: Edit, uses: Sequence[Use]) -> bool:
    """Whether an edit is inside of a text that is replaced as a whole."""
    return any(u.span.start <= edit.start and edit.end <= u.span.end for u in uses)
