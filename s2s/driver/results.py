"""What comes of a transformation as data: the text, and for each region what was found and done.

Everything here is frozen and can be pickled; isl's objects are kept as text and made when they are
asked for.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

from s2s.source import Edit
from s2s.source.diagnostics import Diagnostic, Location, Severity
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import islpy as isl

Status = Literal["changed", "unchanged", "content", "failed"]
"""``content``: no pass finds anything to gain; ``unchanged``: something stands in the way."""
Kind = Literal["flow", "anti", "output", "order"]


@dataclass(frozen=True)
class Loop:
    """A loop of the source. ``id`` stays the same where lines move: ``heat/t/i``, ``heat/t/i#2``.

    ``at`` is the place of its header, ``step`` what each iteration adds to the variable.
    """

    id: str
    variable: str
    at: Location
    step: int = 1

    @property
    def place(self) -> str:
        """``file:line``."""
        return f"{self.at.path}:{self.at.line}"


@dataclass(frozen=True)
class Statement:
    """A piece of the source that is executed as a whole, once for each point of its domain.

    ``name`` is the one in isl's objects, ``loops`` are the ids of the loops around, outside in.
    """

    name: str
    id: str
    at: Location
    text: str
    loops: tuple[str, ...]
    domain_text: str

    @property
    def place(self) -> str:
        """``file:line``."""
        return f"{self.at.path}:{self.at.line}"

    @property
    def domain(self) -> isl.Set:
        """The iterations that execute it."""
        import islpy as isl

        return isl.Set(self.domain_text)


@dataclass(frozen=True)
class Dependence:
    """Instances of ``target`` that have to wait for instances of ``source``, and why.

    ``kind`` is ``flow`` (written, then read), ``anti``, ``output`` or ``order`` (what an unknown
    call or other rows of pointers may touch). ``distance`` has an entry for each loop around both,
    in iterations, None where it is not one number; ``direction`` the signs: ``<`` goes forward,
    ``=`` stays in the iteration, ``>``, ``<=``, ``>=``, ``*`` may be any. ``race``: nothing in the
    source orders it.
    """

    source: str
    target: str
    kind: Kind
    arrays: tuple[str, ...]
    source_at: Location
    target_at: Location
    loops: tuple[str, ...]
    distance: tuple[int | None, ...]
    direction: tuple[str, ...]
    relation_text: str
    race: bool = False

    @property
    def lines(self) -> tuple[int, int]:
        """The lines of both ends."""
        return self.source_at.line, self.target_at.line

    @property
    def relation(self) -> isl.Map:
        """Pairs of instances."""
        import islpy as isl

        return isl.Map(self.relation_text)

    @property
    def carrier(self) -> str | None:
        """The id of the outermost loop that carries it; None: it stays inside of an iteration."""
        pairs = zip(self.loops, self.direction, strict=True)
        return next((loop for loop, sign in pairs if sign != "="), None)

    def __str__(self) -> str:
        arrays = ", ".join(self.arrays) or "memory"
        signs = ", ".join(
            sign if far is None else str(far)
            for far, sign in zip(self.distance, self.direction, strict=True)
        )
        return f"{self.lines[0]} -> {self.lines[1]}: {self.kind} on {arrays} ({signs})"


@dataclass(frozen=True)
class Dimension:
    """An entry of the new order's time vectors.

    ``role`` is ``tile``, ``band`` or ``order``; ``parallel`` how its iterations run:
    ``sequential``, ``parallel``, ``pipelined``, ``tasks`` or ``simd``; ``size`` the points of a
    tile.
    """

    name: str
    role: str
    parallel: str
    size: int = 1


@dataclass(frozen=True)
class Schedule:
    """An order of a region's statements: a schedule tree, and a map to time for each statement.

    ``dimensions`` are there for new orders.
    """

    tree_text: str
    map_texts: Mapping[str, str]
    dimensions: tuple[Dimension, ...] = ()

    @property
    def tree(self) -> isl.Schedule:
        """The order as isl's schedule tree; ``tree_text`` is its YAML."""
        import islpy as isl

        return isl.Schedule(self.tree_text)

    @property
    def maps(self) -> dict[str, isl.Map]:
        """From instances to time vectors, by the statements' names."""
        import islpy as isl

        return {name: isl.Map(text) for name, text in self.map_texts.items()}


