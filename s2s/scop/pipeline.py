"""What a Halide program says: an algorithm (pure and update definitions) and a schedule.

``s2s.frontends.halide.evaluate`` fills these objects while it runs the metaprogram, ``schedule``
holds what the directives do to them, and ``s2s.transforms.halide`` reads them. They are mutable
until the program's end, because Halide's directives change a stage in place. ``at`` is always the
span in the C++ source of the call that made the object.
"""

from __future__ import annotations

from copy import copy
from dataclasses import field, replace
from enum import Enum
from typing import TypeAlias

from s2s.scop.expressions import Expr, Type
from s2s.source import Span
from s2s.source.records import dataclass

OUTERMOST = "__outermost"
"""The loop around all loops of a stage, of one iteration: ``Var::outermost()``."""


class ForKind(Enum):
    """How the iterations of a loop run."""

    SERIAL = "serial"
    PARALLEL = "parallel"
    UNROLLED = "unrolled"
    VECTORIZED = "vectorized"

    @property
    def is_parallel(self) -> bool:
        """Whether iterations may run at the same time, in no order."""
        return self is ForKind.PARALLEL


class TailStrategy(Enum):
    """What a split does where its factor does not divide the extent (Halide's names)."""

    AUTO = "Auto"
    ROUND_UP = "RoundUp"
    GUARD_WITH_IF = "GuardWithIf"
    PREDICATE = "Predicate"
    PREDICATE_LOADS = "PredicateLoads"
    PREDICATE_STORES = "PredicateStores"
    SHIFT_INWARDS = "ShiftInwards"
    SHIFT_INWARDS_AND_BLEND = "ShiftInwardsAndBlend"
    ROUND_UP_AND_BLEND = "RoundUpAndBlend"


PREDICATED = (TailStrategy.PREDICATE_LOADS, TailStrategy.PREDICATE_STORES)


class SplitKind(Enum):
    """The ways in which loop variables are made from others."""

    SPLIT = "split"
    RENAME = "rename"
    FUSE = "fuse"


@dataclass
class Split:
    """``old`` into ``outer`` and ``inner`` by ``factor``; for FUSE, outer and inner into old.

    ``exact``: ``old`` is a reduction variable (or comes from one), which must not run twice.
    """

    kind: SplitKind
    old: str
    outer: str
    inner: str
    factor: Expr | None
    tail: TailStrategy
    exact: bool
    at: Span | None


@dataclass
class Dim:
    """A loop of a stage. ``reduction``: it runs over (part of) a reduction variable; ``pure``: its
    iterations may run in any order.
    """

    name: str
    kind: ForKind = ForKind.SERIAL
    reduction: bool = False
    pure: bool = True
    at: Span | None = None


class LevelKind(Enum):
    """Where something is computed or stored."""

    INLINE = "inline"
    ROOT = "root"
    LOOP = "loop"


@dataclass
class LoopLevel:
    """A loop of a stage of a Func (``stage`` -1: whichever has the loop), or none."""

    kind: LevelKind
    func: str = ""
    var: str = ""
    stage: int = -1
    at: Span | None = None


@dataclass
class ReductionVariable:
    """A variable of a reduction domain, from ``minimum`` over ``extent`` values (INT32)."""

    name: str
    minimum: Expr
    extent: Expr


@dataclass
class Bound:
    """``bound``, ``bound_extent`` and ``align_bounds``: what the user promises or asks for."""

    var: str
    minimum: Expr | None
    extent: Expr | None
    modulus: Expr | None = None
    remainder: Expr | None = None
    at: Span | None = None


@dataclass
class Prefetch:
    """``prefetch(f, at, from, offset)``: a hint, kept and printed."""

    tensor: str
    at_var: str
    from_var: str
    offset: Expr
    at: Span | None = None


@dataclass
class FusedPair:
    """``compute_with``: this stage's loops outside ``var`` (and ``var``) are those of a stage of
    ``func``; ``align`` by variable is AlignStrategy's name.
    """

    func: str
    stage: int
    var: str
    align: dict[str, str] = field(default_factory=dict)
    at: Span | None = None


@dataclass(frozen=True)
class StageName:
    """A stage as an argument: 0 is the pure definition, ``update(i)`` is i + 1."""

    func: str
    stage: int

    def __str__(self) -> str:
        return f"{self.func}.update({self.stage - 1})" if self.stage else self.func


HardwareArgument: TypeAlias = (
    "str | float | Expr | LoopLevel | StageName | tuple[HardwareArgument, ...]"
)
"""Of a hardware primitive: variables (an RVar ``r$x``), Funcs and levels of memory by name."""


@dataclass(frozen=True)
class HardwarePrimitive:
    """A primitive for an accelerator, which changes no loop (docs/clockwork.md lists them)."""

    name: str
    arguments: tuple[HardwareArgument, ...] = ()
    at: Span | None = None


@dataclass
class StageSchedule:
    """The loops of one definition. ``dims`` are innermost first, as in Halide."""

    dims: list[Dim] = field(default_factory=list)
    splits: list[Split] = field(default_factory=list)
    prefetches: list[Prefetch] = field(default_factory=list)
    compute_with: FusedPair | None = None
    allow_race_conditions: bool = False
    atomic: bool = False
    assume_associative: bool = False
    """``atomic(true)``: the user answers for the update being associative."""
    touched: bool = False
    """Whether any directive named this stage."""
    hardware: list[HardwarePrimitive] = field(default_factory=list)
    """Hardware primitives on this stage, in the order of the source."""


