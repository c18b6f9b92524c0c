"""The text again, for a run in which what it declares concurrent happens in another order.

Loops under ``omp simd`` run backward. Threads take turns (``runtime/turns.c``): a mark stands
after each statement, and between the value of an element and its store. What several threads or
lanes share and should not, has other values then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from s2s.net.pipelines.building import Text
from s2s.scop.pipeline import Definition, Pipeline

_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma omp (?:parallel|for|simd)\b", re.MULTILINE)
_SIMD = re.compile(
    r"(#pragma omp simd\n[ \t]*)for \(int (\w+) = ([^;\n]+); \2 < ([^;\n]+); \2\+\+\) \{"
)
_BACKWARD = r"\1for (int \2 = (\4) - 1; \2 >= (\3); \2--) {"
_ELEMENT = re.compile(r"^([ \t]*)((?:\w+|\([^;=\n]*\))\[[^;\n]*?\]) = ([^;\n]*);$", re.MULTILINE)
_STORED = (
    r"\1{ __typeof__(\2) s2s_net_value = \3; s2s_net_turn(); \2 = s2s_net_value; s2s_net_turn(); }"
)
_NAMED = re.compile(r"^([ \t]+[^#/\s{][^;\n{]*[^=!<>]=[^=][^;\n]*;)$", re.MULTILINE)
_DECLARED = "void s2s_net_turn(void);\n"


def reorder_text(pipeline: Pipeline, text: Text) -> Text | None:
    """The text with marks and turned loops; None where it has one order, or any may be wrong."""
    if _PRAGMA.search(text.source) is None or any(map(_may_race, _definitions(pipeline))):
        return None
    start = text.source.index(f"int {text.function}(")
    body = _SIMD.sub(_BACKWARD, _with_whole_lines(text.source[start:]))
    marked = _NAMED.sub(r"\1 s2s_net_turn();", _ELEMENT.sub(_STORED, body))
    return replace(text, source=f"{_DECLARED}{text.source[:start]}{marked}")


def _with_whole_lines(body: str) -> str:
    """The text with each statement on one line, as the patterns here ask for."""
    lines: list[str] = []
    ended = True
    for line in body.split("\n"):
        aside = not line.strip() or line.lstrip().startswith("#")
        if ended or aside:
            lines.append(line)
        else:
            lines[-1] += " " + line.strip()
        ended = aside or line.rstrip().endswith((";", "{", "}", "*/"))
    return "\n".join(lines)


def _may_race(definition: Definition) -> bool:
    """Whether a program answers itself for what its result depends on.

    Updates that are atomic may come in any order; of several values one order may choose others.
    """
    schedule = definition.schedule
    several = len(definition.values) > 1 or schedule.assume_associative
    return schedule.allow_race_conditions or (schedule.atomic and several)


def _definitions(pipeline: Pipeline) -> Iterator[Definition]:
    for func in pipeline.funcs.values():
        for stage in func.stages:
            yield stage
            yield from _special(stage)


def _special(definition: Definition) -> Iterator[Definition]:
    for each in definition.specializations:
        yield each.definition
        yield from _special(each.definition)
