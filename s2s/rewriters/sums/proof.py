"""Why sums of later iterations may be computed before the rest of earlier ones.

What computes them sets scalars that each iteration sets anew, and reads nothing that the loop
writes: scalars by name, memory by the objects and types that C lets accesses meet by. No iteration
ends the loop, so that each sum would have been computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.idioms.loops import CountedLoop, Unproved, Unsuitable
from s2s.rewriters.interleaving.flow import Flow, MemoryUse, Reader, Tracked, may_be_same
from s2s.rewriters.sums.head import Head
from s2s.source.records import dataclass


class _AroundCall(Reader):
    """Reads statements; of one call no more than what its arguments compute."""

    def __init__(self, function: Function, tracked: Tracked, call: Node | None) -> None:
        super().__init__(function, tracked)
        self.call = call

    def _call(self, node: Node, flow: Flow, done: set[Decl]) -> None:
        if node is not self.call:
            super()._call(node, flow, done)
            return
        for argument in node.children[1:]:
            if argument.type.kind not in ("record", "union"):
                self._value(argument, flow, done)
                continue
            one = Flow()
            self._value(argument, one, done)
            flow.reads |= one.reads
            flow.exposed |= one.exposed
            flow.memory += [m for m in one.memory if m.node is not argument.bare]


@dataclass
class Proof:
    """What is known of one loop: ``head`` are its sums, ``rest`` the other statements of its body.

    ``call`` computes the sums in a function of its own.
    """

    function: Function
    loop: CountedLoop
    head: Head
    rest: Sequence[Node]
    call: Node | None

    def check(self) -> None:
        """Raises Unsuitable, or Unproved where the order may matter."""
        self.tracked = Tracked(self.function)
        for node in self.loop.body.walk():
            if node.kind in ("BREAK_STMT", "CONTINUE_STMT", "RETURN_STMT", "GOTO_STMT",
                             "INDIRECT_GOTO_STMT", "LABEL_STMT", "SWITCH_STMT"):  # fmt: skip
                raise Unsuitable(node, "the loop may be left, or an iteration ended")
        reader = _AroundCall(self.function, self.tracked, self.call)
        rest = reader.read(self.rest)
        early = self._early(reader)
        bound = reader.read([self.loop.bound_node])
        counter = self.loop.counter.decl
        changed = rest.writes | ({*self.head.set_} if self.call is None else set())
        if counter in changed or bound.reads & changed or bound.writes or bound.output:
            raise Unsuitable(self.loop.node, "the loop changes its bound")
        if carried := early.exposed & changed:
            name = min(d.name for d in carried)
            raise Unproved(self.loop.node, f"'{name}' goes on from iteration to iteration")
        if early.output or any(m.write for m in early.memory):
            raise Unsuitable(self.loop.node, "what computes the sum has effects")
        written = [m for m in rest.memory if m.write]
        for use in (*early.memory, *bound.memory):
            for other in written:
                if may_be_same(self.function, use, other, self.tracked):
                    raise Unproved(other.node, "this may change what later sums are computed of")

    def _early(self, reader: _AroundCall) -> Flow:
        """What the sums are computed of."""
        if self.call is None:
            return reader.read(self.head.parts)
        flow = reader.read([self.call])
        inner = self.head.function
        tracked = Tracked(inner)
        found = Reader(inner, tracked).read(self.head.parts)
        parameters = {n.decl for n in inner.node.children if n.kind == "PARM_DECL"}
        if found.exposed - parameters or found.output:
            raise Unsuitable(self.call, "the function reads what it has not set")
        flow.memory += [_through(m, self.call) for m in found.memory if m.root not in parameters]
        flow.memory += [replace(m, root=None) for m in found.memory if m.root in parameters]
        return flow


def _through(use: MemoryUse, call: Node) -> MemoryUse:
    """What a called function uses: globals, and what its pointers lead to."""
    if use.root is not None and use.root.is_local:
        raise Unsuitable(call, "the function has memory of its own")
    return use
