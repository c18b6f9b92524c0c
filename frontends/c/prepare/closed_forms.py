"""Variables that a nest of loops advances by constants, in closed form.

::

    k = 1;                                 k = 1;
    for (i = 0; i < 64; i++) {             for (i = 0; i < 64; i++)
        for (j = 1; j < 64; j++) {    ->       for (j = 1; j < 64; j++)
            a[j][i] = b[k];                        a[j][i] = b[k + 64 * (i - 0) + 1 * (j - 1)];
            k++;                           k += 4096;
        }
        k++;
    }

(Induction variable substitution; Allen and Kennedy, "Optimizing Compilers for Modern
Architectures", section 5.5.) Where a statement reads the variable it holds what it held before
the nest, and as much more as complete iterations of the loops around the statement, and the part of
the current ones, have added: an affine expression, as long as inner loops have constant lengths.
The value is the same one, so nothing wraps that did not before: all steps have the same sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from s2s.frontends.c.counted_loops import counted_loop, step_of
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import statement_end
from s2s.source import Edit
from s2s.source.records import dataclass

_JUMPS = frozenset(
    {"GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT", "CONTINUE_STMT", "BREAK_STMT", "RETURN_STMT",
     "SWITCH_STMT", "WHILE_STMT", "DO_STMT", "CALL_EXPR"}
)  # fmt: skip


@dataclass(frozen=True)
class ClosedForms:
    """The edits that put the closed forms in, and the statements that follow the nest."""

    edits: tuple[Edit, ...]
    behind: tuple[str, ...]


class _Unknown(Exception):
    """No closed form."""


def closed_forms(attempt: Attempt) -> ClosedForms | None:
    """The closed forms of all variables of a nest that have one; None for none."""
    (nest, *rest) = attempt.statements
    if rest or attempt.function.attached.within(attempt.span) or not advances_in_nest(nest):
        return None
    edits: list[Edit] = []
    behind: list[str] = []
    for decl in _advanced(attempt, nest):
        try:
            found = _Nest(attempt, nest, decl)
        except (_Unknown, NotAffine):
            continue
        edits += found.edits
        behind.append(f"{decl.name} += {found.total};")
    return ClosedForms(tuple(edits), tuple(behind)) if edits else None


def advances_in_nest(nest: Node) -> bool:
    """Whether the inner loops of a nest advance a variable that no header does: a cheap look."""
    if nest.kind != "FOR_STMT" or any(n.kind in _JUMPS for n in nest.walk()):
        return False
    inner = [n for n in nest.walk() if n.kind == "FOR_STMT" and n is not nest]
    return any(
        _updated(statement) is not None
        for loop in inner for statement in loop.children[-1].statements
    )  # fmt: skip


def _updated(statement: Node) -> Decl | None:
    """The variable that a statement advances by a constant."""
    target = statement.children[0] if statement.children else None
    if target is None or target.kind != "DECL_REF_EXPR" or target.decl is None:
        return None
    return target.decl if _amount(statement, target.decl) else None


def _amount(statement: Node, decl: Decl) -> int:
    """By how much a statement advances a variable; 0 for anything else."""
    step = step_of(statement, decl)
    return (step.constant or 0) if step is not None else 0


def _advanced(attempt: Attempt, nest: Node) -> Iterator[Decl]:
    """Local integers that statements of loops' bodies advance, and nothing else assigns."""
    count: dict[Decl, int] = {}
    for loop in (n for n in nest.walk() if n.kind == "FOR_STMT"):
        for statement in loop.children[-1].statements:
            decl = _updated(statement)
            if decl is not None:
                count[decl] = count.get(decl, 0) + 1
    assigned = assigned_in([nest])
    for decl, places in count.items():
        type_ = decl.type
        plain = type_.kind == "int" and type_.signed and type_.size >= 4 and not type_.volatile
        own = decl.is_local and not decl.is_static and not decl.thread_local
        escaped = decl in attempt.function.facts.escaped
        if plain and own and not escaped and assigned[decl] == places:
            yield decl


@dataclass
class _Loop:
    """A loop around a place: what its iterations add, and C text of how many have ended."""

    added: int
    ended: str


