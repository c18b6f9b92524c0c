"""A nest over tensors as a SCoP: statements with domains, accesses and a sequential order.

Each ``Store`` of a nest becomes a statement over the loops around it. What is not affine is
replaced by what it surely lies in, and marked as not exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import islpy as isl

from s2s.scop.affine import Affine
from s2s.scop.expressions import BOOL, Binary, Const, Expr, Load, Select, Unary
from s2s.scop.expressions import walk as subexpressions
from s2s.scop.nest import (
    Allocate,
    Block,
    Check,
    Define,
    For,
    Hoist,
    If,
    Nest,
    Node,
    Produce,
    Store,
    Tensor,
)
from s2s.scop.unions import union_of_maps, union_of_sets

SET, PARAM, IN, OUT = isl.dim_type.set, isl.dim_type.param, isl.dim_type.in_, isl.dim_type.out


@dataclass(frozen=True)
class TensorAccess:
    """Elements that an instance touches: ``relation`` leads to ``tensor[subscripts]``.

    ``home`` leads to the values of the loops around the tensor's allocation: in different
    iterations of these the tensor is different memory.
    """

    tensor: str
    relation: isl.Map
    home: isl.Map
    exact: bool

    def cells(self, fold: isl.Map) -> isl.Map:
        """Memory: the home, then the subscripts after the fold (``TensorScop.folds``).

        Two accesses touch the same memory exactly if their cells are the same.
        """
        places = self.relation.apply_range(fold).reset_tuple_id(OUT)
        return self.home.flat_range_product(places).set_tuple_name(OUT, self.tensor)


@dataclass(frozen=True)
class TensorStatement:
    """A ``Store`` and what is around it.

    ``loops`` are outermost first. ``exact``: whether the domain is exactly the instances that
    execute. ``schedule`` (not only of the domain) leads to time vectors, ``instance`` to the
    values of the definition's pure and reduction variables (None where these are not affine).
    """

    name: str
    store: Store
    loops: tuple[For, ...]
    domain: isl.Set
    exact: bool
    schedule: isl.Map
    write: TensorAccess
    reads: tuple[TensorAccess, ...]
    instance: isl.Map | None


@dataclass(frozen=True)
class Stage:
    """One definition of a tensor, apart from any loops.

    ``writes`` leads from (pure variables, reduction variables) to the element; ``pure`` is the
    number of pure variables. ``commutes``: the update combines the element's value with another
    one by an operation whose order does not matter (or may change). ``exact``: what ``writes``
    says of where reduction variables begin and end is all that there is.
    """

    writes: isl.Map
    pure: int
    commutes: bool = False
    exact: bool = True


@dataclass(frozen=True)
class TensorScop:
    """All statements of a nest, in the order of the text; ``tensors`` are those it names.

    The parameters are the nest's integer scalars. ``schedule`` maps of the statements have one
    range, so that they can be compared. ``folds`` leads from each tensor's elements to the
    subscripts modulo the folds of its storage, ``boxes`` are the elements of outputs,
    as far as they are known.
    """

    nest: Nest
    statements: tuple[TensorStatement, ...]
    tensors: Mapping[str, Tensor]
    folds: Mapping[str, isl.Map]
    boxes: Mapping[str, isl.Set]

    def domain(self) -> isl.UnionSet:
        """The instances of all statements."""
        return union_of_sets([s.domain for s in self.statements])

    def order(self) -> isl.UnionMap:
        """The sequential order: instances to time vectors."""
        return union_of_maps([s.schedule.intersect_domain(s.domain) for s in self.statements])


def lift(nest: Nest, *, inputs: bool = True) -> TensorScop:
    """The SCoP of a lowered nest; ValueError where storage is folded by no number.

    Without ``inputs``, reads of what the nest does not write are left out: clamped coordinates of
    images can be costly to describe, and do not matter for the order of the nest.
    """
    found = _Collector(nest)
    found.visit(nest.body, (), ())
    written = {raw.store.tensor for raw in found.stores}
    length = max((len(s.place) for s in found.stores), default=0)
    tensors = {t.name: t for t in found.tensors}
    context = _context(nest, found.checks)
    statements = tuple(
        _statement(nest, number, raw, length, tensors, context, None if inputs else written)
        for number, raw in enumerate(found.stores)
    )
    folds = {name: _fold(tensor) for name, tensor in tensors.items()}
    passed = [a.tensor for a in nest.arguments if a.tensor is not None and a.output]
    boxes = {t.name: _box(nest, t).intersect_params(context) for t in passed}
    return TensorScop(nest, statements, tensors, folds, boxes)


def _context(nest: Nest, checks: Sequence[Expr]) -> isl.Set:
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


@dataclass(frozen=True)
class _Raw:
    """A store, the nodes around it (outside in), and its place: child numbers and loop names."""

    store: Store
    around: tuple[For | If | Define | _Not, ...]
    place: tuple[int | str, ...]
    homes: Mapping[str, int]
    """The number of loops around the allocation of each tensor."""


@dataclass(frozen=True)
class _Not:
    """The other branch of a condition."""

    condition: Expr


@dataclass
class _Collector:
    """Walks a nest and keeps each store with its surroundings."""

    nest: Nest
    stores: list[_Raw] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)
    homes: dict[str, int] = field(default_factory=dict)
    checks: list[Expr] = field(default_factory=list)
    """What the program makes sure of before all else."""

    def __post_init__(self) -> None:
        passed = [a.tensor for a in self.nest.arguments if a.tensor is not None]
        self.tensors += [*passed, *self.nest.tables]

    def visit(
        self,
        node: Node,
        around: tuple[For | If | Define | _Not, ...],
        place: tuple[int | str, ...],
    ) -> None:
        match node:
            case Block(children):
                for number, child in enumerate(children):
                    self.visit(child, around, (*place, number))
            case For(name, body=body):
                self.visit(body, (*around, node), (*place, name))
            case Allocate(tensor, body):
                self.tensors.append(tensor)
                self.homes[tensor.name] = sum(isinstance(n, For) for n in around)
                self.visit(body, around, place)
            case Produce(body=body) | Hoist(body=body):
                self.visit(body, around, place)
            case Define(_, _, body):
                self.visit(body, (*around, node), place)
            case If(condition, then, otherwise):
                self.visit(then, (*around, node), (*place, 0))
                if otherwise is not None:
                    self.visit(otherwise, (*around, _Not(condition)), (*place, 1))
            case Store():
                store, masks = _unblended(node)
                conditions = tuple(If(mask, store) for mask in masks)
                self.stores.append(_Raw(store, (*around, *conditions), place, dict(self.homes)))
            case Check(condition):
                if all(_runs(n) for n in around):
                    self.checks.append(_implied(around, condition))


def _unblended(store: Store) -> tuple[Store, list[Expr]]:
    """A store without what stores again what is there already, and where it stores then.

    Blended, ``f(x) = select(mask, value, f(x))`` is ``f(x) = value`` where the mask holds. That
    what is stored again does not race is the directives' business.
    """
    masks: list[Expr] = []
    for _ in range(store.blended):
        first = store.values[0]
        if not all(_keeps(store, k, first) for k in range(len(store.values))):
            break
        assert isinstance(first, Select)
        masks.append(first.condition)
        values = tuple(v.then for v in store.values if isinstance(v, Select))
        store = replace(store, values=values)
    return store, masks


def _keeps(store: Store, place: int, first: Expr) -> bool:
    """Whether a component keeps what is there under the first component's condition."""
    value = store.values[place]
    return (
        isinstance(value, Select)
        and isinstance(first, Select)
        and value.condition is first.condition
        and value.otherwise is Load(value.type, store.tensor, store.subscripts, place)
    )


