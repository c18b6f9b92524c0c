"""An array copied so that its subscripts are plain iterators: what R4 asks for.

::

    for x: for r: out[x] += in[x + r] * w[4 - r];

    for r: v[r] = w[4 - r];    for x: for r: out[x] += in[x + r] * v[r];

A permuted copy of the data layout (array contraction's reverse). An array that the nest writes is
copied back, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import islpy as isl

from s2s.analyses.conformability.normal_form import Normal
from s2s.scop.nodes import Access, Loop, Scop
from s2s.scop.trees import paths
from s2s.source import SourceBuffer, Span
from s2s.transforms.spatial.separate import (
    MOST_BYTES,
    NotSeparable,
    Separated,
    indentation,
    indices,
)


def copy_permuted(
    scop: Scop, normal: Normal, array: str, buffer: SourceBuffer, prefix: str
) -> Separated:
    """The nest over a copy of an array of which all accesses are one. Raises NotSeparable.

    The nest is perfect, has one statement, and its only dependences are a reduction's.
    """
    statement = normal.statement
    touched = [access for access in statement.accesses if access.array == array]
    _check(scop, touched, array)
    axes = normal.subscripts(touched[0].elements)
    used = sorted({k for axis in axes if axis is not None for k in axis.terms})
    loops = [node for node in paths(scop.tree)[statement.name] if isinstance(node, Loop)]
    if normal.tiles or None in axes or any(normal.around[k] for k in used):
        raise NotSeparable(touched[0].span, f"the subscripts of '{array}' are no sums")
    extents = [normal.extents[k] for k in used]
    sizes = [extent for extent in extents if extent is not None]
    if (
        len(sizes) < len(extents)
        or prod(sizes) * (scop.arrays[array].element_size or 8) > MOST_BYTES
    ):
        raise NotSeparable(touched[0].span, f"a copy of '{array}' has no fixed size, or is large")
    writes = any(access.write for access in touched)
    if writes and not _is_injective(touched[0], normal, used):
        raise NotSeparable(touched[0].span, f"several iterations share elements of '{array}'")
    spelling = scop.arrays[array].spelling
    new = f"{prefix}{spelling}"
    every = indices(normal)
    element = new + "".join(f"[{every[k]}]" for k in used)
    old = buffer.text(touched[0].span)
    type_ = touched[0].type.removeprefix("const ").strip()
    if not type_:
        raise NotSeparable(touched[0].span, f"the type of '{array}' has no name")
    heads = [" ".join(buffer.text(loop.header).split()) for loop in loops]
    around = " ".join(heads[k] for k in used)
    lines = [f"{type_} {new}" + "".join(f"[{size}]" for size in sizes) + ";"]
    lines.append(f"{around} {element} = {old};")
    lines.append(f"{' '.join(heads)} {_renamed(buffer, statement.span, touched, element)};")
    if writes:
        lines.append(f"{around} {old} = {element};")
    indent = indentation(buffer, scop.span)
    text = "".join(f"{indent}    {line}\n" for line in lines)
    return Separated(f"{{\n{text}{indent}}}", (f"{old} is copied to {element}",))


def _check(scop: Scop, touched: Sequence[Access], array: str) -> None:
    first = touched[0]
    if any(not access.relation.is_equal(first.relation) for access in touched):
        raise NotSeparable(first.span, f"'{array}' has two subscripts")
    written = {a.array for s in scop.statements for a in s.accesses if a.write}
    for pair in scop.may_alias:
        if (
            array in pair
            and pair & written
            and pair & {a.array for a in scop.statements[0].accesses}
        ):
            said = f"'{array}' may overlap with another array (restrict says that it does not)"
            raise NotSeparable(first.span, said)


def _is_injective(access: Access, normal: Normal, used: Sequence[int]) -> bool:
    """Whether an access tells the iterations of the loops that it uses apart."""
    places = ", ".join(f"i{k}" for k in range(len(normal.names)))
    kept = ", ".join(f"i{k}" for k in used)
    onto = isl.Map(f"{{ [{places}] -> [{kept}] }}")
    reached = normal.to_source.apply_range(access.elements).intersect_domain(normal.domain)
    return bool(onto.reverse().apply_range(reached).is_injective())


def _renamed(buffer: SourceBuffer, span: Span, touched: Sequence[Access], element: str) -> str:
    """The statement's text with the element in the place of each access."""
    places = sorted({place for access in touched for place in access.spans}, reverse=True)
    data = buffer.data[span.start : span.end]
    for place in places:
        start, end = place.start - span.start, place.end - span.start
        data = data[:start] + element.encode() + data[end:]
    return data.decode("utf-8", "surrogateescape").rstrip().rstrip(";")
