"""From places in a loop's text to arrays, and from arrays to names that the loop may use."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from s2s.frontends.c.graph_loops import VertexLoop
from s2s.frontends.c.places import Field, Index, Number, Place, record_name
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.rewriters.graphs.edge_lists.machine import Machine, Visit
from s2s.rewriters.graphs.edge_lists.memory import plain_type
from s2s.rewriters.graphs.edge_lists.terms import Array, Object, Pointer, Target, number
from s2s.source.records import dataclass


@dataclass
class Naming:
    """Names and arrays where a loop is come to."""

    machine: Machine
    visit: Visit
    loop: VertexLoop

    # -- from places ------------------------------------------------------------------------

    def array(self, place: Place) -> Array | None:
        """The array that an element's place is in, if that is one from its beginning on.

        What a copied pointer points to has to be what it was copied from, too.
        """
        found = self._array(place)
        origin = self.loop.places.origin(place)
        return found if origin == place or self._array(origin) == found else None

    def _array(self, place: Place) -> Array | None:
        last = max((i for i, s in enumerate(place.steps) if isinstance(s, Index)), default=None)
        if last is None or place.root is None:
            return None
        base = self._target(Place(place.root, place.steps[:last]))
        step = place.steps[last]
        if base is None or not isinstance(step, Index):
            return None
        if step.pointer:
            base = self._pointee(base)
            if base is None or base.index != number(0):
                return None
        path = tuple(s.name for s in place.steps[last + 1 :] if isinstance(s, Field))
        return (base.object, (*base.path, *path))

    def _target(self, place: Place) -> Target | None:
        """The variable or member at a place."""
        owner = self._object(place.root) if place.root is not None else None
        if owner is None:
            return None
        current = Target(owner)
        for step in place.steps:
            if isinstance(step, Field):
                current = Target(current.object, (*current.path, step.name))
                continue
            found = self._pointee(current) if step.pointer and step.term == Number(0) else None
            if found is None or found.index not in (None, number(0)):
                return None
            if found.index is not None and not self._is_one(found.object):
                return None
            current = Target(found.object, found.path)
        return current

    def _is_one(self, owner: Object) -> bool:
        """Whether memory was allocated for a single struct."""
        cells = self.visit.state.cells
        return any(o is owner and path for o, path in cells)

    def _pointee(self, target: Target) -> Target | None:
        value = self.visit.state.cells.get(target.array)
        if value is None and target.object.outer:
            return None
        if isinstance(value, Pointer) and len(value.targets) == 1:
            return next(iter(value.targets))
        return None

    def _object(self, decl: Decl) -> Object | None:
        return self.machine.variable_at(decl, self.visit)

    def objects(self, place: Place) -> set[Object] | None:
        """The objects that a place may be in; None if that may be any."""
        last = max((i for i, s in enumerate(place.steps) if isinstance(s, Index)), default=None)
        if place.root is None:
            return None
        if last is None:
            owner = self._object(place.root)
            return None if owner is None else {owner}
        base = self._target(Place(place.root, place.steps[:last]))
        step = place.steps[last]
        if base is None or not isinstance(step, Index):
            return None
        if not step.pointer:
            return {base.object}
        value = self.visit.state.cells.get(base.array)
        return {t.object for t in value.targets} if isinstance(value, Pointer) else None

    # -- to names ---------------------------------------------------------------------------

    def other(self, place: Place, mine: Array, other: Array) -> Place | None:
        """Where the loop finds ``other``, an array like ``mine``, that ``place`` is an element of.

        A place like that of ``mine`` is preferred: a member of the same struct, another variable.
        """
        last = max(i for i, s in enumerate(place.steps) if isinstance(s, Index))
        behind = tuple(s.name for s in place.steps[last + 1 :] if isinstance(s, Field))
        own = other[1][: len(other[1]) - len(behind)]
        wanted = self._type(place, last)
        if other[1][len(own) :] != behind or not wanted:
            return None
        array = (other[0], own)
        origin = self.loop.places.origin(place)
        found = [p for p, kind in self._names(array) if kind == wanted]
        found.sort(key=lambda p: (p.root is not origin.root, len(p.steps)))
        return found[0] if found else None

    def _type(self, place: Place, last: int) -> str:
        """The type of the elements that a place is one of."""
        if last == 0:
            return _element(place.root.type) if place.root is not None else ""
        field = place.steps[last - 1]
        return self._types.get((field.record, field.name), "") if isinstance(field, Field) else ""

    def _names(self, array: Array) -> Iterator[tuple[Place, str]]:
        """Variables and members that lead to an array's beginning, with its elements' type."""
        wanted = Pointer(frozenset({Target(*array, number(0))}))
        for decl in self._visible():
            owner = self._object(decl)
            if owner is None:
                continue
            value = self.visit.state.cells.get((owner, ()))
            if value == wanted or (decl.type.kind == "array" and (owner, ()) == array):
                yield Place(decl), _element(decl.type)
            elif decl.type.kind == "record":
                yield from self._members(Place(decl), owner, decl.type, wanted)
            elif isinstance(value, Pointer) and len(value.targets) == 1 and decl.type.element:
                (target,) = value.targets
                behind = Place(decl, (Index(Number(0), True),))
                if decl.type.element.kind == "record" and not target.path:
                    yield from self._members(behind, target.object, decl.type.element, wanted)

    def _members(
        self, place: Place, owner: Object, type_: CType, wanted: Pointer
    ) -> Iterator[tuple[Place, str]]:
        for (other, path), value in self.visit.state.cells.items():
            if other is not owner or value != wanted or not path:
                continue
            record, steps = record_name(type_), list(place.steps)
            for name in path:
                steps.append(Field(name, record))
                kind = self._fields.get((record, name))
                record = record_name(kind) if kind is not None else ""
            last = steps[-1]
            assert isinstance(last, Field)
            yield Place(place.root, tuple(steps)), self._types.get((last.record, last.name), "")

    @cached_property
    def _fields(self) -> dict[tuple[str, str], CType]:
        """The types of members, as the file's uses of them show."""
        found: dict[tuple[str, str], CType] = {}
        unit = self.loop.function.unit
        functions = [unit.convert(cursor) for cursor in unit.functions()]
        for node in (n for f in functions for n in f.walk()):
            if node.kind == "MEMBER_REF_EXPR" and node.children:
                found[_record(node), node.name] = node.type
        return found

    @cached_property
    def _types(self) -> dict[tuple[str, str], str]:
        return {key: _element(type_) for key, type_ in self._fields.items()}

    def _visible(self) -> Iterator[Decl]:
        """Variables that the loop may name: no other one has such a name."""
        function, loop = self.loop.function, self.loop.node
        local = [n for n in function.node.walk() if n.kind in ("VAR_DECL", "PARM_DECL")]
        names = [n.decl.name for n in local if n.decl is not None]
        for node in local:
            decl = node.decl
            if decl is None or names.count(decl.name) > 1 or node.span.start > loop.span.start:
                continue
            if node.kind == "PARM_DECL" or self._is_around(node):
                yield decl
        for decl in self.machine.globals:
            if decl.name not in names and not (decl.is_local and decl.is_static):
                yield decl

    def _is_around(self, declared: Node) -> bool:
        """Whether a declaration is in a block that the loop is in, too."""
        start = self.loop.node.span.start
        for block in self.loop.function.body.walk():
            if block.kind == "COMPOUND_STMT" and block.span.start <= start < block.span.end:
                declarations = (s for s in block.children if s.kind == "DECL_STMT")
                if any(c is declared for s in declarations for c in s.children):
                    return True
        return False


def _record(node: Node) -> str:
    type_ = node.children[0].type
    inner = type_.element if type_.kind == "pointer" and type_.element is not None else type_
    return record_name(inner)


def _element(type_: CType) -> str:
    return plain_type(type_.element) if type_.element is not None else ""
