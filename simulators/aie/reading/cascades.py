"""The cascade: sums that come from one neighbour (``get_scd``) and go to the other (``put_mcd``).

They are arrays of the program, ``cascade_in`` and ``cascade_out``, with 64 bits for each of the
eight sums of a transfer: what one kernel leaves in its ``cascade_out`` the next one gets. Nothing
waits, and the cycles are those of memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie.instructions import Convert
from s2s.simulators.aie.program import CASCADE, Array
from s2s.simulators.aie.reading.intrinsic_calls import IntrinsicCalls
from s2s.simulators.aie.reading.jumps import CASCADES, kind_of, nodes
from s2s.simulators.aie.reading.kinds import (
    Address,
    Place,
    PointerTo,
    Result,
    Variable,
    Void,
    bytes_of,
)
from s2s.simulators.aie.values import (
    AccumulatorType,
    Affine,
    Constant,
    PointerType,
    ScalarType,
    Value,
    VectorType,
)

_SUMS = AccumulatorType(8, 48)
_TRANSFER = VectorType(8, 64)


def ports(reader: IntrinsicCalls, functions: Sequence[Any], alignment: int) -> tuple[Array, ...]:
    """The arrays of the cascades that functions use; their places are variables of the file."""
    called = {
        node.name.name
        for function in functions
        for node in nodes(function.body)
        if kind_of(node) == "FuncCall" and kind_of(node.name) == "ID"
    }
    found = []
    for intrinsic, name in CASCADES.items():
        if intrinsic in called:
            element = ScalarType(64)
            base = reader.builder.value(PointerType(element), name)
            variable = Variable(name, PointerTo(_TRANSFER))
            reader.builder.write(variable, Address(base))
            reader.scope.names[name] = variable
            found.append(Array(base, name, element, (), True, alignment=alignment, window=CASCADE))
    return tuple(found)


def transfer(self: IntrinsicCalls, node: Any, name: str, arguments: Sequence[Any]) -> Result:
    """``get_scd()`` or ``put_mcd(sums)``. Raises UserError."""
    self.count(node, name, arguments, int(name == "put_mcd"))
    variable = self.scope.find(CASCADES[name])
    assert isinstance(variable, Variable)
    address = self.builder.read(variable)
    assert isinstance(address, Address)
    place = Place(address, _TRANSFER)
    result = Result(Void())
    if name == "put_mcd":
        sums = self.vector(arguments[0])
        if sums.type != _SUMS:
            raise self.fail(node, f"'{name}' of a '{sums.type}': a transfer has 8 sums of 48 bits")
        lanes = self.made(_TRANSFER, lambda v: Convert(v, "lsrs", sums, Constant(0)))
        self.store(node, place, lanes)
    else:
        loaded = self.loaded(place).content
        assert isinstance(loaded, Value)
        result = self.made(_SUMS, lambda v: Convert(v, "ups", loaded, Constant(0)))
    self.builder.write(variable, address.moved(Affine((), bytes_of(_TRANSFER))))
    return result
