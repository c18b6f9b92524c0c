"""Whether a layer file's layer is what a nest computes."""

from __future__ import annotations

from s2s.analyses.conformability.normal_form import Normal
from s2s.source.spatial.layers import Kind, Layer, Tensor
from s2s.source.spatial.problems import problem
from s2s.transforms.spatial.nest_layers import NestLayer, contraction_of


def as_written(layer: Layer, own: NestLayer, normal: Normal, *, halide: bool = False) -> NestLayer:
    """The nest's layer in a layer file's words: a contraction's own dimensions are its loops."""
    if layer.kind is not Kind.CONTRACTION or own.layer.kind is Kind.CONTRACTION:
        return own
    return contraction_of(own.layer.name, normal, innermost_first=halide)


def check_same(layer: Layer, own: NestLayer, name: str) -> None:
    """Raises UserError, at the layer, where kind, sizes, strides or dilations differ."""
    nest = own.layer
    known = layer.kind is nest.kind or str(layer.computation) == str(nest.computation)
    if not known:
        text = f"the layer is a {layer.kind.value}, the nest of '{name}' is a {nest.kind.value}"
        raise problem(text, layer.at)
    if layer.kind is Kind.CONTRACTION and _shape(layer) != _shape(nest):
        text = f"the layer is {layer.computation}, the nest of '{name}' is {nest.computation}"
        raise problem(text, layer.at)
    for what in ("stride", "dilation"):
        theirs, ours = getattr(layer, what), getattr(nest, what)
        if theirs != ours:
            text = f"the layer's {what} (Y, X) is {theirs}, that of the nest of '{name}' {ours}"
            raise problem(text, layer.at)
    for dim in dict.fromkeys((*layer.loops, *nest.loops)):
        size, wanted = layer.loops.get(dim, 1), nest.loops.get(dim, 1)
        if size != wanted:
            text = f"{dim} of the layer is {size}, in the nest of '{name}' it is {wanted}"
            raise problem(text, layer.at)


def _shape(layer: Layer) -> tuple[object, ...]:
    """What a layer computes, whatever its tensors are called and however its terms stand."""

    def axes(tensor: Tensor) -> list[tuple[list[tuple[str, int]], int]]:
        return [(sorted(axis.terms), axis.constant) for axis in tensor.axes]

    computation = layer.computation
    operands = sorted(map(axes, computation.operands))
    return axes(computation.output), operands, computation.combine
