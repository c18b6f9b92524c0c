"""Which memory the touches of a region name: arrays, their subscripts, and who may alias whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from types import MappingProxyType

from s2s.frontends.c.facts import Facts
from s2s.frontends.c.lvalues import Path
from s2s.frontends.c.syntax import CType, Decl
from s2s.frontends.c.touch import OUTPUT, WORLD, Touch
from s2s.scop.polynomial import Polynomial, RowSize, delinearize, size_candidates
from s2s.source.records import dataclass


@dataclass(eq=False)
class Memory:
    """An array as the touches show it: one root and path, with a common shape.

    ``shape`` are the inner sizes that delinearization found, the first of ``shapes``, which are all
    that might be; ``exact`` is False where subscripts say nothing (the root pointer changes in the
    region, a union, shapes that do not agree).
    """

    root: Decl | None
    key: str
    name: str
    type: CType
    pointers: tuple[bool, ...]
    sizes: tuple[str | None, ...] = ()
    shape: tuple[RowSize, ...] = ()
    shapes: tuple[tuple[RowSize, ...], ...] = ()
    exact: bool = True
    stable: bool = True
    union: bool = False
    """Whether what shares these bytes may have any type."""
    touches: list[Touch] = field(default_factory=list)
    splits: dict[tuple[Polynomial, tuple[str, ...]], tuple[int, ...]] = field(default_factory=dict)
    """What flat subscripts carry into the next outer one (``delinearize``), by their conditions."""
    products: Mapping[str, Polynomial] = field(default_factory=dict)
    """Parameters that stand in flat subscripts in place of these polynomials, which they are."""

    @property
    def through_pointer(self) -> bool:
        return any(self.pointers) or self.root is None or "*" in self.key

    @property
    def rank(self) -> int:
        return len(self.pointers) + len(self.shape) if self.exact else 0

    @property
    def row_rank(self) -> int:
        """Leading subscripts that select among pointers stored in memory."""
        positions = [i for i, p in enumerate(self.pointers) if p]
        return positions[-1] if len(positions) > 1 else 0

    def subscripts(self, touch: Touch) -> list[Polynomial] | None:
        """Affine subscripts of a touch in this array's shape; None for the whole array."""
        if not self.exact or touch.subscripts is None:
            return None
        values = list(touch.subscripts)
        if (self.shape or self.products) and values:
            last = self.flat(values.pop())
            split = None if last is None else delinearize(last, self.shape, self._carries(touch))
            if split is None:
                return None
            values += split
        known = [v for v in values if v is not None and v.is_affine]
        return known if len(known) == len(values) else None

    def flat(self, subscript: Polynomial | None) -> Polynomial | None:
        """A flat subscript with what stands for parts of it."""
        for name, value in self.products.items():
            subscript = None if subscript is None else subscript.with_named(value, name)
        return subscript

    def shape_flat(
        self, parameters: frozenset[str], products: Mapping[str, Polynomial] = MappingProxyType({})
    ) -> None:
        """Put parameters in place of polynomials, and find the shapes that are possible then."""
        self.products, self.splits = products, {}
        self.shapes = _shapes(map(self.flat, self.flat_subscripts()), parameters)
        self.shape = next(iter(self.shapes), ())

    def flat_subscripts(self) -> Iterator[Polynomial | None]:
        """The last subscript of each touch, as the source has it."""
        return (t.subscripts[-1] for t in self.touches if t.subscripts)

    def _carries(self, touch: Touch) -> tuple[int, ...]:
        last = touch.subscripts[-1] if touch.subscripts else None
        return () if last is None else self.splits.get((last, touch.context.formulas), ())

    def inner_sizes(self) -> list[str | None]:
        """For each subscript the size it has to stay below, None for an outermost one."""
        return [*self.sizes, *(size.isl() for size in self.shape)]


def as_memory(path: Path, name: str) -> Memory:
    """The array that a place is part of, to ask who may share memory with it."""
    pointers = tuple(s.through_pointer for s in path.steps)
    return Memory(path.root, path.key, name, path.type, pointers, union=path.union)


def group(touches: Iterable[Touch], changed: Callable[[Decl], bool], parameters: frozenset[str],
          fresh: Callable[[str], str]) -> dict[tuple[Decl | None, str], Memory]:  # fmt: skip
    """Touches by the array they name. ``changed`` tells whether a pointer is set in the region."""
    found: dict[tuple[Decl | None, str], Memory] = {}
    for touch in touches:
        identity = (touch.root, touch.key)
        memory = found.get(identity)
        if memory is None:
            wanted = touch.key.strip("?") if touch.root is None else touch.root.name
            fields = touch.key.replace("*", "").replace(".", "_")
            name = fresh(wanted + (fields if touch.root is not None else ""))
            memory = Memory(touch.root, touch.key, name, touch.type, touch.pointers, touch.sizes)
            memory.stable = touch.root is None or not (
                touch.root.type.kind == "pointer" and changed(touch.root)
            )
            found[identity] = memory
        memory.touches.append(touch)
        memory.union |= touch.union
    for memory in found.values():
        _settle(memory, found, parameters)
    return found


