"""Memory files as programs: what the methods of Clockwork's ``prog.h`` say.

Also understood are what people write by hand: integers and strings with names, counted loops of the
file, nests in one call, operations with their accesses in one call, several programs in a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from s2s.source.clockwork.heads import find_heads
from s2s.source.clockwork.methods import Root
from s2s.source.clockwork.problems import problem
from s2s.source.clockwork.programs import Program
from s2s.source.clockwork.statements import Statements
from s2s.source.clockwork.tokens import Token, place_of, read_tokens
from s2s.source.diagnostics import Location
from s2s.source.reading import read_source


def read_program(
    path: str, name: str = "", compute: str = "", option: str = "--program"
) -> Program:
    """The program of a memory file.

    Of several it is the one of that name, else the only one whose ``compute_unit_file`` is called
    as ``compute``, a path. ``option`` is what says the name. Raises UserError.
    """
    tokens = read_tokens(path, read_source(path))
    heads = find_heads(tokens)
    if not heads:
        raise problem("there is no function that returns a prog", Location(path, 1, 1, 1, 1))
    if name:
        heads = [head for head in heads if tokens[head].text == name]
        if not heads:
            known = ", ".join(tokens[head].text for head in find_heads(tokens))
            raise problem(f"{path}: has no program '{name}' (there are: {known})")
    if len(heads) == 1:
        return _read(path, tokens, heads[0])
    found = [_read(path, tokens, head) for head in heads]
    own = [p for p in found if compute and PurePath(p.compute).name == PurePath(compute).name]
    if len(own) == 1:
        return own[0]
    known = ", ".join(program.name for program in found)
    raise problem(f"{path}: has several programs; say which one: {option} NAME ({known})")


def _read(path: str, tokens: Sequence[Token], head: int) -> Program:
    name = tokens[head]
    root = Root(name.text, place_of(path, name))
    Statements(path, tokens, root, head + 4).block()
    return root.program(path)
