"""The functions of an accelerator's operations, each over words in place of loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.compute_unit import ComputeUnit, Operand
from s2s.scop.expressions import INT32, Expr, Load, Type, Variable, walk
from s2s.scop.nest import Argument, Nest, Store, Tensor
from s2s.scop.normal_form import normal
from s2s.scop.rewrite import transform
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.nest.narrow_floats import UINT16, is_narrow, widen_floats
from s2s.transforms.nest.undefined import drop_undefined


def compute_units(accelerator: Accelerator) -> tuple[ComputeUnit, ...]:
    """A unit for each function, in the order of their first operation.

    Raises MappingError where operations that share a function compute different things.
    """
    users: dict[str, list[Operation]] = {}
    for operation in accelerator.operations:
        users.setdefault(operation.function, []).append(operation)
    found = []
    for name, operations in users.items():
        first = _over_words(accelerator, operations[0])
        for other in operations[1:]:
            if _over_words(accelerator, other) is not first:
                text = f"{other.name} shares {name} with {operations[0].name}"
                raise MappingError(f"{text} and computes something else")
        found.append(_unit(accelerator, operations[0]))
    return tuple(found)


def stream_loads(accelerator: Accelerator, operation: Operation) -> tuple[Load, ...]:
    """The loads that come in through ports, in their order: tables are inside the function."""
    return tuple(load for load in operation.loads if load.tensor in accelerator.tensors)


def _over_words(accelerator: Accelerator, operation: Operation) -> Expr:
    """The value with numbers in the place of loads and indices, to be compared."""
    loads = stream_loads(accelerator, operation)
    names = {load: f"word{k}" for k, load in enumerate(loads)}
    indices = {name: f"index{k}" for k, name in enumerate(operation.indices)}
    return _replaced(operation.value, names, indices)


def _replaced(value: Expr, words: Mapping[Load, str], indices: Mapping[str, str]) -> Expr:
    def change(node: Expr) -> Expr:
        if isinstance(node, Variable) and node.name in indices:
            return Variable(node.type, indices[node.name])
        return node

    loads = {load: Variable(load.type, name) for load, name in words.items()}
    return transform(_at_loads(value, loads), change)


def _at_loads(value: Expr, loads: Mapping[Load, Expr]) -> Expr:
    """The value with others in the place of whole loads, subscripts and all."""
    from s2s.scop.rewrite import rebuild

    done: dict[int, Expr] = {}
    for node in walk(value):
        if isinstance(node, Load) and node in loads:
            done[id(node)] = loads[node]
        else:
            done[id(node)] = rebuild(node, tuple(done[id(o)] for o in node.operands))
    return done[id(value)]


def _unit(accelerator: Accelerator, operation: Operation) -> ComputeUnit:
    loads = stream_loads(accelerator, operation)
    buffers: dict[str, list[Load]] = {}
    for load in loads:
        buffers.setdefault(load.tensor, []).append(load)
    words = {
        load: f"_{buffer}_{k + 1}" for buffer, own in buffers.items() for k, load in enumerate(own)
    }
    indices = {name: f"_{name}" for name in operation.indices}
    types = {name: tensor.types[0] for name, tensor in accelerator.tensors.items()}
    value = _replaced(operation.value, words, indices)
    scalars = [(words[load], load.type) for load in loads]
    scalars += [(name, INT32) for name in indices.values()]
    used = {n.tensor for n in walk(value) if isinstance(n, Load)}
    tables = [table for table in accelerator.nest.tables if table.name in used]
    to = operation.store.tensor
    plain, plain_tables = _plain(scalars, to, types[to], value, tables)
    return ComputeUnit(
        operation.function,
        to,
        _in_memory(types[to]),
        tuple(
            Operand(buffer, _in_memory(types[buffer]), tuple(words[load] for load in own))
            for buffer, own in buffers.items()
        ),
        tuple(indices.values()),
        plain,
        value,
        tuple(plain_tables),
        tuple(tables),
    )


def _in_memory(type_: Type) -> Type:
    return UINT16 if is_narrow(type_) else type_


def _plain(
    scalars: Sequence[tuple[str, Type]],
    to: str,
    type_: Type,
    value: Expr,
    tables: Sequence[Tensor],
) -> tuple[Expr, list[Tensor]]:
    """The value as C can compute it, and its tables: 16-bit floats are patterns of bits."""
    arguments = [Argument(name, None, kind) for name, kind in scalars]
    arguments.append(Argument(to, Tensor(to, (type_,), ()), type_, output=True))
    nest = widen_floats(Nest(to, tuple(arguments), Store(to, (), (value,)), tuple(tables)))
    store = normal(drop_undefined(nest.body))
    assert isinstance(store, Store)
    return store.values[0], list(nest.tables)