def _runs(node: For | If | Define | _Not) -> bool:
    """Whether what stands in a node runs, but for a condition."""
    if isinstance(node, For):
        return isinstance(node.extent, Const) and node.extent.value > 0
    return not isinstance(node, Define)


def _implied(around: Sequence[For | If | Define | _Not], condition: Expr) -> Expr:
    """A condition that holds where those around it do."""
    for node in reversed(around):
        if isinstance(node, If):
            condition = Binary(BOOL, "or", Unary(BOOL, "not", node.condition), condition)
        elif isinstance(node, _Not):
            condition = Binary(BOOL, "or", node.condition, condition)
    return condition


def _parameters(nest: Nest) -> list[str]:
    return [a.name for a in nest.arguments if a.tensor is None and a.type.is_integer]


def _statement(
    nest: Nest,
    number: int,
    raw: _Raw,
    length: int,
    tensors: Mapping[str, Tensor],
    context: isl.Set,
    read: set[str] | None,
) -> TensorStatement:
    loops = tuple(n for n in raw.around if isinstance(n, For))
    name = f"S{number}"
    space = isl.Space.create_from_names(
        isl.DEFAULT_CONTEXT,
        set=[f"i{k}" for k in range(len(loops))],
        params=_parameters(nest),
    ).set_tuple_name(SET, name)
    affine = Affine(space, _values(space, nest))
    domain, exact, loads = _domain(space, affine, raw)
    domain = domain.intersect_params(context)
    store = raw.store
    stored, sure = domain, True
    if store.predicate is not None:
        inside, sure = affine.surely(store.predicate)
        stored, loads = domain & inside, loads + _loads(store.predicate)
    write = _access(affine, stored, raw, tensors[store.tensor], store.subscripts)
    write = replace(write, exact=write.exact and sure)
    loads += [load for e in (*store.values, *store.subscripts) for load in _loads(e)]
    reads = tuple(
        _access(affine, domain, raw, tensors[load.tensor], load.subscripts)
        for load in dict.fromkeys(loads)
        if read is None or load.tensor in read
    )
    instance = _relation(affine, domain, store.instance)
    schedule = _times(space, raw, length)
    return TensorStatement(name, store, loops, domain, exact, schedule, write, reads, instance)


