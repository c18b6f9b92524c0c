"""The last lines of ``s2s bench emu``: what each transformation saves, next to what is wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from s2s.bench.graph_kernels.kernels import OVERALL_REDUCTION, Kernel
from s2s.bench.graph_kernels.rows import Row, reductions, total_reduction
from s2s.bench.records import geometric_mean
from s2s.bench.tables import table

Results = Mapping[str, Sequence[Row]]
_WHOLE, _FURTHER = 24.0, 40.0


@dataclass(frozen=True)
class Saved:
    """Percent of migrations, a mean; ``published`` and ``wanted`` where there are such numbers."""

    what: str
    percent: float
    published: float | None = None
    wanted: float | None = None

    @property
    def missed(self) -> bool:
        return self.wanted is not None and self.percent < self.wanted


def overall(kernels: Sequence[Kernel], results: Results) -> Iterator[Saved]:
    """What the dissertation's transformations save, and all; means over its kernels."""
    for what, which, published, wanted in (
        ("the dissertation's transformations", "whole", OVERALL_REDUCTION, _WHOLE),
        ("all transformations", "further", None, _FURTHER),
    ):
        given = [(k, getattr(k, which)) for k in kernels if getattr(k, which)]
        saved = geometric_mean(
            total_reduction(k, results[k.name], name) or 0.0 for k, name in given
        )
        if saved is not None and len(given) > 1:
            yield Saved(what, saved, published, wanted)


def tell_savings(kernels: Sequence[Kernel], results: Results) -> Iterator[Saved]:
    """The published reductions, and after them those over all kernels."""
    for kernel in kernels:
        for variant in kernel.variants:
            if variant.before is None or variant.reduction is None:
                continue
            found = geometric_mean(
                reductions(results[kernel.name], variant.name, variant.before).values()
            )
            if found is not None:
                what = f"{kernel.name}: {variant.name} against {variant.before}"
                yield Saved(what, found, variant.reduction, variant.wanted)
    yield from overall(kernels, results)


def render(kernels: Sequence[Kernel], results: Results) -> str:
    """A table of them, '' if there are none; and which variants computed something else."""
    lines = list(tell_savings(kernels, results))
    wrong = [
        f"{name}, {row.variant}, scale {row.scale}: prints something else than the plain C"
        for name, rows in results.items()
        for row in rows
        if not row.same
    ]
    if not lines:
        return "\n".join(wrong)
    head = ["fewer migrations, geometric means", "measured", "published", "wanted (scales 6 to 13)"]
    return "\n".join([table(head, map(_cells, lines), left=(0, 3), ruled=False), *wrong])


def _cells(one: Saved) -> list[str]:
    published = "" if one.published is None else f"{one.published:.2f} %"
    wanted = "" if one.wanted is None else f"{one.wanted:.0f} %{', missed' if one.missed else ''}"
    return [one.what, f"{one.percent:.2f} %", published, wanted]
