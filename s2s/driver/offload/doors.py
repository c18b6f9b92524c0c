"""The targets of s2s as devices: which operations each takes, and its own door as code generator.

A region's function goes through ``transform_file`` as a file of a user's would; what that refuses,
with its reason, stays on the host.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from s2s.driver.offload.narrow import can_narrow, narrow
from s2s.driver.options import Options, Outcome
from s2s.net import Mismatch
from s2s.source.diagnostics import Severity, UsageError, UserError
from s2s.targets.source_options import SourceOptions
from s2s.transforms.outline.patterns import Pattern, is_op
from s2s.transforms.outline.table import (
    Check,
    Codegen,
    Function,
    Module,
    PatternCheckContext,
    Refused,
    forget,
    register_codegen,
    register_pass,
    register_patterns,
)

PRODUCTS = ("convolution", "matmul", "matvec", "contraction", "syrk", "outer", "dot")
POOLS = ("max_pool", "avg_pool", "sum_pool")
_INTEGERS = frozenset({"int8", "uint8", "int16", "uint16", "int32"})
_EXACT_IN_HALF = frozenset({"int8", "uint8", "float16"})


Transform = Callable[[str, Sequence[str], Options], Outcome]
"""``transform_file``, which this file's user has."""


def _types(context: PatternCheckContext) -> frozenset[str]:
    return frozenset(
        tensor.type for node in context.match.nodes for tensor in (*node.inputs, *node.outputs)
    )


def _has_integers(context: PatternCheckContext) -> bool | str:
    other = _types(context) - _INTEGERS
    if not other:
        return True
    return f"its elements are {min(other)}, and the kernels are of integers (--offload-lossy)"


def _integers_or_narrow(context: PatternCheckContext) -> bool | str:
    if can_narrow(context.node("product")):
        return True
    return _has_integers(context)


def _exact_maximum(context: PatternCheckContext) -> bool | str:
    other = _types(context) - _EXACT_IN_HALF
    if other:
        return f"half precision has not all values of {min(other)} (--offload-lossy allows it)"
    return True


def _any_lossy(context: PatternCheckContext) -> bool | str:
    return True


def _words(context: PatternCheckContext) -> bool | str:
    other = _types(context) - {"int16", "uint16", "int8", "uint8"}
    return f"its elements are {min(other)}, and the array has words of 16 bits" if other else True


def register_doors(*, lossy: bool = False) -> None:
    """The tables of our targets; ``lossy``: values may become those of narrower types."""
    for device in ("aie", "davinci", "clockwork", "spatial", "cuda", "emu"):
        forget(device)
    product = is_op(*PRODUCTS)
    check = _integers_or_narrow if lossy else _has_integers
    register_patterns([("aie.product", product, {"product": product}, check)])
    if lossy:
        register_pass("aie")(narrow)
    rows: list[tuple[str, Pattern, dict[str, Pattern], Check]] = []
    for name in POOLS:
        exact = name == "max_pool" and not lossy
        check = _exact_maximum if exact else _any_lossy if lossy else _inexact
        rows.append((f"davinci.{name}", is_op(name), {}, check))
    register_patterns(rows)
    register_patterns([("clockwork.loops", is_op(), {}, _words)])
    register_patterns([("cuda.loops", is_op())])
    register_patterns([("spatial.layer", is_op(*PRODUCTS), {}, _has_integers)])


def _inexact(context: PatternCheckContext) -> bool | str:
    return "its sums would be rounded to half precision (--offload-lossy allows it)"


def _door(target: str, made: Callable[[Function, Outcome], Module]) -> Codegen:
    """A code generator that hands each function to a target's door."""

    def codegen(
        functions: Sequence[Function], options: Mapping[str, Any], constant_names: Sequence[str]
    ) -> Sequence[Module]:
        modules = []
        for function in functions:
            with tempfile.TemporaryDirectory(prefix="s2s-region-") as folder:
                path = Path(folder, f"{function.name}.c")
                path.write_text(function.text)
                chosen = Options(
                    target=target,
                    given=SourceOptions(generator=function.name),
                    header=f"{function.name}.h",
                    check=bool(options.get("check", True)),
                )
                modules.append(
                    made(function, run_door(options["transform"], str(path), function, chosen))
                )
        return modules

    return codegen


def run_door(transform: Transform, path: str, function: Function, options: Options) -> Outcome:
    """The outcome of the target's own way. Raises Refused."""
    try:
        return transform(path, function.flags, options)
    except UserError as error:
        raise Refused(error.diagnostics[0].text) from None
    except (UsageError, Mismatch) as error:
        raise Refused(str(error)) from None


def _said(outcome: Outcome) -> str:
    return "; ".join(one.text for one in outcome.diagnostics[:1])


def _kernel(function: Function, outcome: Outcome) -> Module:
    """One file, with what belongs to it."""
    files = {f"{function.name}{outcome.suffix}": outcome.text, **dict(outcome.companions)}
    return Module("c", files, said=_said(outcome))


def _design(function: Function, outcome: Outcome) -> Module:
    files = {outcome.name: outcome.text, **dict(outcome.companions)}
    return Module("c", files, said=_said(outcome))


def _kernels(function: Function, outcome: Outcome) -> Module:
    """A file with kernels in place of loops. Raises Refused where there is none."""
    if not outcome.changed:
        raise Refused(_said(outcome) or "none of its loops becomes a kernel")
    made = sum(one.severity is Severity.REMARK for one in outcome.diagnostics)
    text = outcome.text.replace(b"*restrict ", b"*__restrict__ ")
    return Module("c", {f"{function.name}.cu": text}, said=f"{made} kernels")


def register_codegens() -> None:
    """The doors of our targets."""
    register_codegen("aie")(_door("aie", _kernel))
    register_codegen("davinci")(_door("davinci", _kernel))
    register_codegen("cuda", merges=True)(_door("cuda", _kernels))
    register_codegen("clockwork", merges=True)(_door("clockwork", _design))
