"""A function whose body is one region, as a nest over tensors by way of its SCoP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import islpy as isl

from s2s.frontends.c.assemble import Assembler
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.parse import Unit
from s2s.frontends.c.regions import functions
from s2s.frontends.c.syntax import Decl
from s2s.frontends.c.typed.arithmetic import type_of
from s2s.frontends.c.typed.definitions import Definitions
from s2s.frontends.c.typed.desugar import with_single_declarations
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.expressions import Expressions
from s2s.frontends.c.typed.leaves import TypedLeaves
from s2s.frontends.c.typed.memory import array_tensor, tensor
from s2s.frontends.c.typed.scope import Scope, fixed_values
from s2s.scop.budget import budget
from s2s.scop.expressions import Const
from s2s.scop.expressions import walk as below
from s2s.scop.nest import Allocate, Argument, Nest, Store, Tensor, expressions, walk
from s2s.scop.scan import NotScannable, scan
from s2s.source import Span


def region_nest(name: str, unit: Unit, numbers: Mapping[str, int]) -> Nest:
    """The nest of a function whose scalar parameters have the values ``numbers``.

    Each statement of the source is one of the SCoP, and the nest runs them in the order of the
    source; arguments are as in ``tensor_nest``. Raises NotATensorNest where lifting keeps more
    than single assignments together, or their C is not typed.
    """
    function = next((f for f in functions(unit, every=True) if f.node.name == name), None)
    if function is None or not function.body.children:
        raise NotATensorNest(Span(0, 0), f"'{name}' has no statements")
    source = with_single_declarations(function.body)
    attempt = function.attempt(source.children)
    parameters = [c.decl for c in function.node.children if c.kind == "PARM_DECL" and c.decl]
    sizes = {d.name: numbers[d.name] for d in parameters if d.name in numbers}
    try:
        with budget():
            assembler = Assembler(
                attempt.lifter, attempt.raw(), function.node, separate=True, texts=False
            )
            scop = assembler.run()
            assembler.typed_leaves.definition = Definitions(unit)
            assembler.typed_leaves.fixed = fixed_values(source)
            nest = scan(scop, name, (), sizes)
    except (NotLiftable, NotScannable, isl.Error) as error:
        raise NotATensorNest(attempt.span, str(error)) from None
    _check_numbers(nest, attempt.span)
    tensors = {d: _sized(d, assembler.typed_leaves, sizes) for d in assembler.typed_leaves.arrays}
    passed = [d for d in parameters if d in tensors and tensors[d].dimensions]
    passed += [d for d in tensors if d.is_global]
    stored = {n.tensor for n in walk(nest.body) if isinstance(n, Store)}
    arguments = tuple(
        Argument(tensors[d].name, tensors[d], tensors[d].types[0], tensors[d].name in stored)
        for d in passed
    )
    body = nest.body
    for decl in tensors.keys() - set(passed):
        body = Allocate(tensors[decl], body)
    return replace(nest, arguments=arguments, body=body)


def _check_numbers(nest: Nest, span: Span) -> None:
    parts = (e for node in walk(nest.body) for part in expressions(node) for e in below(part))
    if any(isinstance(e, Const) and e.type.is_float for e in parts):
        raise NotATensorNest(span, "a number that is no integer")


def _sized(decl: Decl, leaves: TypedLeaves, sizes: Mapping[str, int]) -> Tensor:
    """The memory of a variable with the extents that the sizes give it."""
    memory, type_ = leaves.arrays[decl], type_of(decl.type)
    if type_ is not None:
        return tensor(memory.name, type_, ())
    span = memory.touches[0].span
    found = array_tensor(decl, span, Expressions(Scope(dict(sizes))).value)
    if found.name != memory.name:  # the variables of extents are named by it
        raise NotATensorNest(span, f"another array is named '{found.name}'")
    return replace(found, walked=found.name in leaves.walked)
