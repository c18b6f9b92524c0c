"""A kernel for an innermost loop, and the host's text that runs it in the loop's place.

The schedule is that of ``s2s/transforms/offload.py``. A loop that is parallel as a whole gets as
many blocks as it needs. Strips get one block: a thread has one iteration of each, barriers stand
between the loops of a strip, temporaries of one iteration are the thread's own and others are in
shared memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

import islpy as isl

from s2s.emitters.c import generated
from s2s.emitters.c.errors import Unprintable
from s2s.emitters.c.expressions import Names, c_expression
from s2s.emitters.c.guard import Emission, Guard
from s2s.emitters.cuda.arguments import Arguments, Variables, arguments
from s2s.scop.nodes import Scop, Statement
from s2s.scop.schedule import Role
from s2s.scop.texts import PREFIX, Storage
from s2s.source import Edit
from s2s.source.records import dataclass

# Of a block where iterations need no order.
THREADS = 1024
_BLOCKS = 65535
_INDENT = "    "
_TIME = "_time"  # no parameter begins so


@dataclass(frozen=True)
class Offloaded:
    """The edit of a region, and the kernel that goes before the function it is in."""

    edit: Edit
    kernel: str


def emit(scop: Scop, emission: Emission, name: str, variables: Variables) -> Offloaded:
    """A kernel with a name, and its launch. Raises Unprintable."""
    loop = _Loop(scop, emission, name, variables)
    host = loop.host().encode("utf-8", "surrogateescape")
    return Offloaded(Edit(scop.span.start, scop.span.end, host), loop.kernel())


@dataclass
class _Loop:
    scop: Scop
    emission: Emission
    name: str
    variables: Variables

    def __post_init__(self) -> None:
        parameters = self.scop.parameters
        self.names = Names(
            {p.name: p.spelling for p in parameters},
            frozenset(p.name for p in parameters if p.size < 8),
            frozenset(p.name for p in parameters if p.unsigned),
        )
        self.guard = Guard(self.scop, self.emission, self.names)
        self.texts = {s.name: self._text(s) for s in self.scop.statements}
        self.arguments: Arguments = arguments(self.scop, self.texts, self.variables)

    @property
    def prefix(self) -> str:
        return self.emission.prefix

    def _text(self, statement: Statement) -> str:
        text = self.emission.buffer.edited(statement.span, statement.edits)
        return text.replace("\r\n", "\n").replace(PREFIX, self.prefix)

    # -- the device's side ------------------------------------------------------------------

    def kernel(self) -> str:
        """The kernel, a template of the types of its arguments."""
        names = [*self.arguments.arrays, *self.arguments.scalars]
        types = ", ".join(f"class {self.prefix}T{i}" for i in range(len(names)))
        star = ["*"] * len(self.arguments.arrays) + [""] * len(self.arguments.scalars)
        declared = ", ".join(
            f"{self.prefix}T{i} {s}{n}" for i, (n, s) in enumerate(zip(names, star, strict=True))
        )
        body = self._strips() if self._in_strips else self._grid()
        head = f"template <{types}> __global__ void {self.name}({declared}) {{"
        return "\n".join(['extern "C++" {', *indented([head, *body, "}"]), "}\n\n"])

    @property
    def _in_strips(self) -> bool:
        assert self.scop.target is not None
        return self.scop.target.dimensions[0].role is Role.TILE

    @property
    def _threads(self) -> int:
        assert self.scop.target is not None
        return self.scop.target.dimensions[0].size if self._in_strips else THREADS

    def _grid(self) -> list[str]:
        """All iterations, dealt out to all threads of all blocks."""
        low, high = self._range
        time = f"{self.prefix}time"
        return [
            f"const long {self.prefix}threads = (long)gridDim.x * blockDim.x;",
            f"for (long {time} = {low} + (long)blockIdx.x * blockDim.x + threadIdx.x; "
            f"{time} <= {high}; {time} += {self.prefix}threads) {{",
            *self._scalars(),
            *(line for part in self._parts for s in part for line in self._instance(s)),
            "}",
        ]

    def _strips(self) -> list[str]:
        """Strips of one iteration for each thread of the only block."""
        assert self.scop.target is not None
        strip, (low, high) = (
            f"{self.prefix}{self.scop.target.dimensions[0].name}",
            self._strip_range,
        )
        arrays = [s for s in self.scop.storage if s.size]
        lines = [f"__shared__ {s.type} {self.prefix}{s.name}[{s.size}];" for s in arrays]
        lines += [
            f"for (long {strip} = {low}; {strip} <= {high}; {strip}++) {{",
            f"const long {self.prefix}time = {strip} * {self._threads} + threadIdx.x;",
            *self._scalars(),
        ]
        carried = [line for s in arrays if s.carry for line in self._taken_over(s)]
        if carried:
            lines += [f"if ({strip} > {low}) {{", *carried, "}", "__syncthreads();"]
        for part in self._parts:
            lines += [line for s in part for line in self._instance(s)]
            lines.append("__syncthreads();")
        return [*lines, "}"]

    def _taken_over(self, storage: Storage) -> list[str]:
        name, last = f"{self.prefix}{storage.name}", storage.size - storage.carry
        copy = f"{name}[threadIdx.x] = {name}[threadIdx.x + {last}];"
        return [f"if (threadIdx.x < {storage.carry}) {copy}"]

    def _scalars(self) -> list[str]:
        return [f"{s.type} {self.prefix}{s.name};" for s in self.scop.storage if not s.size]

    def _instance(self, statement: Statement) -> list[str]:
        """A statement of the iterations that have it."""
        (variable,) = statement.iterators
        time = f"{self.prefix}time"
        type_ = re.sub(r"\b(const|volatile|register|static)\b", "", variable.type).strip()
        sign = "-" if self._is_downward(statement) else ""
        declared = [f"const {type_} {variable.spelling} = {sign}{time};"]
        declared.append(f"(void){variable.spelling};")
        declared += [f"{type_} {name};" for type_, name in statement.locals]
        text = self.texts[statement.name].split("\n")
        condition = self._condition(statement)
        return [f"if ({condition}) {{" if condition else "{", *declared, *text, "}"]

    def _is_downward(self, statement: Statement) -> bool:
        """Whether the time of an iteration is the negated iterator."""
        time = self._time_of(statement)
        if time.is_subset(isl.Map("{ [i] -> [i] }")):
            return False
        if not time.is_subset(isl.Map("{ [i] -> [-i] }")):
            raise Unprintable("a thread has no iteration of its own")
        return True

    # -- ranges -----------------------------------------------------------------------------

    @cached_property
    def _parts(self) -> list[list[Statement]]:
        """The statements between barriers, in their order."""
        assert self.scop.target is not None
        count = len(self.scop.target.dimensions)
        parts: dict[int, list[tuple[int, Statement]]] = {}
        for statement in self.scop.statements:
            time = self.scop.target.maps[statement.name]
            places = [
                time.plain_get_val_if_fixed(isl.dim_type.out, i).to_python()
                for i in ([1, count - 1] if self._in_strips else [count - 1])
            ]
            parts.setdefault(places[0] if self._in_strips else 0, []).append(
                (places[-1], statement)
            )
        return [
            [s for _, s in sorted(parts[number], key=lambda item: item[0])]
            for number in sorted(parts)
        ]

    def _time_of(self, statement: Statement) -> isl.Map:
        """From iterations to the entry of the parallel loop."""
        assert self.scop.target is not None
        time = self.scop.target.maps[statement.name].intersect_domain(statement.domain)
        count = time.dim(isl.dim_type.out)
        time = time.project_out(isl.dim_type.out, count - 1, 1)
        time = time.project_out(isl.dim_type.out, 0, count - 2)
        time = time.intersect_params(self.guard.known)
        return time.reset_tuple_id(isl.dim_type.in_).coalesce()

    @cached_property
    def _times(self) -> isl.Set:
        times = [self._time_of(s).range() for s in self.scop.statements]
        found = times[0]
        for other in times[1:]:
            found = found.union(other)
        return found.coalesce()

    @cached_property
    def _range(self) -> tuple[str, str]:
        """The first and the last time, C texts."""
        return self._ends(self._times)

    @cached_property
    def _strip_range(self) -> tuple[str, str]:
        strips = isl.Map(f"{{ [t] -> [floor(t/{self._threads})] }}")
        return self._ends(self._times.apply(strips))

    def _ends(self, values: isl.Set) -> tuple[str, str]:
        ends = [
            c_expression(generated.value(self.guard.known, end.coalesce()), self.names)
            for end in (values.dim_min(0), values.dim_max(0))
        ]
        return f"(long)({ends[0]})", f"(long)({ends[1]})"

    def _condition(self, statement: Statement) -> str:
        """When a thread has an instance of a statement, empty for always."""
        times = self._as_parameter(self._time_of(statement).range())
        known = self.guard.known
        if not self._in_strips:
            counter = isl.PwAff(f"[{_TIME}] -> {{ [{_TIME}] }}")
            low, high = self._times.dim_min(0), self._times.dim_max(0)
            known = known.intersect(counter.ge_set(low)).intersect(counter.le_set(high))
        times = times.gist(known).coalesce()
        if times.is_equal(isl.Set.universe(times.get_space())):
            return ""
        names = self.names.renamed(_TIME, f"{self.prefix}time")
        return c_expression(generated.condition(known, times), names)

    @staticmethod
    def _as_parameter(times: isl.Set) -> isl.Set:
        """A set of times as one of parameters."""
        times = times.set_dim_name(isl.dim_type.set, 0, _TIME)
        place = times.dim(isl.dim_type.param)
        return times.move_dims(isl.dim_type.param, place, isl.dim_type.set, 0, 1).params()

    # -- the host's side --------------------------------------------------------------------

    def host(self) -> str:
        """The text of the region: the launch, and the source's own loop where it cannot be."""
        prefix, arrays = self.prefix, self.arguments.arrays
        ranges = {spelled: self._bytes(array) for spelled, array in arrays.items()}
        memory = {spelled: f"{prefix}memory{i}" for i, spelled in enumerate(arrays)}
        copies = " && ".join(
            f"{prefix}to_device(&{memory[a]}, {ranges[a][0]}, {ranges[a][1]})" for a in arrays
        )
        back = [
            f"{prefix}to_host({ranges[a][0]}, {ranges[a][1]}, {memory[a]});"
            for a in arrays if a in self.arguments.written
        ]  # fmt: skip
        low, high = self._range
        blocks = "1" if self._in_strips else (
            f"(unsigned)({high} - {low} < {_BLOCKS}L * {THREADS}"
            f" ? ({high} - {low}) / {THREADS} + 1 : {_BLOCKS})"
        )  # fmt: skip
        passed = [self._on_device(a, memory[a], ranges[a][0]) for a in arrays]
        call = ", ".join([self.name, blocks, str(self._threads), *passed, *self.arguments.scalars])
        lines = [
            "{", f"/* s2s: {', '.join(self.scop.history)} */", f"int {prefix}done = 0;",
            f"if ({self.guard.condition() or 1}) {{",
            f"void {', '.join(f'*{m} = 0' for m in memory.values())};",
            f"if ({copies}) {{", f"S2S_LAUNCH({call});", f"{prefix}done = {prefix}finished();", "}",
            f"if ({prefix}done) {{", *back, "}",
            *(f"cudaFree({m});" for m in memory.values()), "}",
        ]  # fmt: skip
        own = self.emission.buffer.text(self.scop.span)
        return "\n".join([*indented(lines), f"{_INDENT}if (!{prefix}done) {{", own, "}", "}"])

    def _bytes(self, array: str) -> tuple[str, str]:
        found = self.guard.byte_range(array)
        if found is None:
            raise Unprintable(f"nothing of '{array}' is touched")
        return found

    @staticmethod
    def _on_device(array: str, memory: str, first: str) -> str:
        """The address that stands for an array's beginning, which may be outside of the memory."""
        return f"(__typeof__(&{array}[0]))((char *){memory} - ({first} - (const char *){array}))"


def indented(lines: Sequence[str]) -> list[str]:
    """Lines with blanks by their braces."""
    depth, found = 0, []
    for line in lines:
        depth -= line.startswith("}")
        found.append(_INDENT * depth + line)
        depth += line.endswith("{")
    return found
