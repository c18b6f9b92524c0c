"""What a module of CoreIR computes, by the definitions of its primitives, on arrays of words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[Any]
Module = Mapping[str, Any]


def evaluate(module: Module, inputs: Mapping[str, Words]) -> Words:
    """The words at the only output, those of inputs by port (``in0_b.1``) as unsigned numbers."""
    sources = {target: source for source, target in module["connections"]}
    instances = module.get("instances", {})
    known: dict[str, Words] = {}

    def port(name: str) -> Words:
        owner, _, rest = name.partition(".")
        if owner == "self":
            return inputs[rest]
        if owner not in known:
            instance = instances[owner]
            ports = {t.partition(".")[2]: t for t in sources if t.partition(".")[0] == owner}
            known[owner] = _instance(instance, {p: port(sources[t]) for p, t in ports.items()})
        return known[owner]

    (output,) = (target for target in sources if target.startswith("self."))
    return port(sources[output])


def _instance(instance: Mapping[str, Any], at: Mapping[str, Words]) -> Words:
    name = instance.get("genref", instance.get("modref"))
    sizes = {key: value[1] for key, value in instance.get("genargs", {}).items()}
    _library, _, op = name.partition(".")
    if op == "const":
        value = instance["modargs"]["value"][1]
        return np.array(int(value.partition("'h")[2], 16) if isinstance(value, str) else value)
    if op == "mux":
        return np.asarray(np.where(at["sel"] != 0, at["in1"], at["in0"]))
    if op == "rom2":
        return np.asarray(np.array(instance["modargs"]["init"][1])[at["raddr"] % sizes["depth"]])
    if op in ("zext", "sext"):
        made = _signed(at["in"], sizes["width_in"]) if op == "sext" else at["in"]
        return np.asarray(made & ((1 << sizes["width_out"]) - 1))
    if op == "slice":
        return np.asarray((at["in"] >> sizes["lo"]) & ((1 << (sizes["hi"] - sizes["lo"])) - 1))
    width = sizes.get("width", 1)
    operands = [at["in"]] if "in" in at else [at["in0"], at["in1"]]
    made = _OPERATIONS[op](width, *(np.asarray(o, np.int64) for o in operands))
    return np.asarray(np.asarray(made, np.int64) & ((1 << width) - 1))


def _signed(words: Words, width: int) -> Words:
    return np.where(words >> (width - 1) & 1, words - (1 << width), words)


def _signs(operate: Callable[[Words, Words], Words]) -> Callable[[int, Words, Words], Words]:
    return lambda width, a, b: operate(_signed(a, width), _signed(b, width))


def _plain(operate: Callable[..., Words]) -> Callable[..., Words]:
    return lambda width, *operands: operate(*operands)


def _toward_zero(a: Words, b: Words) -> Words:
    divisor = np.where(b == 0, 1, b)
    return np.asarray(np.sign(a) * np.sign(divisor) * (np.abs(a) // np.abs(divisor)))


def _shifted(a: Words, b: Words, left: bool) -> Words:
    far = np.minimum(b, 40)
    return np.where(b > 40, 0, a << np.minimum(far, 31) if left else a >> far)


_OPERATIONS: dict[str, Callable[..., Words]] = {
    "add": _plain(np.add),
    "sub": _plain(np.subtract),
    "mul": _plain(np.multiply),
    "and": _plain(np.bitwise_and),
    "or": _plain(np.bitwise_or),
    "xor": _plain(np.bitwise_xor),
    "not": _plain(np.bitwise_not),
    "neg": _plain(np.negative),
    "udiv": _plain(_toward_zero),
    "sdiv": _signs(_toward_zero),
    "shl": _plain(lambda a, b: _shifted(a, b, True)),
    "lshr": _plain(lambda a, b: _shifted(a, b, False)),
    "ashr": lambda width, a, b: _signed(a, width) >> np.minimum(b, 40),
    "eq": _plain(np.equal),
    "neq": _plain(np.not_equal),
    "umin": _plain(np.minimum),
    "umax": _plain(np.maximum),
    "smin": _signs(np.minimum),
    "smax": _signs(np.maximum),
    "absd": _plain(lambda a, b: np.abs(a - b)),
    "abs": lambda width, a: np.abs(_signed(a, width)),
    **{f"u{name}": _plain(operate) for name, operate in (
        ("lt", np.less), ("le", np.less_equal), ("gt", np.greater), ("ge", np.greater_equal)
    )},
    **{f"s{name}": _signs(operate) for name, operate in (
        ("lt", np.less), ("le", np.less_equal), ("gt", np.greater), ("ge", np.greater_equal)
    )},
}  # fmt: skip
