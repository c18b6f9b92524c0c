"""What a layer of type CONTRACTION computes: ``O(I, J) += A(2*I + K, J) * B(K)``."""

from __future__ import annotations

from collections.abc import Collection

from s2s.source.spatial.layers import Computation, Index, Tensor
from s2s.source.spatial.problems import meant, problem
from s2s.source.spatial.scanner import Scanner


def read_computation(scanner: Scanner, dims: Collection[str]) -> Computation:
    """What stands in braces after ``Computation``, which comes after the dimensions.

    Raises UserError for what is not understood, and for a dimension that no tensor has.
    """
    start = scanner.sign("{")
    output = _tensor(scanner, dims)
    if scanner.word.text not in ("+=", "max=", "min="):
        raise scanner.wrong("'+=', 'max=' or 'min='")
    combine = scanner.take().text[:-1]
    operands = [_tensor(scanner, dims)]
    while scanner.passes("*"):
        operands.append(_tensor(scanner, dims))
    scanner.passes(";")
    scanner.sign("}")
    found = Computation(output, tuple(operands), combine)
    used = frozenset[str]().union(*(tensor.dims for tensor in found.tensors))
    for dim in dims:
        if dim not in used:
            raise problem(f"no tensor has the dimension {dim}", start.at)
    return found


def _tensor(scanner: Scanner, dims: Collection[str]) -> Tensor:
    name = scanner.name("a tensor")
    scanner.sign("(")
    axes = []
    while not scanner.passes(")"):
        axes.append(_index(scanner, dims))
        if scanner.word.text != ")":
            scanner.sign(",")
    return Tensor(name.text, tuple(axes))


def _index(scanner: Scanner, dims: Collection[str]) -> Index:
    terms: dict[str, int] = {}
    constant = 0
    sign = -1 if scanner.passes("-") else 1
    while True:
        factor = sign
        if scanner.word.text.isdigit():
            value = 0 if scanner.passes("0") else scanner.number("a factor")[0]
            factor = sign * value
            if not scanner.passes("*"):
                constant += factor
                factor = 0
        if factor:
            dim = scanner.name("a dimension")
            if dim.text not in dims:
                said = f"the layer has no dimension '{dim.text}' (it has: {', '.join(dims)})"
                raise problem(said + meant(dim.text, dims), dim.at)
            terms[dim.text] = terms.get(dim.text, 0) + factor
        if scanner.word.text not in ("+", "-"):
            return Index(tuple((d, c) for d, c in terms.items() if c), constant)
        sign = -1 if scanner.take().text == "-" else 1
