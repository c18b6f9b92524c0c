"""The arrays of a region: where they begin, what may be the same memory, what may change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from s2s.frontends.c.arrays import Aliases, Memory, as_memory
from s2s.frontends.c.confined import is_confined
from s2s.frontends.c.fixed_places import is_constant, places_in, pointers_to, spelled
from s2s.frontends.c.lift import Lifter
from s2s.frontends.c.lift_leaves import Checks
from s2s.frontends.c.liveness import dead_after
from s2s.frontends.c.lvalues import Path, resolve
from s2s.frontends.c.not_liftable import Changing, NotLiftable
from s2s.frontends.c.raw import Raw
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.touch import SPELLINGS
from s2s.scop.nodes import Array
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass
class RegionMemory:
    """What a region touches, for its SCoP. ``hoisted``: declarations that became assignments."""

    lifter: Lifter
    raw: Raw
    function: Node
    aliases: Aliases
    memories: Mapping[tuple[Decl | None, str], Memory]
    hoisted: frozenset[Decl]
    steady: set[tuple[str, str]] = field(default_factory=set)
    """See ``Scop.steady``."""

    def check_parameters(self) -> None:
        """Raise NotLiftable where what is written may be a parameter; Changing for elements."""
        written = [m for m in self.memories.values() if any(t.write for t in m.touches)]
        changing: dict[tuple[Decl, str], tuple[Span, str]] = {}
        for name, node in self.lifter.affine.parameter_nodes.items():
            found = places_in(node)
            if found is None:
                raise NotLiftable(node.span, f"'{name}' is not understood")
            for path in found:
                assert path.root is not None
                others = list(self._may_store(path, name, written))
                if others and not self._keep_apart(path, others):
                    _, other = others[0]
                    spelling = self.lifter.affine.parameters[name].spelling
                    why = f"'{spelling}' may change while the loops run: {_where_written(other)}"
                    if not _has_index(path):
                        raise NotLiftable(node.span, why)
                    changing.setdefault((path.root, path.key), (node.span, why))
        if changing:
            raise Changing(*next(iter(changing.values())), frozenset(changing))

    def _may_store(
        self, path: Path, name: str, written: Sequence[Memory]
    ) -> Iterator[tuple[Path, Memory]]:
        """What is written that may be a place or a pointer on the way to it, and which of them."""
        if is_constant(path):
            return
        places = [p for p in (path, *pointers_to(path.node)) if p.root is not None]
        for other in written:
            for place in places:
                if self.aliases.may_alias(as_memory(place, name), other):
                    yield place, other

    def _keep_apart(self, path: Path, others: Sequence[tuple[Path, Memory]]) -> bool:
        """Whether the guard can check that nothing is written where a value is read from early."""
        if self.lifter.checks < (Checks.ELEMENTS if _has_index(path) else Checks.MEMBERS):
            return False
        found = {(_address_of(place), other.name) for place, other in others}
        if any(not place for place, _ in found):
            return False
        if any(self._base(m) is None and self._member_of(m) is None for _, m in others):
            return False
        self.steady |= found
        return True

    def alias_pairs(self) -> frozenset[frozenset[str]]:
        memories = list(self.memories.values())
        return frozenset(
            frozenset((a.name, b.name))
            for i, a in enumerate(memories)
            for b in memories[i + 1 :]
            if self.aliases.may_alias(a, b)
        )

    def array(self, memory: Memory) -> Array:
        root = memory.root
        return Array(
            name=memory.name,
            spelling=_spelling(memory),
            rank=memory.rank,
            row_rank=memory.row_rank if memory.exact else 0,
            sizes=tuple(memory.inner_sizes()) if memory.exact else (),
            element_size=memory.type.size,
            external=root is None,
            base=self._base(memory),
            member=self._member(memory),
            table=self._table(memory),
            flat=tuple(
                size.c(self.lifter.affine.parameters[size.name].spelling) for size in memory.shape
            ),
            products=tuple(memory.products.items()),
            dead=not memory.rank and not memory.key and self._is_dead_behind(root),
            confined=bool(memory.rank) and self._is_confined(root),
            pointed=memory.through_pointer,
            restricted=root is not None and root.type.restrict,
            scattered=_is_scattered(memory),
        )

    def _is_confined(self, root: Decl | None) -> bool:
        """Whether only a region of several statements names elements of an array."""
        if root is None or len(self.lifter.region) < 2:
            return False
        return is_confined(root, self.raw.span, self.lifter.facts, self.lifter.buffer)

    def _is_dead_behind(self, root: Decl | None) -> bool:
        """Whether nothing after the region reads a scalar before it is set again.

        The region itself, in the next iteration of a loop around it, counts as what is behind.
        """
        if root is None or not root.type.scalar or root in self.lifter.facts.escaped:
            return False
        if root in self.hoisted:  # declared in the region: nothing after it has the name
            return True
        return dead_after(self.function, self.lifter.region, root, exposed=True)

    def _base(self, memory: Memory) -> str | None:
        """The C text from which the first subscript counts, where addresses can be compared."""
        root = memory.root
        if root is None or not memory.exact or not memory.stable:
            return None
        if not memory.rank:
            return f"&{root.name}" if root.type.scalar and not memory.key else None
        if any(memory.subscripts(touch) is None for touch in memory.touches):
            return None
        followed = memory.key.count("*")
        direct = root.type.kind == "pointer" and followed == 1 and memory.key.startswith("*")
        plain = root.type.kind == "array" and not followed and not memory.key
        through = memory.touches[0].via or root
        if through in self.lifter.assigned and through not in self.lifter.hoisted.names:
            return None
        name = self.lifter.hoisted.names.get(through, through.name)
        return name if direct or plain else None

    def _table(self, memory: Memory) -> str | None:
        """The variable or member that leads to the pointers to an array's rows."""
        root = memory.root
        if root is None or memory.shape or not (memory.exact and memory.stable):
            return None
        if root in self.lifter.assigned or not all(memory.pointers):
            return None
        if any(t.via is not None or memory.subscripts(t) is None for t in memory.touches):
            return None
        member = self._named_member(memory)
        if member is not None:
            node, place = member
            is_last = place == memory.row_rank - 1 and memory.row_rank == memory.rank - 1
            return spelled(node) if is_last and self._is_unmoved(node, memory) else None
        plain = set(memory.key) == {"*"} and root.type.kind in ("pointer", "array")
        return root.name if plain and memory.rank == 2 else None

    def _member(self, memory: Memory) -> tuple[str, int] | None:
        """The member of which an array's subscripts are, if nothing moves it in the region."""
        member = self._member_of(memory)
        if member is None or not self._is_unmoved(member[0], memory):
            return None
        return spelled(member[0]), member[1]

    def _is_unmoved(self, node: Node, memory: Memory) -> bool:
        """Whether nothing in the region writes a member, or a pointer on the way to it."""
        ways = list(pointers_to(node))
        path = resolve(node)
        if node.type.kind == "pointer" and path is not None:
            ways.append(path)
        written = [m for m in self.memories.values() if any(t.write for t in m.touches)]
        for way in ways:
            if way.root is not None:
                mine = as_memory(way, memory.name)
                others = [(way, m) for m in written if self.aliases.may_alias(mine, m)]
                if others and not self._keep_apart(way, others):
                    return False
        return True

    def _member_of(self, memory: Memory) -> tuple[Node, int] | None:
        """The member of which an array's subscripts are, whether or not it is overwritten.

        Not one that points to pointers to rows: these may lie anywhere.
        """
        found = self._named_member(memory)
        return found if found is not None and found[1] >= memory.row_rank else None

    def _named_member(self, memory: Memory) -> tuple[Node, int] | None:
        """The member through which all reach an array, and the subscript that counts from it."""
        nodes = [touch.member for touch in memory.touches]
        first = nodes[0] if nodes else None
        if first is None or not (memory.exact and memory.stable and memory.rank):
            return None
        if memory.root in self.lifter.assigned or any(t.via for t in memory.touches):
            return None
        text, path = spelled(first), resolve(first)
        if path is None or any(n is None or spelled(n) != text for n in nodes):
            return None
        if len(path.steps) >= memory.rank:
            return None
        if any(memory.subscripts(touch) is None for touch in memory.touches):
            return None
        return first, len(path.steps)


