"""A function whose body is one region, as a nest over tensors by way of its SCoP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import islpy as isl

from s2s.frontends.c import clang
from s2s.frontends.c.assemble import Assembler
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import functions_of
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.typed.arithmetic import type_of
from s2s.frontends.c.typed.definitions import Definitions
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.expressions import Expressions
from s2s.frontends.c.typed.leaves import TypedLeaves
from s2s.frontends.c.typed.memory import array_tensor, tensor
from s2s.frontends.c.typed.plain import Plain, in_plain_words
from s2s.frontends.c.typed.scope import Scope, fixed_values
from s2s.frontends.c.unit import Unit
from s2s.scop.budget import budget
from s2s.scop.expressions import Const, Variable
from s2s.scop.expressions import walk as below
from s2s.scop.nest import Allocate, Argument, For, Nest, Store, Tensor, expressions, walk
from s2s.scop.nest import Node as Branch
from s2s.scop.nodes import Scop
from s2s.scop.scan import NotScannable, scan
from s2s.source import Span


def region_nest(name: str, unit: Unit, numbers: Mapping[str, int]) -> Nest:
    """The nest of a function whose scalar parameters have the values ``numbers``.

    It runs the statements of the function's SCoP in the order of the source. Arguments are the
    arrays, in the order of the parameters; members of structures and global arrays follow. What
    several pointers lead to is taken to be different memory. Raises NotATensorNest where a part
    has no affine form, or its C is not typed.
    """
    cursor = next((c for c in unit.functions() if clang.spelling(c) == name), None)
    function = None if cursor is None else next(functions_of(unit, [cursor]), None)
    if function is None or not function.body.children:
        raise NotATensorNest(Span(0, 0), f"'{name}' has no statements")
    plain = in_plain_words(function.node, unit, numbers)
    function = replace(function, node=plain.function)
    attempt = function.attempt(function.body.children)
    attempt.lifter.texts = False
    try:
        with budget():
            assembler = Assembler(
                attempt.lifter, attempt.raw(), function.node,
                separate=True, texts=False, in_rows=False,
            )  # fmt: skip
            scop = assembler.run()
            assembler.typed_leaves.definition = Definitions(unit)
            assembler.typed_leaves.fixed = fixed_values(function.body)
            assembler.typed_leaves.quotients = True
            nest = scan(scop, name, (), nodes=_branches(assembler, scop))
    except NotLiftable as error:
        raise NotATensorNest(error.span, error.reason) from None
    except (NotScannable, isl.Error) as error:
        raise NotATensorNest(attempt.span, str(error)) from None
    return _with_memory(nest, assembler.typed_leaves, plain, numbers)


def _branches(assembler: Assembler, scop: Scop) -> dict[str, Branch]:
    """What statements do that are no single store, by their names. Raises NotATensorNest."""
    leaves = {name: leaf for leaf, name, _ in assembler.timeline.statements}
    typed = assembler.typed_leaves
    others = (s for s in scop.statements if s.expression is None)
    return {s.name: typed.node(leaves[s.name], s.domain) for s in others}


def _with_memory(nest: Nest, leaves: TypedLeaves, plain: Plain, numbers: Mapping[str, int]) -> Nest:
    """A nest with its arguments, tables and the memory of its own."""
    leaves.walked |= {leaves.arrays[d].name for d in plain.walked if d in leaves.arrays}
    parameters = [c.decl for c in plain.function.children if c.kind == "PARM_DECL" and c.decl]
    scope = Scope()
    for decl in parameters:
        type_ = type_of(decl.type)
        if type_ is not None and decl.name in numbers:
            scope.values[decl] = Const(type_, type_.wrap(numbers[decl.name]))
    tensors = {d: _sized(d, leaves, scope) for d in leaves.arrays}
    passed = [d for d in (*parameters, *plain.members) if d in tensors and tensors[d].dimensions]
    passed += [d for d in tensors if d.is_global and d not in plain.tables]
    stored = {n.tensor for n in walk(nest.body) if isinstance(n, Store)}
    arguments = tuple(
        Argument(tensors[d].name, tensors[d], tensors[d].types[0], tensors[d].name in stored)
        for d in passed
    )
    tables = tuple(replace(tensors[d], data=plain.tables[d]) for d in plain.tables if d in tensors)
    body = nest.body
    for decl in tensors.keys() - set(passed) - plain.tables.keys():
        body = Allocate(tensors[decl], body)
    return replace(nest, arguments=arguments, body=body, tables=tables)


def check_known(nest: Nest, function: Node) -> None:
    """Raises NotATensorNest where a value in a nest is none of a loop's, but a parameter's."""
    nodes = list(walk(nest.body))
    loops = {node.name for node in nodes if isinstance(node, For)}
    parts = (e for node in nodes for part in expressions(node) for e in below(part))
    free = {e.name for e in parts if isinstance(e, Variable)} - loops
    for node in function.walk():
        if node.kind == "DECL_REF_EXPR" and node.name in free:
            text = f"the value of '{node.name}' is not known; give it as a size"
            raise NotATensorNest(node.span, text)
    if free:  # elements and members that stay as they are
        raise NotATensorNest(function.span, f"the value of '{min(free)}' is not known")


def _sized(decl: Decl, leaves: TypedLeaves, scope: Scope) -> Tensor:
    """The memory of a variable with its extents, which are numbers in a scope."""
    memory, type_ = leaves.arrays[decl], type_of(decl.type)
    if type_ is not None:
        return tensor(memory.name, type_, ())
    span = memory.touches[0].span
    named = replace(decl, name=memory.name)  # the variables of extents are named by it
    found = array_tensor(named, span, Expressions(scope).value)
    return replace(found, walked=found.name in leaves.walked)
