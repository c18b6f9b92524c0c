"""Constants of an accelerator: kernels folded to literals, or read from tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from s2s.scop.build import TRUE, both, const, select
from s2s.scop.expressions import BOOL, Binary, Call, Cast, Const, Expr, Load, Variable, walk
from s2s.scop.nest import Allocate, Dimension, Node, Store, Tensor
from s2s.scop.pipeline import Definition, Func, Image, Pipeline, ReductionVariable
from s2s.scop.rewrite import NOTHING, map_expressions, substitute, transform, with_children
from s2s.scop.simplify.simplify import Simplifier
from s2s.transforms.clockwork.extract_tile import Tile
from s2s.transforms.halide.simplify_nest import simplified_nest

_MOST = 4096
"""Points of a reduction domain that are folded."""


class _NotConstant(Exception):
    """A Func's elements are not known beforehand."""


class Constants:
    """Which Funcs are constant, and their elements; ``tables`` are what the body still reads."""

    def __init__(self, pipeline: Pipeline, tile: Tile) -> None:
        self._images = {n: i for n, i in pipeline.images.items() if i.data is not None}
        self._funcs, self._by = tile.funcs, Simplifier(final=True)
        self._tile = tile
        self._known: dict[tuple[str, tuple[Expr, ...], int], Expr] = {}
        self._varying: set[str] = {tile.output.name}
        self.tables: dict[str, Tensor] = {}

    def fold(self, body: Node) -> Node:
        """The body with elements of constant Funcs put in; these are no longer computed."""
        body = simplified_nest(body, self._tile.by)
        done: dict[Expr, Expr] = {}
        body = map_expressions(body, lambda e: transform(e, self._folded, done))
        read = {n.tensor for e in _expressions(body) for n in walk(e) if isinstance(n, Load)}
        return simplified_nest(self._drop_unused(body, read), self._tile.by)

    def make_tables(self, body: Node) -> Node:
        """The body with tables in the place of choices by index among constants."""
        done: dict[Expr, Expr] = {}
        folded = map_expressions(body, lambda e: transform(e, self._folded, done))
        found: dict[Expr, Expr] = {}
        return map_expressions(folded, lambda e: transform(e, self._table, found))

    def _drop_unused(self, node: Node, read: set[str]) -> Node:
        constant = self._is_constant
        if isinstance(node, Allocate) and node.tensor.name not in read:
            if constant(node.tensor.name):
                return self._drop_unused(node.body, read)
        elif isinstance(node, Store) and node.tensor not in read and constant(node.tensor):
            return NOTHING
        return with_children(node, lambda child: self._drop_unused(child, read))

    def _folded(self, node: Expr) -> Expr:
        match node:
            case Load(tensor=name) if name in self._images:
                return _element(self._images[name], node)
            case Load(tensor=name) if name in self._funcs and self._is_constant(name):
                return self._value(node)
            case Cast(type=kind, value=Call(name="mux") as chosen) if _is_table(chosen):
                arms = (self._by(Cast(kind, e)) for e in chosen.arguments[1:])
                return Call(kind, "mux", (chosen.arguments[0], *arms))
            case Call(name="mux", arguments=(Const(value=place), *arms)):
                return arms[min(max(0, int(place)), len(arms) - 1)]
        return node

    def _table(self, node: Expr) -> Expr:
        if isinstance(node, Load) and node.tensor in self._images:
            image = self._images[node.tensor]
            self.tables[image.name] = _image_table(image)
            places = zip(node.subscripts, image.minima, strict=True)
            lows = tuple(self._by(Binary(p.type, "sub", p, const(m))) for p, m in places)
            return Load(node.type, image.name, lows, node.component)
        if isinstance(node, Call) and node.name == "mux" and _is_table(node):
            index, *arms = node.arguments
            values = tuple(a.value for a in arms if isinstance(a, Const))
            same = (t.name for t in self.tables.values() if t.data == values)
            name = next(same, f"table{len(self.tables)}")
            size = Dimension(const(0), const(len(arms)))
            self.tables[name] = Tensor(name, (node.type,), (size,), data=values)
            return Load(node.type, name, (index,))
        return node

    def _is_constant(self, name: str) -> bool:
        if name in self._varying or name not in self._funcs:
            return False
        try:
            for definition in self._funcs[name].stages:
                self._check(name, definition)
        except _NotConstant:
            self._varying.add(name)
            return False
        return True

    def _check(self, name: str, definition: Definition) -> None:
        """Raises _NotConstant where a definition has elements that are not known beforehand."""
        own = {*self._funcs[name].vars, *(r.name for r in definition.rvars)}
        for expr in (*definition.args, *definition.values):
            if not expr.variables <= own or definition.specializations:
                raise _NotConstant
            for node in walk(expr):
                if isinstance(node, Load) and not self._is_known(node, name, definition):
                    raise _NotConstant
        if len(list(_points(definition.rvars))) > _MOST:
            raise _NotConstant

    def _is_known(self, load: Load, name: str, definition: Definition) -> bool:
        if load.tensor == name:
            return load.subscripts == tuple(definition.args)
        return load.tensor in self._images or self._is_constant(load.tensor)

    def _value(self, load: Load) -> Expr:
        key = load.tensor, load.subscripts, load.component
        if key not in self._known:
            self._known[key] = self._computed(load)
        return self._known[key]

    def _computed(self, load: Load) -> Expr:
        func = self._funcs[load.tensor]
        assert func.definition is not None
        pure = dict(zip(func.vars, load.subscripts, strict=True))
        values = [self._inside(v, pure) for v in func.definition.values]
        for update in func.updates:
            for point in _points(update.rvars):
                names = {**pure, **point}
                here = self._condition(func, update, load.subscripts, names)
                own: dict[Expr, Expr] = {
                    Load(v.type, func.name, tuple(update.args), k): values[k]
                    for k, v in enumerate(values)
                }
                new = [self._inside(_replaced(v, own), names) for v in update.values]
                values = [self._by(select(here, n, v)) for n, v in zip(new, values, strict=True)]
        return values[load.component]

    def _condition(
        self, func: Func, update: Definition, at: Sequence[Expr], names: dict[str, Expr]
    ) -> Expr:
        found = TRUE if update.predicate is None else substitute(update.predicate, names)
        for argument, variable, place in zip(update.args, func.vars, at, strict=True):
            if not (isinstance(argument, Variable) and argument.name == variable):
                same = Binary(BOOL, "eq", substitute(argument, names), place)
                found = both(found, same)
        return self._by(found)

    def _inside(self, expr: Expr, names: dict[str, Expr]) -> Expr:
        value = self._by(substitute(expr, names))
        return self._by(transform(value, self._folded))


