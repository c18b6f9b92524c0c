"""The run-time condition under which a region's new code runs instead of the source's."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Set
from dataclasses import replace

import islpy as isl

from s2s.analyses.extents import array_extents, constant
from s2s.emitters.c import generated
from s2s.emitters.c.errors import Unprintable
from s2s.emitters.c.expressions import Names, Text, convert
from s2s.scop.nodes import Array, Scop, Statement
from s2s.source import SourceBuffer
from s2s.source.records import dataclass

_MANY_THREADS = 16
_ENOUGH = "enough for each thread"
READ_EARLY = "what is read early is there"
"""What the parts of a condition are for that have to be asked first."""
_OMP_HEADER = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"]omp\.h[>\"]", re.MULTILINE)


@dataclass(frozen=True)
class Emission:
    """What the emitter needs beside the SCoP.

    ``clauses`` are carried over from the source's parallel constructs; ``profitable``,
    ``per_thread``, ``work``, ``shares``, ``spares`` and ``least_bytes`` say when the new code is
    expected to be faster (see ``Transformed``), and so do ``often``, conditions that have to hold
    often. ``fallback`` is the text of the other branch, beginning with the blanks before its first
    line; None for the region's own text.
    """

    buffer: SourceBuffer
    clauses: tuple[str, ...] = ()
    profitable: isl.Set | None = None
    per_thread: tuple[tuple[isl.PwAff, int], ...] = ()
    least_bytes: int = 0
    often: tuple[Statement, ...] = ()
    prefix: str = "s2s_"
    is_cxx: bool = False
    is_c90: bool = False
    fallback: str | None = None
    work: tuple[tuple[isl.PwAff, ...], int] | None = None
    shares: bool = False
    spares: bool = False


@dataclass(frozen=True)
class Part:
    """A condition, and what it is for in words."""

    text: str
    what: str


@dataclass
class Guard:
    """Builds the condition. ``known`` are the parameters for which it can hold.

    Raises Unprintable when it can never hold.
    """

    scop: Scop
    emission: Emission
    names: Names

    def __post_init__(self) -> None:
        used: isl.Set | None = None
        for statement in self.scop.statements:
            needs = statement.domain.params()
            used = needs if used is None else used.union(needs)
        assert used is not None
        wanted = self.scop.assumptions.intersect(generated.in_one_piece(used.coalesce()))
        if self.emission.profitable is not None:
            wanted = wanted.intersect(self.emission.profitable)
        self._wanted = wanted.gist(self.scop.context).coalesce()
        self.known = self._wanted.intersect(self.scop.context)
        if self.known.is_empty():
            raise Unprintable("the assumptions never hold")
        self._strict = replace(self.names, strict=True)

    def condition(self) -> str:
        """All that has to hold as C text; empty when the new code can always run."""
        return " && ".join(part.text for part in self.parts())

    def parts(self) -> list[Part]:
        """What has to hold; nothing when the new code can always run.

        Cheap and static parts come first.
        """
        parts = [Part(text, READ_EARLY) for text in self._readable()]
        if not self._wanted.is_equal(isl.Set.universe(self._wanted.get_space())):
            asked = generated.condition(self.scop.context, self._wanted)
            gains = ", and gains" if self._may_lose() else ""
            text = convert(asked, self._strict).inside(2)
            parts.append(Part(text, f"sizes for which this is right{gains}"))
        for length, size in self.scop.divisible:
            parts.append(Part(self._divides(length, size), "whole blocks"))
        if self.emission.shares and self._counts_threads():
            parts.append(Part(f"{self.threads} > 1", _ENOUGH))
        if not self.emission.spares:
            parts += [Part(text, _ENOUGH) for text in self._enough_for(self.threads)]
        if self.emission.least_bytes:
            parts += [Part(text, "more than caches hold") for text in self._large()]
        parts += [Part(text, "tags of tasks differ") for text in self._distinct_tags()]
        return [*parts, *self._disjoint()]

    def _may_lose(self) -> bool:
        """Whether some sizes are left out only because nothing is gained there."""
        gains = self.emission.profitable
        return gains is not None and not gains.is_equal(isl.Set.universe(gains.get_space()))

    def _readable(self) -> list[str]:
        """That the source reads the places which the conditions after these read early.

        What a condition says is left out of those after it. Raises Unprintable.
        """
        names = self.scop.parameter_names()
        found: list[str] = []
        known = self.scop.context
        for position, parameter in enumerate(self.scop.parameters):
            if not parameter.readable:
                continue
            header = f"[{', '.join(names)}] -> "
            reads = isl.Set(f"{header}{{ : {parameter.readable} }}").gist(known).coalesce()
            later = len(names) - position
            if reads.involves_dims(isl.dim_type.param, position, later):
                raise Unprintable(f"'{parameter.spelling}' is read too early")
            if not reads.is_equal(isl.Set.universe(reads.get_space())):
                found.append(convert(generated.condition(known, reads), self._strict).inside(2))
            known = known.intersect(reads)
        self._wanted = self._wanted.gist(known).coalesce()
        return found

    def declarations(self) -> list[str]:
        """Lines that declare the number of threads, where the condition asks for it."""
        if not self._counts_threads() and not self._elastic():
            return []
        name = self.threads
        asked = self._asked_threads()
        if asked:
            return [f"const int {name} = {asked};"]
        if self.scop.team is not None:
            name = f"const int {name}"
            return ["#ifdef _OPENMP", *self._declared_count(), f"{name} = omp_get_num_threads();",
                    "#else", f"{name} = 1;", "#endif"]  # fmt: skip
        if self._omp_header():
            declare = []
        elif self.emission.is_cxx:
            # A block cannot declare a C function in C++: ask for room for many threads.
            return [f"const int {name} = {_MANY_THREADS};"]
        else:
            declare = ["extern int omp_get_max_threads(void);"]
            if self._elastic():
                declare = ["extern int omp_get_max_threads(void), omp_get_num_procs(void);"]
        value = "omp_get_max_threads()"
        if self._elastic():
            # More threads than processors would only make the strips narrow.
            value += f" < omp_get_num_procs() ? {value} : omp_get_num_procs()"
        elif self.emission.shares and not any(p.readable for p in self.scop.parameters):
            # Where two have too little to do nobody is asked: the region may stand inside of loops.
            asked = " && ".join(self._enough_for("2", spelled=False))
            value = f"{asked} ? {value} : 1" if asked else value
        return ["#ifdef _OPENMP", *declare, f"const int {name} = {value};",
                "#else", f"const int {name} = 1;", "#endif"]  # fmt: skip

    def _declared_count(self) -> list[str]:
        if self._omp_header():
            return []
        if self.emission.is_cxx:
            raise Unprintable("the number of a team's threads is not declared")
        return ["extern int omp_get_num_threads(void);"]

    def _elastic(self) -> bool:
        target = self.scop.target
        return target is not None and any(d.elastic for d in target.dimensions)

    @property
    def threads(self) -> str:
        """The name of the number of threads."""
        return f"{self.emission.prefix}threads"

    def _omp_header(self) -> bool:
        return bool(_OMP_HEADER.search(self.emission.buffer.data))

    def _asked_threads(self) -> str:
        clauses = self.emission.clauses
        asked = next((c for c in clauses if c.startswith("num_threads")), "")
        return asked.removeprefix("num_threads")

    def value(self, function: isl.PwAff) -> Text:
        return convert(generated.value(self.known, function), self._strict)

    def clause(self) -> str:
        """The clause under which several threads run the new text, where one alone may as well."""
        if not (self.emission.spares and self._counts_threads()):
            return ""
        return f" if({' && '.join(self._enough_for(self.threads))})"

    def _counts_threads(self) -> bool:
        return bool(self.emission.per_thread or self.emission.work)

    def _enough_for(self, threads: str, *, spelled: bool = True) -> Iterator[str]:
        """That so many threads have enough to do, each of them.

        Of products that is asked in floating point: they may be huge. Without ``spelled`` nothing
        is said of extents that are numbers.
        """
        for extent, least in self.emission.per_thread:
            if not spelled and self.value(extent).text.rstrip("L").isdigit():
                continue
            yield f"{self.value(extent).inside(5)} >= {_times(f'{least}L', threads)}"
        if self.emission.work is not None:
            extents, least = self.emission.work
            first, *others = (self.value(extent) for extent in extents)
            factors = [f"(double){first.inside(9)}", *(value.inside(7) for value in others)]
            yield f"{' * '.join(factors)} >= {_times(f'{least}.0', threads)}"

    def _divides(self, length: str, size: str) -> str:
        """That ranges are whole numbers of blocks; ``wanted`` has shown that sizes are positive."""
        names = ", ".join(p.name for p in self.scop.parameters)
        texts = [
            self.value(isl.PwAff(f"[{names}] -> {{ [{t}] }}")).inside(7) for t in (length, size)
        ]
        return f"{texts[0]} % {texts[1]} == 0"

    def _large(self) -> list[str]:
        """That the arrays span enough memory, in floating point: products may be huge."""
        total = 0.0
        sizes: dict[str, int] = {}
        for name, extents in array_extents(self.scop).items():
            numbers = [constant(e) for e in extents]
            size = self.scop.arrays[name].element_size or 1
            if None not in numbers:
                total += size * math.prod(number or 0 for number in numbers)
                continue
            texts = [self.value(e) for e in extents]
            factors = [f"(double){t.inside(8)}" if t.wide else t.inside(7) for t in texts]
            product = " * ".join(factors)
            sizes[product] = sizes.get(product, 0) + size
        terms = [f"{size}.0 * {product}" for product, size in sizes.items()]
        least = self.emission.least_bytes
        if not terms:
            if total < least:
                raise Unprintable("the arrays fit into the caches as they are")
            return []
        if total:
            terms.append(f"{total:.1f}")
        return [f"{' + '.join(terms)} >= {least}.0"]

    def _distinct_tags(self) -> list[str]:
        """Conditions under which no address is a tag of two bases.

        Addresses of elements of one size differ when their distance is no multiple of that size;
        otherwise the ranges of addresses must not meet. Where the data after the bases explains
        all dependences it is enough that the data is disjoint: then tags that meet by chance order
        nothing that has to be ordered.
        """
        arrays = self._tagged_arrays()
        if arrays is not None:
            pairs = {frozenset(arrays[base] for base in pair) for pair in self.scop.distinct_tags}
            return [part.text for part in self._apart(pairs - self.scop.checked)]
        found = []
        for a, b in sorted(tuple(sorted(pair)) for pair in self.scop.distinct_tags):
            (first_a, last_a), (first_b, last_b) = self._tag_range(a), self._tag_range(b)
            ways = [f"{last_a} < {first_b}", f"{last_b} < {first_a}"]
            if self.scop.tags[a].single and self.scop.tags[b].single:
                distance = f"((const char *){a} - (const char *){b})"
                ways.append(f"(sizeof *{a} == sizeof *{b} && {distance} % (long)sizeof *{a} != 0)")
            found.append(f"({' || '.join(ways)})")
        return found

    def _tag_range(self, base: str) -> tuple[str, str]:
        """The first and the last address that may be a tag of a base."""
        tags = self.scop.tags[base]
        values = tags.first.intersect_params(self.known)
        if values.is_empty():
            raise Unprintable("no tasks")
        last = values.dim_max(0).add_constant_val(isl.Val(0 if tags.single else 1))
        texts = []
        for end in (values.dim_min(0), last):
            index = self.value(end.coalesce())
            texts.append(_address(base, index.inside(5)))
        return texts[0], texts[1]

    def _tagged_arrays(self) -> dict[str, str] | None:
        """The array after each base of tags, if dependences between arrays are between those.

        Dependences inside one array are kept whatever orders them (they would be races), provided
        that its accesses are exact.
        """
        named = {base for pair in self.scop.distinct_tags for base in pair}
        arrays = {a.base: a.name for a in self.scop.arrays.values() if a.base in named and a.rank}
        if len(arrays) < len(named):
            return None
        for access in (a for s in self.scop.statements for a in s.accesses):
            array = self.scop.arrays[access.array]
            if array.rank and (not access.exact or array.row_rank):
                return None
        tagged = {frozenset(arrays[base] for base in pair) for pair in self.scop.distinct_tags}
        written = {a.array for s in self.scop.statements for a in s.accesses if a.write}
        alias = {pair for pair in self.scop.may_alias if pair & written}
        return {str(base): name for base, name in arrays.items()} if alias <= tagged else None

    def _disjoint(self) -> list[Part]:
        """Conditions under which arrays that the new code takes for disjoint are so."""
        rows = self.scop.rows_apart
        return [*self._steady(), *self._apart({p for p in self.scop.checked if not p & rows})]

    def _steady(self) -> Iterator[Part]:
        """That nothing is written where values are read from that the new code takes for fixed.

        Up to the first write that could change one, all places are where the guard finds them.
        """
        for place, name in sorted(self.scop.steady):
            array = self.scop.arrays[name]
            if array.base is None and array.member is None:
                raise Unprintable(f"'{array.spelling}' may be the same memory as '{place}'")
            written = self.byte_range(name)
            if written is not None:
                first, end = written
                begins, ends = f"(const char *)&{place}", f"(const char *)(&{place} + 1)"
                yield Part(
                    f"({ends} <= {first} || {end} <= {begins})", f"'{place}' keeps its value"
                )

    def _apart(self, wanted: Set[frozenset[str]]) -> Iterator[Part]:
        """One comparison for each two pointers, whatever members of their elements are touched."""
        pairs = sorted(tuple(sorted(pair)) for pair in wanted)
        named = {name for pair in pairs for name in pair}
        ranges = {name: self.byte_range(name, named) for name in sorted(named)}
        said: dict[str, str] = {}
        for a, b in pairs:
            range_a, range_b = ranges[a], ranges[b]
            if range_a is None or range_b is None:
                continue
            (first_a, end_a), (first_b, end_b) = range_a, range_b
            text = f"({end_a} <= {first_b} || {end_b} <= {first_a})"
            arrays = [self.scop.arrays[name] for name in (a, b)]
            names = [x.base or x.spelling if text in said else x.spelling for x in arrays]
            said[text] = " and ".join(f"'{name}'" for name in names)
        for text, both in said.items():
            yield Part(text, f"{both} do not overlap")

    def byte_range(self, name: str, among: Set[str] = frozenset()) -> tuple[str, str] | None:
        """Addresses of the first byte that the region touches of an array, and after the last.

        With those of the arrays ``among`` others that are members of the same elements. None for
        an array that is never touched.
        """
        array = self.scop.arrays[name]
        members = {name, *self._members(array, among)}
        touched = self._touched(members, by_first=len(members) > 1)
        if touched is None:
            raise Unprintable(f"the new code does not touch '{array.spelling}' any more")
        touched = touched.intersect_params(self.known)
        if touched.is_empty():
            return None
        base, place = array.base, 0
        if base is None:
            base, place = array.member or ("", 0)
            self._check_member(array, base.rpartition("->")[0])
        if not array.rank:
            return f"(const char *){base}", f"(const char *)({base} + 1)"
        ends = (touched.dim_min(place), touched.dim_max(place).add_constant_val(isl.Val(1)))
        texts = []
        for end in ends:
            index = self.value(end.coalesce())
            scaled = "".join(f" * (long){size}" for size in array.flat)
            offset = f"{index.inside(6 if scaled else 5)}{scaled}"
            if scaled and index.text == "1":
                offset = scaled.removeprefix(" * ")
            texts.append(_address(base, "0" if index.text == "0" else offset))
        return texts[0], texts[1]

    def _members(self, array: Array, among: Set[str]) -> Iterator[str]:
        """The arrays whose first subscript counts the same elements from the same address."""
        for name in among:
            other = self.scop.arrays[name]
            same = (other.base, other.flat) == (array.base, array.flat)
            if same and array.base is not None and array.rank and other.rank:
                yield name

    def _touched(self, names: Set[str], *, by_first: bool) -> isl.Set | None:
        """Subscripts of what the region touches, perhaps the first ones alone; None: nothing."""
        touched: isl.Set | None = None
        for statement in self.scop.statements:
            for access in statement.accesses:
                if access.array in names:
                    image = access.relation.intersect_domain(statement.domain).range()
                    if by_first:
                        others = image.dim(isl.dim_type.set) - 1
                        image = image.project_out(isl.dim_type.set, 1, others).reset_tuple_id()
                    touched = image if touched is None else touched.union(image)
        return touched

    def _check_member(self, array: Array, object_: str) -> None:
        """The guard follows pointers only where the source does; ``l->w`` is beside ``l->n``."""
        numbers = (p.spelling.rpartition("->")[0] for p in self.scop.parameters)
        if object_.isidentifier() and object_ in numbers:
            return
        follows = isl.Set.empty(self.known.get_space())
        for one in self.scop.statements:
            for access in one.accesses:
                if access.array == array.name and access.exact:
                    follows |= access.relation.intersect_domain(one.domain).domain().params()
        if not self.known.is_subset(follows):
            raise Unprintable(f"'{array.spelling}' would be looked for where it may not be")


def _times(least: str, threads: str) -> str:
    """So much for each of the threads: a product of numbers is written as one."""
    if not threads.isdigit():
        return f"{least} * {threads}"
    number = least.rstrip("L").removesuffix(".0")
    return f"{int(number) * int(threads)}{least.removeprefix(number)}"


def _address(base: str, offset: str) -> str:
    """The address of an element as one of bytes."""
    if offset != "0":
        return f"(const char *)({base} + {offset})"
    is_simple = re.fullmatch(r"[A-Za-z_]\w*((->|\.)[A-Za-z_]\w*)*", base)
    return f"(const char *){base}" if is_simple else f"(const char *)({base})"
