"""Stores to objects and to their parts, to one place or to one of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from s2s.frontends.c.syntax import CType, Node
from s2s.rewriters.graphs.edge_lists.contents import Unknown
from s2s.rewriters.graphs.edge_lists.memory import State, fresh, kind_of, may_share
from s2s.rewriters.graphs.edge_lists.operations import unknown
from s2s.rewriters.graphs.edge_lists.poke import store_element
from s2s.rewriters.graphs.edge_lists.terms import Anywhere, Lin, Pointer, Record, Target, Value


class Stores:
    """Changes ``state``. ``stored`` and ``members`` are the machine's."""

    state: State

    def stored(self, target: Target, value: Value, node: Node) -> bool:
        """Whether a store to an element was taken care of."""
        raise NotImplementedError

    def members(self, type_: CType) -> list[tuple[str, str]]:
        """The members of a struct and their kinds, in order; empty where they are not known."""
        raise NotImplementedError

    def _one_of(self, values: Sequence[Value], type_: CType) -> Value:
        if all(isinstance(v, Pointer) for v in values):
            targets = [t for v in values if isinstance(v, Pointer) for t in v.targets]
            return Pointer(frozenset(targets))
        for value in values:
            self.state.escape(value)
        return Anywhere() if type_.kind == "pointer" else unknown()

    def assign(
        self, places: Sequence[Target] | None, value: Value, type_: CType, node: Node
    ) -> None:
        """Store a value at one of some places, anywhere if they are not known."""
        why = (node, "is written in a way that is not understood")
        if places is None:
            self._release(value)
            self.state.forget_outside(why, kind_of(type_))
            return
        if type_.volatile:
            value = unknown()
        for target in places:
            if len(places) == 1:
                self._put(target, value, type_, node)
            else:
                self._put_perhaps(target, value, type_, why)
            self._reach(target, type_, why)

    def _release(self, value: Value) -> None:
        found = value.members.values() if isinstance(value, Record) else [value]
        for part in found:
            self.state.escape(part)

    def _reach(self, target: Target, type_: CType, why: tuple[Any, str]) -> None:
        """What was there before may be under several names."""
        mine = target.object
        if not mine.outer and mine not in self.state.escaped:
            return
        for other in self.state.objects():
            same = may_share(kind_of(type_), other.kind)
            seen = other.outer or other in self.state.escaped
            if other is not mine and seen and not (other.alone or mine.alone) and same:
                self.state.forget(other, why)

    def _put(self, target: Target, value: Value, type_: CType, node: Node) -> None:
        state = self.state
        if type_.kind in ("record", "union"):
            self._put_record(target, value, node)
        elif target.index is None:
            state.set(target.array, value)
        elif "?" in target.path:
            self._release(value)
            state.forget(target.object, (node, "is written in a way that is not understood"))
        else:
            self._release(value)
            if self.stored(target, value, node):
                return
            known = value if isinstance(value, Lin) else unknown()
            content = store_element(state.content(target.array), target.index, known, node)
            state.fill(target.array, content)

    def _put_record(self, target: Target, value: Value, node: Node) -> None:
        why = (node, "is written in a way that is not understood")
        members: Mapping[tuple[str, ...], Value] = (
            value.members if isinstance(value, Record) else {(): unknown()}
        )
        if target.index is not None and self._put_members(target, members, node):
            return
        if target.index is not None or () in members:
            self._release(value)
            if target.index is None or not self.stored(target, unknown(), node):
                self.state.forget(target.object, why)
            return
        depth = len(target.path)
        for place in [p for p in self.state.cells if p[0] is target.object]:
            if place[1][:depth] == target.path:
                del self.state.cells[place]
        self.state.epochs[target.object] = fresh()
        for path, held in members.items():
            self.state.set((target.object, (*target.path, *path)), held)

    def _put_members(
        self, target: Target, members: Mapping[tuple[str, ...], Value], node: Node
    ) -> bool:
        """Store each member of an element; False where not all are known."""
        names = {(name,) for name, _ in self.members(node.type)}
        if set(members) != names or not all(isinstance(v, Lin) for v in members.values()):
            return False
        return all([
            self.stored(Target(target.object, (*target.path, *p), target.index), v, node)
            for p, v in members.items()
        ])  # fmt: skip

    def _put_perhaps(
        self, target: Target, value: Value, type_: CType, why: tuple[Any, str]
    ) -> None:
        if "?" in target.path:
            self._release(value)
            self.state.forget(target.object, why)
            return
        if target.index is not None or type_.kind not in ("int", "float", "pointer"):
            self._release(value)
            if target.index is None or not self.stored(target, unknown(), why[0]):
                self.state.fill(target.array, Unknown(why))
            return
        old = self.state.value(target.array, type_)
        if isinstance(old, Lin) or isinstance(value, Lin):
            self.state.set(target.array, unknown())
        else:
            self.state.set(target.array, self._one_of([old, value], type_))
