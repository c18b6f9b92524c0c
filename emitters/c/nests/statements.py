"""Loop nests as C statements with OpenMP pragmas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field

from s2s.emitters.c.nests.body import INDENT, Body
from s2s.emitters.c.nests.conditions import negated
from s2s.emitters.c.nests.kinds import c_type, promoted
from s2s.emitters.c.nests.memory import Memory
from s2s.emitters.c.nests.operators import ORDER, SIGNS
from s2s.emitters.c.nests.value_names import name_value
from s2s.scop import storage
from s2s.scop.expressions import INT32, Binary, Expr, Load, Variable
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
from s2s.scop.normal_form import normalized
from s2s.source.records import dataclass

OUT_OF_MEMORY = 1
FIRST_CHECK = 2


@dataclass
class Printer(Body):
    """Prints the body of one function; ``checks`` collects the messages of its failures.

    The nest says where memory lies, how loops run and which values get names.
    """

    checks: list[str] = field(default_factory=list)
    _parallel: bool = False
    _held: int = 0
    """Memories that are to be given back before the function may end."""
    _counters: list[str] = field(default_factory=list)

    def print(self, node: Node, alone: bool = True) -> None:
        """A node; ``alone``: nothing follows in its C block."""
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
                self._check(node, (), alone)
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
                self._check(child, below[place + 1 :], alone)
                return
            self.print(child, alone and place == len(below) - 1)

    # Loops and conditions

    def _loop(self, loop: For) -> None:
        if loop.kind == "parallel":
            self._parallel = True
            self._parallel_loop(loop)
            self._parallel = False
            return
        self._name_rows(loop)
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
            self._nested(loops, lambda: self._if_got(memories, body))
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
        with self._indented():
            self.print(node.otherwise)
        self._line("}")

    def _check(self, node: Check, rest: tuple[Node, ...], alone: bool) -> None:
        """What fails ends the function; where that cannot be at once, what follows is left out."""
        if node.message not in self.checks:
            self.checks.append(node.message)
        code = FIRST_CHECK + self.checks.index(node.message)
        bad = negated(self.writer, normalized(node.condition))
        left_out = bool(rest) and not self._may_return
        with self._inside(f"if ({bad}) {{", "} else {" if left_out else "}"):
            self._fail(code)
        if left_out:
            with self._indented():
                self._block(rest, True)
            self._line("}")
        else:
            self._block(rest, alone)

    @property
    def _may_return(self) -> bool:
        return not self._parallel and not self._held

    def _fail(self, code: int) -> None:
        if self._may_return:
            self._line(f"return {code};")
            return
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
                self._if_got([memory], node.body)
                self._give_back([memory])
            case storage.STACK | storage.SHIFTED:
                self._declare_array(memory)
                self.print(node.body)
            case kind:
                raise ValueError(f"{node.tensor.name} lies in {kind} memory: the nest is not ready")
        if outer is not None:
            self.memories[node.tensor.name] = outer

    def _if_got(self, memories: Sequence[Memory], body: Node) -> None:
        """What needs memory, where there was enough."""
        names = [name for memory in memories for _, name in memory.components()]
        missing = " || ".join(f"{name} == NULL" for name in names)
        self._held += len(names) > 1  # of several, some may be there
        returns = self._may_return
        with self._inside(f"if ({missing}) {{", "}" if returns else "} else {"):
            self._fail(OUT_OF_MEMORY)
        self._held += len(names) == 1
        if returns:
            self.print(body)
        else:
            with self._indented():
                self.print(body)
            self._line("}")
        self._held -= 1

    # Elements

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
            if addend := self._addend(store, component):
                self._line(f"{target} {addend};")
            else:
                text = self.writer.text(value)
                self._line(f"{self._declaration(target, text)}{target} = {text};")
        self.writer.bound = bound

    def _addend(self, store: Store, component: int) -> str:
        """``+= value`` where a store only updates what is there; else nothing.

        Between threads the read stays apart from the write, where the net tells them from one.
        """
        value, bound = store.values[component], self.writer.bound
        if (
            store.atomic
            or not isinstance(value, Binary)
            or value.op not in _UPDATES
            or value in bound
        ):
            return ""
        there, other = value.left, value.right
        if not isinstance(there, Load) or there in bound or there.type != value.type:
            return ""
        place = (there.tensor, there.subscripts, there.component)
        if place != (store.tensor, store.subscripts, component):
            return ""
        text = self.writer.addend(other) if promoted(value.type) else self.writer.text(other)
        return f"{SIGNS[value.op][0]}= {text}"

    def _declaration(self, target: str, value: str) -> str:
        """What declares a scalar, if that stood right before: it gets its first value there."""
        comment = self.lines[-1:] == [f"{INDENT * self._depth}/* {target} */"]
        before = self.lines[-1 - comment :][:1]
        found = re.fullmatch(rf"{INDENT * self._depth}(\w+) {re.escape(target)};", "".join(before))
        if found is None or re.search(rf"\b{re.escape(target)}\b", value):
            return ""
        del self.lines[-1 - comment :]
        return f"{found[1]} "


_UPDATES = ("add", "sub", "band", "bor", "bxor")


def _own_memory(body: Node) -> tuple[list[Tensor], Node]:
    """The memory that each thread has, which stands first in a parallel loop, and what follows."""
    own = []
    while isinstance(body, Allocate) and body.tensor.memory == storage.THREAD:
        own.append(body.tensor)
        body = body.body
    return own, body
