"""A kernel, translated to a function of Python that is bound to each core which runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

from s2s.simulators.davinci.kinds import Type
from s2s.simulators.davinci.problems import line_of, problem
from s2s.source.records import dataclass

Bind = Callable[[str, tuple[Type, ...], int], Callable[..., Any]]
"""Gives what runs an intrinsic, called with (line, *arguments); raises KeyError for no intrinsic,
TypeError with a text for arguments that it does not take."""


@dataclass(frozen=True)
class Parameter:
    """A kernel's argument."""

    name: str
    type: Type


@dataclass(frozen=True)
class Wanted:
    """An intrinsic that a kernel calls, ``name`` in its text; where it is called first."""

    name: str
    intrinsic: str
    types: tuple[Type, ...]
    node: Any


@dataclass(frozen=True)
class Kernel:
    """A function as a function of Python, to be bound to a core."""

    name: str
    line: int
    parameters: tuple[Parameter, ...]
    path: str
    code: CodeType
    constants: Mapping[str, Any]
    wanted: tuple[Wanted, ...]

    def bind(self, bind: Bind) -> Callable[..., None]:
        """``run(block_idx, block_num, *arguments)``, which issues the instructions of a block.

        Addresses of arguments in global memory are given in the order of the parameters. Raises
        UserError at a call of what is no intrinsic.
        """
        names = dict(self.constants)
        for one in self.wanted:
            try:
                names[one.name] = bind(one.intrinsic, one.types, one.node.coord.line)
            except KeyError:
                text = f"'{one.intrinsic}' is neither defined nor a known intrinsic"
                raise error_at(self.path, one.node, text) from None
            except TypeError as error:
                raise error_at(self.path, one.node, str(error)) from None
        exec(self.code, names)
        found: Callable[..., None] = names[f"f_{self.name}"]
        return found


def error_at(path: str, node: Any, text: str) -> Exception:
    """An error at a node's line."""
    coord = getattr(node, "coord", None)
    place = line_of(coord.file or path, coord.line) if coord else line_of(path, 1)
    return problem(text, place)