def _settle(
    memory: Memory, found: dict[tuple[Decl | None, str], Memory], parameters: frozenset[str]
) -> None:
    """Decide on exactness and shape."""
    subscripted = [t for t in memory.touches if t.subscripts is not None]
    if memory.root is None or not memory.stable or not subscripted:
        memory.exact = memory.root is not None and memory.stable and not memory.touches
        memory.exact = memory.exact or (
            memory.root is not None
            and memory.stable
            and memory.pointers == ()
            and not memory.key
            and memory.root.type.scalar
        )
        return
    first = subscripted[0]
    if any(_shape_of(t) != _shape_of(first) or t.union for t in subscripted):
        memory.exact = False
        return
    memory.pointers, memory.sizes = first.pointers, first.sizes
    if sum(memory.pointers) > 1 and _pointer_rows_written(memory, found):
        memory.exact = memory.stable = False
        return
    memory.shape_flat(parameters)


def _shape_of(touch: Touch) -> tuple[object, ...]:
    """What touches have to agree in to name elements by the same subscripts."""
    through = touch.via or touch.root
    pointed = through.type.element if through is not None else None
    return touch.pointers, touch.sizes, touch.type.size, pointed.canonical if pointed else ""


def _pointer_rows_written(memory: Memory, found: dict[tuple[Decl | None, str], Memory]) -> bool:
    """Whether the region stores to the pointers that lead to this array's rows."""
    for other in found.values():
        shorter = other.root is memory.root and other.key != memory.key
        if shorter and memory.key.startswith(other.key) and any(t.write for t in other.touches):
            return True
        if other.key == WORLD and any(t.write for t in other.touches):
            return True
    return False


def _shapes(
    flat: Iterable[Polynomial | None], parameters: frozenset[str]
) -> tuple[tuple[RowSize, ...], ...]:
    """The sizes under which all polynomial subscripts become affine, fewest dimensions first."""
    nonaffine = [s for s in dict.fromkeys(flat) if s is not None and not s.is_affine]
    found = size_candidates(nonaffine, parameters)
    return tuple(sizes for sizes in found if all(delinearize(s, sizes) for s in nonaffine))


def _last_pointer(key: str) -> str:
    """The part of a path up to the last pointer that it follows."""
    return key[: key.rfind("*") + 1]


@dataclass(frozen=True)
class Aliases:
    """Answers whether two arrays may share memory, from declarations and allocations.

    ``strict``: objects of different arithmetic types do not share memory (C11 6.5 paragraph 7);
    off under -fno-strict-aliasing.
    """

    facts: Facts
    strict: bool = True

    def may_alias(self, left: Memory, right: Memory) -> bool:
        if OUTPUT in (left.key, right.key):
            return left.key == right.key
        if WORLD in (left.key, right.key):
            other = right if left.key == WORLD else left
            return other.key == WORLD or self._reachable(other)
        if left.root is right.root and self._nested(left, right):
            return True
        if not left.through_pointer and not right.through_pointer:
            return left.root is right.root and self._nested(left, right)
        shared = left.union or right.union
        if not shared and self._different_types(left.type, right.type):
            return False
        if left.through_pointer and right.through_pointer:
            return self._pointers_may_meet(left, right)
        pointer, plain = (left, right) if left.through_pointer else (right, left)
        return self._may_point_into(pointer, plain)

    def _nested(self, left: Memory, right: Memory) -> bool:
        """Of one root, one path leads to a part of the other (a record and its field)."""
        short, long = sorted((left.key, right.key), key=len)
        return long.startswith(short) and "*" not in long.removeprefix(short)

    def _reachable(self, memory: Memory) -> bool:
        """Whether code that the region calls can reach the memory."""
        root = memory.root
        if root is None or root.is_global or root.is_static:
            return True
        if memory.through_pointer:
            return not self.facts.owns_allocation(root)
        return root in self.facts.escaped

    def _pointers_may_meet(self, left: Memory, right: Memory) -> bool:
        if left.root is right.root and left.root is not None and left.key != right.key:
            if left.stable and _last_pointer(left.key) == _last_pointer(right.key):
                return self._nested(left, right)
            return True
        for one, other in ((left, right), (right, left)):
            if one.root is None:
                continue
            if self.facts.owns_allocation(one.root) and one.key.count("*") == 1:
                return False
            restricted = one.root.type.restrict and one.stable and one.key.count("*") == 1
            if restricted and not self._may_be_based_on(one.root, other):
                return False
        return True

    def _may_be_based_on(self, pointer: Decl, other: Memory) -> bool:
        """Whether a restrict pointer's value may have gone into what leads to other memory."""
        root = other.root
        if root is None or root in self.facts.sources:
            return True
        direct = root.type.kind == "pointer" and other.key.count("*") == 1 and root.is_local
        return pointer in self.facts.copied and not (direct and other.key.startswith("*"))

    def _may_point_into(self, pointer: Memory, plain: Memory) -> bool:
        root = plain.root
        assert root is not None
        if pointer.root is not None and self.facts.owns_allocation(pointer.root):
            return False
        return root.is_global or root in self.facts.escaped

    def _different_types(self, left: CType, right: CType) -> bool:
        if not self.strict:
            return False
        kinds = {left.kind, right.kind}
        if not kinds <= {"int", "float", "pointer"} or left.character or right.character:
            return False
        if kinds == {"int"}:
            return left.size != right.size and min(left.size, right.size) > 1
        return len(kinds) > 1 or (kinds == {"float"} and left.size != right.size)
