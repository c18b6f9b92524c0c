"""Loops that copy elements of lines into lanes and back, and conditions, as text of C."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import islpy as isl

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.source import Span

_CALL = re.compile(r"copy\((.*)\);")
_ODD = re.compile(r"\b(?:min|max|floord|ceild|intMod)\(|%")
_CHOICE = re.compile(r"\b(min|max)\(([^(),]*), ([^(),]*)\)")


def condition(good: isl.Set, names: Mapping[str, str], where: Span) -> str:
    """A condition that parameters are in a set, empty where it always holds.

    Raises NotLiftable where it is not plain.
    """
    if good.complement().is_empty():
        return ""
    build = isl.AstBuild.from_context(isl.Set.universe(good.get_space()))
    text = _with_choices(build.expr_from_set(good).to_C_str())
    if _ODD.search(text):
        raise NotLiftable(where, "the sizes that are allowed are no plain ones")
    return _spelled(text, names)


def loops(
    elements: isl.Set, context: isl.Set, names: Mapping[str, str], prefix: str,
    copy: Callable[[Sequence[str]], Sequence[str]], where: Span,
) -> Iterator[str]:  # fmt: skip
    """Loops over elements, with the lines that ``copy`` has for one in their midst.

    ``copy`` gives a single statement; counters begin with ``prefix``. Raises NotLiftable where
    bounds are no plain expressions.
    """
    elements = elements.set_tuple_name("copy").coalesce()
    order = isl.Map.identity(elements.get_space().map_from_set()).reset_tuple_id(isl.dim_type.out)
    rank = elements.dim(isl.dim_type.set)
    build = isl.AstBuild.from_context(context)
    ids = isl.IdList.alloc(isl.DEFAULT_CONTEXT, rank)
    for place in range(rank):
        ids = ids.add(isl.Id(f"{prefix}{place}"))
    schedule = isl.UnionMap.from_map(order.intersect_domain(elements))
    text = build.set_iterators(ids).node_from_schedule_map(schedule).to_C_str()
    for line in text.splitlines():
        stripped = line.lstrip(" ")
        depth = "\t" * ((len(line) - len(stripped)) // 2)
        call = _CALL.fullmatch(stripped)
        if call is None:
            text = _with_choices(stripped)
            if _ODD.search(text):
                raise NotLiftable(where, "what is copied has no plain loops")
            yield depth + _spelled(text, names)
            continue
        arguments = [_spelled(part, names) for part in call.group(1).split(", ")] if rank else []
        yield from (f"{depth}{inner}" for inner in copy(arguments))


def _with_choices(text: str) -> str:
    """The smaller or larger one of two values as C has it."""
    found: list[str] = []

    def keep(match: re.Match[str]) -> str:
        sign = "<" if match.group(1) == "min" else ">"
        first, second = match.group(2), match.group(3)
        found.append(f"({first} {sign} {second} ? {first} : {second})")
        return f"@{len(found) - 1}@"

    while (shorter := _CHOICE.sub(keep, text)) != text:
        text = shorter
    while (longer := re.sub(r"@(\d+)@", lambda m: found[int(m.group(1))], text)) != text:
        text = longer
    return text


def _spelled(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"\bs2s\d+_\w+", lambda match: names.get(match.group(), match.group()), text)
