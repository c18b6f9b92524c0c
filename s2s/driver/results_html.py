"""A result as a piece of HTML for notebooks: one table for each region, no script, no network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2s.driver.results import Dependence, Region, Result

_MOST = 40
"""Dependences and lines of a patch that are shown of each; of more there is the number."""

_STYLE = """\
.s2s{font:13px/1.5 system-ui,sans-serif;color:#1b1f24;max-width:72em;overflow-x:auto}
.s2s summary{cursor:pointer;padding:2px 0}.s2s code,.s2s pre{font:12px/1.45 ui-monospace,monospace}
.s2s pre{margin:4px 0;padding:8px;background:#f3f4f6;border-radius:4px;overflow-x:auto}
.s2s table{border-collapse:collapse;margin:4px 0}
.s2s td,.s2s th{padding:2px 10px 2px 0;text-align:left;vertical-align:top}
.s2s .changed{color:#0a6b2d}.s2s .unchanged{color:#8a4b00}.s2s .failed{color:#a4161a}
.s2s .content{color:#57606a}.s2s .add{color:#0a6b2d}.s2s .cut{color:#a4161a}
.s2s .race{color:#a4161a;font-weight:600}
@media(prefers-color-scheme:dark){.s2s{color:#e6e6e6}.s2s pre{background:#22272e}
.s2s .changed,.s2s .add{color:#6bd48d}.s2s .unchanged{color:#e3a75f}
.s2s .failed,.s2s .cut,.s2s .race{color:#ff8f8f}.s2s .content{color:#9aa4ae}}
[data-jp-theme-light=false] .s2s{color:#e6e6e6}
[data-jp-theme-light=false] .s2s pre{background:#22272e}
[data-jp-theme-light=false] .s2s :is(.changed,.add){color:#6bd48d}
[data-jp-theme-light=false] .s2s :is(.failed,.cut,.race){color:#ff8f8f}
[data-jp-theme-light=false] .s2s .unchanged{color:#e3a75f}"""

_WORDS = {
    "changed": "changed",
    "unchanged": "as it was",
    "content": "nothing to gain",
    "failed": "left as it was",
}


def page(result: Result) -> str:
    """The result as HTML; all text of files is escaped."""
    count = sum(region.changed for region in result.regions)
    total = len(result.regions)
    head = f"<b>{escape(result.path)}</b>: {count} of {total} region{'s' * (total != 1)} changed"
    parts = [f"<div class='s2s'><style>{_STYLE}</style>", head]
    parts += [_region(region) for region in result.regions]
    parts += [f"<div class='failed'>{escape(d.text)}</div>" for d in result.warnings]
    if result.changed:
        parts.append(_folded("patch", _patch(result.diff().splitlines())))
    return "\n".join([*parts, "</div>"])


def _region(region: Region) -> str:
    name = escape(region.id or region.function or "region")
    what = "; ".join(region.steps) if region.changed else ""
    if not region.changed and region.cause is not None:
        what = f"{region.cause.text} [{region.cause.id}]"
    by = f" [{escape(region.pass_name)}]" if region.pass_name else ""
    head = (
        f"<code>{name}</code> line {region.at.line} "
        f"<span class='{region.status}'>{_WORDS[region.status]}</span> {escape(what)}{by}"
    )
    inside = "".join(_details(region))
    return (
        f"<details><summary>{head}</summary>{inside}</details>" if inside else f"<div>{head}</div>"
    )


def _details(region: Region) -> Iterator[str]:
    if region.guard:
        yield f"<div>only if <code>{escape(region.guard)}</code></div>"
    if region.dependences:
        yield _dependences(region.dependences)
    if region.after is not None:
        rows = ((d.name, d.role, d.parallel, d.size if d.size > 1 else "")
                for d in region.after.dimensions)  # fmt: skip
        yield _table(("new loop", "role", "runs", "size"), rows)
    if region.notes:
        found = ((note.id, note.text) for note in region.notes)
        yield _folded("other passes", _table(("pass", "reason"), found))


def _dependences(found: tuple[Dependence, ...]) -> str:
    rows = [
        (f"{d.lines[0]} \N{RIGHTWARDS ARROW} {d.lines[1]}", d.kind + (" (race)" if d.race else ""),
         ", ".join(d.arrays), _distance(d), d.carrier or "none")
        for d in found[:_MOST]
    ]  # fmt: skip
    more = f"<div>... and {len(found) - _MOST} more</div>" if len(found) > _MOST else ""
    return _table(("lines", "dependence", "on", "distance", "carried by"), rows) + more


def _distance(item: Dependence) -> str:
    pairs = zip(item.distance, item.direction, strict=True)
    return "(" + ", ".join(sign if far is None else str(far) for far, sign in pairs) + ")"


def _table(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    def row(cells: Iterable[object], tag: str) -> str:
        return "".join(["<tr>", *(f"<{tag}>{escape(str(c))}</{tag}>" for c in cells), "</tr>"])

    return "".join(["<table>", row(head, "th"), *(row(r, "td") for r in rows), "</table>"])


def _folded(title: str, inside: str) -> str:
    return f"<details><summary>{title}</summary>{inside}</details>"


def _patch(lines: list[str]) -> str:
    kinds = {"+": "add", "-": "cut"}
    shown = [
        f"<span class='{kinds[line[0]]}'>{escape(line)}</span>"
        if line[:1] in kinds else escape(line)
        for line in lines[: 4 * _MOST]
    ]  # fmt: skip
    if len(lines) > 4 * _MOST:
        shown.append(f"... and {len(lines) - 4 * _MOST} lines more")
    return f"<pre>{chr(10).join(shown)}</pre>"
