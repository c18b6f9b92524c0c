"""The kernels of ``s2s bench emu`` and their variants (``benchmarks/emu/suite.toml``)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from s2s.bench import descriptions
from s2s.source.records import dataclass

NAME = "emu"
FIRST_SCALE = 6
"""The scale of the first number in the published lists."""

OVERALL_REDUCTION = 22.08
"""Percent over all kernels, as the dissertation has it."""


@dataclass(frozen=True)
class Variant:
    """A program for Emu; ``before`` names what it is compared with.

    With ``steps`` it is what s2s makes of a C program; without, the source is for Emu already.
    ``reduction`` (percent) and ``speedup`` are published, ``wanted`` is the least reduction that
    ours is to have over scales 6 to 13.
    """

    name: str
    source: Path
    flags: tuple[str, ...] = ()
    steps: tuple[str, ...] | None = None
    before: str | None = None
    reduction: float | None = None
    speedup: float | None = None
    wanted: float | None = None


@dataclass(frozen=True)
class Kernel:
    """A kernel with its variants, the first of which is the original.

    ``whole`` names the variant with the dissertation's transformations, ``kept`` that with all but
    ``registers`` and ``buckets``, which are about building the graph, ``unbucketed`` that with all
    but ``buckets``, ``further`` that with all. ``printed`` has the names of the original and these
    four as the algorithm is printed, where that is another one.
    ``migrations`` and ``milliseconds`` of the original are published, from ``FIRST_SCALE`` on.
    """

    name: str
    plain: Path
    variants: tuple[Variant, ...] = ()
    whole: str | None = None
    further: str | None = None
    kept: str | None = None
    unbucketed: str | None = None
    printed: tuple[str, ...] = ()
    migrations: tuple[int, ...] = ()
    milliseconds: tuple[float, ...] = ()

    def steps(self, *, printed: bool) -> tuple[str, ...]:
        """The names of the original, and of what the four sets of transformations make of it."""
        if printed and self.printed:
            return self.printed
        named = (self.whole, self.kept, self.unbucketed, self.further)
        return (self.variants[0].name, *(name or "" for name in named))

    def published_migrations(self, scale: int) -> int | None:
        place = scale - FIRST_SCALE
        return self.migrations[place] if 0 <= place < len(self.migrations) else None


def read() -> list[Kernel]:
    """All kernels. Raises UserError where a description cannot be read."""
    folder = descriptions.find(NAME)
    published = descriptions.read_toml(folder.parent / "published" / "emu.toml")
    described = descriptions.read_toml(folder / "suite.toml")
    try:
        return [_kernel(n, data, folder, published.get(n, {})) for n, data in described.items()]
    except descriptions.BadValueError as error:
        raise descriptions.bench_error(f"{folder / 'suite.toml'}: {error}") from error


def plain() -> list[Kernel]:
    """All programs in plain C, those without variants after the others."""
    found = read()
    known = {kernel.plain for kernel in found}
    others = sorted(set(found[0].plain.parent.glob("*.c")) - known)
    return [*found, *(Kernel(path.stem, path) for path in others)]


_LISTS = ("migrations", "milliseconds")


def _kernel(name: str, data: dict[str, Any], folder: Path, published: dict[str, Any]) -> Kernel:
    variants = [descriptions.read(Variant, one) for one in data.pop("variants")]
    lists: dict[str, Any] = {key: published[key] for key in _LISTS if key in published}
    placed = tuple(replace(one, source=folder / one.source) for one in variants)
    found = descriptions.read(Kernel, {**data, **lists}, name=name, variants=placed)
    return replace(found, plain=folder / found.plain)
