"""What variables are worth and whose they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace

from s2s.frontends.c.executed.recorder import Recorder
from s2s.frontends.c.executed.values import ZERO, Data, Pointer, Value, inside
from s2s.frontends.c.syntax import CType, Decl
from s2s.scop.executions import Place, Role, Root, Scope
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

ALLOCATED = ""
"""The name of memory that is not yet any variable's."""


@dataclass
class Memory(Recorder):
    """Variables with their values, as the thread that executes the code sees them."""

    known: dict[Decl, Value] = field(default_factory=dict)
    owners: dict[Decl, Scope] = field(default_factory=dict)
    """The scopes of which each instance has a variable of its own."""
    changing: frozenset[Decl] = frozenset()
    """What the current region assigns anywhere."""
    dims: dict[Decl, tuple[Polynomial, ...]] = field(default_factory=dict)
    """Sizes of variable-length arrays, and of what parameters declared as arrays point to."""
    _symbol_of: dict[Decl, str] = field(default_factory=dict)

    def root(self, decl: Decl) -> Root:
        return Root(decl, decl.name, self.owners.get(decl))

    def is_shared(self, decl: Decl) -> bool:
        """Whether other threads of the region have the same variable."""
        region, owner = self.region, self.owners.get(decl)
        return region is not None and (owner is None or owner.depth <= region.depth)

    def variable(self, decl: Decl) -> Place:
        return Place(self.root(decl), "", (ZERO,))

    def value_of(self, decl: Decl) -> Value:
        """The value of a scalar variable."""
        if decl.thread_local:
            return None
        if self.is_shared(decl) and decl in self.changing:
            return Data.LOADED
        if decl in self.known:
            return self.known[decl]
        return self._at_entry(decl)

    def _at_entry(self, decl: Decl) -> Value:
        """A value that was there before the function began."""
        if decl.type.kind == "pointer":
            return self.behind(self.variable(decl), decl.type, self.dims.get(decl))
        return self.parameter(decl) if decl.type.kind == "int" else Data.LOADED

    def behind(
        self, cell: Place, type_: CType, dims: tuple[Polynomial, ...] | None = None
    ) -> Value:
        """What a pointer that is stored in memory leads to."""
        if type_.element is None:
            return None
        sizes = dims
        if sizes is None:
            sizes = self.sizes(type_.element)
        return None if sizes is None else Pointer(inside(cell, "*"), sizes)

    def sizes(self, type_: CType) -> tuple[Polynomial, ...] | None:
        """The sizes of an array type; None where one is not known."""
        if type_.kind != "array":
            return ()
        inner = self.sizes(type_.element) if type_.element is not None else None
        if type_.count is None or inner is None:
            return None
        return (Polynomial.integer(type_.count), *inner)

    def parameter(self, decl: Decl) -> Polynomial:
        """A value that stays what it is throughout the region."""
        if decl not in self._symbol_of:
            self._symbol_of[decl] = self.symbol("p", local=False)
        return Polynomial.name(self._symbol_of[decl])

    def assign(self, decl: Decl, value: Value) -> None:
        """Set a variable; outside of regions values that are not understood have names."""
        if isinstance(value, Pointer) and value.place.root.name == ALLOCATED:
            root = replace(value.place.root, name=decl.name)
            value = replace(value, place=replace(value.place, root=root))
        if isinstance(value, Polynomial | Pointer) or self.is_concurrent:
            self.known[decl] = value
        else:
            self.forget([decl])

    def forget(self, decls: Iterable[Decl]) -> None:
        """Variables have other values from here on, in regions such that differ by instance."""
        for decl in decls:
            if self.is_concurrent:
                self.known[decl] = None
            elif decl.type.kind == "int":
                self.known[decl] = Polynomial.name(self.symbol("p", local=False))
            elif decl.type.kind == "pointer":
                root = Root(object(), decl.name, self.owners.get(decl))
                self.known[decl] = self.behind(Place(root, "", (ZERO,)), decl.type)
            else:
                self.known[decl] = Data.LOADED

    @contextmanager
    def owned(self, decls: Iterable[Decl], *, keep: bool = False) -> Iterator[None]:
        """Each instance of a new block has variables of its own, with unknown values or not."""
        listed = list(decls)
        owners = {d: self.owners.get(d) for d in listed}
        values = {d: self.known[d] for d in listed if d in self.known}
        kept = {d: self.value_of(d) for d in listed} if keep else {}
        with self.scope(Role.BLOCK) as block:
            for decl in listed:
                self.owners[decl] = block
                self.known[decl] = kept.get(decl)
            try:
                yield
            finally:
                for decl, owner in owners.items():
                    self.known.pop(decl, None)
                    self.owners.pop(decl, None)
                    if owner is not None:
                        self.owners[decl] = owner
                self.known.update(values)
