"""Layers of ONNX models: convolutions, products of matrices, maxima over windows.

The package ``onnx`` is an extra of s2s and is imported here alone. Weights are not looked at, only
shapes; a batch whose size is open counts as 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

from s2s.source.records import dataclass
from s2s.source.spatial.layers import Computation, Index, Kind, Layer, Network, Tensor
from s2s.source.spatial.problems import problem


@dataclass(frozen=True)
class LeftOut:
    """An operator whose nodes are no layers: how many there are, and why."""

    operator: str
    count: int
    reason: str

    def __str__(self) -> str:
        nodes = "1 node" if self.count == 1 else f"{self.count} nodes"
        return f"{self.operator} ({nodes}): {self.reason}"


class _NoLayer(Exception):
    """A node that is no layer, and why."""


def read_model(path: str, data: bytes) -> tuple[Network, tuple[LeftOut, ...]]:
    """The layers of a model in its order, and the operators that are left out.

    Raises UserError where the package is missing, the file is no model, or it has no layer.
    """
    try:
        import onnx
        from onnx import shape_inference
    except ImportError:
        raise problem(f"{path}: ONNX models are read with 'pip install s2s[onnx]'") from None
    try:
        model = onnx.load_model_from_string(data)
        model = shape_inference.infer_shapes(model)
    except Exception as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise problem(f"{path}: no ONNX model: {said}") from None
    graph = model.graph
    shapes = dict(_shapes(graph))
    layers: list[Layer] = []
    left: dict[tuple[str, str], int] = {}
    for number, node in enumerate(graph.node):
        name = node.name or f"{node.op_type}_{number}"
        try:
            layers.append(_layer(name, node, shapes))
        except _NoLayer as reason:
            key = node.op_type, str(reason)
            left[key] = left.get(key, 0) + 1
    found = tuple(LeftOut(operator, count, reason) for (operator, reason), count in left.items())
    if not layers:
        said = "; ".join(map(str, found)) or "it has no nodes"
        raise problem(f"{path}: no operator of the model is a layer: {said}")
    return Network(graph.name or "model", tuple(layers)), found


def _shapes(graph: Any) -> Iterator[tuple[str, tuple[int | None, ...]]]:
    """The shape of each value that has one; None for open sizes but the first, which count as 1."""
    for value in (*graph.input, *graph.value_info, *graph.output):
        tensor = value.type.tensor_type
        if tensor.HasField("shape"):
            dims = [d.dim_value if d.HasField("dim_value") else None for d in tensor.shape.dim]
            if dims and dims[0] is None:
                dims[0] = 1
            yield value.name, tuple(dims)
    for one in graph.initializer:
        yield one.name, tuple(one.dims)


def _layer(name: str, node: Any, shapes: Mapping[str, tuple[int | None, ...]]) -> Layer:
    makers = {
        "Conv": _convolution,
        "ConvTranspose": _transposed,
        "Gemm": _gemm,
        "MatMul": _product,
        "MaxPool": _pooling,
    }
    if node.op_type not in makers:
        raise _NoLayer("no contraction and no maximum over windows")
    found = []
    for value in (*node.input[:2], *node.output[:1]):
        shape = shapes.get(value)
        if shape is None or None in shape:
            raise _NoLayer(f"the shape of '{value}' is not known")
        found.append(tuple(int(size or 0) for size in shape))
        if 0 in found[-1]:
            raise _NoLayer(f"'{value}' has no elements")
    return makers[node.op_type](name, found, {a.name: a for a in node.attribute})


def _list(attributes: Mapping[str, Any], name: str, default: Sequence[int]) -> list[int]:
    return list(attributes[name].ints) if name in attributes else list(default)


def _number(attributes: Mapping[str, Any], name: str, default: int) -> int:
    return int(attributes[name].i) if name in attributes else default


@dataclass(frozen=True)
class _Window:
    """Rows, then columns: window, stride, dilation, output; one dimension has one row."""

    window: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    output: tuple[int, int]

    @property
    def image(self) -> tuple[tuple[str, int], ...]:
        """R and S, and the rows and columns that are read, padding included."""
        places = zip(self.window, self.stride, self.dilation, self.output, strict=True)
        rows, columns = ((o - 1) * s + d * (w - 1) + 1 for w, s, d, o in places)
        return ("R", self.window[0]), ("S", self.window[1]), ("Y", rows), ("X", columns)


def _window(window: Sequence[int], output: Sequence[int], attributes: Mapping[str, Any]) -> _Window:
    if not 1 <= len(window) <= 2:
        raise _NoLayer(f"windows of {len(window)} dimensions")
    ones = [1] * len(window)
    strides, dilations = (_list(attributes, n, ones) for n in ("strides", "dilations"))
    full = [([1] * (2 - len(part)) + list(part)) for part in (window, strides, dilations, output)]
    pairs = [(part[0], part[1]) for part in full]
    return _Window(*pairs)


def _convolution(
    name: str, shapes: Sequence[tuple[int, ...]], attributes: Mapping[str, Any]
) -> Layer:
    image, weights, output = shapes
    groups = _number(attributes, "group", 1)
    found = _window(weights[2:], output[2:], attributes)
    batch, filters, inner = image[0], weights[0], weights[1]
    sizes: list[tuple[str, int]] = [("N", batch)]
    if groups == 1:
        kind = Kind.CONV
        sizes += [("K", filters), ("C", inner)]
    elif inner == 1 and filters == groups:
        kind = Kind.DSCONV
        sizes += [("C", groups)]
    else:
        kind = Kind.NGCONV
        sizes += [("G", groups), ("K", filters // groups), ("C", inner)]
    return Layer(name, kind, (*sizes, *found.image), found.stride, found.dilation)


def _transposed(
    name: str, shapes: Sequence[tuple[int, ...]], attributes: Mapping[str, Any]
) -> Layer:
    image, weights, output = shapes
    found = _window(weights[2:], output[2:], attributes)
    pads = _list(attributes, "pads", ()) + _list(attributes, "output_padding", ())
    if _number(attributes, "group", 1) != 1 or found.dilation != (1, 1) or any(pads):
        raise _NoLayer("transposed with groups, dilation or padding")
    rows = [1] * (4 - len(image)) + list(image[2:])
    sizes = [("N", image[0]), ("K", weights[1]), ("C", weights[0])]
    sizes += [("R", found.window[0]), ("S", found.window[1]), ("Y", rows[0]), ("X", rows[1])]
    return Layer(name, Kind.TRCONV, tuple(sizes), found.stride)


def _gemm(name: str, shapes: Sequence[tuple[int, ...]], attributes: Mapping[str, Any]) -> Layer:
    left, _, output = shapes
    inner = left[0] if _number(attributes, "transA", 0) else left[1]
    return Layer(name, Kind.GEMM, (("M", output[0]), ("N", output[1]), ("K", inner)))


def _product(name: str, shapes: Sequence[tuple[int, ...]], attributes: Mapping[str, Any]) -> Layer:
    left, right, _ = shapes
    inner = left[-1]
    rows = left[-2] if len(left) > 1 else 1
    columns = right[-1] if len(right) > 1 else 1
    if prod(right[:-2]) == 1:  # the same matrix for all
        rows *= prod(left[:-2])
        return Layer(name, Kind.GEMM, (("M", rows), ("N", columns), ("K", inner)))
    if left[:-2] != right[:-2]:
        raise _NoLayer("matrices that are repeated along some dimensions alone")
    ones = {dim: Index(((dim, 1),)) for dim in "BMNK"}
    own = Computation(
        Tensor("O", (ones["B"], ones["M"], ones["N"])),
        (
            Tensor("I", (ones["B"], ones["M"], ones["K"])),
            Tensor("W", (ones["B"], ones["K"], ones["N"])),
        ),
    )
    sizes = (("B", prod(left[:-2])), ("M", rows), ("N", columns), ("K", inner))
    return Layer(name, Kind.CONTRACTION, sizes, own=own)


def _pooling(name: str, shapes: Sequence[tuple[int, ...]], attributes: Mapping[str, Any]) -> Layer:
    image, output = shapes
    found = _window(_list(attributes, "kernel_shape", ()), output[2:], attributes)
    sizes = (("N", image[0]), ("C", image[1]), *found.image)
    return Layer(name, Kind.POOL, sizes, found.stride, found.dilation)