@dataclass(frozen=True)
class Region:
    """A region that passes were asked about.

    ``id`` is that of its outermost loop. ``pass_name`` and ``steps`` say what was done; ``cause``
    is the reason that hides the others where nothing was, ``notes`` are the others. ``after`` is
    the new order, None where the source's stays; ``guard`` the condition of its run-time check,
    empty without one; ``saved`` what ``schedule=`` takes to make it so again.
    """

    id: str
    function: str
    at: Location
    status: Status = "unchanged"
    pass_name: str = ""
    steps: tuple[str, ...] = ()
    cause: Diagnostic | None = None
    notes: tuple[Diagnostic, ...] = ()
    loops: tuple[Loop, ...] = ()
    statements: tuple[Statement, ...] = ()
    dependences: tuple[Dependence, ...] = ()
    before: Schedule | None = None
    after: Schedule | None = None
    guard: str = ""
    text: str = field(default="", repr=False)
    saved: Mapping[str, Any] | None = field(default=None, repr=False)

    @property
    def changed(self) -> bool:
        return self.status == "changed"

    @property
    def dependence_relation(self) -> isl.UnionMap:
        """All dependences that an order of the region has to respect, as one relation."""
        import islpy as isl

        found = isl.UnionMap("{ }")
        for item in self.dependences:
            found = found.union(isl.UnionMap.from_map(item.relation))
        return found

    def loop(self, name: str) -> Loop:
        """The loop with this id, this ``file:line`` or this variable. Raises KeyError."""
        for loop in self.loops:
            if name in (loop.id, loop.place, loop.variable):
                return loop
        raise KeyError(name)


@dataclass(frozen=True)
class Result:
    """A file after its way through s2s.

    ``data`` are the bytes of the new text, ``edits`` what changes the old ones into them (byte
    offsets of ``original``). ``companions`` are files to write beside it, by name;
    ``explanation`` is what ``s2s explain`` prints, where that was asked for.
    """

    path: str
    original: bytes = field(repr=False)
    data: bytes = field(repr=False)
    edits: tuple[Edit, ...] = field(default=(), repr=False)
    regions: tuple[Region, ...] = field(default=(), repr=False)
    diagnostics: tuple[Diagnostic, ...] = field(default=(), repr=False)
    explanation: str = field(default="", repr=False)
    companions: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)
    text_passes: tuple[str, ...] = field(default=(), repr=False)
    """Passes that have changed the text without an order to save."""

    @property
    def text(self) -> str:
        """The new text; bytes that are no UTF-8 are kept as ``surrogateescape`` keeps them."""
        return self.data.decode("utf-8", "surrogateescape")

    @property
    def changed(self) -> bool:
        return self.data != self.original

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the source itself, as data races are."""
        return tuple(d for d in self.diagnostics if d.severity is Severity.WARNING)

    @property
    def dependences(self) -> tuple[Dependence, ...]:
        """Those of all regions."""
        return tuple(item for region in self.regions for item in region.dependences)

    def region(self, name: str | int) -> Region:
        """The region with this id, this function, or around this line. Raises KeyError."""
        for region in self.regions:
            if isinstance(name, int):
                if region.at.line <= name <= region.at.end_line:
                    return region
            elif name in (region.id, region.function):
                return region
        raise KeyError(name)

    def diff(self) -> str:
        """The change as a unified patch, empty without one."""
        return unified_diff(self.path, self.original, self.data)

    @property
    def schedule(self) -> dict[str, Any]:
        """The orders of all changed regions, as ``schedule=`` and ``--schedule`` take them."""
        found = [dict(region.saved) for region in self.regions if region.saved is not None]
        passes = {"passes": list(self.text_passes)} if self.text_passes else {}
        return {"version": 1, "file": self.path, **passes, "regions": found}

    def _repr_html_(self) -> str:
        from s2s.driver.results_html import page

        return page(self)


def unified_diff(path: str, original: bytes, data: bytes) -> str:
    """A patch that ``git apply`` and ``patch -p1`` take. Empty where nothing changes."""
    if original == data:
        return ""
    name = path.replace("\\", "/").lstrip("/")
    old, new = (_lines(text) for text in (original, data))
    found = difflib.unified_diff(old, new, f"a/{name}", f"b/{name}")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in found
    )


def _lines(data: bytes) -> list[str]:
    """Lines with their endings; only a line feed ends one, as for git."""
    text = data.decode("utf-8", "surrogateescape")
    pieces = text.split("\n")
    last = [pieces[-1]] if pieces[-1] else []
    return [piece + "\n" for piece in pieces[:-1]] + last
