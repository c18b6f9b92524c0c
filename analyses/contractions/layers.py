"""Contractions one after the other: the image of each is what the one before has computed.

``mid = ...; out = ...`` in one program, where ``mid`` is an array of the program's own. Each part
of the program is a contraction as ``extract`` finds them; no loop has parts of two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from s2s.analyses.contractions.canonical import contraction
from s2s.analyses.contractions.flow import final_value
from s2s.analyses.contractions.statements import AffineStore, statements
from s2s.scop.contraction import Contraction, NotAContraction
from s2s.scop.expressions import Load, walk
from s2s.scop.nest import Allocate, Nest, Tensor
from s2s.scop.nest import walk as nodes


def extract_layers(nest: Nest) -> tuple[Contraction, ...]:
    """The layers of a program, in order. Raises NotAContraction with a reason.

    They are named after the program, with numbers from 1; arguments are those that each needs.
    """
    own = {n.tensor.name: n.tensor for n in nodes(nest.body) if isinstance(n, Allocate)}
    between = [name for name in own if own[name].dimensions]
    if not between:
        raise NotAContraction("no array of the program's own is between layers")
    found = statements(nest)
    passed = {a.name: a.tensor for a in nest.arguments if a.tensor is not None}
    tensors = passed | {t.name: t for t in nest.tables}
    parts = list(_parts(found, between))
    layers = []
    for number, part in enumerate(parts, 1):
        is_last = number == len(parts)
        names = {s.tensor for s in part} & (passed.keys() if is_last else own.keys())
        made = [name for name in names if is_last or own[name].dimensions]
        if len(made) != 1:
            text = " and ".join(sorted(made)) or "none"
            raise NotAContraction(f"one array of layer {number} has to be computed; it is {text}")
        if not is_last:
            tensors = {**tensors, made[0]: own[made[0]]}
        layers.append(_layer(f"{nest.name}_{number}", made[0], part, tensors))
    _check(layers)
    return tuple(layers)


def _parts(found: Sequence[AffineStore], candidates: Sequence[str]) -> Iterator[list[AffineStore]]:
    """The statements of each layer: one ends where the last store to an array stands that others
    read in loops of their own, and that have no other array in common with those before.
    """
    rest = list(found)
    while (cut := _first_end(rest, candidates)) is not None:
        yield rest[:cut]
        rest = rest[cut:]
    yield rest


def _first_end(found: Sequence[AffineStore], candidates: Sequence[str]) -> int | None:
    for cut in range(1, len(found)):
        before, after = found[:cut], found[cut:]
        tensor = before[-1].tensor
        if tensor not in candidates or any(s.tensor == tensor for s in after):
            continue
        loops = {r.name for s in before for r in s.loops} & {r.name for s in after for r in s.loops}
        written = {s.tensor for s in before}
        read = {
            e.tensor for s in after for v in s.store.values for e in walk(v) if isinstance(e, Load)
        }
        if not loops and not written & {s.tensor for s in after} and read & written == {tensor}:
            return cut
    return None


def _layer(
    name: str, made: str, part: Sequence[AffineStore], tensors: Mapping[str, Tensor]
) -> Contraction:
    last, value = final_value(made, part)
    used = {e.tensor for s in part for v in s.store.values for e in walk(v) if isinstance(e, Load)}
    order = [n for n in tensors if n in used and n != made]
    return contraction(name, last, value, tensors, [*order, made])


def _check(layers: Sequence[Contraction]) -> None:
    for before, after in pairwise(layers):
        made = before.output.array.memory
        if after.image.array.name != made.name or after.weight.array.name == made.name:
            raise NotAContraction(f"{made.name} is not the image of the layer after it")
        if after.image.array.memory.extents != made.extents:
            raise NotAContraction(f"{made.name} is not read as it was computed")
