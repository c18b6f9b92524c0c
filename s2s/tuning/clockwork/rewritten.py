"""A choice as text that a user can paste: parameters with new defaults, or directives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from s2s.scop.pipeline import GeneratorParameter
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.tuning.clockwork.parameters import ParameterSpace
from s2s.tuning.clockwork.space import Places, Program, Space
from s2s.tuning.clockwork.unscheduled import DirectiveSpace


def schedule_text(space: Space, places: Places) -> str:
    """What stands in the source for a candidate."""
    if isinstance(space, DirectiveSpace):
        return space.directives(places)
    known = space.program(places).steps.pipeline.parameters
    return "\n".join(_declarations(known, space.values(places)))


def _declarations(
    known: Mapping[str, GeneratorParameter], values: Mapping[str, str]
) -> Iterator[str]:
    for name in known:
        if name in values:
            of = known[name].type
            yield f'GeneratorParam<{of}> {name}{{"{name}", {_literal(of, values[name])}}};'


def rewritten(space: Space, places: Places) -> Program:
    """The source with a candidate's schedule, which needs no parameters given.

    Raises UserError where a parameter's default is not found in the text.
    """
    program = space.program(places)
    if not isinstance(space, ParameterSpace):
        return program
    values = {**dict(program.parameters), **space.values(places)}
    known = program.steps.pipeline.parameters
    text = program.data.decode("utf-8")
    for name, value in values.items():
        if name in known:
            text = _with_default(text, known[name], value)
    given = tuple((n, v) for n, v in program.parameters if n not in known)
    made = Program(
        program.path, text.encode(), given, program.generator, program.sizes, program.flags
    )
    now = {name: one.value for name, one in made.steps.pipeline.parameters.items()}
    for name, value in values.items():
        if name in known and now.get(name) != value:
            raise _unfound(name)
    return made


def _with_default(text: str, one: GeneratorParameter, value: str) -> str:
    default = r'"(?:\\.|[^"\\])*"' if one.type == "std::string" else r"[^,{}()\"]+"
    pattern = rf'("{re.escape(one.name)}"\s*,\s*){default}'
    literal = _literal(one.type, value)
    changed, count = re.subn(pattern, lambda m: m[1] + literal, text, count=1)
    if not count:
        raise _unfound(one.name)
    return changed


def _literal(of: str, value: str) -> str:
    return f'"{value}"' if of == "std::string" else value


def _unfound(name: str) -> UserError:
    text = f"the default of the generator parameter '{name}' is not found in the source"
    return UserError(Diagnostic(Severity.ERROR, text, "tune"))
