"""Where a Func may be computed and stored: in loops around all its uses.

A level is refused with the list of those that would be legal and the places of the uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NoReturn

from s2s.scop.errors import Illegal
from s2s.scop.nest import For, Node, Produce, Store, children, expressions
from s2s.scop.pipeline import OUTERMOST, Func, LevelKind, LoopLevel, matches, shown
from s2s.source import Span
from s2s.source.records import dataclass
from s2s.transforms.halide.inline import check_inline_schedule
from s2s.transforms.halide.levels import ROOT_LOOP
from s2s.transforms.halide.reads import tensors_read, tensors_read_in

_AT_ONCE = ("parallel", "vectorized")
"""Loops whose iterations run at the same time."""


@dataclass(frozen=True)
class _Site:
    """A loop around uses of a Func, as a level names it."""

    func: str
    var: str
    kind: str

    @property
    def is_root(self) -> bool:
        return not self.func

    @property
    def text(self) -> str:
        return "root" if self.is_root else f"{self.func}, {shown(self.var)}"

    def is_named_by(self, level: LoopLevel) -> bool:
        """Whether a level means this loop. A level with a stage names none of these."""
        if level.kind is not LevelKind.LOOP:
            return level.kind is LevelKind.ROOT and self.is_root
        same_var = matches(self.var, level.var) or matches(level.var, self.var)
        return self.func == level.func and same_var and level.stage < 0


def is_used(func: Func, nest: Node) -> bool:
    """Whether anything in a nest loads from a Func."""
    return func.name in tensors_read_in(nest)


def check_levels(func: Func, nest: Node) -> None:
    """Refuse levels of a Func that is not an output, in the nest of all its consumers."""
    schedule = func.schedule
    hoist = schedule.hoist_level
    assert hoist is not None, "levels are final"
    if schedule.compute_level.kind is LevelKind.INLINE:
        _check_storage_of_inlined(func, hoist)
        if not func.updates:
            check_inline_schedule(func)
        return
    sites = _legal_sites(func.name, nest)
    places = _places(sites, schedule.compute_level, schedule.store_level, hoist)
    if places is None:
        _refuse(func, nest, sites, "is computed at an illegal place")
    stored, computed, hoisted = places
    for outside, what in ((stored, "stored"), (hoisted, "given memory")):
        for site in sites[outside + 1 : computed + 1]:
            if site.kind in _AT_ONCE:
                _refuse(
                    func,
                    nest,
                    sites,
                    f"is {what} outside the {site.kind} loop ({site.text}) and computed inside: "
                    "a race",
                )


def _check_storage_of_inlined(func: Func, hoist: LoopLevel) -> None:
    for level, what in ((func.schedule.store_level, "stored"), (hoist, "given memory")):
        if level.kind is not LevelKind.INLINE:
            place = "root" if level.kind is LevelKind.ROOT else "a loop"
            raise Illegal(
                f"{func.name} is {what} at {place} but computed inline; legal: compute_root or "
                "compute_at with it",
                level.at,
            )


def _places(
    sites: list[_Site], compute: LoopLevel, store: LoopLevel, hoist: LoopLevel
) -> tuple[int, int, int] | None:
    """Where it is stored, computed and given memory, outside in; None where the order is wrong."""
    stored = computed = hoisted = -1
    for index, site in enumerate(sites):
        if site.is_named_by(hoist):
            hoisted = index
        if site.is_named_by(store) and hoisted >= 0:
            stored = index
        if site.is_named_by(compute) and stored >= 0 and hoisted >= 0:
            computed = index
    return None if computed < 0 else (stored, computed, hoisted)


def _legal_sites(name: str, nest: Node) -> list[_Site]:
    """The loops around all uses of a Func, outermost first; parallel where any stage's is."""
    common: list[_Site] | None = None
    for sites in _uses(name, nest, ()):
        if common is None:
            common = list(sites)
        else:
            known = common
            common = [_joint(s, k) for s in sites for k in _first(k for k in known if _same(s, k))]
    return common or []


def _first(found: Iterator[_Site]) -> list[_Site]:
    return list(islice(found, 1))


def _joint(one: _Site, other: _Site) -> _Site:
    """The loops of two stages that a level names at once."""
    return other if other.kind in _AT_ONCE else one


def _same(one: _Site, other: _Site) -> bool:
    return one.func == other.func and (matches(one.var, other.var) or matches(other.var, one.var))


def _uses(name: str, node: Node, around: tuple[_Site, ...]) -> Iterator[tuple[_Site, ...]]:
    """The loops around each node that loads from a Func."""
    if name not in tensors_read_in(node):
        return
    if isinstance(node, For):
        around = (*around, _site(node))
    if any(name in tensors_read(e) for e in expressions(node)):
        yield around
    for child in children(node):
        yield from _uses(name, child, around)


def _site(loop: For) -> _Site:
    if loop.name == ROOT_LOOP:
        return _Site("", "", loop.kind)
    return _Site(loop.func, loop.name.rsplit(".", 1)[-1], loop.kind)


def _refuse(func: Func, nest: Node, sites: list[_Site], text: str) -> NoReturn:
    schedule = func.schedule
    given = schedule_text(func.name, schedule.store_level, schedule.compute_level)
    notes: list[tuple[str, Span | None]] = [
        (f"legal: {func.name}.{_site_text(site)}", None) for site in sites
    ]
    notes += dict.fromkeys(_uses_said(func.name, nest, ""))
    raise Illegal(f"{func.name} {text}: {given}", schedule.compute_level.at, tuple(notes))


def _site_text(site: _Site) -> str:
    return "compute_root()" if site.is_root else f"compute_at({site.text})"


def schedule_text(name: str, store: LoopLevel, compute: LoopLevel) -> str:
    """The levels of a Func as C++ has them."""
    parts = [name]
    if (store.kind, store.func, store.var) != (compute.kind, compute.func, compute.var):
        parts.append(_level_text("store", store))
    parts.append(_level_text("compute", compute))
    return ".".join(parts)


def _level_text(verb: str, level: LoopLevel) -> str:
    if level.kind is LevelKind.ROOT:
        return f"{verb}_root()"
    return f"{verb}_at({level.func}, {shown(level.var)})"


def _uses_said(
    name: str, node: Node, caller: str, loops: tuple[str, ...] = ()
) -> Iterator[tuple[str, Span | None]]:
    """Who uses a Func, in which loops (outermost first), and where in the source."""
    if name not in tensors_read_in(node):
        return
    if isinstance(node, For) and not node.name.endswith((OUTERMOST, ROOT_LOOP)):
        loops = (*loops, f"{node.func}, {shown(node.name)}")
    if any(name in tensors_read(e) for e in expressions(node)):
        around = ", ".join(f"({loop})" for loop in loops)
        at = node.at if isinstance(node, Store) else None
        yield f"{caller} uses {name} here, in the loops {around or 'none'}", at
    inner = node.func if isinstance(node, Produce) else caller
    for child in children(node):
        yield from _uses_said(name, child, inner, loops)