def _values(space: isl.Space, nest: Nest) -> dict[str, isl.PwAff | None]:
    local = isl.LocalSpace.from_space(space)
    return {
        name: isl.PwAff.from_aff(isl.Aff.var_on_domain(local, PARAM, position))
        for position, name in enumerate(_parameters(nest))
    }


def _domain(space: isl.Space, affine: Affine, raw: _Raw) -> tuple[isl.Set, bool, list[Load]]:
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
            case _Not(condition):
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


def _access(
    affine: Affine, domain: isl.Set, raw: _Raw, tensor: Tensor, subscripts: tuple[Expr, ...]
) -> TensorAccess:
    places = [affine.value(s) for s in subscripts]
    relation = isl.Map.from_domain(domain)
    relation = relation.add_dims(OUT, len(places))
    exact = True
    for position, place in enumerate(places):
        if place is None:
            relation, exact = _within(affine, relation, tensor, position), False
        else:
            relation &= _equal(relation, place, position)
    relation = relation.set_tuple_name(OUT, tensor.name)
    home = _home(domain, raw.homes.get(tensor.name, 0))
    return TensorAccess(tensor.name, relation.coalesce(), home, exact)


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


def _fold(tensor: Tensor) -> isl.Map:
    names = [f"a{k}" for k in range(len(tensor.dimensions))]
    values = list(names)
    for position, dimension in enumerate(tensor.dimensions):
        if dimension.fold is not None:
            if not isinstance(dimension.fold, Const):
                raise ValueError(f"{tensor.name}: folded by something that is no number")
            values[position] += f" mod {dimension.fold.value}"
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


def _times(space: isl.Space, raw: _Raw, length: int) -> isl.Map:
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
