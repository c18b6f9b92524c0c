"""Variables with which an inner loop walks, as where they began and how far they have come.

::

    for (y = 0; y < h; y++) {                    for (y = 0; y < h; y++) {
        int k = y * w + 1;                           int k = y * w + 1;
        const float *p = in + y * w;                 const float *p = in + y * w;
        for (x = 1; x < w - 1; x++) {     ->         for (x = 1; x < w - 1; x++) {
            out[k] = *p++ * in[k - 1];                   out[k + (x - 1)] = p[x - 1] * in[...];
            k++;                                     }
        }
    }                                            }

(Induction variable substitution; Allen and Kennedy, "Optimizing Compilers for Modern
Architectures", section 5.5.) They are declared before the loop in the block that it is in and are
not named after it, so that nobody sees where they end. Each iteration advances them by the same
constant: in the loop's header (``x++, p++``), by statements of its body, or by an ``x++`` that is
all which a statement says of them and that each of its executions reaches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from s2s.frontends.c.counted_loops import CountedLoop, initialization, step_of
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import CASTS, INCREMENTS, Decl, Node
from s2s.frontends.c.text import statement_end
from s2s.source import Edit

_JUMPS = frozenset(
    {"GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT", "CONTINUE_STMT", "BREAK_STMT", "RETURN_STMT",
     "SWITCH_STMT", "WHILE_STMT", "DO_STMT"}
)  # fmt: skip
_SUMS = frozenset(
    {"DECL_REF_EXPR", "INTEGER_LITERAL", "PAREN_EXPR", "BINARY_OPERATOR", "UNARY_OPERATOR"}
)
_MAYBE_NOT = frozenset({"CONDITIONAL_OPERATOR", "CXX_UNARY_EXPR", "LAMBDA_EXPR"})


class _Unknown(Exception):
    """The variable stays as it is."""


def walks_inside(attempt: Attempt) -> bool:
    """Whether a loop inside of a nest advances a variable of the block around it: a cheap look."""
    return any(True for s in attempt.statements for found in _candidates(s) for _ in found[2])


def substituted_walkers(attempt: Attempt) -> tuple[Edit, ...]:
    """The edits that say of each place how far the variables have come; none without any."""
    edits: list[Edit] = []
    for statement in attempt.statements:
        for block, loop, decls in _candidates(statement):
            for decl in decls:
                try:
                    found = _Walk(attempt, block, loop, decl).edits
                except (_Unknown, NotAffine):
                    continue
                if not _overlap(edits + found):
                    edits += found
    return tuple(sorted(edits))


def _overlap(edits: list[Edit]) -> bool:
    """Whether two variables are moved in one place (``p[*q++]`` is; ``*p++ * k++`` is not)."""
    pairs = pairwise(sorted(edits))
    return any(b.start < a.end or b.start == a.start for a, b in pairs)


def _candidates(nest: Node) -> Iterator[tuple[Node, Node, list[Decl]]]:
    """Blocks of loops' bodies with a loop in them, and what is declared before and advanced in."""
    for around in nest.walk():
        block = around.children[-1] if around.kind == "FOR_STMT" else around
        if around.kind != "FOR_STMT" or block.kind != "COMPOUND_STMT" or block.in_macro:
            continue
        before: list[Decl] = []
        for statement in block.children:
            if statement.kind == "DECL_STMT":
                before += [v.decl for v in statement.children if v.decl is not None and v.children]
            elif statement.kind == "FOR_STMT":
                advanced = [decl for decl in before if decl in statement.assigned]
                if advanced:
                    yield block, statement, advanced