def _where_written(memory: Memory) -> str:
    if memory.root is None:
        return "a call may set it"
    return f"what is written to '{_spelling(memory)}' may be the same memory"


def _has_index(path: Path) -> bool:
    return any(step.index is not None for step in path.steps)


def _address_of(path: Path) -> str:
    """The text of a place whose address can be taken; empty for others."""
    node = path.node
    if node.kind == "MEMBER_REF_EXPR":
        member = node.decl.cursor if node.decl is not None else None
        if member is None or member.is_bitfield():
            return ""
    return "" if node.type.volatile else spelled(node)


def _spelling(memory: Memory) -> str:
    """How messages name an array: its variable and fields."""
    if memory.root is None:
        return SPELLINGS.get(memory.key, "memory")
    return memory.root.name + memory.key.replace("*", "")


def _is_scattered(memory: Memory) -> bool:
    """Whether the last subscript counts the records that elements are members of."""
    if "." not in memory.key or memory.key.endswith("*") or not memory.pointers:
        return False
    if memory.pointers[-1] or memory.root is None or "*" in memory.key:
        return memory.pointers[-1]
    type_, levels = memory.root.type, 0
    while type_.kind == "array" and type_.element is not None:
        type_, levels = type_.element, levels + 1
    return levels == len(memory.pointers)
