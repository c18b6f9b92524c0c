"""Where rows begin: what a loop does not change of the places that it reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field

from s2s.scop.expressions import INT32, Binary, Expr, Load, Variable, walk
from s2s.scop.linear import Linear, Sum, expression
from s2s.scop.nest import Allocate, For, Node, Store, children, expressions
from s2s.scop.normal_form import linear
from s2s.source.records import dataclass

Access = tuple[str, tuple[Expr, ...]]


def accesses(loop: For) -> Iterator[Access]:
    """Tensors and subscripts of what a loop's body uses itself, not loops inside of it.

    Memory that is made in the body is left out.
    """
    own = {node.tensor.name for node in _body(loop.body) if isinstance(node, Allocate)}
    seen: set[Expr] = set()
    for node in _body(loop.body):
        if isinstance(node, Store) and node.tensor not in own:
            yield node.tensor, node.subscripts
        for root in expressions(node):
            for expr in walk(root):
                if isinstance(expr, Load) and expr not in seen and expr.tensor not in own:
                    seen.add(expr)
                    yield expr.tensor, expr.subscripts


def _body(node: Node) -> Iterator[Node]:
    if isinstance(node, For):
        return
    yield node
    for child in children(node):
        yield from _body(child)


def unchanged(place: Sum, is_known: Callable[[str], bool]) -> Sum:
    """The terms of a place, without its constant, that are computed from ``known`` variables."""
    return place.part(lambda atom: not atom.reads and all(map(is_known, atom.variables)))


@dataclass
class Rows:
    """The names of beginnings of rows that can be used here, by tensors."""

    _named: dict[str, list[tuple[Sum, Expr]]] = field(default_factory=dict)

    def copy(self) -> Rows:
        """The same rows, for a block in which others are added."""
        return Rows({tensor: list(rows) for tensor, rows in self._named.items()})

    def add(self, tensor: str, row: Sum, name: str) -> None:
        """A row that has a name from here on."""
        self._named.setdefault(tensor, []).insert(0, (row, Variable(INT32, name)))

    def shortened(self, tensor: str, place: Sum) -> Sum:
        """A place with the name of a row for as many of its terms as possible."""
        found = place
        for row, variable in self._named.get(tensor, ()):
            rest = place.minus(row)
            if len(rest.terms) + len(row.terms) == len(place.terms):
                short = Linear.of(variable).plus(rest)
                found = min(found, short, key=lambda form: len(form.terms))
        return found

    def beside(self, tensor: str, row: Sum) -> Expr | None:
        """A row as one that has a name and a number of strides."""
        for other, variable in self._named.get(tensor, ()):
            step = _strides_between(row.minus(other))
            if step is not None:
                return expression(Linear.of(variable).plus(step))
        return None


def _strides_between(difference: Sum) -> Sum | None:
    """``(y + 1)*s - y*s`` as ``s``; None where something else is left."""
    totals: dict[Expr, Sum] = {}
    for atom, times in difference.terms.items():
        if not isinstance(atom, Binary) or atom.op != "mul":
            return None
        stride, factor = sorted((atom.right, atom.left), key=lambda e: len(linear(e).terms))
        totals[stride] = totals.get(stride, Linear()).plus(linear(factor), times)
    numbers = {stride: total.number for stride, total in totals.items()}
    if len(numbers) != 1:
        return None
    ((stride, number),) = numbers.items()
    return Linear.of(stride).scaled(number) if number else None