@dataclass
class Definition:
    """One stage: ``f(args) = values`` over the reduction variables where ``predicate`` holds."""

    args: list[Expr]
    values: list[Expr]
    rvars: list[ReductionVariable]
    predicate: Expr | None
    schedule: StageSchedule
    specializations: list[Specialization] = field(default_factory=list)
    at: Span | None = None


@dataclass
class Specialization:
    """A copy of a definition, with a schedule of its own, for where ``condition`` holds;
    ``failure`` is the message of ``specialize_fail``.
    """

    condition: Expr
    definition: Definition
    failure: str | None = None
    at: Span | None = None


@dataclass
class FuncSchedule:
    """Where a Func is computed and stored, and how its storage looks."""

    compute_level: LoopLevel
    store_level: LoopLevel
    hoist_level: LoopLevel | None = None
    storage_order: list[str] = field(default_factory=list)
    """Pure variables, innermost first."""
    storage_align: dict[str, Expr] = field(default_factory=dict)
    folds: dict[str, tuple[Expr, bool]] = field(default_factory=dict)
    """``fold_storage``: variable to (extent, fold_forward)."""
    bounds: list[Bound] = field(default_factory=list)
    storage_bounds: dict[str, Expr] = field(default_factory=dict)
    """``bound_storage``: the most elements that a dimension of the storage has."""
    wrappers: dict[str, str] = field(default_factory=dict)
    """Consumer to the Func that stands before this one there; "" for all others."""
    memory: str = "Auto"
    hardware: list[HardwarePrimitive] = field(default_factory=list)
    """Hardware primitives on the Func as a whole."""


@dataclass
class Func:
    """A stage of the pipeline by its unique name.

    ``vars`` are the pure variables, innermost first; ``types`` one for each tuple component.
    A Func whose definition is missing (only declared) has ``definition`` None.
    """

    name: str
    vars: list[str] = field(default_factory=list)
    types: list[Type] = field(default_factory=list)
    definition: Definition | None = None
    updates: list[Definition] = field(default_factory=list)
    schedule: FuncSchedule = field(
        default_factory=lambda: FuncSchedule(
            LoopLevel(LevelKind.INLINE), LoopLevel(LevelKind.INLINE)
        )
    )
    at: Span | None = None

    @property
    def stages(self) -> list[Definition]:
        """The pure definition, then the updates."""
        return [d for d in [self.definition] if d is not None] + self.updates


@dataclass
class Image:
    """An input or output buffer: ``name``, element type, number of dimensions.

    ``bounds`` are what the program sets (``dim(0).set_bounds`` ...), by dimension: minimum,
    extent, stride, each None where it says nothing. ``data`` holds the elements of a Buffer that
    the program makes and fills itself (a table of weights), as a nested tuple, outermost dimension
    first, with ``minima``; None for what the caller passes.
    """

    name: str
    type: Type
    rank: int
    bounds: dict[int, tuple[Expr | None, Expr | None, Expr | None]] = field(default_factory=dict)
    data: object | None = None
    minima: tuple[int, ...] = ()
    at: Span | None = None


@dataclass
class Scalar:
    """An ``Input<int>``, ``Param<float>``...: a scalar that the caller passes."""

    name: str
    type: Type
    default: int | float | None = None
    at: Span | None = None


@dataclass(frozen=True)
class GeneratorParameter:
    """A ``GeneratorParam``: its type in C++, and its value as a command line gives it.

    ``least`` and ``most`` are the bounds of its declaration, None where it has none; ``choices``
    the names that an enumeration's values have.
    """

    name: str
    type: str
    value: str
    least: int | float | None = None
    most: int | float | None = None
    choices: tuple[str, ...] = ()


@dataclass
class Pipeline:
    """All that was evaluated: outputs are names in ``funcs``, in the order of the declaration.

    ``estimates`` are set_estimate(s) by name of the Func or image: (minimum, extent) by dimension.
    ``parameters`` are the generator's by name, in the order of their declaration.
    """

    name: str
    outputs: list[str]
    funcs: dict[str, Func]
    images: dict[str, Image]
    scalars: dict[str, Scalar]
    estimates: dict[str, dict[int, tuple[int, int]]] = field(default_factory=dict)
    requirements: list[tuple[Expr, str]] = field(default_factory=list)
    parameters: dict[str, GeneratorParameter] = field(default_factory=dict)


def matches(loop: str, name: str) -> bool:
    """Whether a loop (``x.xo``: the loop ``xo`` made from ``x``) is meant by a variable's name."""
    return loop == name or loop.endswith("." + name)


def last_name(loop: str) -> str:
    """What a loop was last called: ``xi`` of ``x.xi``."""
    return loop.rsplit(".", 1)[-1]


def shown(loop: str) -> str:
    """A loop's name as its user knows it: ``r.x`` for the RVar ``r$x``."""
    name = last_name(loop)
    return "Var::outermost()" if name == OUTERMOST else name.replace("$", ".")


def copied_schedule(schedule: StageSchedule) -> StageSchedule:
    """A schedule that may be changed without changing the original."""
    return replace(
        schedule,
        dims=[copy(d) for d in schedule.dims],
        splits=[copy(s) for s in schedule.splits],
        prefetches=[copy(p) for p in schedule.prefetches],
        compute_with=copy(schedule.compute_with),
        hardware=list(schedule.hardware),
    )


def copied_definition(definition: Definition) -> Definition:
    """A definition, with its specializations, that may be changed alone."""
    return replace(
        definition,
        args=list(definition.args),
        values=list(definition.values),
        rvars=[copy(r) for r in definition.rvars],
        schedule=copied_schedule(definition.schedule),
        specializations=[
            Specialization(s.condition, copied_definition(s.definition), s.failure, s.at)
            for s in definition.specializations
        ],
    )