@dataclass
class _Walk:
    """The edits for one variable and one loop. Raises _Unknown or NotAffine."""

    attempt: Attempt
    block: Node
    loop: Node
    decl: Decl
    edits: list[Edit] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._check_variable()
        self._read_header()
        self._check_loop()
        steps = [self._advance(s) for s in self._body()]
        moved = [self._advance(part) for part in self.beside]
        known = [step for step in (*steps, *moved) if step is not None]
        if 0 in known or len({step > 0 for step in known}) != 1:
            raise _Unknown
        if assigned_in([self.loop]).get(self.decl) != len(known):
            raise _Unknown
        self.step = sum(known)
        if not self.decl.type.signed and self.step < 0:
            raise _Unknown
        before = 0
        for statement, step in zip(self._body(), steps, strict=True):
            self._put_in(statement, before, step)
            before += step or 0
        for place, part in enumerate(self.parts):
            if part in self.beside and self._advance(part):
                self._leave_out(place)

    def _body(self) -> list[Node]:
        return list(self.loop.children[-1].statements)

    # -- whether it can be -----------------------------------------------------------------------

    def _check_variable(self) -> None:
        type_ = self.decl.type
        wide = type_.size == 8 or (type_.signed and type_.size == 4)
        integer = type_.kind == "int" and wide
        if not integer and (type_.kind != "pointer" or type_.element is None):
            raise _Unknown
        if type_.volatile or self.decl.is_static or self.decl.thread_local:
            raise _Unknown
        function = self.attempt.function
        if self.decl in function.facts.escaped or function.attached.within(self.block.span):
            raise _Unknown
        after = self.block.children[self.block.children.index(self.loop) + 1 :]
        if any(n.decl is self.decl for s in after for n in s.walk()):
            raise _Unknown

    def _read_header(self) -> None:
        """The loop's own step, and what its header moves beside it."""
        if len(self.loop.children) != 4:
            raise _Unknown
        init, condition, increment, body = self.loop.children
        variable, declared, first = initialization(init)
        self.parts = _parts(increment)
        own = [part for part in self.parts if step_of(part, variable) is not None]
        if len(own) != 1:
            raise _Unknown
        self.counted = CountedLoop(variable, declared, first, condition, own[0], body)
        self.beside = [part for part in self.parts if part is not own[0]]
        if any(step_of(part, self.decl) is None for part in self.beside if self._is_in(part)):
            raise _Unknown

    def _is_in(self, node: Node) -> bool:
        return any(n.kind == "DECL_REF_EXPR" and n.decl is self.decl for n in node.walk())

    def _check_loop(self) -> None:
        """The loop counts by one, from a value that can be written again at each place."""
        loop, counted = self.loop, self.counted
        variable = counted.variable
        if loop.in_macro or any(n.kind in _JUMPS for n in loop.walk()):
            raise _Unknown
        if counted.constant_step not in (1, -1) or assigned_in([loop]).get(variable) != 2:
            raise _Unknown
        if any(map(self._is_in, (*loop.children[:2], counted.increment))):
            raise _Unknown
        type_, own = variable.type, self.decl.type
        fits = type_.signed and type_.size <= own.size
        if own.kind == "int" and type_.canonical != own.canonical and not fits:
            raise _Unknown
        names = {variable.name, self.decl.name}
        if constant_value(counted.first) is None:
            names |= self._names_of_fixed(counted.first)
        inside = self.loop.children[-1].walk()
        if any(n.kind == "VAR_DECL" and n.name in names for n in inside):
            raise _Unknown

    def _names_of_fixed(self, value: Node) -> set[str]:
        """The variables of an expression that has the same value at each place of the loop."""
        names = set()
        for part in value.walk():
            sums = part.op in ("", "+", "-", "*") and part.type.kind == "int"
            if not sums or part.in_macro or part.kind not in (*CASTS, *_SUMS):
                raise _Unknown
            if part.kind != "DECL_REF_EXPR":
                continue
            decl = part.decl
            if decl is None or not decl.is_local or decl.is_static:
                raise _Unknown
            if decl in self.attempt.function.facts.escaped or decl in self.loop.assigned:
                raise _Unknown
            names.add(decl.name)
        return names

    def _advance(self, statement: Node) -> int | None:
        """By how much a statement of the body advances the variable; 0 where that is not known."""
        if self.decl not in statement.assigned:
            return None
        step = step_of(statement, self.decl)
        if step is not None:
            return step.constant or 0
        named = [n for n in statement.walk() if n.kind == "DECL_REF_EXPR" and n.decl is self.decl]
        node = _increment(statement, self.decl) if len(named) == 1 else None
        return 0 if node is None else 1 if node.op.endswith("++") else -1

    # -- the edits --------------------------------------------------------------------------------

    def _put_in(self, statement: Node, before: int, step: int | None) -> None:
        if step is not None and step_of(statement, self.decl) is not None:
            end = statement_end(self.attempt.lifter.buffer.data, statement.span.end)
            if end is None or statement.in_macro:
                raise _Unknown
            self.edits.append(Edit(statement.span.start, end, b";"))
        else:
            self._replace(statement, None, before)

    def _leave_out(self, place: int) -> None:
        """Take a part out of the header's list, with a comma."""
        if any(part.in_macro for part in self.parts):
            raise _Unknown
        span = self.parts[place].span
        if place > self.parts.index(self.counted.increment):
            self._edit(self.parts[place - 1].span.end, span.end, "")
        else:
            self._edit(span.start, self.parts[place + 1].span.start, "")

    def _replace(self, node: Node, dereference: Node | None, before: int) -> None:
        """Replace what names the variable below a node; ``*`` and ``[]`` around it are known."""
        if node.kind == "DECL_REF_EXPR" and node.decl is self.decl:
            self._write(node, dereference, before)
            return
        bare = node.bare
        moved = bare.kind == "UNARY_OPERATOR" and bare.op in INCREMENTS
        if moved and bare.children[0].bare.decl is self.decl:
            early = 0 if bare.op.startswith("post") else 1 if bare.op.endswith("++") else -1
            self._write(bare, dereference, before + early)
            return
        for place, child in enumerate(node.children):
            star = node.kind == "UNARY_OPERATOR" and node.op == "*"
            if star or (node.kind == "ARRAY_SUBSCRIPT_EXPR" and place == 0):
                self._replace(child, node, before)
            else:
                wrapped = node.kind in ("IMPLICIT_CAST", "PAREN_EXPR")
                self._replace(child, dereference if wrapped else None, before)

    def _write(self, node: Node, dereference: Node | None, before: int) -> None:
        if node.in_macro or (dereference is not None and dereference.in_macro):
            raise _Unknown
        way = self._way(before)
        name = self.decl.name
        if self.decl.type.kind == "int":
            self._edit(node.span.start, node.span.end, f"({name} + {way})" if way else name)
        elif dereference is None:
            raise _Unknown
        elif dereference.op == "*":
            self._edit(dereference.span.start, dereference.span.end, f"{name}[{way or '0'}]")
        else:
            index, start = dereference.children[1], dereference.span.start
            if not way:
                self._edit(start, index.span.start, f"{name}[")
            elif constant_value(index) == 0:
                self._edit(start, index.span.end, f"{name}[{way}")
            elif index.bare.kind == "INTEGER_LITERAL":
                self._edit(start, index.span.start, f"{name}[{way} + ")
            else:
                self._edit(start, index.span.start, f"{name}[{way} + (")
                self._edit(index.span.end, index.span.end, ")")

    def _way(self, before: int) -> str:
        """How far the variable has come, as C text; empty for nothing."""
        name, first = self.counted.variable.name, constant_value(self.counted.first)
        pointer, up = self.decl.type.kind == "pointer", self.counted.constant_step == 1
        if first is not None and first >= 0 and up:
            done = f"({name} - {first})" if first else name
        else:
            ends = [f"(long){name}" if pointer else name, f"({self._text(self.counted.first)})"]
            done = f"({' - '.join(ends if up else ends[::-1])})"
        if self.step != 1:
            done = f"{self.step}{'L' if pointer else ''} * {done}"
        return f"{done} {'+' if before > 0 else '-'} {abs(before)}" if before else done

    def _edit(self, start: int, end: int, text: str) -> None:
        self.edits.append(Edit(start, end, text.encode("utf-8", "surrogateescape")))

    def _text(self, node: Node) -> str:
        return self.attempt.lifter.buffer.text(node.span)


def _parts(node: Node) -> list[Node]:
    """The operands of commas, in their order."""
    bare = node.bare
    if bare.kind == "BINARY_OPERATOR" and bare.op == ",":
        return [part for child in bare.children for part in _parts(child)]
    return [bare]


def _increment(node: Node, decl: Decl) -> Node | None:
    """The only increment of a variable in a statement, where each execution reaches it."""
    if node.kind in _MAYBE_NOT or (node.kind.endswith("_STMT") and node.kind != "DECL_STMT"):
        return None
    moves = node.kind == "UNARY_OPERATOR" and node.op in INCREMENTS
    if moves and node.children[0].bare.decl is decl:
        return node
    children = node.children[:1] if node.op in ("&&", "||") else node.children
    for child in children:
        found = _increment(child, decl)
        if found is not None:
            return found
    return None
