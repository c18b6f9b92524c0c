"""One variable that loops walk with: whether each place is known, and the text that says it."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property

from s2s.frontends.c.counted_loops import (
    Bound,
    CountedLoop,
    comma_parts,
    counted_loop,
    initialization,
    step_of,
)
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.integer_constants import constant_value
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import CASTS, INCREMENTS, Decl, Node
from s2s.frontends.c.text import statement_end
from s2s.source import Edit
from s2s.source.records import dataclass

_JUMPS = frozenset(
    {"GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT", "CONTINUE_STMT", "BREAK_STMT", "RETURN_STMT",
     "SWITCH_STMT", "WHILE_STMT", "DO_STMT"}
)  # fmt: skip
_INT = 4
_LABELS = frozenset({"LABEL_STMT", "INDIRECT_GOTO_STMT"})
_SUMS = frozenset(
    {"DECL_REF_EXPR", "INTEGER_LITERAL", "PAREN_EXPR", "BINARY_OPERATOR", "UNARY_OPERATOR"}
)
_MAYBE_NOT = frozenset({"CONDITIONAL_OPERATOR", "CXX_UNARY_EXPR", "LAMBDA_EXPR"})


class NotWalked(Exception):
    """The variable stays as it is."""


@dataclass
class Walk:
    """The edits for one variable and one loop. Raises NotWalked or NotAffine."""

    attempt: Attempt
    block: Node
    loop: Node
    decl: Decl
    edits: list[Edit] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._check_variable()
        self.outer = self.loop
        self.around = self._descend()
        self._read_header()
        self._check_loop()
        steps = [self._advance(s) for s in self._body()]
        moved = [self._advance(part) for part in self.beside]
        known = [step for step in (*steps, *moved) if step is not None]
        if 0 in known or len({step > 0 for step in known}) != 1:
            raise NotWalked
        if assigned_in([self.loop]).get(self.decl) != len(known):
            raise NotWalked
        self.step = sum(known)
        if not self.decl.type.signed and self.step < 0:
            raise NotWalked
        before = 0
        for statement, step in zip(self._body(), steps, strict=True):
            self._put_in(statement, before, step)
            before += step or 0
        for place, part in enumerate(self.parts):
            if part in self.beside and self._advance(part):
                self._leave_out(place)

    def _descend(self) -> list[CountedLoop]:
        """The loops around the one that moves the variable, which becomes ``self.loop``."""
        around: list[CountedLoop] = []
        while True:
            inside = [s for s in self._body() if self._is_in(s)]
            if len(inside) != 1 or inside[0].kind != "FOR_STMT":
                return around
            around.append(counted_loop(self.loop))
            if any(map(self._is_in, self.loop.children[:3])):
                raise NotWalked
            self.loop = inside[0]

    def _body(self) -> list[Node]:
        return list(self.loop.children[-1].statements)

    # -- whether it can be -----------------------------------------------------------------------

    def _check_variable(self) -> None:
        type_ = self.decl.type
        wide = type_.size == 8 or (type_.signed and type_.size == 4)
        integer = type_.kind == "int" and wide
        if not integer and (type_.kind != "pointer" or type_.element is None):
            raise NotWalked
        if type_.volatile or self.decl.is_static or self.decl.thread_local:
            raise NotWalked
        function = self.attempt.function
        if self.decl in function.facts.escaped or function.attached.within(self.block.span):
            raise NotWalked
        if not _LABELS.isdisjoint(function.node.kinds):  # what is after the loops may be before
            raise NotWalked
        after = self.block.children[self.block.children.index(self.loop) + 1 :]
        if any(n.decl is self.decl for s in after for n in s.walk()):
            raise NotWalked

    def _read_header(self) -> None:
        """The loop's own step, and what its header moves beside it."""
        if len(self.loop.children) != 4:
            raise NotWalked
        init, condition, increment, body = self.loop.children
        variable, declared, first = initialization(init)
        self.parts = list(comma_parts(increment.bare))
        own = [part for part in self.parts if step_of(part, variable) is not None]
        if len(own) != 1:
            raise NotWalked
        self.counted = CountedLoop(variable, declared, first, condition, own[0], body)
        self.beside = [part for part in self.parts if part is not own[0]]
        if any(step_of(part, self.decl) is None for part in self.beside if self._is_in(part)):
            raise NotWalked

    def _is_in(self, node: Node) -> bool:
        return any(n.kind == "DECL_REF_EXPR" and n.decl is self.decl for n in node.walk())

    def _check_loop(self) -> None:
        """The loops count by one, between values that can be written again at each place."""
        loop, counted = self.loop, self.counted
        if loop.in_macro or any(n.kind in _JUMPS for n in self.outer.walk()):
            raise NotWalked
        if any(map(self._is_in, (*loop.children[:2], counted.increment))):
            raise NotWalked
        names = {self.decl.name}
        own = self.decl.type
        for level in (*self.around, counted):
            type_ = level.variable.type
            if level.constant_step not in (1, -1):
                raise NotWalked
            if assigned_in([self.outer]).get(level.variable) != 2:
                raise NotWalked
            fits = type_.signed and type_.size <= own.size
            if own.kind == "int" and type_.canonical != own.canonical and not fits:
                raise NotWalked
            names |= {level.variable.name}
            if constant_value(level.first) is None:
                names |= self._names_of_fixed(level.first)
        for level in (*self.around, counted)[1:]:
            limit = self._limit(level).limit
            if constant_value(limit) is None:
                names |= self._names_of_fixed(limit)
        inside = self.outer.children[-1].walk()
        variables = {level.variable for level in (*self.around, counted)}
        if any(
            n.kind == "VAR_DECL" and n.name in names and n.decl not in variables for n in inside
        ):
            raise NotWalked

    def _limit(self, level: CountedLoop) -> Bound:
        """The one bound of a loop, which its variable does not reach or does."""
        (bound, *others) = level.bounds(level.constant_step)
        if others or bound.relation == "!=" or not bound.is_exact:
            raise NotWalked
        return bound

    def _names_of_fixed(self, value: Node) -> set[str]:
        """The variables of an expression that has the same value at each place of the loop."""
        names = set()
        for part in value.walk():
            sums = part.op in ("", "+", "-", "*") and part.type.kind == "int"
            if not sums or part.in_macro or part.kind not in (*CASTS, *_SUMS):
                raise NotWalked
            if part.kind != "DECL_REF_EXPR":
                continue
            decl = part.decl
            if decl is None or not decl.is_local or decl.is_static:
                raise NotWalked
            if decl in self.attempt.function.facts.escaped or decl in self.outer.assigned:
                raise NotWalked
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
                raise NotWalked
            self.edits.append(Edit(statement.span.start, end, b";"))
        else:
            self._replace(statement, None, before)

    def _leave_out(self, place: int) -> None:
        """Take a part out of the header's list, with a comma."""
        if any(part.in_macro for part in self.parts):
            raise NotWalked
        span = self.parts[place].span
        if place > self.parts.index(self.counted.increment):
            self._edit(self.parts[place - 1].span.end, span.end, "")
        else:
            self._edit(span.start, self.parts[place + 1].span.start, "")

    def _replace(
        self, node: Node, dereference: Node | None, before: int, counts: bool = False
    ) -> None:
        """Replace what names the variable below a node; ``*`` and ``[]`` around it are known.

        ``counts``: it is a subscript, or a summand of one, so that its type does not matter.
        """
        if node.kind == "DECL_REF_EXPR" and node.decl is self.decl:
            self._write(node, dereference, before, counts)
            return
        bare = node.bare
        moved = bare.kind == "UNARY_OPERATOR" and bare.op in INCREMENTS
        if moved and bare.children[0].bare.decl is self.decl:
            early = 0 if bare.op.startswith("post") else 1 if bare.op.endswith("++") else -1
            self._write(bare, dereference, before + early, counts)
            return
        for place, child in enumerate(node.children):
            star = node.kind == "UNARY_OPERATOR" and node.op == "*"
            subscript = node.kind == "ARRAY_SUBSCRIPT_EXPR"
            if star or (subscript and place == 0):
                self._replace(child, node, before)
            else:
                wrapped = node.kind in ("IMPLICIT_CAST", "PAREN_EXPR")
                counted = subscript or (counts and _is_sum(node))
                self._replace(child, dereference if wrapped else None, before, counted)

    def _write(self, node: Node, dereference: Node | None, before: int, counts: bool) -> None:
        if node.in_macro or (dereference is not None and dereference.in_macro):
            raise NotWalked
        way = self._way(before)
        name = self.decl.name
        if self.decl.type.kind == "int":
            begin = self._begin()
            text = f"({begin} + {way})" if begin != "0" else f"({way})"
            narrow = self.decl.type.size <= _INT and self._is_wide
            if (narrow and not counts) or (begin.isdigit() and self._counts_in_other_type()):
                text = f"(({self.decl.type.spelling}){text})"
            self._edit(node.span.start, node.span.end, text)
        elif dereference is None:
            raise NotWalked
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
        first, *inner = (*self.around, self.counted)
        done = self._done(first)
        for level in inner:
            row = f"({done})" if " + " in done else done
            wide = "(long)" if self._is_wide and not row.startswith("(long)") else ""
            done = f"{wide}{row} * {self._length(level)} + {self._done(level)}"
        if self.step != 1:
            factor = f"({done})" if inner else done
            done = f"{self.step}{'L' if self._is_wide else ''} * {factor}"
        return f"{done} {'+' if before > 0 else '-'} {abs(before)}" if before else done

    @cached_property
    def _is_wide(self) -> bool:
        """Whether the variable goes farther than an ``int`` counts.

        From below 0 up, or from above it down, an ``int`` goes up to twice as far.
        """
        if self.decl.type.kind == "pointer" or self.decl.type.size > _INT:
            return True
        if not self.around and abs(self.step) == 1:
            return False
        begin = self._declared_with()
        return begin is None or (begin < 0 if self.step > 0 else begin > 0)

    def _counts_in_other_type(self) -> bool:
        """Whether sums of numbers and loops' variables are not of the variable's own type."""
        own = self.decl.type.canonical
        counted = {level.variable.type.canonical for level in (*self.around, self.counted)}
        return self._is_wide and counted != {own}

    def _begin(self) -> str:
        """What an integer is before the loops: its name, or the number that it is declared with."""
        value = self._declared_with()
        return self.decl.name if value is None or value < 0 else str(value)

    def _declared_with(self) -> int | None:
        """The number that an integer is before the loops, where it is declared with one."""
        places = self.attempt.function.node.assigned.get(self.decl, 0)
        inside = self.outer.assigned.get(self.decl, 0)
        for statement in self.block.children if places == inside + 1 else ():
            for variable in statement.children if statement.kind == "DECL_STMT" else ():
                if variable.decl is self.decl and variable.children:
                    return constant_value(variable.children[0])
        return None

    def _done(self, level: CountedLoop) -> str:
        """How many iterations of a loop have ended."""
        name, first = level.variable.name, constant_value(level.first)
        up = level.constant_step == 1
        if first is not None and first >= 0 and up:
            return f"({name} - {first})" if first else name
        ends = [f"(long){name}" if self._is_wide else name, f"({self._text(level.first)})"]
        return f"({' - '.join(ends if up else ends[::-1])})"

    def _length(self, level: CountedLoop) -> str:
        """How many iterations a loop has where it has one."""
        bound, first = self._limit(level), constant_value(level.first)
        limit, begin = (_factor(self._text(n)) for n in (bound.limit, level.first))
        more = 1 if "=" in bound.relation else 0
        if level.constant_step == 1 and first is not None:
            begin, more = "", more - first
        ends = [limit, begin] if level.constant_step == 1 else [begin, limit]
        text = " - ".join(end for end in ends if end)
        text += f" {'+' if more > 0 else '-'} {abs(more)}" if more else ""
        return text if text == limit else f"({text})"

    def _edit(self, start: int, end: int, text: str) -> None:
        self.edits.append(Edit(start, end, text.encode("utf-8", "surrogateescape")))

    def _text(self, node: Node) -> str:
        value = constant_value(node)
        return self.attempt.lifter.buffer.text(node.span) if value is None else str(value)


def _is_sum(node: Node) -> bool:
    """Whether an integer adds up what is below it without another meaning in a wider type."""
    sums = node.kind in ("IMPLICIT_CAST", "PAREN_EXPR") or node.op in ("+", "-", "*")
    return sums and node.type.kind == "int" and node.type.signed


def _factor(text: str) -> str:
    return text if text.isidentifier() or text.isdigit() else f"({text})"


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
