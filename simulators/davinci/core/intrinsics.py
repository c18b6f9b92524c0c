"""Which intrinsics there are, and the pipe that runs each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.simulators.davinci.core import comparisons, synchronize, transfers, vector, windows
from s2s.simulators.davinci.core.state import Core
from s2s.simulators.davinci.kinds import Pointer, Type


def _declare(core: Core, name: str, types: tuple[Type, ...]) -> Callable[..., None]:
    """A pointer is declared: a buffer begins where it leads to."""
    kind = types[0]
    assert isinstance(kind, Pointer)
    return lambda line, variable, at: core.buffers.declare(kind.space, variable, at, line)


Make = Callable[[Core, str, tuple[Type, ...]], Callable[..., Any]]

MAKE: dict[str, tuple[str, Make]] = {
    **{name: ("V", vector.binary) for name in vector.BINARY},
    **{name: ("V", vector.unary) for name in vector.UNARY},
    **{name: ("V", vector.with_scalar) for name in vector.WITH_SCALAR},
    **{f"vcmp_{name}": ("V", comparisons.compare) for name in comparisons.COMPARED},
    **{f"vcmpv_{name}": ("V", comparisons.compare_packed) for name in comparisons.COMPARED},
    "vector_dup": ("V", vector.duplicate),
    "vconv_f162f32": ("V", vector.convert),
    "vconv_f322f16": ("V", vector.convert),
    "vsel": ("V", comparisons.select),
    "set_cmpmask": ("V", comparisons.move_cmpmask),
    "get_cmpmask": ("V", comparisons.move_cmpmask),
    "set_vector_mask": ("S", vector.set_mask),
    "set_vector_mask_dup": ("S", vector.set_mask),
    **{name: (path.pipe, transfers.transfer) for name, path in transfers.PATHS.items()},
    **{f"img2col_cbuf_to_{end}": ("MTE1", windows.img2col) for end in ("ub", "ca", "cb")},
    "col2img": ("V", windows.col2img),
    "set_fmatrix": ("S", windows.set_window),
    "set_fcol2img": ("S", windows.set_window),
    "set_padding": ("S", windows.set_padding),
    "set_flag": ("S", synchronize.set_flag),
    "wait_flag": ("S", synchronize.wait_flag),
    "pipe_barrier": ("S", synchronize.barrier),
    "*load": ("S", transfers.load_scalar),
    "*store": ("S", transfers.store_scalar),
    "*buffer": ("S", _declare),
}
