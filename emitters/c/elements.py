"""C text for the element that an access touches in a loop's first iterations.

The source's own text cannot be taken for it: that may use variables which the statement sets.
"""

from __future__ import annotations

import re

import islpy as isl

from s2s.analyses.recurrences import element_at
from s2s.emitters.c import generated
from s2s.emitters.c.expressions import Names, Text, convert
from s2s.scop.nodes import Access, Scop, Statement
from s2s.scop.schedule import Role
from s2s.source.records import dataclass

_TWO_CONSTANTS = re.compile(r"(^|\[|\(|\+ )\(long\)\(([\w *+]+?) \+ (\d+)\) - (\d+)(?![\w]| [*/%])")


def fold_constants(text: str) -> str:
    """A subscript with one constant where a start has one and the element is so far before it."""

    def folded(found: re.Match[str]) -> str:
        before, start, more, less = found.groups()
        left = int(more) - int(less)
        if left > 0:
            return f"{before}(long)({start} + {left})"
        if not before and not left and found.end() == len(text):
            return start
        value = start if re.fullmatch(r"\w+", start) else f"({start})"
        return f"{before}(long){value}" + (f" - {-left}" if left else "")

    return _TWO_CONSTANTS.sub(folded, text)


@dataclass(frozen=True)
class Head:
    """A loop as it will be printed: its name in isl and in C, its start, and its condition.

    ``names`` are what isl's identifiers are called outside of it.
    """

    name: str
    spelling: str
    start: str
    condition: str
    names: Names

    def holds_for(self, start: str) -> str:
        """The condition with a start for the counter."""
        return re.sub(rf"\b{self.spelling}\b", start, self.condition, count=1)

    def after(self, steps: int) -> str:
        """The counter's value some iterations after its first one, as an operand."""
        if self.start.isdigit():
            return str(int(self.start) + steps)
        plain = self.start if re.fullmatch(r"\w+", self.start) else f"({self.start})"
        wide = plain if re.match(r"\(?\d+L", plain) else f"(long){plain}"
        return f"({wide} + {steps})" if steps else wide


@dataclass(frozen=True)
class Element:
    """The element of an access as a function of the counter of the loop over a dimension.

    ``prefix`` and a dimension's name are what isl calls the counter of its loop.
    """

    scop: Scop
    statement: Statement
    access: Access
    dimension: str
    prefix: str

    @property
    def any(self) -> str:
        """An element of the array, for its type."""
        array = self.scop.arrays[self.access.array]
        return f"{array.base}" + "[0]" * (array.rank - len(array.flat))

    def text(self, head: Head, steps: int) -> str | None:
        """C text for the iteration ``steps`` after a loop's first one; None where there is none."""
        subscripts = self._subscripts({*head.names.spelling, head.name})
        array = self.scop.arrays[self.access.array]
        if subscripts is None:
            return None
        names = head.names.renamed(head.name, head.after(steps))
        texts = [convert(generated.value(self.scop.context, s), names) for s in subscripts]
        outer = len(texts) - len(array.flat)
        flat = texts[outer - 1]
        for size, inner in zip(array.flat, texts[outer:], strict=True):
            row = flat.inside(6) if flat.wide else f"(long){flat.inside(8)}"
            flat = Text(f"{row} * {size} + {inner.inside(6)}", 5, True)
        printed = (*texts[: outer - 1], flat)
        return f"{array.base}" + "".join(f"[{fold_constants(t.text)}]" for t in printed)

    def _subscripts(self, visible: set[str]) -> list[isl.PwAff] | None:
        """Subscripts with counters of loops as parameters; None where they are not affine."""
        target = self.scop.target
        assert target is not None
        position = [d.name for d in target.dimensions].index(self.dimension)
        element = element_at(self.scop, position, self.statement, self.access)
        for place, dimension in enumerate(target.dimensions[: position + 1]):
            name = f"{self.prefix}{dimension.name}"
            element = element.set_dim_name(isl.dim_type.in_, place, name)
        element = element.intersect_params(self.scop.context).coalesce()
        if not element.is_single_valued():
            return None
        values = isl.PwMultiAff.from_map(element)
        values = values.gist(values.domain())
        found = [values.get_at(i) for i in range(values.dim(isl.dim_type.out))]
        if any(v.n_piece() != 1 or self._hidden(v, visible) for v in found):
            return None
        return [_closed(v) for v in found]

    def _hidden(self, value: isl.PwAff, visible: set[str]) -> bool:
        """Whether a subscript depends on tiles, or on a counter that isl made no loop for."""
        target = self.scop.target
        assert target is not None
        count = value.dim(isl.dim_type.in_)
        return any(
            value.involves_dims(isl.dim_type.in_, place, 1)
            and (dimension.role is Role.TILE or f"{self.prefix}{dimension.name}" not in visible)
            for place, dimension in enumerate(target.dimensions[:count])
        )


def _closed(value: isl.PwAff) -> isl.PwAff:
    """A function of set dimensions as one of parameters with their names."""
    params, count = value.dim(isl.dim_type.param), value.dim(isl.dim_type.in_)
    value = value.move_dims(isl.dim_type.param, params, isl.dim_type.in_, 0, count)
    return value.project_domain_on_params()
