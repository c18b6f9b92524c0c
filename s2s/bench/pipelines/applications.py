"""The applications of ``s2s bench halide`` and their sizes, as their description has them."""

from __future__ import annotations

import random
from array import array
from dataclasses import replace
from pathlib import Path

from s2s.bench import descriptions
from s2s.frontends.halide.evaluate import evaluate
from s2s.scop.expressions import Type
from s2s.scop.pipeline import Pipeline
from s2s.source.records import dataclass

NAME = "halide"

MEMORY = {"MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_MMAP_THRESHOLD_": str(1 << 25)}
"""With these the C library keeps what is freed. In the small program around our C every call would
get its memory from the system again, while Halide's compiler has left its process a large heap."""


@dataclass(frozen=True)
class Application:
    """One generator with parameters; extents of its images, first dimension first."""

    name: str
    path: Path
    generator: str
    params: dict[str, str]
    scalars: dict[str, float]
    outputs: tuple[tuple[int, ...], ...]
    inputs: dict[str, tuple[int, ...]]
    has_plain: bool

    @property
    def plain(self) -> Application:
        """The same without a schedule."""
        return replace(self, params={**self.params, "scheduled": "false"})

    def pipeline(self) -> Pipeline:
        """Raises UserError where the source is not understood."""
        return evaluate(
            str(self.path),
            self.path.read_bytes(),
            generator=self.generator,
            parameters=self.params,
        )

    def sizes(self, pipeline: Pipeline) -> dict[str, tuple[int, ...]]:
        """Extents by name of output and input, as ``lower`` takes them."""
        return {**dict(zip(pipeline.outputs, self.outputs, strict=True)), **self.inputs}


def folder(suite: str = NAME) -> Path:
    """Where the applications of a suite lie."""
    return descriptions.find(suite)


def read(size: str, suite: str = NAME) -> list[Application]:
    """All applications at a size: ``small`` or ``large``."""
    home = folder(suite)
    found = []
    for name, entry in descriptions.read_toml(home / "applications.toml").items():
        sized = entry[size]
        params = {**entry.get("params", {}), **sized.get("params", {})}
        found.append(
            Application(
                name,
                home / entry.get("file", f"{name}.cpp"),
                entry.get("generator", name),
                {key: str(value) for key, value in params.items()},
                entry.get("scalars", {}),
                tuple(tuple(extents) for extents in sized["outputs"]),
                {key: tuple(extents) for key, extents in sized["inputs"].items()},
                entry.get("plain") != "none" and "version" not in params,
            )
        )
    return found


def elements(type: Type, extents: tuple[int, ...], seed: int) -> bytes:
    """Random elements of an image: small integers, floats between 0 and 1."""
    source = random.Random(seed)
    count = 1
    for extent in extents:
        count *= extent
    if not type.is_float and type.bits == 8:
        return source.randbytes(count)
    code = {16: "h", 32: "i", 64: "q"}[type.bits]
    if type.is_float:
        code = "f" if type.bits == 32 else "d"
    some = range(min(count, 4099))
    values = [source.random() if type.is_float else source.randrange(1024) for _ in some]
    return (array(code, values) * (count // 4099 + 1))[:count].tobytes()
