"""``Func`` and ``Stage`` as the interpreter sees them."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide import schedule
from s2s.frontends.halide.evaluate import directives, levels
from s2s.frontends.halide.evaluate.containers import Items
from s2s.frontends.halide.evaluate.definitions import define, update
from s2s.frontends.halide.evaluate.directives import Looped, loop, loop_level, size
from s2s.frontends.halide.evaluate.images import Dimensioned, ImageObject, as_range
from s2s.frontends.halide.evaluate.language import FuncElement, FuncRef, Tuple, Var, call_arguments
from s2s.frontends.halide.evaluate.values import VOID, deref, describe, truth
from s2s.frontends.halide.evaluate.world import World, integer
from s2s.frontends.halide.schedule import FuncDirectives, LoopVar
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Expr, Type, Variable
from s2s.scop.pipeline import Definition, Func, HardwareArgument, Image, LoopLevel, StageName
from s2s.scop.rewrite import redirect_loads
from s2s.source import Span

_HARDWARE = frozenset(
    {
        *("hw_accelerate", "accelerator_input", "accelerator_output", "accelerate"),
        *("accelerate_call_output", "linebuffer", "fifo_depth", "kernel_buffer", "dual_bank"),
        *("mem_hierarchy", "fill_memories"),
    }
)
_NO_EFFECT = frozenset(
    {
        *("memoize", "async", "ring_buffer", "trace_loads", "trace_stores", "trace_realizations"),
        *("add_trace_tag", "no_profiling", "debug_to_file", "set_custom_print", "rename_func"),
        "print_loop_nest",
        *("set_custom_trace", "set_error_handler", "set_custom_allocator", "copy_to_host"),
    }
)


class StageObject(Looped):
    """A definition of a Func under the directives."""

    words = "a Stage"

    def __init__(self, world: World, stage: schedule.Stage) -> None:
        self.world, self.stage = world, stage

    def at_loop(self, var: LoopVar, stage: int, at: Span | None) -> LoopLevel:
        return schedule.at_loop(self.stage.func, var, self.stage.index, at)

    def as_argument(self) -> HardwareArgument:
        return StageName(self.stage.func.name, self.stage.index)

    def call(self, name: str, arguments: list[Any]) -> Any:
        if name not in directives.KNOWN:
            if name == "name":
                return self.stage.name
            raise Illegal(f"'Stage::{name}' is not supported")
        made = directives.direct(self.stage, name, arguments, self.world.at)
        return wrapped(self.world, made) if made is not VOID else self


def wrapped(world: World, value: Any) -> Any:
    """What a directive gives, as an object of the language."""
    if isinstance(value, schedule.Stage):
        return StageObject(world, value)
    if isinstance(value, Func):
        return FuncObject(world, value)
    return value


class FuncObject(Dimensioned, Looped):
    """A handle of a Func; copies of it mean the same Func."""

    words = "a Func"

    def __init__(self, world: World, func: Func) -> None:
        self.world, self.func = world, func
        self.port: Image | None = None
        """The output's buffer where the Func is an ``Output<Buffer<...>>``."""

    def image_of(self) -> Image:
        """The buffer of an output, made when something is said about it."""
        known = self.world.images.get(self.func.name)
        if known is None:
            type_ = self.func.types[0] if self.func.types else Type("int", 32)
            known = Image(self.func.name, type_, len(self.func.vars) or -1, at=self.world.at)
            self.world.images[self.func.name] = known
        return known

    def as_argument(self) -> HardwareArgument:
        return self.func.name

    @property
    def directives(self) -> FuncDirectives:
        return FuncDirectives(self.world.program, self.func)

    def stage(self, index: int) -> StageObject:
        return StageObject(self.world, self.directives.stage(index, at=self.world.at))

    def call(self, name: str, arguments: list[Any]) -> Any:
        """A method of Func."""
        method = getattr(self, "m_" + name, None)
        if method is not None:
            return method(*arguments)
        if name in levels.METHODS:
            found = levels.METHODS[name](self.directives, arguments, self.world.at)
            return self if found is None else wrapped(self.world, found)
        if name in directives.KNOWN:
            if self.func.definition is None:
                raise Illegal(f"Func '{self.func.name}' is scheduled before it is defined")
            made = self.stage(0).call(name, arguments)
            return self if isinstance(made, StageObject) and name != "specialize" else made
        if name in _HARDWARE:
            plain = map(directives.plain_argument, arguments)
            self.directives.hardware(name, *plain, at=self.world.at)
            return self
        if name in _NO_EFFECT:
            return self
        raise Illegal(f"'Func::{name}' is not supported")

    # Algorithm.

    def m_call(self, *arguments: Any) -> FuncRef:
        return FuncRef(self.func, call_arguments(arguments), self.world.at)

    def m_name(self) -> str:
        return self.func.name

    def m_defined(self) -> bool:
        return self.func.definition is not None

    def m_args(self) -> Items:
        return Items([Var(v) for v in self.func.vars], None, lambda: VOID)

    m_has_pure_definition = m_defined

    def m_infer_arguments(self) -> Items:
        return Items([], None, lambda: VOID)

    def m_dimensions(self) -> int:
        return len(self.func.vars)

    def m_outputs(self) -> int:
        return len(self.func.types)

    def m_type(self) -> Type:
        if not self.func.types:
            name = self.func.name
            raise Illegal(f"the type of '{name}' is not known here; give it as {name}.type=uint8")
        if len(self.func.types) != 1:
            raise Illegal(f"Func '{self.func.name}' has {len(self.func.types)} values, not one")
        return self.func.types[0]

    def m_types(self) -> Items:
        return Items(list(self.func.types), None, lambda: VOID)

    def m_has_update_definition(self) -> bool:
        return bool(self.func.updates)

    def m_num_update_definitions(self) -> int:
        return len(self.func.updates)

    def m_value(self) -> Expr:
        return self._definition().values[0]

    def m_values(self) -> Tuple:
        return Tuple(list(self._definition().values))

    def m_update_value(self, index: Any = 0) -> Expr:
        return self.func.updates[integer(index, "an index")].values[0]

    def _definition(self) -> Definition:
        if self.func.definition is None:
            raise Illegal(f"Func '{self.func.name}' has no definition")
        return self.func.definition

    def m_update(self, index: Any = 0) -> StageObject:
        place = integer(index, "the number of an update definition")
        if not 0 <= place < len(self.func.updates):
            raise Illegal(
                f"update({place}) of Func '{self.func.name}', which has "
                f"{len(self.func.updates)} update definitions"
            )
        return self.stage(place + 1)

    # Where it is computed and how it is stored.

    def m_compute_at(self, *where: Any) -> FuncObject:
        self.directives.compute_at(self.level(where))
        return self

    def m_store_at(self, *where: Any) -> FuncObject:
        self.directives.store_at(self.level(where))
        return self

    def m_hoist_storage(self, *where: Any) -> FuncObject:
        self.directives.hoist_storage(self.level(where))
        return self

    def at_loop(self, var: LoopVar, stage: int, at: Span | None) -> LoopLevel:
        return schedule.at_loop(self.func, var, stage, at)

    def level(self, where: tuple[Any, ...]) -> LoopLevel:
        return loop_level(where, self.world.at)

    def m_compute_root(self) -> FuncObject:
        self.directives.compute_root(at=self.world.at)
        return self

    def m_store_root(self) -> FuncObject:
        self.directives.store_root(at=self.world.at)
        return self

    def m_hoist_storage_root(self) -> FuncObject:
        self.directives.hoist_storage_root(at=self.world.at)
        return self

    def m_compute_inline(self) -> FuncObject:
        self.directives.compute_inline(at=self.world.at)
        return self

    def m_bound(self, var: Any, minimum: Any, extent: Any) -> FuncObject:
        self.directives.bound(loop(var), size(minimum), size(extent), at=self.world.at)
        return self

    def m_bound_extent(self, var: Any, extent: Any) -> FuncObject:
        self.directives.bound_extent(loop(var), size(extent), at=self.world.at)
        return self

    def m_align_bounds(self, var: Any, modulus: Any, remainder: Any = 0) -> FuncObject:
        self.directives.align_bounds(loop(var), size(modulus), size(remainder), at=self.world.at)
        return self

    def m_align_extent(self, var: Any, modulus: Any) -> FuncObject:
        self.directives.align_extent(loop(var), size(modulus), at=self.world.at)
        return self

    def m_bound_storage(self, var: Any, bound: Any) -> FuncObject:
        self.directives.bound_storage(loop(var), size(bound), at=self.world.at)
        return self

    def m_set_estimate(self, var: Any, minimum: Any, extent: Any) -> FuncObject:
        bounds = integer(minimum, "an estimate"), integer(extent, "an estimate")
        self.directives.set_estimate(loop(var), *bounds, at=self.world.at)
        return self

    m_estimate = m_set_estimate

    def m_set_estimates(self, ranges: Any) -> FuncObject:
        found = [as_range(r) for r in deref(ranges).items]
        numbers = [
            (integer(r.minimum, "an estimate"), integer(r.extent, "an estimate")) for r in found
        ]
        self.directives.set_estimates(numbers, at=self.world.at)
        return self

    def m_align_storage(self, var: Any, alignment: Any) -> FuncObject:
        self.directives.align_storage(loop(var), size(alignment), at=self.world.at)
        return self

    def m_fold_storage(self, var: Any, extent: Any, forward: Any = True) -> FuncObject:
        folded = size(extent)
        self.directives.fold_storage(loop(var), folded, truth(deref(forward)), at=self.world.at)
        return self

    def m_reorder_storage(self, *variables: Any) -> FuncObject:
        names = [loop(v) for v in call_arguments(variables)]
        self.directives.reorder_storage(names, at=self.world.at)
        return self

    def m_store_in(self, memory: Any) -> FuncObject:
        self.directives.store_in(deref(memory).name, at=self.world.at)
        return self

    # Other Funcs made from this one.

    def m_in(self, *consumers: Any) -> Any:
        if len(consumers) == 1 and isinstance(deref(consumers[0]), str):
            name = f"{self.func.name}_{deref(consumers[0])}"
            return wrapped(self.world, self.directives.in_(name=name, at=self.world.at))
        return self._wrap("in_", consumers)

    def m_clone_in(self, *consumers: Any) -> Any:
        return self._wrap("clone_in", consumers)

    def _wrap(self, name: str, consumers: tuple[Any, ...]) -> Any:
        values = call_arguments(consumers)
        for value in values:
            if not isinstance(value, FuncObject):
                raise Illegal(f"'{name.rstrip('_')}' of {describe(value)}; legal is a Func")
        method = getattr(self.directives, name, None)
        if method is None:
            raise Illegal(f"'{name.rstrip('_')}' is not supported yet")
        return wrapped(self.world, method([v.func for v in values] or None, at=self.world.at))

    # An output of a generator.

    def m_output_buffer(self) -> Any:
        return ImageObject(self.world, self.image_of())

    m_parameter = m_output_buffer

    def m_set_type(self, type_: Any) -> Any:
        self.func.types = [deref(type_)]
        return VOID

    def m_set_types(self, types: Any) -> Any:
        self.func.types = [deref(t) for t in deref(types).items]
        return VOID

    def m_set_dimensions(self, count: Any) -> Any:
        self.func.vars = [f"_{i}" for i in range(integer(count, "dimensions"))]
        return VOID


