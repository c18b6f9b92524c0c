"""The results of ``s2s bench emu`` as tables, and as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.bench.graph_kernels import summary
from s2s.bench.graph_kernels.kernels import NAME, Kernel, Variant
from s2s.bench.graph_kernels.rows import Row, reductions, speedups
from s2s.bench.graph_kernels.summary import Results
from s2s.bench.records import Record, geometric_mean
from s2s.bench.tables import number, table


def render(kernels: Sequence[Kernel], results: Results, clock_hz: int) -> str:
    """A table for each kernel with its means, and what is saved in all."""
    parts = [_kernel(kernel, results[kernel.name], clock_hz) for kernel in kernels]
    parts.append(summary.render(kernels, results))
    return "\n\n".join(filter(None, parts))


def _kernel(kernel: Kernel, rows: Sequence[Row], clock_hz: int) -> str:
    head = ["scale", "variant", "whole program", "published", "reduction %"]
    head += ["kernel only", "reduction %", "kernel ms", "speedup"]
    body = [_cells(kernel, row, rows, clock_hz) for row in rows]
    drawn = table(head, body, left=("variant",), ruled=False)
    return "\n".join([kernel.name, drawn, *_means(kernel, rows)])


def _cells(kernel: Kernel, row: Row, rows: Sequence[Row], clock_hz: int) -> list[str]:
    variant = next(one for one in kernel.variants if one.name == row.variant)
    before = variant.before or ""
    saved = reductions(rows, row.variant, before).get(row.scale)
    alone = reductions(rows, row.variant, before, kernel_only=True).get(row.scale)
    faster = speedups(rows, row.variant, before).get(row.scale)
    published = kernel.published_migrations(row.scale)
    is_original = variant is kernel.variants[0]
    return [
        str(row.scale),
        row.variant if row.same else f"{row.variant} (WRONG)",
        str(row.migrations),
        f"{published} ({100 * (row.migrations / published - 1):+.1f} %)"
        if is_original and published
        else "",
        number(saved, missing=""),
        str(row.in_kernel),
        number(alone, missing=""),
        number(1000 * row.cycles / clock_hz),
        number(faster, missing=""),
    ]


def _means(kernel: Kernel, rows: Sequence[Row]) -> Iterator[str]:
    for variant, saved, alone, faster in _saved(kernel, rows):
        text = f"{variant.name} against {variant.before}, geometric means:"
        text += "" if saved is None else f" {saved:.2f} % fewer migrations"
        text += f" (published {variant.reduction})" if variant.reduction else ""
        text += "" if alone is None else f", {alone:.2f} % fewer in the kernel only"
        text += "" if faster is None else f", {faster:.2f}x faster"
        yield text + (f" (published {variant.speedup})" if variant.speedup else "")


def _saved(
    kernel: Kernel, rows: Sequence[Row]
) -> Iterator[tuple[Variant, float | None, float | None, float | None]]:
    """Each variant that is compared, with its means of reductions, in whole programs and in the
    kernel only, and of speedups.
    """
    for variant in kernel.variants:
        if variant.before is not None:
            saved = reductions(rows, variant.name, variant.before).values()
            alone = reductions(rows, variant.name, variant.before, kernel_only=True).values()
            faster = speedups(rows, variant.name, variant.before).values()
            means = (geometric_mean(saved), geometric_mean(alone), geometric_mean(faster))
            yield variant, *means


def records(kernels: Sequence[Kernel], results: Results, clock_hz: int) -> Iterator[Record]:
    """Counts by scale, then means with what is published for them."""
    for kernel in kernels:
        rows = results[kernel.name]
        for row in rows:
            is_original = row.variant == kernel.variants[0].name
            published = kernel.published_migrations(row.scale) if is_original else None
            case = f"{kernel.name}/{row.scale}"
            note = "" if row.same else "outputs differ"
            yield _record(case, row.variant, "migrations", row.migrations, "", published, note)
            yield _record(
                case, row.variant, "migrations, kernel only", row.in_kernel, "", None, note
            )
            milliseconds = 1000 * row.cycles / clock_hz
            yield _record(
                case, row.variant, "estimated kernel time", milliseconds, "ms", None, note
            )
        for variant, saved, alone, faster in _saved(kernel, rows):
            note = f"against {variant.before}, geometric mean over scales"
            for metric, value, unit, published_mean in (
                ("migration_reduction_percent", saved, "%", variant.reduction),
                ("migration_reduction_percent, kernel only", alone, "%", None),
                ("estimated speedup", faster, "x", variant.speedup),
            ):
                yield _record(kernel.name, variant.name, metric, value, unit, published_mean, note)
    for one in summary.overall(kernels, results):
        metric = "migration_reduction_percent"
        yield _record("all", one.what, metric, one.percent, "%", one.published, "mean")


def _record(
    case: str, variant: str, metric: str, value: float | None, unit: str, published: float | None,
    note: str,
) -> Record:  # fmt: skip
    return Record(
        suite=NAME, case=case, variant=variant, metric=metric, value=value, unit=unit,
        published=published, note=note,
    )  # fmt: skip
