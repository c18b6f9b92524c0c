"""Loops that run from a pointer to an end, as loops that count.

::

    for (const float *p = row;                   for (long p_at = 0; p_at < w; p_at++) {
         p < row + w; p++)            ->             const float *p = row + p_at;
        sum += *p * *p;                              sum += *p * *p;
                                                 }

    const long p_count = (e) - (a);              where nothing but the loop says how long it is
    for (long p_at = 0; p_at < p_count; ...)

The pointer is declared by the loop, only its header moves it, and what it begins with and the end
keep their values: local variables, and sums of them and integers. So ``p`` is in each iteration
what it was, and C has the difference of two pointers that it compares. How long a loop is that
begins or ends at what the region itself sets has to be seen: the end is the beginning and
something, itself or through variables that nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from s2s.frontends.c.counted_loops import bound_of, step_of
from s2s.frontends.c.prepare.inline import Names
from s2s.frontends.c.prepare.row_pointers import added_to, keeps_its_value
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import statement_end
from s2s.source import Edit
from s2s.source.records import dataclass

_RELATIONS = frozenset({"<", "<=", "!="})
_FAR = 8  # variables that stand for others


@dataclass(frozen=True)
class CountedPointers:
    """The edits that make such loops count, and the declarations of their lengths."""

    edits: tuple[Edit, ...]
    front: tuple[str, ...]


@dataclass(frozen=True)
class _Loop:
    """A loop over a pointer: where it begins and what it is compared with."""

    node: Node
    variable: Node
    begin: Node
    relation: str
    end: Node
    compared: Node
    """The whole condition."""
    step: Node
    by: int

    @property
    def decl(self) -> Decl:
        assert self.variable.decl is not None
        return self.variable.decl


def ends_at_pointers(attempt: Attempt) -> bool:
    """Whether loops declare the pointers that they count with: a cheap look."""
    return any(True for s in attempt.statements for _ in _headed(s))


def counted_pointers(attempt: Attempt, names: Names) -> CountedPointers | None:
    """Such loops of a region as loops that count; None for none."""
    edits: list[Edit] = []
    lengths: dict[str, str] = {}
    for statement in attempt.statements:
        for node in _headed(statement):
            loop = _read(attempt, node)
            if loop is None:
                continue
            length = _length(attempt, loop)
            if length is None and len(attempt.statements) == 1 and _is_known(attempt, loop):
                ends = " - ".join(_operand(_text(attempt, n)) for n in (loop.end, loop.begin))
                if ends not in lengths:
                    lengths[ends] = names.fresh(f"{loop.decl.name}_count")
                length = lengths[ends]
            # A loop that is all that is in another one has its turn later.
            if length is not None and not _meet([*edits, *_edits(attempt, loop, length, "")]):
                at = names.fresh(f"{loop.decl.name}_at")
                edits += [*_without_end(attempt, loop), *_edits(attempt, loop, length, at)]
    if not edits:
        return None
    front = (f"const long {name} = {ends};" for ends, name in lengths.items())
    return CountedPointers(tuple(sorted(edits)), tuple(front))


def _meet(edits: list[Edit]) -> bool:
    """Whether two edits are in one place."""
    pairs = pairwise(sorted(edits))
    return any(b.start < a.end or b.start == a.start for a, b in pairs)


def _is_known(attempt: Attempt, loop: _Loop) -> bool:
    """Whether a loop's ends are what they are before the region."""
    (region,) = attempt.statements
    named = (n.decl for part in (loop.begin, loop.end) for n in part.walk() if n.decl is not None)
    if any(region.span.start <= decl.offset < region.span.end for decl in named):
        return False
    parts = (loop.begin, loop.end)
    return all(keeps_its_value(attempt, region, loop.decl, part) for part in parts)


def _headed(statement: Node) -> Iterator[Node]:
    """The loops of a statement that declare one pointer in their headers."""
    if "FOR_STMT" not in statement.kinds:
        return
    for node in statement.walk():
        if node.kind != "FOR_STMT" or len(node.children) != 4 or node.in_macro:
            continue
        first = node.children[0]
        one = first.kind == "DECL_STMT" and len(first.children) == 1
        if one and first.children[0].type.kind == "pointer":
            yield node


