"""Local variables for elements that several instances in one iteration of a loop read.

::

    for j: { b[i][j] = f(a[i][j], a[i + 1][j]);          for j: { const T x = a[i + 1][j];
             b[i + 1][j] = f(a[i + 1][j],        ->               b[i][j] = f(a[i][j], x);
                             a[i + 2][j]); }                      b[i + 1][j] = f(x, a[i + 2][j]); }

Compilers do not see that the store between two loads of an element changes something else. That it
does is for ``s2s.analyses.legality`` to say.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace

import islpy as isl

from s2s.emitters.c.elements import Head
from s2s.emitters.c.kinds import expression_kind, operation
from s2s.emitters.c.scalar_replacement import Instance, Load, Locals, Piece, put_values
from s2s.scop.nodes import Access, Scop, Statement
from s2s.source import Edit, Span
from s2s.source.records import dataclass

# A reference to an element: nothing in its subscripts but arithmetic on names and numbers.
_REFERENCE = re.compile(r"([A-Za-z_]\w*)(?:\s*\[[\w\s+*/()-]*\])+")

# Bytes of a vector of AVX: loads and stores that lie across two cache lines take twice the time.
_ALIGNMENT = 32

# A sum of multiples of atoms, counters and parameters mostly; the constant has the empty name.
Linear = tuple[tuple[str, int], ...]


@dataclass
class _Element:
    """What is loaded, where it is first used, and the text of the load."""

    first: int
    spelled: str
    type: str
    users: set[int] = field(default_factory=set)
    edits: list[tuple[int, Span]] = field(default_factory=list)


@dataclass(frozen=True)
class LoadSharer:
    """Prints shared loads; ``text`` gives a statement's with its edits, ``source`` a span's."""

    scop: Scop
    text: Callable[[Statement], str]
    source: Callable[[Span], str]
    prefix: str

    def locals(
        self, instances: Sequence[Instance], arguments: Sequence[Sequence[isl.AstExpr]], head: Head
    ) -> Locals | None:
        """Locals for a loop's body; None where its instances read nothing together.

        ``arguments`` are the values of the instances' iterators.
        """
        found: dict[tuple[str, tuple[Linear, ...]], _Element] = {}
        for place, (instance, values) in enumerate(zip(instances, arguments, strict=True)):
            for access in instance.statement.accesses:
                key = self._element(instance.statement, access, [_linear(v) for v in values])
                if key is None:
                    continue
                spelled = put_values(self.source(access.span), instance.values)
                new = _Element(place, spelled, access.type)
                element = found.setdefault((access.array, key), new)
                element.users.add(place)
                element.edits += [(place, span) for span in access.places]
        kept = [e for e in found.values() if len(e.users) > 1]
        if not kept:
            return None
        return replace(self._locals(instances, kept), skipped=self._skipped(instances[0], head))

    def _skipped(self, instance: Instance, head: Head) -> str:
        """The number of elements before a vector's boundary; nothing where that is not known."""
        (write, *others) = [a for a in instance.statement.accesses if a.write]
        size = self.scop.arrays[write.array].element_size
        text = self.source(write.span)
        if others or not 0 < size < _ALIGNMENT or not _REFERENCE.fullmatch(text):
            return ""
        first = {k: head.start if v == head.spelling else v for k, v in instance.values.items()}
        if any(head.spelling in re.findall(r"\w+", value) for value in first.values()):
            return ""
        address = f"(unsigned long)&{put_values(text, first)}"
        return f"-({address} / {size}) % {_ALIGNMENT // size}"

    def _locals(self, instances: Sequence[Instance], kept: Sequence[_Element]) -> Locals:
        result = Locals(unconditional=True)
        edits: dict[int, list[Edit]] = {}
        loads: dict[int, list[Load]] = {}
        count: Counter[str] = Counter()
        for element in kept:
            array = re.match(r"\w+", element.spelled).group()  # type: ignore[union-attr]
            name = f"{self.prefix}{array.removeprefix(self.prefix)}_{count[array]}"
            count[array] += 1
            load = Load(element.type, name, element.spelled, True)
            loads.setdefault(element.first, []).append(load)
            for place, span in element.edits:
                edits.setdefault(place, []).append(Edit(span.start, span.end, name.encode()))
        for place, instance in enumerate(instances):
            added = sorted(set(edits.get(place, [])))
            text = self.text(replace(instance.statement, edits=tuple(added)))
            result.pieces.append(Piece(text, loads.get(place, [])))
        return result

    def _element(
        self, statement: Statement, access: Access, values: Sequence[Mapping[str, int]]
    ) -> tuple[Linear, ...] | None:
        """Subscripts of an element that a local can stand for; None where it cannot."""
        array = self.scop.arrays[access.array]
        whole = not access.write and access.exact and access.places and not statement.edits
        if not whole or not array.rank or array.row_rank or array.external:
            return None
        texts = {self.source(span) for span in access.places}
        if not all(_REFERENCE.fullmatch(text) for text in texts):
            return None
        return _subscripts(access.elements, values)


def _subscripts(
    relation: isl.Map, values: Sequence[Mapping[str, int]]
) -> tuple[Linear, ...] | None:
    """Subscripts as functions of what the iterators' ``values`` are made of."""
    if not relation.is_single_valued():
        return None
    function = isl.PwMultiAff.from_map(relation)
    function = function.gist(function.domain())
    rows: list[Linear] = []
    for position in range(function.dim(isl.dim_type.out)):
        pieces = [aff for _, aff in function.get_at(position).get_pieces()]
        if len(pieces) != 1 or pieces[0].dim(isl.dim_type.div):
            return None
        rows.append(_applied(pieces[0], values))
    return tuple(rows)


def _applied(aff: isl.Aff, values: Sequence[Mapping[str, int]]) -> Linear:
    """An affine function of iterators with their values put in."""
    total = {"": aff.get_constant_val().to_python()}
    for place in range(aff.dim(isl.dim_type.param)):
        factor = aff.get_coefficient_val(isl.dim_type.param, place).to_python()
        total = _sum(total, {str(aff.get_dim_name(isl.dim_type.param, place)): factor}, 1)
    for place, value in enumerate(values):
        factor = aff.get_coefficient_val(isl.dim_type.in_, place).to_python()
        total = _sum(total, value, factor)
    return tuple(sorted((name, factor) for name, factor in total.items() if factor))


def _sum(one: Mapping[str, int], other: Mapping[str, int], factor: int) -> dict[str, int]:
    result = dict(one)
    for name, count in other.items():
        result[name] = result.get(name, 0) + factor * count
    return result


def _linear(expression: isl.AstExpr) -> dict[str, int]:
    """An expression as a sum of multiples; what is no sum is an atom of its own."""
    kind = expression_kind(expression)
    if kind == "int":
        return {"": expression.get_val().to_python()}
    if kind == "id":
        return {expression.get_id().get_name(): 1}
    op = operation(expression)
    parts = [_linear(expression.get_op_arg(i)) for i in range(expression.get_op_n_arg())]
    if op in ("add", "sub"):
        return _sum(parts[0], parts[1], 1 if op == "add" else -1)
    if op == "minus":
        return _sum({}, parts[0], -1)
    if op == "mul":
        for factor, other in (parts, parts[::-1]):
            if set(factor) <= {""}:
                return _sum({}, other, factor.get("", 0))
    return {f"({expression.to_C_str()})": 1}
