"""Layers of ONNX models, where the package is there; what is left out, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from s2s.driver.layers import read_layers
from s2s.source.diagnostics import UserError

onnx = pytest.importorskip("onnx")


def save(path: Path, nodes: list[Any], inputs: dict[str, Any], weights: dict[str, Any]) -> str:
    helper, float_ = onnx.helper, onnx.TensorProto.FLOAT
    values = [helper.make_tensor_value_info(n, float_, s) for n, s in inputs.items()]
    filled = [
        helper.make_tensor(n, float_, s, bytes(4 * prod(s)), raw=True) for n, s in weights.items()
    ]
    last = helper.make_tensor_value_info(nodes[-1].output[0], float_, None)
    graph = helper.make_graph(nodes, "net", values, [last], filled)
    onnx.save(helper.make_model(graph), path)
    return str(path)


def prod(sizes: Any) -> int:
    found = 1
    for size in sizes:
        found *= size
    return found


def node(kind: str, inputs: list[str], output: str, **attributes: Any) -> Any:
    return onnx.helper.make_node(kind, inputs, [output], name=f"{kind}.{output}", **attributes)


def test_layers_of_a_model(tmp_path: Path) -> None:
    nodes = [
        node("Conv", ["x", "w1"], "a", strides=[2, 2], pads=[3, 3, 3, 3]),
        node("Relu", ["a"], "b"),
        node("MaxPool", ["b"], "c", kernel_shape=[3, 3], strides=[2, 2]),
        node("Conv", ["c", "w2"], "d", group=8, dilations=[2, 2]),
        node("Relu", ["d"], "e"),
        node("Conv", ["e", "w3"], "f", group=2),
        node("ConvTranspose", ["f", "w4"], "g", strides=[2, 2]),
        node("Flatten", ["g"], "h"),
        node("Gemm", ["h", "w5"], "i", transB=1),
    ]
    weights = {
        "w1": [8, 3, 7, 7],
        "w2": [8, 1, 3, 3],
        "w3": [6, 4, 1, 1],
        "w4": [6, 5, 2, 2],
        "w5": [10, 5 * 22 * 22],
    }
    path = save(tmp_path / "net.onnx", nodes, {"x": ["batch", 3, 64, 64]}, weights)
    network, left = read_layers(path)
    assert [layer.name for layer in network.layers] == [
        "Conv.a", "MaxPool.c", "Conv.d", "Conv.f", "ConvTranspose.g", "Gemm.i"
    ]  # fmt: skip
    first, pool, depthwise, grouped, up, product = network.layers
    assert (first.kind.value, dict(first.sizes), first.stride) == (
        "CONV", {"N": 1, "K": 8, "C": 3, "R": 7, "S": 7, "Y": 69, "X": 69}, (2, 2)
    )  # fmt: skip
    assert (first.loops["Y'"], pool.loops["Y'"]) == (32, 15)
    assert (depthwise.kind.value, depthwise.loops["C"], depthwise.loops["Y'"]) == ("DSCONV", 8, 11)
    assert (grouped.loops["G"], grouped.loops["K"], grouped.loops["C"]) == (2, 3, 4)
    assert (up.kind.value, up.loops["Y"], up.stride) == ("TRCONV", 11, (2, 2))
    assert product.loops == {"M": 1, "N": 10, "K": 5 * 22 * 22}
    assert [said.text.split(": left out: ")[1] for said in left] == [
        "Relu (2 nodes): no contraction and no maximum over windows",
        "Flatten (1 node): no contraction and no maximum over windows",
    ]


def test_products_of_matrices(tmp_path: Path) -> None:
    nodes = [node("MatMul", ["x", "w"], "a"), node("MatMul", ["a", "z"], "b")]
    inputs = {"x": [4, 6, 8], "z": [4, 10, 3]}
    network, _ = read_layers(save(tmp_path / "m.onnx", nodes, inputs, {"w": [8, 10]}))
    first, second = network.layers
    assert first.loops == {"M": 24, "N": 10, "K": 8}
    assert second.loops == {"B": 4, "M": 6, "N": 3, "K": 10}


def test_a_model_without_layers_and_a_file_that_is_none(tmp_path: Path) -> None:
    path = save(tmp_path / "r.onnx", [node("Relu", ["x"], "y")], {"x": [1, 2]}, {})
    with pytest.raises(UserError, match=r"no operator .* Relu \(1 node\): no contraction"):
        read_layers(path)
    (tmp_path / "x.onnx").write_bytes(b"no model at all")
    with pytest.raises(UserError, match="no ONNX model"):
        read_layers(str(tmp_path / "x.onnx"))