def _read(attempt: Attempt, node: Node) -> _Loop | None:
    """The parts of a loop, where it is one that can count instead."""
    first, condition, step, body = node.children
    variable = first.children[0]
    decl = variable.decl
    if decl is None or len(variable.children) != 1 or any(
        n.in_macro for n in (first, condition, step, body)
    ):  # fmt: skip
        return None
    moves = [(n, by) for n in _operands(step) if (by := step_of(n, decl)) is not None]
    bound = bound_of(condition, decl)
    if len(moves) != 1 or bound is None:
        return None
    ((moved, by),) = moves
    if by.constant is None or by.constant < 1:
        return None
    if bound.relation not in _RELATIONS or (bound.relation == "!=" and by.constant != 1):
        return None
    function = attempt.function
    if decl in function.facts.escaped or node.assigned.get(decl) != 2 or decl.type.volatile:
        return None
    if attempt.function.attached.within(node.span) or decl.type.element is None:
        return None
    begin, end = variable.children[0], bound.limit
    kept = all(keeps_its_value(attempt, node, decl, part) for part in (begin, end))
    loop = _Loop(node, variable, begin, bound.relation, end, condition, moved, by.constant)
    return loop if kept else None


def _operands(step: Node) -> Iterator[Node]:
    """What a header does after each iteration: ``p++, q++`` are two."""
    if step.kind == "BINARY_OPERATOR" and step.op == ",":
        for child in step.children:
            yield from _operands(child)
    else:
        yield step


def _length(attempt: Attempt, loop: _Loop) -> str | None:
    """What is added to the beginning to come to the end, as C text; None where nobody sees it."""
    for begin in _meanings(attempt, loop.begin):
        known = _text(attempt, begin)
        for end in _meanings(attempt, loop.end):
            if end.kind != "BINARY_OPERATOR" or end.op != "+":
                continue
            left, right = end.children
            if left.type.kind == "int":
                left, right = right, left
            if _text(attempt, left) == known and added_to(right):
                text = _text(attempt, right)
                wide = right.type.size >= 8 and not right.type.signed
                return f"(long)({text})" if wide else text
    return None


def _meanings(attempt: Attempt, node: Node) -> Iterator[Node]:
    """An address, and what the variables that stand for it were set to once and for all."""
    facts = attempt.function.facts
    for _ in range(_FAR):
        node = node.uncast
        yield node
        decl = node.decl
        if node.kind != "DECL_REF_EXPR" or decl is None or not facts.is_constant(decl):
            return
        if decl.kind != "VAR_DECL" or decl.node is None or len(decl.node.children) != 1:
            return
        node = decl.node.children[0]
        named = {n.decl for n in node.walk() if n.kind == "DECL_REF_EXPR"}
        if not all(d is not None and facts.is_constant(d) for d in named):
            return


def _without_end(attempt: Attempt, loop: _Loop) -> Iterator[Edit]:
    """Take an end that only the loop names out of the declaration of several variables."""
    decl = loop.end.uncast.decl
    named = (n.decl for n in attempt.function.body.walk() if n.kind == "DECL_REF_EXPR")
    if decl is None or sum(d is decl for d in named) != 1:
        return
    for statement in attempt.statements:
        for node in statement.walk():
            if node.kind == "DECL_STMT" and not node.in_macro:
                for before, variable in pairwise(node.children):
                    if variable.decl is decl and loop.end.uncast.kind == "DECL_REF_EXPR":
                        yield Edit(before.span.end, variable.span.end, b"")


def _operand(text: str) -> str:
    return text if text.isidentifier() else f"({text})"


def _text(attempt: Attempt, node: Node) -> str:
    return attempt.lifter.buffer.text(node.span)


def _edits(attempt: Attempt, loop: _Loop, length: str, at: str) -> Iterator[Edit]:
    """The header counts, and the body begins with the pointer."""
    data = attempt.function.unit.buffer.data
    first, _, _, body = loop.node.children
    relation = "<=" if loop.relation == "<=" else "<"
    more = f"{at}++" if loop.by == 1 else f"{at} += {loop.by}"
    yield Edit(first.span.start, loop.begin.span.end, f"long {at} = 0".encode())
    yield Edit(*_ends(loop.compared), f"{at} {relation} {length}".encode())
    yield Edit(*_ends(loop.step), more.encode())
    begin = data[first.span.start : loop.begin.span.end].decode("utf-8", "surrogateescape")
    declared = f" {begin} + {at};".encode("utf-8", "surrogateescape")
    if body.kind == "COMPOUND_STMT":
        yield Edit(body.span.start + 1, body.span.start + 1, declared)
        return
    end = statement_end(data, body.span.end)
    if end is None or data[body.span.end - 1 : body.span.end] in (b";", b"}"):
        end = body.span.end
    yield Edit(body.span.start, body.span.start, b"{" + declared + b" ")
    yield Edit(end - 1, end, data[end - 1 : end] + b" }")


def _ends(node: Node) -> tuple[int, int]:
    return node.span.start, node.span.end
