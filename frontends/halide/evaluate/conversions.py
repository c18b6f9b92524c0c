"""Values brought to declared types; default values; variables' places."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide.evaluate import construct
from s2s.frontends.halide.evaluate.containers import Items, Mapping, Pair, Tuples, copy_value
from s2s.frontends.halide.evaluate.images import as_range
from s2s.frontends.halide.evaluate.language import FuncRef, RDom, Tuple
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.types import SCALARS, CType
from s2s.frontends.halide.evaluate.values import (
    NULL,
    UNDEFINED,
    VOID,
    Cell,
    Pointer,
    Ref,
    deref,
    number,
    of_type,
)
from s2s.frontends.halide.evaluate.world import to_expr
from s2s.scop.errors import Illegal


def _holds_braces(items: list[Any], element: CType) -> bool:
    """Whether the elements of an array stand in braces of their own: ``{{1, 2}}``."""
    if len(items) != 1:
        return False
    inner = deref(items[0])
    if not isinstance(inner, Items):
        return False
    if element.name not in SCALARS and not element.name.startswith("Halide::"):
        return all(isinstance(deref(item), Items | Pair) for item in inner.items)
    return True


_VECTORS = frozenset({"std::vector", "std::array", "std::deque", "std::list", "std::stack"}) | {
    "std::initializer_list",
    "std::queue",
}
_MAPS = frozenset({"std::map", "std::unordered_map", "std::set", "std::unordered_set"})


class Conversions(Part):
    """The part of the interpreter that knows types."""

    def bound(self, value: Any, type_: CType) -> Ref:
        """The place that a variable or a parameter of a type gets for an initial value."""
        if type_.reference and isinstance(value, Ref):
            inner = value.get()
            if not isinstance(inner, Items) or inner.element is not None or type_.name == "auto":
                return value
        found = self.converted(value, type_)
        if type_.reference:
            return found if isinstance(found, Ref) else Cell(found)
        return Cell(copy_value(deref(found)))

    def converted(self, value: Any, type_: CType) -> Any:
        """The value as one of a type; what is that already is given back (a place, too)."""
        plain = deref(value)
        if type_.extents and isinstance(plain, Pointer):
            return value  # a parameter that is declared as an array
        if type_.pointer:
            return Pointer(None, plain.items, 0) if isinstance(plain, Items) else value
        if type_.extents and isinstance(plain, Items):
            return self._array(plain, type_)
        if type_.name in SCALARS:
            return self._scalar(value, plain, type_.name)
        if type_.name in _VECTORS:
            return self._vector(value, plain, type_)
        if type_.name in _MAPS:
            return self._map(value, plain, type_)
        special = _SPECIAL.get(type_.name)
        if special is not None:
            return special(self, value, plain, type_)
        if isinstance(plain, Items) and plain.element is None:
            return construct.from_list(self, plain, type_)
        return value

    def _scalar(self, value: Any, plain: Any, name: str) -> Any:
        found = number(plain)
        if found is not None:
            return of_type(found, name)
        inner = getattr(plain, "scalar_value", None)
        if inner is not None:
            return self._scalar(inner, inner, name)
        if isinstance(plain, Items) and plain.element is None and len(plain.items) <= 1:
            return self._scalar(None, deref(plain.items[0]) if plain.items else 0, name)
        if name == "bool" and (isinstance(plain, Pointer) or plain is NULL):
            return plain is not NULL
        if plain is VOID:
            raise Illegal("the value of a function that returns none is used")
        return value

    def _array(self, plain: Items, type_: CType) -> Items:
        element = type_.element
        values = [deref(self.converted(v, element)) for v in plain.items]
        made = Items(values, element, lambda: self.default_value(element))
        made.resize(type_.extents[0])
        for index in range(len(plain.items), type_.extents[0]):
            made.items[index] = self.default_value(element)
        return made

    def _vector(self, value: Any, plain: Any, type_: CType) -> Any:
        if not isinstance(plain, Items) or plain.element is not None or not type_.arguments:
            return value
        element = type_.arguments[0]
        items = plain.items
        if type_.name == "std::array" and _holds_braces(items, element):
            items = deref(items[0]).items
        values = [copy_value(deref(self.converted(v, element))) for v in items]
        made = Items(values, element, lambda: self.default_value(element))
        if type_.name == "std::array":
            size = int(type_.arguments[1].name.rstrip("UL"))
            while len(made.items) < size:
                made.items.append(self.default_value(element))
        return made

    def _map(self, value: Any, plain: Any, type_: CType) -> Any:
        if not isinstance(plain, Items):
            return value
        made = self.empty_map(type_)
        for item in plain.items:
            if "map" in type_.name:
                pair = deref(item)
                first, second = pair.values if isinstance(pair, Pair) else pair.items
                key = deref(self.converted(first, type_.arguments[0]))
                entry = made.entry(key)
                entry.fields["second"] = deref(self.converted(second, type_.arguments[1]))
            else:
                key = deref(self.converted(item, type_.arguments[0]))
                made.entry(key).fields["second"] = VOID
        return made

    def empty_map(self, type_: CType) -> Mapping:
        ordered = "unordered" not in type_.name
        if "map" not in type_.name:
            return Mapping(type_.arguments[0], lambda: VOID, ordered)
        second = type_.arguments[1]
        return Mapping(type_.arguments[0], lambda: self.default_value(second), ordered)

    def default_value(self, type_: CType) -> Any:
        """What a variable without an initializer holds."""
        if type_.pointer:
            return NULL
        if type_.extents:
            return self._array(Items([], None, lambda: VOID), type_)
        if type_.name in SCALARS:
            return of_type(0, type_.name)
        if type_.name in _VECTORS:
            return self._vector(None, Items([], None, lambda: VOID), type_)
        if type_.name in _MAPS:
            return self.empty_map(type_)
        if type_.name == "std::pair":
            return Pair(*(self.default_value(a) for a in type_.arguments))
        if type_.name == "std::tuple":
            return Tuples([self.default_value(a) for a in type_.arguments])
        return construct.default(self, type_)


def _expr(self: Any, value: Any, plain: Any, type_: CType) -> Any:
    return value if plain is UNDEFINED else to_expr(plain) if not _is_expr(plain) else value


def _is_expr(value: Any) -> bool:
    from s2s.scop.expressions import Expr

    return isinstance(value, Expr)


def _func(self: Any, value: Any, plain: Any, type_: CType) -> Any:
    from s2s.frontends.halide.evaluate.funcs import FuncObject, as_func

    return value if isinstance(plain, FuncObject) else as_func(self.world, plain)


def _tuple(self: Any, value: Any, plain: Any, type_: CType) -> Any:
    if isinstance(plain, Tuple):
        return value
    if isinstance(plain, FuncRef):
        return Tuple(list(plain.components()))
    if isinstance(plain, Items):
        return Tuple([to_expr(v) for v in plain.items])
    return Tuple([to_expr(plain)])


def _rvar(self: Any, value: Any, plain: Any, type_: CType) -> Any:
    return plain.single() if isinstance(plain, RDom) else value


def _range(self: Any, value: Any, plain: Any, type_: CType) -> Any:
    return as_range(plain) if isinstance(plain, Items) else value


def _pair(self: Any, value: Any, plain: Any, type_: CType) -> Any:
    if isinstance(plain, Items):
        parts = zip(plain.items, type_.arguments, strict=False)
        return Pair(*(deref(self.converted(v, t)) for v, t in parts))
    if isinstance(plain, Pair):
        for key, argument in zip(plain.fields, type_.arguments, strict=False):
            plain.fields[key] = deref(self.converted(plain.fields[key], argument))
    return value


def _tuples(self: Any, value: Any, plain: Any, type_: CType) -> Any:
    if isinstance(plain, Items):
        parts = zip(plain.items, type_.arguments, strict=False)
        return Tuples([deref(self.converted(v, t)) for v, t in parts])
    return value


def _string(self: Any, value: Any, plain: Any, type_: CType) -> Any:
    inner = getattr(plain, "scalar_value", None)
    return inner if isinstance(inner, str) else value


_SPECIAL = {
    "Halide::Expr": _expr,
    "Halide::Func": _func,
    "Halide::Tuple": _tuple,
    "Halide::RVar": _rvar,
    "Halide::Range": _range,
    "std::pair": _pair,
    "std::tuple": _tuples,
    "std::string": _string,
}
