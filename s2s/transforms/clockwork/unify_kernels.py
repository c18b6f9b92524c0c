"""One kernel for operations that compute nearly the same: what differs is chosen by who runs it.

::

    for y, x:                      for y, x, user in 0..0:
      f = 3*a + b                    f = select(user == 0, 3, 5)*a + b
    for y, x:                ->    for y, x, user in 1..1:
      g = 5*c + d                    g = select(user == 0, 3, 5)*c + d

A loop of one iteration around each of them says who it is; its value is one of the kernel's
indices. Constants, and operations of the same operands, may differ (section 5.3 of Setter's
dissertation shares kernels that are equal, and names this as future work).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.build import const, var
from s2s.scop.expressions import BOOL, Binary, Const, Expr, Load, Select, Variable
from s2s.scop.nest import For, Nest, Node, Store
from s2s.scop.nest import walk as nodes
from s2s.scop.rewrite import map_children, rebuild

_USER = "user"


class Different(Exception):
    """Two values of which no kernel can be made."""


def unify_kernels(nest: Nest, shared: Mapping[str, str]) -> Nest:
    """The nest in which operations that share a kernel compute the same of their words.

    ``shared`` leads from operations to those whose kernel they use. What differs in another way
    stays, and is found when the kernels are compared.
    """
    accelerator = Accelerator(nest)
    groups: dict[str, list[str]] = {}
    for name, root in shared.items():
        groups.setdefault(root, [root]).append(name)
    values: dict[int, Expr] = {}
    users: dict[int, tuple[str, int]] = {}
    taken = {n.name for n in nodes(nest.body) if isinstance(n, For)}
    for names in groups.values():
        operations = [accelerator.operation(name) for name in names]
        made = _unified(accelerator, operations, taken)
        for place, (operation, (value, user)) in enumerate(zip(operations, made, strict=True)):
            if value is not operation.value:
                values[id(operation.store)] = value
                users[id(operation.store)] = user, place
    return replace(nest, body=_rewritten(nest.body, values, users)) if values else nest


def _rewritten(
    node: Node, values: Mapping[int, Expr], users: Mapping[int, tuple[str, int]]
) -> Node:
    if isinstance(node, Store) and id(node) in values:
        user, place = users[id(node)]
        store = replace(node, values=(values[id(node)],))
        return For(user, const(place), const(1), "serial", store, node.func, node.stage, _USER)
    return map_children(node, lambda child: _rewritten(child, values, users))


def _unified(
    accelerator: Accelerator, operations: Sequence[Operation], taken: set[str]
) -> list[tuple[Expr, str]]:
    """For each operation its value in the common kernel, and the name of its loop."""
    same = [(operation.value, "") for operation in operations]
    names = [_fresh(operation, taken) for operation in operations]
    try:
        found = [
            _Unifier(accelerator, operations, k, names[k]).value() for k in range(len(operations))
        ]
    except Different:
        return same
    if all(value is operation.value for value, operation in zip(found, operations, strict=True)):
        return same
    taken |= set(names)
    return list(zip(found, names, strict=True))


def _fresh(operation: Operation, taken: set[str]) -> str:
    stem = f"{operation.name.removeprefix('op_hcompute_')}_{_USER}"
    name, number = stem, 0
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    return name


class _Unifier:
    """The common value over the words and indices of operation ``own``."""

    def __init__(
        self, accelerator: Accelerator, operations: Sequence[Operation], own: int, name: str
    ) -> None:
        self._operations, self._own, self._name = operations, own, name
        self._words = [
            {load: k for k, load in enumerate(_streamed(accelerator, each))} for each in operations
        ]
        self._indices = [{n: k for k, n in enumerate(each.indices)} for each in operations]
        self._done: dict[tuple[int, ...], Expr] = {}

    def value(self) -> Expr:
        """Raises Different."""
        if len({len(words) for words in self._words}) > 1:
            raise Different
        return self._common([each.value for each in self._operations])

    def _common(self, parts: Sequence[Expr]) -> Expr:
        key = tuple(map(id, parts))
        if key not in self._done:
            self._done[key] = self._made(parts)
        return self._done[key]

    def _made(self, parts: Sequence[Expr]) -> Expr:
        if len({part.type for part in parts}) > 1:
            raise Different
        parts = _with_products(parts)
        own = parts[self._own]
        if any(isinstance(part, Load) for part in parts):
            return self._loaded(parts)
        if any(isinstance(part, Variable) for part in parts):
            return self._indexed(parts)
        if any(isinstance(part, Const) for part in parts):
            if not all(isinstance(part, Const) for part in parts):
                raise Different
            return self._chosen(parts)
        if len({len(part.operands) for part in parts}) > 1:
            raise Different
        inner = [
            self._common(each) for each in zip(*(part.operands for part in parts), strict=True)
        ]
        unchanged = all(a is b for a, b in zip(inner, own.operands, strict=True))
        if len({_shape(part) for part in parts}) == 1:
            return own if unchanged else rebuild(own, tuple(inner))
        return self._chosen([rebuild(part, tuple(inner)) for part in parts])

    def _loaded(self, parts: Sequence[Expr]) -> Expr:
        """Words of the same port; elements of one table at the same place."""
        own = parts[self._own]
        loads = [part for part in parts if isinstance(part, Load)]
        if len(loads) < len(parts):
            raise Different
        ports = {words.get(load) for words, load in zip(self._words, loads, strict=True)}
        if len(ports) == 1 and ports != {None}:
            return own
        if ports != {None} or len({load.tensor for load in loads}) > 1:
            raise Different
        pairs = zip(*(load.subscripts for load in loads), strict=True)
        inner = tuple(self._common(each) for each in pairs)
        assert isinstance(own, Load)
        return replace(own, subscripts=inner)

    def _indexed(self, parts: Sequence[Expr]) -> Expr:
        """The same of the kernel's indices."""
        variables = [part.name for part in parts if isinstance(part, Variable)]
        if len(variables) < len(parts):
            raise Different
        pairs = zip(self._indices, variables, strict=True)
        places = {indices.get(name) for indices, name in pairs}
        if len(places) > 1 or places == {None}:
            raise Different
        return parts[self._own]

    def _chosen(self, parts: Sequence[Expr]) -> Expr:
        """A choice by the user, of values each of which is one user's or several ones'."""
        own = parts[self._own]
        if all(part == own for part in parts):
            return own
        found = parts[-1]
        for place in reversed(range(len(parts) - 1)):
            if parts[place] != found:
                here = Binary(BOOL, "eq", var(self._name), const(place))
                found = Select(own.type, here, parts[place], found)
        return found


