"""An isl AST as C loops whose leaves are pieces of the source's own text."""

from __future__ import annotations

import re
from itertools import groupby

import islpy as isl

from s2s.emitters.c.ast import all_loops, has_extremes, is_flat, users
from s2s.emitters.c.elements import Head
from s2s.emitters.c.ends import (
    Ends,
    always_runs,
    decides,
    from_parameter,
    is_true,
    may_end_below_zero,
)
from s2s.emitters.c.errors import Unprintable
from s2s.emitters.c.expressions import Names, Text, c_expression, convert, negated, of_type
from s2s.emitters.c.instances import InstancePrinter, call_of
from s2s.emitters.c.kinds import node_kind, operation
from s2s.emitters.c.scalar_replacement import Instance, Locals, declare_later
from s2s.emitters.c.team import SINGLE
from s2s.scop.nodes import LoopVariable, Statement
from s2s.scop.schedule import Dimension, Parallelism, Role
from s2s.source.records import dataclass

_NUMBER = re.compile(r"-?\d+")
# What a loop may begin or end with in its head.
_PLAIN = re.compile(r"\d+|[A-Za-z_]\w* - \d+")


@dataclass
class LoopPrinter(InstancePrinter):
    """Prints one AST."""

    def print_all(self, node: isl.AstNode, names: Names, depth: int) -> None:
        """The whole AST, after scalars that more than one of its bodies use."""
        scalars = {f"{self.prefix}{s.name}": s for s in self.scop.storage if not s.size}
        bodies = list(self._bodies(node)) if scalars else []
        for name, storage in scalars.items():
            used = [words for words in bodies if name in words]
            if len(used) == 1 and used[0] is not bodies[0]:
                self._local_scalars[name] = storage
            elif used:
                self._line(depth, f"{storage.type} {name};")
        self._crowded = frozenset(self._clashes(node))
        self.print(node, names, depth)

    def print(self, node: isl.AstNode, names: Names, depth: int) -> None:
        kind = node_kind(node)
        if kind == "block":
            children = node.block_get_children()
            self._print_each(
                [children.get_at(i) for i in range(children.n_ast_node())], names, depth
            )
        elif self._in_team and not self._is_shared(node):
            self._by_one_thread([node], names, depth)
        elif kind == "for_":
            self._for(node, names, depth)
        elif kind == "if_":
            self._if(node, names, depth)
        elif kind == "user":
            self._user(node, names, depth)
        elif kind == "mark":
            self.print(node.mark_get_node(), names, depth)
        else:
            raise ValueError("isl AST node without a C form")

    def _print_each(self, nodes: list[isl.AstNode], names: Names, depth: int) -> None:
        """Nodes one after the other; in a team, what is between shared loops by one thread."""
        for shared, run in groupby(nodes, lambda n: not self._in_team or self._is_shared(n)):
            if shared:
                for node in run:
                    self.print(node, names, depth)
            else:
                self._by_one_thread(list(run), names, depth)

    @property
    def _in_team(self) -> bool:
        return self.team is not None and self.team.inside

    def _is_shared(self, node: isl.AstNode) -> bool:
        """Whether there is a parallel loop in a piece of AST."""
        return any(self._is_parallel(loop) for loop in all_loops(node))

    def _is_parallel(self, loop: isl.AstNode) -> bool:
        """Whether the threads of a team share a loop's iterations; a single one is no loop."""
        dimension = self.dimensions.get(loop.for_get_iterator().get_id().get_name())
        if dimension is None or loop.for_is_degenerate():
            return False
        inside = (statement.name for statement, _ in self._users(loop))
        return dimension.parallelism is Parallelism.DOALL and dimension.holds_for(inside)

    def _by_one_thread(self, nodes: list[isl.AstNode], names: Names, depth: int) -> None:
        assert self.team is not None
        inside = {s.name for node in nodes for s, _ in self._users(node)}
        for line in (*self.team.waits(inside), SINGLE):
            self._line(depth, line)
        self._line(depth, "{")
        self.team.inside = False
        for node in nodes:
            self.print(node, names, depth + 1)
        self.team.inside = True
        self._line(depth, "}")

    def _for(self, node: isl.AstNode, names: Names, depth: int) -> None:
        """A loop; after a sequential one that a team runs, any of its threads may be in it."""
        inside = self._in_team
        shared = inside and self._is_parallel(node)
        self._loop(node, names, depth)
        if self.team is not None:
            self.team.inside = inside
            if inside and not shared:
                self.team.enter()

    def _loop(self, node: isl.AstNode, names: Names, depth: int) -> None:
        name = node.for_get_iterator().get_id().get_name()
        variable = self._original(node, name, names)
        spelling = variable.spelling if variable else names.spelling.get(name, name)
        type_ = variable.type if variable else "long"
        inner = names.renamed(name, spelling, variable)
        if node.for_is_degenerate():
            value = of_type(type_, convert(node.for_get_init(), names))
            self._line(depth, "{")
            text = f"const {type_} {spelling} = {value};"
            self._line(depth + 1, self._iterator(spelling, text, self._inside(node)))
            self._declare_scalars(node.for_get_body(), depth + 1)
            self.print(node.for_get_body(), inner, depth + 1)
            self._line(depth, "}")
            return
        mirrored = None if variable else self._mirrored(node, name, names)
        if mirrored is not None:
            self._for_down(node, mirrored, names, depth)
            return
        outside = self._values_outside(node, names)
        wrapped = bool(outside) or has_extremes(node)
        if wrapped:
            self._line(depth, "{")
            depth += 1
            for (kind, spelled), around in outside.items():
                text = f"const {kind} {spelled} = {of_type(kind, around)};"
                self._line(depth, self._iterator(spelled, text, self._inside(node)))
            values = {spelled: around.text for (_, spelled), around in outside.items()}
            inner = inner.declaring(values)
        ends = self._bounds(node, names, inner, spelling, depth)
        start, condition = ends.start.text, ends.condition(variable)
        head = Head(name, spelling, start, condition, names)
        held = self._held(node, head, inner)
        unsure = variable is not None and decides(variable) and not ends.whole
        unsure = unsure and may_end_below_zero(node, self.known, names.unsigned)
        if held is not None and not held.unconditional:
            # The elements need not exist where the loop is empty.
            typed_start = of_type(type_, ends.start) if variable and variable.unsigned else start
            runs = head.holds_for(typed_start)
            if unsure:
                runs = f"{ends.start.text} {ends.relation} {ends.end.text}"
            always = is_true(runs) or always_runs(node, self.known)
            self._line(depth, "{" if always else f"if ({runs}) {{")
            depth += 1
            for line in held.before:
                self._line(depth, line)
        typed = held is None and variable is not None and self._in_strips and not ends.whole
        typed = (typed and not _NUMBER.fullmatch(ends.end.text)) or (unsure and held is None)
        if typed:
            condition = self._typed_end(type_, ends, depth)
            depth += 1
        step = c_expression(node.for_get_inc(), names)
        increment = f"{spelling}++" if step == "1" else f"{spelling} += {step}"
        first = of_type(type_, ends.start)
        aligned = held is not None and held.skipped != "" and step == "1"
        if held is not None and aligned:
            self._line(depth, "{")
            depth += 1
            first = self._to_boundary(node, held, ends, (type_, spelling), inner, depth)
        self._loop_pragmas(node, name, depth)
        self._line(depth, f"for ({type_} {spelling} = {first}; {condition}; {increment}) {{")
        self._declare_scalars(node.for_get_body(), depth + 1)
        if held is None:
            self.print(node.for_get_body(), inner, depth + 1)
        else:
            self._held_body(node, held, inner, depth + 1)
        self._line(depth, "}")
        if aligned:
            depth -= 1
            self._line(depth, "}")
        if held is not None and not held.unconditional:
            for line in held.after:
                self._line(depth, line)
            depth -= 1
            self._line(depth, "}")
        if typed:
            depth -= 1
            self._line(depth, "}")
        if wrapped:
            self._line(depth - 1, "}")

    def _to_boundary(
        self, node: isl.AstNode, held: Locals, ends: Ends, counter: tuple[str, str], inner: Names,
        depth: int,
    ) -> str:  # fmt: skip
        """A loop over the iterations before a vector's boundary; where the others begin."""
        type_, spelling = counter
        start, end, name = ends.start, ends.end, f"{self.prefix}{spelling}_aligned"
        behind = end.text if ends.relation == "<" else f"{end.inside(5)} + 1"
        self._line(depth, f"long {name} = {start.inside(5)} + (long)({held.skipped});")
        self._line(depth, f"if ({name} > {behind}) {name} = {behind};")
        first = of_type(type_, Text(name, 9, True))
        last = name if type_ in ("int", "long") else first
        begin = of_type(type_, start)
        self._line(
            depth, f"for ({type_} {spelling} = {begin}; {spelling} < {last}; {spelling}++) {{"
        )
        self._held_body(node, held, inner, depth + 1)
        self._line(depth, "}")
        return first

    def _loop_pragmas(self, node: isl.AstNode, name: str, depth: int) -> None:
        if name not in self.dimensions:
            return
        dimension = self.dimensions[name]
        inside = [statement for statement, _ in self._users(node)]
        if not inside:
            return  # one thread fills panels
        lines = self.pragmas(dimension, inside, self._in_team)
        if self.team is not None:
            lines = [*self._team_lines(node, dimension, inside), *lines]
        for line in lines:
            self._line(depth, line)

    def _team_lines(
        self, node: isl.AstNode, dimension: Dimension, statements: list[Statement]
    ) -> list[str]:
        """Directives of the team before a loop, in whose body printing goes on."""
        assert self.team is not None
        if self.team.inside and self._is_parallel(node):
            self.team.inside = False
            return self.team.waits({s.name for s in statements})
        starts = dimension.name == self.team.team.dimension and self._is_shared(node)
        if starts or self.team.inside:
            self.team.inside = True
            self.team.enter()
        return [self.region] if starts else []

    @property
    def _in_strips(self) -> bool:
        """Whether loops run over strips of a loop that had the source's own bounds."""
        target = self.scop.target
        roles = [d.role for d in target.dimensions] if target is not None else []
        distributed = roles[:2] == [Role.TILE, Role.ORDER]
        return distributed or any(s.size for s in self.scop.storage)

    def _typed_end(self, type_: str, ends: Ends, depth: int) -> str:
        """Open a block in which the loop runs at all, and its end has the counter's type.

        Compilers that have to widen the counter to compare it do not see that accesses follow each
        other in memory.
        """
        last = f"{self.prefix}{ends.spelling}_last"
        self._line(depth, f"if ({ends.start.text} {ends.relation} {ends.end.text}) {{")
        self._line(depth + 1, f"const {type_} {last} = {of_type(type_, ends.end)};")
        return f"{ends.spelling} {ends.relation} {last}"

    def _for_down(
        self, node: isl.AstNode, variable: LoopVariable, names: Names, depth: int
    ) -> None:
        """A loop over negated values of the source's variable, which counts down."""
        spelling, type_ = variable.spelling, variable.type
        name = node.for_get_iterator().get_id().get_name()
        self._line(depth, "{")
        depth += 1
        ends = self._bounds(node, names, names, spelling, depth)
        relation = ends.relation
        step = c_expression(node.for_get_inc(), names)
        value = f"(-(long){spelling})"
        inner = names.renamed(name, value).declaring({spelling: f"-{value}"})
        first, last = f"{self.prefix}{spelling}_first", f"{self.prefix}{spelling}_last"
        down = relation.replace("<", ">")
        begin, end = (negated(e) for e in (ends.start, ends.end))
        runs = f"{begin.inside(5)} {down} {end.inside(5)}"
        if begin.text.startswith("-") and end.text.startswith("-"):
            runs = f"{ends.start.text} {relation} {ends.end.text}"
        elif plain := from_parameter(begin, down, end, names):
            begin, runs = plain
        self._line(depth, "{" if is_true(runs) else f"if ({runs}) {{")
        given = {first: of_type(type_, begin), last: of_type(type_, end)}
        first, last = (v if _PLAIN.fullmatch(v) else n for n, v in given.items())
        if declared := ", ".join(f"{n} = {v}" for n, v in given.items() if n in (first, last)):
            self._line(depth + 1, f"const {type_} {declared};")
        self._loop_pragmas(node, name, depth + 1)
        decrement = f"{spelling}--" if step == "1" else f"{spelling} -= {step}"
        head = f"for ({type_} {spelling} = {first}; {spelling} {down} {last}; {decrement}) {{"
        self._line(depth + 1, head)
        self._declare_scalars(node.for_get_body(), depth + 2)
        self.print(node.for_get_body(), inner, depth + 2)
        for closed in (depth + 1, depth, depth - 1):
            self._line(closed, "}")

    def _declare_scalars(self, body: isl.AstNode, depth: int) -> None:
        """Declare the temporaries without a size that a body, not a deeper one, uses alone."""
        if self._local_scalars:
            words = next(self._bodies(body))
            for name, storage in self._local_scalars.items():
                if name in words:
                    self._line(depth, f"{storage.type} {name};")

    def _held(self, node: isl.AstNode, head: Head, inner: Names) -> Locals | None:
        """Locals for a loop whose body is statements and nothing else."""
        dimension = self.dimensions.get(head.name)
        upward = operation(node.for_get_cond()) in ("le", "lt")
        if dimension is None or not upward or not is_flat(node.for_get_body()):
            return None
        if self.panels is not None:
            return self._tile(node, head, inner)
        instances, given = [], []
        for statement, arguments in self._users(node):
            given.append(arguments)
            values = {
                v.spelling: c_expression(a, inner)
                for v, a in zip(statement.iterators, arguments, strict=True)
                if self._visible(statement, v)
            }
            instances.append(Instance(statement, values))
        shared = self.scop.target.shared if self.scop.target is not None else None
        if self.sharer is not None and shared is not None and shared.dimension == dimension.name:
            return self.sharer.locals(instances, given, head)
        held = None if self.holder is None else self.holder.locals(dimension.name, instances)
        if (
            held is not None
            or self.rotator is None
            or c_expression(node.for_get_inc(), inner) != "1"
        ):
            return held
        return self.rotator.locals(dimension.name, instances, head)

    def _tile(self, node: isl.AstNode, head: Head, inner: Names) -> Locals | None:
        """A tile in registers, if a loop is the one along its sums."""
        assert self.panels is not None
        called = [call_of(user) for user in users(node)]
        if any(name != self.panels.tile.name for name, _ in called):
            return None
        if c_expression(node.for_get_inc(), inner) != "1":
            raise Unprintable("a tile is not printed as a whole")
        return self.panels.locals(
            head, [[c_expression(v, inner) for v in values] for _, values in called]
        )

    def _held_body(self, node: isl.AstNode, held: Locals, inner: Names, depth: int) -> None:
        """Instances with their loads and stores; what is declared after code opens a block."""
        first, *others = held.pieces
        for load in first.loads:
            self._line(depth, load.declared)
        for line in declare_later([load for piece in others for load in piece.loads]):
            self._line(depth, line)
        opened = 0
        for (statement, arguments), piece in zip(self._users(node), held.pieces, strict=True):
            for load in piece.loads if piece is not first else []:
                if not load.type:
                    self._line(depth, "{")
                    opened += 1
                self._line(depth, load.assigned if load.type else load.declared)
            self._instance(statement, arguments, piece.text, inner, depth, held.leaf)
            for line in piece.stores:
                self._line(depth, line)
        for _ in range(opened):
            self._line(depth, "}")

    def _if(self, node: isl.AstNode, names: Names, depth: int) -> None:
        self._line(depth, f"if ({c_expression(node.if_get_cond(), names)}) {{")
        before = self.team.state if self.team is not None else None
        self.print(node.if_get_then_node(), names, depth + 1)
        if self.team is not None:
            behind = self.team.state
            self.team.back_to(before)
        if node.if_has_else_node():
            self._line(depth, "} else {")
            self.print(node.if_get_else_node(), names, depth + 1)
        if self.team is not None:
            self.team.join(behind)
        self._line(depth, "}")

    def _user(self, node: isl.AstNode, names: Names, depth: int) -> None:
        if self.panels is not None:
            name, values = call_of(node)
            if name in self.panels.tile.packs:
                for line in self.panels.fill(name, [c_expression(v, names) for v in values]):
                    self._line(depth, line)
                return
            if name == self.panels.tile.name:
                raise Unprintable("a tile is not printed as a whole")
        ((statement, arguments),) = self._users(node)
        self._instance(statement, arguments, self.text(statement), names, depth)
