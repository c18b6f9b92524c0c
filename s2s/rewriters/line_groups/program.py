"""What a whole file does with its variables: who reads what the lines of a region write.

A variable of the file that is ``static`` and whose address nobody takes is touched in this file
only. Elements of it that no region reads from before itself, and that no other code reads, need not
be kept by a region that writes them. Parameters in the bounds of two regions are the same numbers
where they are settled: set in ``main`` before it calls anything in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import field
from functools import cached_property

import islpy as isl

from s2s.frontends.c.isl_texts import read_set
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Function, functions_of
from s2s.frontends.c.syntax import Decl
from s2s.frontends.c.unit import Unit
from s2s.rewriters.line_groups.mentions import Mentions
from s2s.rewriters.line_groups.pieces import Piece, Uses, uses_of
from s2s.rewriters.line_groups.reading import Reader, scopes
from s2s.rewriters.line_groups.region import LineArray, Region, read_region
from s2s.rewriters.line_groups.values import Parameter
from s2s.source.records import dataclass


@dataclass
class Program:
    """The regions of a file."""

    unit: Unit
    _uses: dict[str, Uses] = field(default_factory=dict)

    @cached_property
    def functions(self) -> dict[str, Function]:
        every = functions_of(self.unit, self.unit.functions())
        return {function.node.name: function for function in every}

    @cached_property
    def mentions(self) -> Mentions:
        return Mentions(self.unit, [f.node for f in self.functions.values()])

    @cached_property
    def regions(self) -> dict[str, Region]:
        """Regions by their functions, without those that are parts of others."""
        found: dict[str, Region] = {}
        for name in self.functions:
            try:
                found[name] = self.read(name)
            except NotLiftable:
                continue
        inner = [s for r in found.values() for s in scopes(r.scope) if s is not r.scope]
        parts = {scope.function.node.name for scope in inner}
        return {name: region for name, region in found.items() if name not in parts}

    def read(self, name: str) -> Region:
        """Raises NotLiftable."""
        find = self.functions.get
        return read_region(self.functions[name], Reader(find), Reader(find, kernel=True))

    def uses(self, region: Region) -> Uses:
        name = region.function.node.name
        if name not in self._uses:
            self._uses[name] = uses_of(region)
        return self._uses[name]

    # -- who reads what is written -----------------------------------------------------------

    def kept(self, region: Region) -> dict[LineArray, isl.Set]:
        """The elements that lines write and that may be read after the region."""
        found: dict[LineArray, isl.Set] = {}
        for array, written in self.uses(region).writes.items():
            reads = self._reads(array.decl)
            if reads is not None:
                lines = sorted(d for d in (array.shared, array.lane) if d is not None)
                written = whole(region, array, written).intersect(reads)
                for dimension in reversed(lines):
                    written = written.project_out(isl.dim_type.set, dimension, 1)
            if not written.is_empty():
                found[array] = written.coalesce()
        return found

    def outside(self, region: Region, dropped: Set[Decl]) -> isl.Set:
        """The parameters for which a region, or one that uses what is ``dropped``, leaves arrays.

        Subscripts that leave their dimension reach elements that nothing here knows of.
        """
        found = _leaving(region, self.uses(region).touched)
        for other in self.regions.values():
            pieces = [p for p in self.uses(other).touched if p.array.decl in dropped]
            if other is region or not pieces:
                continue
            found = found.union(_leaving(other, pieces)).coalesce()
        return found

    def _reads(self, decl: Decl) -> isl.Set | None:
        """The elements that regions read from before themselves; None where others may."""
        mentions = self.mentions.of(decl)
        if not decl.is_static or decl.thread_local or mentions is None:
            return None
        found = isl.Set.empty(isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, _rank(decl)))
        inside = self._functions_of_regions(decl)
        for mention in mentions:
            region = inside.get(mention.function)
            if region is None and mention.kind != "write":
                return None
        for region in {id(r): r for r in inside.values()}.values():
            if decl not in region.arrays:
                return None
            array = region.arrays[decl]
            pieces = [p for p in self.uses(region).touched if p.array.decl is decl]
            if not self._are_settled(_leaving(region, pieces)):
                return None
            reads = self.uses(region).reads.get(array)
            if reads is not None:
                found = found.union(self._settled(whole(region, array, reads)))
        return found

    def _functions_of_regions(self, decl: Decl) -> dict[str, Region]:
        """The functions that run only as parts of a region that mentions a variable."""
        found: dict[str, Region] = {}
        for region in self.regions.values():
            if not any(touch.decl is decl for _, touch in region.every()):
                continue
            parts = [scope.function.node.name for scope in scopes(region.scope)]
            root = region.function.node.name
            for name in parts:
                calls = self.mentions.calls(name)
                if name == root or (calls is not None and calls == parts.count(name)):
                    found[name] = region
        return found

    def _settled(self, elements: isl.Set) -> isl.Set:
        """The elements for all values of those parameters that change."""
        for position in reversed(range(elements.dim(isl.dim_type.param))):
            name = elements.get_dim_name(isl.dim_type.param, position)
            if name is None or not self._is_settled(name):
                elements = elements.project_out(isl.dim_type.param, position, 1)
        return elements

    def _are_settled(self, parameters: isl.Set) -> bool:
        """Whether no parameter of a set changes between two regions."""
        places = range(parameters.dim(isl.dim_type.param))
        names = [parameters.get_dim_name(isl.dim_type.param, place) for place in places]
        return all(name is not None and self._is_settled(name) for name in names)

    def _is_settled(self, name: str) -> bool:
        decl = self._parameters[name].decl
        return self.mentions.is_settled(decl)

    @property
    def names(self) -> dict[str, str]:
        """How C calls the parameters."""
        return {name: parameter.text for name, parameter in self._parameters.items()}

    @cached_property
    def _parameters(self) -> dict[str, Parameter]:
        found: dict[str, Parameter] = {}
        for region in self.regions.values():
            for parameter in parameters_of(region, self.uses(region).touched):
                found[parameter.name] = parameter
        return found

    # -- variables of lines ------------------------------------------------------------------

    def is_own(self, decl: Decl) -> bool:
        """Whether each reader of a variable sets it first, so that its value need not be kept."""
        if decl.is_local:
            return True
        mentions = self.mentions.of(decl)
        if not decl.is_static or mentions is None:
            return False
        return all(m.kind == "write" or self.mentions.is_set_before(m) for m in mentions)


def _rank(decl: Decl) -> int:
    rank, type_ = 0, decl.type
    while type_.kind == "array" and type_.element is not None:
        rank, type_ = rank + 1, type_.element
    return rank


def whole(region: Region, array: LineArray, elements: isl.Set) -> isl.Set:
    """Elements of one line in all lines, in all of the array's dimensions."""
    lines = [(array.lane, region.lane)]
    if region.shared is not None and array.shared is not None:
        lines.append((array.shared, region.shared))
    for dimension, counter in sorted(lines, key=lambda line: line[0]):
        elements = elements.insert_dims(isl.dim_type.set, dimension, 1)
        names = [f"e{d}" for d in range(elements.dim(isl.dim_type.set))]
        values = counter.first.parameters | counter.last.parameters
        parameters = ", ".join(sorted({p.name for p in values}))
        inside = f"{counter.first.isl} <= e{dimension} <= {counter.last.isl}"
        line = read_set(f"[{parameters}] -> {{ [{', '.join(names)}] : {inside} }}")
        elements = elements.intersect(line)
    return elements


def _leaving(region: Region, pieces: Sequence[Piece]) -> isl.Set:
    """The parameters for which subscripts leave the dimensions that arrays are declared with."""
    bad = isl.Set("{ : false }")
    known: dict[tuple[LineArray, int], isl.Set] = {}  # pieces that read the same share a set
    for piece in pieces:
        elements = piece.elements()
        key = piece.array, id(elements)
        if key in known:
            continue
        known[key] = elements
        names = [f"e{d}" for d in range(len(piece.array.lengths))]
        sizes = zip(names, piece.array.lengths, strict=True)
        box = " and ".join(f"0 <= {name} < {size}" for name, size in sizes)
        inside = read_set(f"{{ [{', '.join(names)}] : {box} }}")
        used = whole(region, piece.array, elements)
        bad = bad.union(used.subtract(inside).params()).coalesce()
    return bad


def parameters_of(region: Region, pieces: Sequence[Piece]) -> Iterator[Parameter]:
    """All parameters of pieces and of the loops over lines."""
    for piece in pieces:
        yield from piece.parameters
    for counter in (region.lane, region.shared):
        if counter is not None:
            yield from counter.first.parameters | counter.last.parameters
