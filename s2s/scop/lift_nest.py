"""A nest over tensors as a SCoP: statements with domains, accesses and a sequential order.

Each ``Store`` of a nest becomes a statement over the loops around it. What is not affine is
replaced by what it surely lies in, and marked as not exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Sequential
from dataclasses import replace

import islpy as isl

from s2s.scop.affine import Affine
from s2s.scop.expressions import Const, Expr, Load
from s2s.scop.expressions import walk as subexpressions
from s2s.scop.nest import Argument, Define, For, If, Nest, Tensor
from s2s.scop.nest_stores import NOWHERE, Around, Not, Stores, loop_variable
from s2s.scop.nodes import Access, Array, Parameter, Scop, Statement
from s2s.source.records import dataclass

SET, PARAM, IN, OUT = isl.dim_type.set, isl.dim_type.param, isl.dim_type.in_, isl.dim_type.out


def lift_nest(nest: Nest, *, inputs: bool = True) -> Scop:
    """The SCoP of a lowered nest, with what each statement stores as its expression.

    The parameters are the nest's integer scalars. A concurrent loop stands in a construct: LOOP
    for a parallel one, SIMD for a vectorized one. Without ``inputs``, reads of what the nest does
    not write are left out: clamped coordinates of images can be costly to describe, and do not
    matter for the order of the nest. Raises ValueError where storage is folded by no number.
    """
    found = Stores(nest)
    tree = found.visit(nest.body, (), ())
    written = {raw.store.tensor for raw in found.stores}
    length = max((len(s.place) for s in found.stores), default=0)
    tensors = {t.name: t for t in found.tensors}
    context = _context(nest, found.checks)
    arrays = {name: _array(nest, tensor, context) for name, tensor in tensors.items()}
    lifting = _Lifting(nest, tensors, arrays, context, None if inputs else written, length)
    statements = tuple(lifting.statement(n, raw) for n, raw in enumerate(found.stores))
    return Scop(
        span=NOWHERE,
        parameters=tuple(_parameter(a) for a in nest.arguments if _is_parameter(a)),
        context=context,
        assumptions=isl.Set.universe(context.get_space()),
        arrays=arrays,
        statements=statements,
        tree=tree,
        may_alias=frozenset(),
    )


def _is_parameter(argument: Argument) -> bool:
    return argument.tensor is None and argument.type.is_integer


def _parameter(argument: Argument) -> Parameter:
    name, type_ = argument.name, argument.type
    return Parameter(name, name, str(type_), type_.code == "uint", type_.bits // 8)


def _array(nest: Nest, tensor: Tensor, context: isl.Set) -> Array:
    """A tensor; what the caller does not pass is confined to the nest."""
    passed = {a.tensor.name: a.output for a in nest.arguments if a.tensor is not None}
    seen = None
    if passed.get(tensor.name):
        seen = _box(nest, tensor).intersect_params(context)
    return Array(
        tensor.name,
        tensor.name,
        len(tensor.dimensions),
        element_size=tensor.types[0].bits // 8,
        dead=seen is None,
        confined=tensor.name not in passed,
        fold=_fold(tensor),
        seen=seen,
    )


def _context(nest: Nest, checks: Sequential[Expr]) -> isl.Set:
    """The parameters' values with which the program runs.

    Conditions with many cases (the edges of images) are left out: each would multiply the pieces
    of every domain.
    """
    space = isl.Space.create_from_names(isl.DEFAULT_CONTEXT, set=[], params=_parameters(nest))
    affine, context = Affine(space, _values(space, nest)), isl.Set.universe(space)
    for check in checks:
        found = affine.surely(check)[0].coalesce()
        if found.n_basic_set() == 1:
            context &= found
    return context.params()


def _box(nest: Nest, tensor: Tensor) -> isl.Set:
    """The elements of a tensor that the caller passes."""
    rank = len(tensor.dimensions)
    space = isl.Space.create_from_names(
        isl.DEFAULT_CONTEXT, set=[f"a{k}" for k in range(rank)], params=_parameters(nest)
    )
    affine, box = Affine(space, _values(space, nest)), isl.Set.universe(space)
    local = isl.LocalSpace.from_space(space)
    for position, dimension in enumerate(tensor.dimensions):
        first, count = affine.value(dimension.minimum), affine.value(dimension.extent)
        place = isl.PwAff.from_aff(isl.Aff.var_on_domain(local, SET, position))
        if first is not None and count is not None:
            box &= first.le_set(place) & place.lt_set(first.add(count))
    return box.set_tuple_name(tensor.name)


def _parameters(nest: Nest) -> list[str]:
    return [a.name for a in nest.arguments if _is_parameter(a)]


@dataclass(frozen=True)
class _Lifting:
    """Makes statements of stores; ``read`` are the tensors whose reads matter (None: all)."""

    nest: Nest
    tensors: Mapping[str, Tensor]
    arrays: Mapping[str, Array]
    context: isl.Set
    read: set[str] | None
    length: int

    def statement(self, number: int, raw: Around) -> Statement:
        loops = [n for n in raw.around if isinstance(n, For)]
        name = f"S{number}"
        space = isl.Space.create_from_names(
            isl.DEFAULT_CONTEXT,
            set=[f"i{k}" for k in range(len(loops))],
            params=_parameters(self.nest),
        ).set_tuple_name(SET, name)
        affine = Affine(space, _values(space, self.nest))
        domain, exact, loads = _domain(space, affine, raw)
        domain = domain.intersect_params(self.context)
        store = raw.store
        stored, sure = domain, True
        if store.predicate is not None:
            inside, sure = affine.surely(store.predicate)
            stored, loads = domain & inside, loads + _loads(store.predicate)
        write = self._access(affine, stored, raw, store.tensor, store.subscripts)
        write = replace(write, write=True, exact=write.exact and sure)
        loads += [load for e in (*store.values, *store.subscripts) for load in _loads(e)]
        reads = [
            self._access(affine, domain, raw, load.tensor, load.subscripts)
            for load in dict.fromkeys(loads)
            if self.read is None or load.tensor in self.read
        ]
        return Statement(
            name,
            tuple(loop_variable(loop, depth) for depth, loop in enumerate(loops)),
            domain,
            _times(space, raw, self.length),
            (write, *reads),
            store.at or NOWHERE,
            typed=lambda _: store,
            exact=exact,
            instance=_relation(affine, domain, store.instance),
        )

    def _access(
        self, affine: Affine, domain: isl.Set, raw: Around, name: str, subscripts: tuple[Expr, ...]
    ) -> Access:
        """A read of a tensor."""
        span = raw.store.at or NOWHERE
        elements, exact = _elements(affine, domain, self.tensors[name], subscripts)
        fold, outside = self.arrays[name].fold, raw.homes.get(name, 0)
        if fold is None and not outside:
            return Access(name, elements, False, exact, span)
        places = elements if fold is None else elements.apply_range(fold)
        cells = _home(domain, outside).flat_range_product(places.reset_tuple_id(OUT))
        relation = cells.set_tuple_name(OUT, name)
        return Access(name, relation, False, exact, span, element=elements)


def _values(space: isl.Space, nest: Nest) -> dict[str, isl.PwAff | None]:
    local = isl.LocalSpace.from_space(space)
    return {
        name: isl.PwAff.from_aff(isl.Aff.var_on_domain(local, PARAM, position))
        for position, name in enumerate(_parameters(nest))
    }


def _domain(space: isl.Space, affine: Affine, raw: Around) -> tuple[isl.Set, bool, list[Load]]:
    """The instances, whether they are exactly these, and what conditions and bounds load."""
    domain, exact, depth = isl.Set.universe(space), True, 0
    loads: list[Load] = []
    local = isl.LocalSpace.from_space(space)
    for node in raw.around:
        match node:
            case For(name, minimum, extent):
                variable = isl.PwAff.from_aff(isl.Aff.var_on_domain(local, SET, depth))
                first, count = affine.value(minimum), affine.value(extent)
                if first is None or count is None:
                    exact = False
                else:
                    domain &= first.le_set(variable) & variable.lt_set(first.add(count))
                affine.define(name, variable)
                depth += 1
                loads += [*_loads(minimum), *_loads(extent)]
            case If(condition):
                inside, known = affine.surely(condition)
                domain, exact = domain & inside, exact and known
                loads += _loads(condition)
            case Not(condition):
                outside = affine.where(condition)
                exact = exact and outside is not None
                domain = domain if outside is None else domain - outside
                loads += _loads(condition)
            case Define(name, value):
                affine.define(name, affine.value(value))
                loads += _loads(value)
    return domain.coalesce(), exact, loads


def _loads(expr: Expr) -> list[Load]:
    return [node for node in subexpressions(expr) if isinstance(node, Load)]


def _elements(
    affine: Affine, domain: isl.Set, tensor: Tensor, subscripts: tuple[Expr, ...]
) -> tuple[isl.Map, bool]:
    """Instances to the elements that they touch, and whether to exactly these."""
    places = [affine.value(s) for s in subscripts]
    relation = isl.Map.from_domain(domain)
    relation = relation.add_dims(OUT, len(places))
    exact = True
    for position, place in enumerate(places):
        if place is None:
            relation, exact = _within(affine, relation, tensor, position), False
        else:
            relation &= _equal(relation, place, position)
    return relation.set_tuple_name(OUT, tensor.name).coalesce(), exact


def _equal(relation: isl.Map, value: isl.PwAff, position: int) -> isl.Map:
    """Pairs whose output dimension has the value that the function gives."""
    graph = isl.Map.from_pw_aff(value)
    before = relation.dim(OUT)
    graph = graph.insert_dims(OUT, 0, position)
    return graph.add_dims(OUT, before - position - 1)


def _within(affine: Affine, relation: isl.Map, tensor: Tensor, position: int) -> isl.Map:
    """Pairs whose output dimension lies in the tensor, as far as its bounds are known."""
    if position >= len(tensor.dimensions):
        return relation
    dimension = tensor.dimensions[position]
    first, count = affine.value(dimension.minimum), affine.value(dimension.extent)
    if first is None or count is None:
        return relation
    count_ = relation.dim(OUT)
    ranges = isl.Map.from_pw_aff(first).apply_range(_not_less()) & isl.Map.from_pw_aff(
        first.add(count)
    ).apply_range(_less())
    return relation & ranges.insert_dims(OUT, 0, position).add_dims(OUT, count_ - position - 1)


def _not_less() -> isl.Map:
    return isl.Map("{ [a] -> [b] : b >= a }")


def _less() -> isl.Map:
    return isl.Map("{ [a] -> [b] : b < a }")


def _home(domain: isl.Set, outside: int) -> isl.Map:
    """The loops around the allocation: the first ``outside`` ones."""
    identity = isl.Map.identity(domain.get_space().map_from_set()).intersect_domain(domain)
    return identity.reset_tuple_id(OUT).project_out(OUT, outside, domain.dim(SET) - outside)


def _fold(tensor: Tensor) -> isl.Map | None:
    """Elements to the subscripts of their storage; None where it is not folded."""
    names = [f"a{k}" for k in range(len(tensor.dimensions))]
    values = list(names)
    for position, dimension in enumerate(tensor.dimensions):
        if dimension.fold is not None:
            if not isinstance(dimension.fold, Const):
                raise ValueError(f"{tensor.name}: folded by something that is no number")
            values[position] += f" mod {dimension.fold.value}"
    if values == names:
        return None
    fold = isl.Map(f"{{ [{', '.join(names)}] -> [{', '.join(values)}] }}")
    return fold.set_tuple_name(IN, tensor.name)


def _relation(affine: Affine, domain: isl.Set, values: tuple[Expr, ...]) -> isl.Map | None:
    """Instances to a vector of values; None where one is not affine."""
    relation = isl.Map.from_domain(domain).add_dims(OUT, len(values))
    for position, expr in enumerate(values):
        value = affine.value(expr)
        if value is None:
            return None
        relation &= _equal(relation, value, position)
    return relation


def _times(space: isl.Space, raw: Around, length: int) -> isl.Map:
    """Time vectors: child numbers and loop variables, outside in, filled up with zeros."""
    loops = [n.name for n in raw.around if isinstance(n, For)]
    relation = isl.Map.from_domain(isl.Set.universe(space)).add_dims(OUT, length)
    for position in range(length):
        entry = raw.place[position] if position < len(raw.place) else 0
        if isinstance(entry, int):
            relation = relation.fix_val(
                OUT, position, isl.Val.int_from_si(isl.DEFAULT_CONTEXT, entry)
            )
        else:
            relation = relation.equate(IN, loops.index(entry), OUT, position)
    return relation