def _with_products(parts: Sequence[Expr]) -> Sequence[Expr]:
    """Values as products with 1 where another user has a product with a constant there."""
    factors = [_factor(part) for part in parts]
    first = next((factor for factor in factors if factor is not None), None)
    if first is None or None not in factors or not parts[0].type.wraps:
        return parts
    if any(isinstance(part, Const) for part in parts):
        return parts
    one = Const(parts[0].type, 1)
    return [
        part if factor is not None
        else Binary(part.type, "mul", *((one, part) if first == 0 else (part, one)))
        for part, factor in zip(parts, factors, strict=True)
    ]  # fmt: skip


def _factor(expr: Expr) -> int | None:
    """Which operand of a product is its only constant one; None where this is no such product."""
    if isinstance(expr, Binary) and expr.op == "mul":
        constants = [isinstance(operand, Const) for operand in (expr.left, expr.right)]
        return constants.index(True) if sum(constants) == 1 else None
    return None


def _shape(expr: Expr) -> object:
    """A node but for its operands: two of one shape differ in these alone."""
    fields = tuple(getattr(expr, name) for name in ("op", "name") if hasattr(expr, name))
    return type(expr), expr.type, fields, len(expr.operands)


def _streamed(accelerator: Accelerator, operation: Operation) -> list[Load]:
    return [load for load in operation.loads if load.tensor in accelerator.tensors]