def _points(rvars: list[ReductionVariable]) -> Iterator[dict[str, Expr]]:
    """All values of reduction variables. Raises _NotConstant for bounds that are no numbers."""
    ranges = []
    for rvar in rvars:
        if not (isinstance(rvar.minimum, Const) and isinstance(rvar.extent, Const)):
            raise _NotConstant
        low = int(rvar.minimum.value)
        ranges.append(range(low, low + int(rvar.extent.value)))
    for point in product(*reversed(ranges)):
        numbers = map(const, reversed(point))
        yield dict(zip((r.name for r in rvars), numbers, strict=True))


def _replaced(expr: Expr, known: dict[Expr, Expr]) -> Expr:
    return transform(expr, lambda node: known.get(node, node))


def _is_table(chosen: Call) -> bool:
    return all(isinstance(a, Const) for a in chosen.arguments[1:])


def _element(image: Image, load: Load) -> Expr:
    """The element, if the subscripts are numbers inside."""
    value = image.data
    for place, minimum in reversed(list(zip(load.subscripts, image.minima, strict=True))):
        if not isinstance(place, Const) or not isinstance(value, tuple | list):
            return load
        index = int(place.value) - minimum
        if not 0 <= index < len(value):
            return load
        value = value[index]
    assert isinstance(value, int | float)
    return Const(load.type, value)


def _image_table(image: Image) -> Tensor:
    sizes, data = [], image.data
    while isinstance(data, tuple | list):
        sizes.append(len(data))
        data = data[0]
    dimensions = tuple(Dimension(const(0), const(s)) for s in reversed(sizes))
    return Tensor(image.name, (image.type,), dimensions, data=image.data)


def _expressions(body: Node) -> Iterator[Expr]:
    from s2s.scop.nest import expressions
    from s2s.scop.nest import walk as nodes

    for node in nodes(body):
        if not isinstance(node, Allocate):
            yield from expressions(node)
