"""A statement's value by itself: the sum that it is, elements with subscripts and bounds."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from s2s.analyses.contractions.bounds import Guard, drop_limits, fits, guards_of, merged
from s2s.analyses.contractions.float_sums import float_form
from s2s.analyses.contractions.forms import Factor, Product, Sum, literal
from s2s.analyses.contractions.statements import AffineStore, Range
from s2s.analyses.contractions.sums import sum_of
from s2s.analyses.contractions.values import Element, Value
from s2s.scop.contraction import NotAContraction
from s2s.scop.expressions import FLOAT32, INT32, Binary, Cast, Expr, Type


def form_of(statement: AffineStore, computed: Container[str] = ()) -> Sum:
    """What a statement stores; elements of the tensors ``computed`` are sums themselves."""
    is_float = statement.value.type == FLOAT32
    try:
        form = float_form(statement) if is_float else sum_of(statement.value, computed)
    except NotAContraction as error:
        raise NotAContraction(error.reason, error.at or statement.store.at) from None
    return form if statement.reads_itself or is_float else _counted(form)


def _counted(form: Sum) -> Sum:
    """A sum of elements of one array as one of products: ``a[i] + 2 * a[i + 1]``."""
    if any(p.right is not None for p in form.products):
        return form
    names = {p.left.tensor for p in form.products}
    if not names:
        every = [load.tensor for load in form.loads]
        names = {name for name in every if every.count(name) > 1}
    more = tuple(load for load in form.loads if load.tensor in names)
    rest = tuple(load for load in form.loads if load.tensor not in names)
    return replace(form, products=(*form.products, *literal(more)), loads=rest)


def plain_value(statement: AffineStore, form: Sum, reductions: tuple[Range, ...] = ()) -> Value:
    products = tuple(_product(p, statement) for p in form.products)
    signs = {p.negative for p in form.products}
    if len(signs) > 1:
        raise NotAContraction("products are added and others are taken off", statement.store.at)
    ends = () if form.last is None else (form.last,)
    loads = tuple(element_of(load, statement) for load in (*form.loads, *ends))
    loops = tuple(r for r in statement.loops if r not in reductions)
    accumulator = _accumulator(statement.value)
    value = Value(loops, reductions, products, loads, form, accumulator, signs == {True})
    return replace(value, factor=factor_of(form, statement))


def factor_of(form: Sum, statement: AffineStore) -> Element | None:
    """By what a statement multiplies a sum in the end."""
    if form.factor is None or isinstance(form.factor, Factor):
        return None if form.factor is None else element_of(form.factor, statement)
    return Element("", INT32, (), literal=form.factor)


def _accumulator(value: Expr) -> Type:
    """The type in which the outermost sum or product is computed."""
    while True:
        if isinstance(value, Cast):
            value = value.value
        elif isinstance(value, Binary) and value.op in ("shr", "div", "min", "max"):
            value = value.left
        else:
            return value.type


def element_of(factor: Factor, statement: AffineStore) -> Element:
    load = factor.load
    guards = _guards(factor.conditions, statement)
    places = tuple(drop_limits(s, statement.ranges, guards) for s in load.subscripts)
    if any(p is None for p in places):
        raise NotAContraction(f"a subscript of {load.tensor} is not affine", statement.store.at)
    subscripts = tuple(p for p in places if p is not None)
    fill = factor.fill if guards else factor.less
    less, is_distance = factor.less, factor.is_distance
    return Element(load.tensor, load.type, subscripts, guards, fill, less, is_distance=is_distance)


def _guards(conditions: Sequence[Expr], statement: AffineStore) -> tuple[Guard, ...]:
    try:
        return guards_of(conditions, statement.ranges)
    except NotAContraction as error:
        raise NotAContraction(error.reason, statement.store.at) from None


def _product(product: Product, statement: AffineStore) -> tuple[Element, Element]:
    """The elements of a product, each with the bounds that its own subscripts are checked for.

    Outside of these one of them has to be zero for the product to be.
    """
    pair = [element_of(factor, statement) for factor in product.factors]
    if product.right is None:
        pair.append(Element("", pair[0].type, (), literal=product.literal))
    common = list(_guards(product.conditions, statement))
    for place, element in enumerate(pair):
        strange = [g for g in element.guards if not fits(g, element.subscripts)]
        if strange and element.fill == element.less:
            kept = tuple(g for g in element.guards if g not in strange)
            pair[place] = replace(element, guards=kept)
            common += strange
    for guard in common:
        homes = [k for k in (0, 1) if fits(guard, pair[k].subscripts)]
        homes = [k for k in homes if pair[k].fill == pair[k].less]
        if not homes:
            text = "a product is added under a condition that bounds no subscript of its elements"
            raise NotAContraction(text, statement.store.at)
        home = pair[homes[0]]
        pair[homes[0]] = replace(home, guards=merged((*home.guards, guard)))
    return pair[0], pair[1]


def told_apart(statement: AffineStore) -> set[str]:
    """The loops whose iterations write different elements."""
    return {name for s in statement.subscripts for name in s.terms}
