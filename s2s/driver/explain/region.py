"""The text of ``s2s explain`` for one region."""

from __future__ import annotations

import islpy as isl

from s2s.analyses.dependences import by_statements
from s2s.scop.nodes import Access, Scop
from s2s.scop.schedule import Role
from s2s.source import SourceBuffer


def describe(
    buffer: SourceBuffer, function: str, scop: Scop, conservative: isl.UnionMap,
    ordered: isl.UnionMap, pruned: isl.UnionMap, races: isl.UnionMap, outcome: str,
    became: Scop,
) -> str:  # fmt: skip
    """One region: statements, dependences before and after happens-before, what was done.

    ``became`` is what a pass made of it, maybe with statements of its own.
    """
    first, _ = buffer.line_column(scop.span.start)
    last, _ = buffer.line_column(scop.span.end)
    lines = [f"{buffer.path}:{first}-{last}: region in function '{function}'"]
    if scop.parameters:
        lines.append("  parameters: " + ", ".join(p.spelling for p in scop.parameters))
    lines.append("  statements:")
    for statement in scop.statements:
        line, column = buffer.line_column(statement.span.start)
        text = " ".join(buffer.text(statement.span).split())
        shown = text if len(text) <= 70 else text[:67] + "..."
        iterators = ", ".join(v.spelling for v in statement.iterators)
        whole = " (kept whole)" if statement.opaque else ""
        lines.append(f"    {statement.name}({iterators}) at {line}:{column}{whole}: {shown}")
        lines += [f"      {_access(scop, a)}" for a in statement.accesses]
    lines += _dependences("  conservative dependences (P):", scop, conservative)
    lines += _dependences("  happens-before (HB), closed transitively:", scop, ordered)
    lines += _dependences("  dependences that remain (P' = P intersected with HB):", scop, pruned)
    if not races.is_empty():
        lines += _dependences("  data races (exact dependences outside HB):", scop, races)
    if became.target is not None:
        lines.append("  schedule:")
        for name, item in became.target.maps.items():
            lines.append(f"    {name}: {_band(became, item)}")
    lines.append(f"  outcome: {outcome or 'nothing was tried'}")
    return "\n".join(lines) + "\n"


def _access(scop: Scop, access: Access) -> str:
    array = scop.arrays[access.array]
    kind = "writes" if access.write else "reads"
    exact = "" if access.exact else " (possibly)"
    extent = "all of " if array.rank == 0 and not access.exact else ""
    return f"{kind}{exact} {extent}{array.spelling}: {_shape(access.relation)}"


def _shape(relation: isl.Map) -> str:
    """A relation without its domain's constraints."""
    text = str(relation.gist_domain(relation.domain()))
    return text.split("{", 1)[1].rsplit("}", 1)[0].strip()


def _dependences(title: str, scop: Scop, relation: isl.UnionMap) -> list[str]:
    lines = [title]
    domains = {s.name: s.domain for s in scop.statements}
    for (source, target), item in sorted(by_statements(relation).items()):
        if source in domains and target in domains:  # else pseudo statements
            item = item.gist_domain(domains[source]).gist_range(domains[target])
        text = str(item.coalesce()).split("{", 1)[1].rsplit("}", 1)[0].strip()
        lines.append(f"    {source} -> {target}: {text if len(text) < 400 else text[:397] + '...'}")
    return lines if len(lines) > 1 else [f"{title} none"]


def _band(scop: Scop, item: isl.Map) -> str:
    assert scop.target is not None
    first = scop.target.count(Role.TILE)
    count = scop.target.count(Role.BAND) or len(scop.target.dimensions) - first
    rest = item.dim(isl.dim_type.out) - first - count
    band = item.project_out(isl.dim_type.out, first + count, rest)
    band = band.project_out(isl.dim_type.out, 0, first)
    domain = scop.statement(item.get_tuple_name(isl.dim_type.in_)).domain
    text = str(band.gist_domain(domain)).split("{", 1)[1].rsplit("}", 1)[0].strip()
    return text