@dataclass
class _Nest:
    """One variable of one nest: the edits and the sum of all steps."""

    attempt: Attempt
    nest: Node
    decl: Decl
    edits: list[Edit] = field(default_factory=list)
    total: str = ""

    def __post_init__(self) -> None:
        self.assigned = assigned_in([self.nest])
        steps = {_amount(s, self.decl) > 0 for n in self.nest.walk() if n.kind == "FOR_STMT"
                 for s in n.children[-1].statements if _updated(s) is self.decl}  # fmt: skip
        if len(steps) != 1:
            raise _Unknown
        added = self._per_iteration(self.nest)
        self._loop(self.nest, (), 0, added)
        first, last, past = self._ends(self.nest)
        length = _length(first, last, past)
        if length is not None:
            self.total = str(added * length)
        else:
            texts = [self._text(n) for n in (first, last)]
            low, high = texts if past > 0 else reversed(texts)
            more = f" + {abs(past) - 1}" if abs(past) > 1 else ""
            self.total = f"({high}){more} > ({low}) ? {added} * (({high}){more} - ({low})) : 0"

    # -- what is added --------------------------------------------------------------------------

    def _per_iteration(self, loop: Node) -> int:
        """What one iteration of a loop adds. Raises _Unknown."""
        return sum(self._of(statement) for statement in loop.children[-1].statements)

    def _of(self, statement: Node) -> int:
        if statement.kind == "FOR_STMT" and self._changes(statement):
            length = _length(*self._ends(statement))
            if length is None:
                raise _Unknown
            return length * self._per_iteration(statement)
        if _updated(statement) is self.decl:
            return _amount(statement, self.decl)
        if self._changes(statement):
            raise _Unknown
        return 0

    def _changes(self, node: Node) -> bool:
        return any(
            n.children[0].decl is self.decl for n in node.walk()
            if n.assigns and n.children
            and n.children[0].kind == "DECL_REF_EXPR"
        )  # fmt: skip

    def _ends(self, loop: Node) -> tuple[Node, Node, int]:
        """First value and bound of a loop's variable, which steps by one; the last number is its
        step, twice that where the bound is included. Raises _Unknown or NotAffine.
        """
        counted = counted_loop(loop)
        variable, step = counted.variable, counted.constant_step
        (bound, *others) = counted.bounds(step)
        # Set by its own header, and by nothing else in the loop.
        kept = assigned_in([loop]).get(variable) == 2 and variable is not self.decl
        plain = bound.relation != "!=" and bound.side.kind == "DECL_REF_EXPR"
        if others or step not in (1, -1) or not plain or not kept:
            raise _Unknown
        for node in (counted.first, bound.limit):
            self._check_fixed(node)
        return counted.first, bound.limit, step * (2 if "=" in bound.relation else 1)

    def _check_fixed(self, node: Node) -> None:
        """An expression keeps its value in the nest, and can be written again. Raises _Unknown."""
        for part in node.walk():
            memory = part.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "UNARY_OPERATOR")
            if memory or part.op not in ("", "+", "-", "*") or part.type.kind != "int":
                raise _Unknown
            if part.kind != "DECL_REF_EXPR":
                continue
            decl = part.decl
            if decl is None or decl.is_global or decl.is_static or part.in_macro:
                raise _Unknown
            if self.assigned.get(decl) or decl in self.attempt.function.facts.escaped:
                raise _Unknown

    # -- what is read ---------------------------------------------------------------------------

    def _loop(self, loop: Node, around: tuple[_Loop, ...], before: int, added: int) -> None:
        """The edits of a loop; ``before`` is what the current iterations around it have added."""
        first, _, past = self._ends(loop)
        variable = counted_loop(loop).variable
        if any(n.decl is self.decl for part in loop.children[:3] for n in part.walk()):
            raise _Unknown
        texts = [variable.name, f"({self._text(first)})"]
        ended = " - ".join(texts if past > 0 else reversed(texts))
        inside = (*around, _Loop(added, f"({ended})"))
        for statement in loop.children[-1].statements:
            if _updated(statement) is self.decl:
                self._remove(statement)
                before += _amount(statement, self.decl)
            elif statement.kind == "FOR_STMT" and self._changes(statement):
                self._loop(statement, inside, before, self._per_iteration(statement))
                before += self._of(statement)
            else:
                self._replace(statement, inside, before)

    def _remove(self, statement: Node) -> None:
        end = statement_end(self.attempt.lifter.buffer.data, statement.span.end)
        if end is None or statement.in_macro:
            raise _Unknown
        self.edits.append(Edit(statement.span.start, end, b";"))

    def _replace(self, statement: Node, around: tuple[_Loop, ...], before: int) -> None:
        for node in statement.walk():
            if node.kind == "VAR_DECL" and any(node.name in loop.ended for loop in around):
                raise _Unknown
            if node.kind != "DECL_REF_EXPR" or node.decl is not self.decl:
                continue
            if node.in_macro:
                raise _Unknown
            parts = [self.decl.name, *(f"{loop.added} * {loop.ended}" for loop in around)]
            text = " + ".join([*parts, *([str(before)] if before else [])])
            self.edits.append(
                Edit(node.span.start, node.span.end, f"({text})".encode("utf-8", "surrogateescape"))
            )

    def _text(self, node: Node) -> str:
        return self.attempt.lifter.buffer.text(node.span)


def _length(first: Node, bound: Node, past: int) -> int | None:
    """Iterations of a loop with constant ends; ``past`` as ``_Nest._ends`` gives it."""
    low, high = constant_value(first), constant_value(bound)
    if low is None or high is None:
        return None
    span = high - low if past > 0 else low - high
    return max(0, span + abs(past) - 1)
