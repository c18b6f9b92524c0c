"""The last lines of ``s2s bench emu``: what each transformation saves, next to what is wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from s2s.bench.graph_kernels.kernels import OVERALL_REDUCTION, Kernel
from s2s.bench.graph_kernels.rows import Row, reductions, total_reduction
from s2s.bench.records import geometric_mean
from s2s.bench.tables import table
from s2s.source.records import dataclass

Results = Mapping[str, Sequence[Row]]
_WANTED = {1: 24.0, 4: 40.0}


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


_SETS = (
    "the dissertation's steps",
    "all steps but 'registers' and 'buckets'",
    "all steps but 'buckets'",
    "all steps",
)


def overall(kernels: Sequence[Kernel], results: Results) -> Iterator[Saved]:
    """What sets of transformations save, means over the dissertation's kernels.

    Each is read in four ways: of whole programs or of kernels alone, triangles with an update for
    each wedge, which gives the published counts, or as the algorithm is printed.
    """
    given = [kernel for kernel in kernels if kernel.whole]
    if len(given) < 2:
        return
    has_printed = any(kernel.printed for kernel in given)
    for number, what in enumerate(_SETS, 1):
        for kernel_only in (False, True):
            for printed in (False, True)[: 1 + has_printed]:
                saved = _mean(given, results, number, kernel_only=kernel_only, printed=printed)
                if saved is None:
                    continue
                reading = "kernels only" if kernel_only else "whole programs"
                if has_printed:
                    reading += f", triangles {'as printed' if printed else 'per wedge'}"
                published = OVERALL_REDUCTION if number == 1 and not kernel_only else None
                wanted = None if kernel_only or printed else _WANTED.get(number)
                yield Saved(f"{what}: {reading}", saved, published, wanted)


def _mean(
    kernels: Sequence[Kernel], results: Results, number: int, *, kernel_only: bool, printed: bool
) -> float | None:
    found = []
    for kernel in kernels:
        names = kernel.steps(printed=printed)
        rows = results[kernel.name]
        saved = total_reduction(rows, names[number], names[0], kernel_only=kernel_only)
        found.append(saved or 0.0)
    return geometric_mean(found)


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
