"""Loop nests as C statements with OpenMP pragmas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from s2s.emitters.c.nests.expressions import ORDER, PRODUCT, UNARY, Writer
from s2s.emitters.c.nests.kinds import c_type
from s2s.emitters.c.nests.memory import Memory
from s2s.emitters.c.nests.names import Scope
from s2s.emitters.c.nests.value_names import name_value
from s2s.scop import storage
from s2s.scop.errors import Inexpressible
from s2s.scop.expressions import INT32, Binary, Const, Expr, Load, Variable
from s2s.scop.linear import expression
from s2s.scop.nest import (
    Allocate,
    Block,
    Check,
    Define,
    For,
    If,
    Node,
    Produce,
    Run,
    Store,
    Tensor,
)
from s2s.scop.normal_form import linear, normalized
from s2s.scop.stack import on_stack
from s2s.scop.storage import size, strides

INDENT = "    "

OUT_OF_MEMORY = 1
FIRST_CHECK = 2


@dataclass
class Printer:
    """Prints the body of one function; ``checks`` collects the messages of its failures.

    The nest says where memory lies, how loops run and which values get names.
    """

    scope: Scope
    memories: dict[str, Memory]
    lines: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    allocates: bool = False
    _depth: int = 1
    _parallel: bool = False
    _counters: list[str] = field(default_factory=list)
    writer: Writer = field(init=False)

    def __post_init__(self) -> None:
        self.writer = Writer(self.scope.__getitem__, self._load)

    def print(self, node: Node, alone: bool = True) -> None:
        """A node; ``alone``: it is the only one of its C block."""
        match node:
            case Block(below):
                self._block(below, alone)
            case For():
                self._loop(node)
            case Produce(func, body):
                self._line(f"/* {func} */")
                self.print(body, alone)
            case If():
                self._if(node)
            case Check():
                self._check(node, ())
            case Run(function, tensors):
                names = (name for t in tensors for name in self.memories[t].names)
                self._line(f"{function}({', '.join(names)});")
            case Allocate() | Define() | Store():
                if alone:
                    self._declaring(node)
                else:
                    self._braced(node)
            case _:
                raise TypeError(f"a {type(node).__name__} that was to be gone")

    def _braced(self, node: Node) -> None:
        if isinstance(node, Store) and not node.shared:
            self._declaring(node)
            return
        with self._inside("{", "}"):
            self._declaring(node)

    def _declaring(self, node: Node) -> None:
        match node:
            case Allocate():
                self._allocate(node)
            case Define(name, value, body):
                c_name = self.scope.declare(name, name.split(".")[-1], name)
                self._line(f"const {c_type(value.type)} {c_name} = {self._text(value)};")
                self.print(body)
            case Store():
                self._store(node)

    def _block(self, below: tuple[Node, ...], alone: bool) -> None:
        for place, child in enumerate(below):
            if isinstance(child, Check):
                self._check(child, below[place + 1 :])
                return
            self.print(child, alone and len(below) == 1)

    def _line(self, text: str) -> None:
        self.lines.append(f"{INDENT * self._depth}{text}" if text else "")

    def _pragma(self, text: str) -> None:
        self._line(f"#pragma omp {text}")

    @contextmanager
    def _inside(self, head: str, tail: str) -> Iterator[None]:
        self._line(head)
        self._depth += 1
        with self.scope.entered():
            yield
        self._depth -= 1
        self._line(tail)

    def _text(self, expr: Expr, least: int = 0) -> str:
        return self.writer.text(normalized(expr), least)

    # Loops and conditions

    def _loop(self, loop: For) -> None:
        if loop.kind == "parallel":
            self._parallel = True
            self._parallel_loop(loop)
            self._parallel = False
            return
        if loop.kind == "vectorized":
            self._pragma("simd")
        elif loop.kind == "unrolled":
            self._line(f"#pragma GCC unroll {self._text(loop.extent)}")
        lanes, self.writer.lanes = self.writer.lanes, loop.kind == "vectorized"
        with self._head(loop):
            self.print(loop.body)
        self.writer.lanes = lanes

    def _parallel_loop(self, loop: For) -> None:
        """A loop, or several in one another, whose threads may have memory of their own."""
        loops = [loop]
        while len(loops) < loop.collapse:
            assert isinstance(loops[-1].body, For)
            loops.append(loops[-1].body)
        own, body = _own_memory(loops[-1].body)
        collapse = f" collapse({len(loops)})" if len(loops) > 1 else ""
        if not own:
            self._pragma(f"parallel for{collapse}")
            self._nested(loops, lambda: self.print(loops[-1].body))
            return
        self._pragma("parallel")
        with self._inside("{", "}"):
            memories = [self._declared(tensor) for tensor in own]
            for memory in memories:
                self._get(memory)
            self._pragma(f"for{collapse}")
            self._nested(loops, lambda: self._if_got(memories, body, True))
            self._give_back(memories)

    def _nested(self, loops: Sequence[For], inside: Callable[[], None]) -> None:
        """Loops in one another with something in the innermost."""
        if not loops:
            inside()
            return
        with self._head(loops[0]):
            self._nested(loops[1:], inside)

    @contextmanager
    def _head(self, loop: For) -> Iterator[None]:
        low = self._text(loop.minimum)
        high = self._text(Binary(INT32, "add", loop.minimum, loop.extent), ORDER + 1)
        with self.scope.entered():
            short = (loop.var or loop.name).split(".")[-1]
            name = self.scope.declare(loop.name, short, f"{loop.func}_{short}", loop.name)
            self._counters.append(loop.name)
            with self._inside(f"for (int {name} = {low}; {name} < {high}; {name}++) {{", "}"):
                bound = self.writer.bound
                self.writer.bound = dict(bound)
                self.name_invariants(loop.invariants)
                yield
                self.writer.bound = bound
            self._counters.pop()

    def name_shape(self, memory: Memory) -> Memory:
        """The memory with names for where it begins and how far apart its elements are.

        Only for what is not a constant; index arithmetic stays short.
        """
        tensor = memory.tensor
        dimensions = []
        for d, (dimension, stride) in enumerate(
            zip(tensor.dimensions, strides(tensor), strict=True)
        ):
            dimensions.append(
                replace(
                    dimension,
                    minimum=self._named(dimension.minimum, f"{memory.names[0]}_min_{d}"),
                    stride=self._named(stride, f"{memory.names[0]}_stride_{d}"),
                )
            )
        return replace(memory, tensor=replace(tensor, dimensions=tuple(dimensions)))

    def _named(self, value: Expr, name: str) -> Expr:
        value = normalized(value)
        if isinstance(value, Const | Variable):
            return value
        key = f"{name} of an argument"
        text = self.writer.text(value)
        self._line(f"const int {self.scope.declare(key, name)} = {text};")
        return Variable(INT32, key)

    def name_invariants(self, values: Iterable[Expr]) -> None:
        """Names for what the loops inside need and cannot change."""
        for value in values:
            text = self.writer.text(value)
            name = self.scope.declare(f"invariant {id(value)}", self._proposed(value))
            self._line(f"const {c_type(value.type)} {name} = {text};")
            self.writer.bound[value] = name

    def _proposed(self, value: Expr) -> str:
        return name_value(value, self._spelled, self._counters)

    def _spelled(self, value: Expr) -> str:
        """The C name of a value that has one."""
        if isinstance(value, Variable) and value.name in self.scope:
            return self.scope[value.name]
        return self.writer.bound.get(value, "")

    def _if(self, node: If) -> None:
        if node.otherwise is None:
            with self._inside(f"if ({self._text(node.condition)}) {{", "}"):
                self.print(node.then)
            return
        with self._inside(f"if ({self._text(node.condition)}) {{", "} else {"):
            self.print(node.then)
        self._depth += 1
        with self.scope.entered():
            self.print(node.otherwise)
        self._depth -= 1
        self._line("}")

    def _check(self, node: Check, rest: tuple[Node, ...]) -> None:
        """What fails ends the function; where that cannot be at once, what follows is left out."""
        if node.message not in self.checks:
            self.checks.append(node.message)
        code = FIRST_CHECK + self.checks.index(node.message)
        with self._inside(
            f"if (!{self._text(node.condition, UNARY)}) {{", "}" if not rest else "} else {"
        ):
            self._fail(code)
        if rest:
            self._depth += 1
            with self.scope.entered():
                self._block(rest, True)
            self._depth -= 1
            self._line("}")

    def _fail(self, code: int) -> None:
        if self._parallel:
            self._pragma("atomic write")
        self._line(f"status = {code};")

    # Memory

    def _allocate(self, node: Allocate) -> None:
        outer = self.memories.get(node.tensor.name)
        memory = self._declared(node.tensor)
        match node.tensor.memory:
            case storage.SCALARS:
                self._declare_scalars(memory)
                self.print(node.body)
            case storage.HEAP:
                self._get(memory)
                self._if_got([memory], node.body, False)
                self._give_back([memory])
            case storage.STACK | storage.SHIFTED:
                self._declare_array(memory)
                self.print(node.body)
            case kind:
                raise ValueError(f"{node.tensor.name} lies in {kind} memory: the nest is not ready")
        if outer is not None:
            self.memories[node.tensor.name] = outer

    def _declared(self, tensor: Tensor) -> Memory:
        """Memory with C names that are free here."""
        name = self.scope.declare(tensor.name, tensor.name.split("$")[0], tensor.name)
        memory = Memory(tensor, self._component_names(name, len(tensor.types)))
        self.memories[tensor.name] = memory
        return memory

    def _component_names(self, name: str, count: int) -> tuple[str, ...]:
        if count == 1:
            return (name,)
        return tuple(self.scope.declare(f"{name}.{k}", f"{name}_{k}") for k in range(count))

    def _declare_scalars(self, memory: Memory) -> None:
        count = size(memory.tensor)
        assert isinstance(count, Const)
        for component, type in enumerate(memory.tensor.types):
            names = [memory.element(k, component) for k in range(int(count.value))]
            for place in range(0, len(names), 8):
                self._line(f"{c_type(type)} {', '.join(names[place : place + 8])};")

    def _declare_array(self, memory: Memory) -> None:
        count = size(memory.tensor)
        assert isinstance(count, Const)
        elements = max(int(count.value), 1)
        for type, name in memory.components():
            length = elements * max(type.bits // 8, 1)
            self._line(on_stack(f"{c_type(type)} {name}[{elements}]", length))

    def _get(self, memory: Memory) -> None:
        self.allocates = True
        count = size(memory.tensor)
        if not isinstance(count, Const):  # not below 1 where the loops that use it do not run
            count = Binary(INT32, "max", count, Const(INT32, 1))
        text = self._text(count, PRODUCT + 1)
        for type, name in memory.components():
            kind = c_type(type)
            self._line(
                f"{kind} *restrict {name} = malloc(sizeof({kind}) * (size_t){_closed(text)});"
            )

    def _if_got(self, memories: Sequence[Memory], body: Node, alone: bool) -> None:
        """What needs memory, where there was enough; ``alone`` as in ``print``."""
        names = [name for memory in memories for _, name in memory.components()]
        missing = " || ".join(f"{name} == NULL" for name in names)
        with self._inside(f"if ({missing}) {{", "} else {"):
            self._fail(OUT_OF_MEMORY)
        self._depth += 1
        with self.scope.entered():
            self.print(body, alone)
        self._depth -= 1
        self._line("}")

    def _give_back(self, memories: Sequence[Memory]) -> None:
        for memory in reversed(memories):
            for _, name in memory.components():
                self._line(f"free({name});")

    # Elements

    def _load(self, load: Load) -> str:
        return self._element(load.tensor, load.subscripts, load.component)

    def _element(self, tensor: str, subscripts: tuple[Expr, ...], component: int) -> str:
        memory = self.memories.get(tensor)
        if memory is None:
            raise Inexpressible(f"{tensor} is used where it does not exist")
        place = memory.address(subscripts)
        if memory.scalar:
            assert isinstance(place, Const)
            return memory.element(int(place.value), component)
        name = memory.names[component]
        form = linear(place)
        if memory.tensor.memory == storage.SHIFTED and form.constant > 0 and form.terms:
            rest = expression(form.shifted(-form.constant))
            return f"({name} + {form.constant})[{self.writer.text(rest)}]"
        return f"{name}[{self.writer.text(place)}]"

    def _store(self, store: Store) -> None:
        if store.atomic:
            self._pragma("critical")
            with self._inside("{", "}"):
                self._assign(store)
        else:
            self._assign(store)

    def _assign(self, store: Store) -> None:
        bound = self.writer.bound
        self.writer.bound = dict(bound)
        for value in store.shared:
            text = self.writer.text(value)
            name = self.scope.declare(f"{id(value)}", self._proposed(value))
            self._line(f"const {c_type(value.type)} {name} = {text};")
            self.writer.bound[value] = name
        for component, value in enumerate(store.values):
            target = self._element(store.tensor, store.subscripts, component)
            self._line(f"{target} = {self.writer.text(value)};")
        self.writer.bound = bound


def _closed(count: str) -> str:
    return count if count.isalnum() else f"({count})"


def _own_memory(body: Node) -> tuple[list[Tensor], Node]:
    """The memory that each thread has, which stands first in a parallel loop, and what follows."""
    own = []
    while isinstance(body, Allocate) and body.tensor.memory == storage.THREAD:
        own.append(body.tensor)
        body = body.body
    return own, body