def assign(world: World, ref: FuncRef | FuncElement, op: str, value: Any) -> StageObject:
    """``ref = value`` (``op`` empty) or ``ref op= value``."""
    if isinstance(ref, FuncElement):
        value = _with_element(ref, op, value)
        ref, op = ref.ref, ""
    at = world.at
    made = define(world, ref, value, at) if op == "" else update(world, ref, op, value, at)
    return FuncObject(world, ref.func).stage(made)


def _with_element(element: FuncElement, op: str, value: Any) -> Tuple:
    """All components of an update that changes one of them."""
    from s2s.frontends.halide import typing
    from s2s.frontends.halide.evaluate.world import to_expr

    own = element.ref.components()
    if not 0 <= element.index < len(own):
        raise Illegal(f"element {element.index} of a Func with {len(own)} values")
    new = to_expr(value)
    if op:
        new = typing.binary(op, own[element.index], new)
    return Tuple([new if i == element.index else e for i, e in enumerate(own)])


def new_func(world: World, name: str | None) -> FuncObject:
    """A Func of its own, with a made name where it has none."""
    program = world.program
    func = Func(program.fresh("f") if name is None else program.unique(name), at=world.at)
    world.program.funcs[func.name] = func
    return FuncObject(world, func)


def image_as_func(world: World, image: Any) -> FuncObject:
    """A Func that reads an image; from now on all reads of the image are reads of it, as in Halide.

    A copy of it (``input.in()``) then stands before those that came earlier, too.
    """
    if image.func is None:
        made_here = image.image.data is not None
        before = () if made_here else world.program.funcs.values()
        readers = [d for func in before for d in func.stages]
        made = new_func(world, f"{image.image.name}_im")
        if image.image.rank < 0:
            name = image.image.name
            raise Illegal(f"the rank of '{name}' is not known; give it as {name}.dim=N")
        arguments = [Var(f"_{i}") for i in range(image.image.rank)]
        definitions = world.definitions
        define(world, FuncRef(made.func, arguments), image.m_call(*arguments), world.at)
        world.definitions = definitions  # counted where the image was made
        image.func = made.func
        for definition in readers:
            redirect_loads(definition, {image.image.name: made.func.name})
    return FuncObject(world, image.func)


def as_func(world: World, value: Any) -> FuncObject:
    """What converts to a Func."""
    value = deref(value)
    if isinstance(value, FuncObject):
        return value
    if isinstance(value, ImageObject):
        return image_as_func(world, value)
    if isinstance(value, Expr | FuncRef | int | float):
        return func_of_expr(world, value)
    convert = getattr(value, "as_func", None)
    if convert is not None:
        return convert()  # type: ignore[no-any-return]
    raise Illegal(f"{describe(value)} is no Func")


def func_of_expr(world: World, value: Any) -> FuncObject:
    """``Func f(expr)``: over the implicit variables."""
    from s2s.frontends.halide.evaluate.definitions import values_of
    from s2s.scop.expressions import walk

    made = new_func(world, "f")
    names = {n.name for e in values_of(value) for n in walk(e) if isinstance(n, Variable)}
    count = max((int(n[1:]) + 1 for n in names if n[:1] == "_" and n[1:].isdigit()), default=0)
    arguments = [Var(f"_{i}") for i in range(count)]
    define(world, FuncRef(made.func, arguments), value, world.at)
    return made
