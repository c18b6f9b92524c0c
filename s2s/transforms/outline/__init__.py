"""Outlining: regions of a program for devices, by patterns, costs and code generators.

J. Chen et al., *Bring Your Own Codegen to Deep Learning Compiler*, arXiv:2105.03215. What a
vendor's package needs is here, with TVM's names::

    register_patterns([("acc.conv2d_relu", pattern, {"conv": conv}, check)])

    @register_codegen("acc")
    def codegen(functions, options, constant_names): ...
"""

from s2s.transforms.outline.borders import change_layout, pad, pad_to_multiple, quantize
from s2s.transforms.outline.graph import Graph, Node, Tensor, calc_mac
from s2s.transforms.outline.json_graph import write_json
from s2s.transforms.outline.partition import partition_for
from s2s.transforms.outline.patterns import (
    Match,
    Pattern,
    is_const,
    is_op,
    is_tuple,
    wildcard,
)
from s2s.transforms.outline.table import (
    Function,
    Module,
    PatternCheckContext,
    Refused,
    get_patterns_with_prefix,
    register_codegen,
    register_pass,
    register_patterns,
)

__all__ = [
    "Function",
    "Graph",
    "Match",
    "Module",
    "Node",
    "Pattern",
    "PatternCheckContext",
    "Refused",
    "Tensor",
    "calc_mac",
    "change_layout",
    "get_patterns_with_prefix",
    "is_const",
    "is_op",
    "is_tuple",
    "pad",
    "pad_to_multiple",
    "partition_for",
    "quantize",
    "register_codegen",
    "register_pass",
    "register_patterns",
    "wildcard",
    "write_json",
]
