"""What devices register: patterns with their checks, passes, and code generators.

``register_patterns([("acc.conv_relu", pattern, annotations, check)])`` as in TVM: the text before
the first dot is the device. ``annotations`` name parts of the pattern for ``check``, which gets a
``PatternCheckContext`` and says True, or why not (a text; False without words).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from s2s.source.offload import Argument
from s2s.source.records import dataclass
from s2s.transforms.outline.graph import Graph, Node, Tensor
from s2s.transforms.outline.patterns import Match, Pattern


@dataclass(frozen=True)
class PatternCheckContext:
    """What a check is told: the graph, the match, and what the named parts stand for."""

    graph: Graph
    match: Match
    annotated: Mapping[str, Node | Tensor]

    def node(self, name: str) -> Node:
        """A named part that is an operation; KeyError where it is none or did not match."""
        found = self.annotated[name]
        if not isinstance(found, Node):
            raise KeyError(name)
        return found


Check = Callable[[PatternCheckContext], bool | str]


@dataclass(frozen=True)
class Entry:
    """A line of a device's table."""

    name: str
    pattern: Pattern
    annotations: Mapping[str, Pattern] = field(default_factory=dict)
    check: Check | None = None

    @property
    def device(self) -> str:
        return self.name.partition(".")[0]

    def refusal(self, graph: Graph, match: Match) -> str:
        """Why the check rejects a match; empty if it does not."""
        if self.check is None:
            return ""
        named = {
            name: match.bindings[pattern]
            for name, pattern in self.annotations.items()
            if pattern in match.bindings
        }
        try:
            said = self.check(PatternCheckContext(graph, match, named))
        except Exception as error:  # of a package's, which keeps nothing else from being done
            return f"its check raises {type(error).__name__}: {error}"
        if said is True:
            return ""
        return said if isinstance(said, str) and said else "its check rejects it"


@dataclass(frozen=True)
class Function:
    """A region as a code generator gets it.

    ``text`` is a C file whose function ``name`` has the arguments, in constant sizes; ``nodes`` are
    its operations; ``constants`` the elements of constant arguments by name, where they are known.
    ``borders``: what is done to arguments on their way to the device and back
    (``s2s.transforms.outline.borders``).
    """

    name: str
    text: str
    nodes: tuple[Node, ...]
    arguments: tuple[Argument, ...]
    constants: Mapping[str, Sequence[float]]
    flags: tuple[str, ...] = ()
    composites: tuple[str, ...] = ()
    borders: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Module:
    """A region's code: ``format`` is c, json or bytes; files by name, the device's own first.

    ``options`` reach the engine. ``said`` is a line for people.
    """

    format: str
    files: Mapping[str, bytes]
    options: Mapping[str, Any] = field(default_factory=dict)
    said: str = ""


class Refused(Exception):
    """A region for which a code generator has no code, and why."""


Codegen = Callable[[Sequence[Function], Mapping[str, Any], Sequence[str]], Sequence[Module]]
Pass = Callable[[Function], Function]

_ENTRIES: dict[str, list[Entry]] = {}
_CODEGENS: dict[str, Codegen] = {}
_PASSES: dict[str, list[Pass]] = {}
_MERGING: set[str] = set()


def register_patterns(
    rows: Iterable[
        tuple[str, Pattern]
        | tuple[str, Pattern, Mapping[str, Pattern]]
        | tuple[str, Pattern, Mapping[str, Pattern], Check | None]
    ],
) -> None:
    """Add to a device's table; of matches that are as long, the earlier line's wins."""
    for row in rows:
        entry = Entry(*row)
        known = _ENTRIES.setdefault(entry.device, [])
        if any(other.name == entry.name for other in known):
            raise ValueError(f"two patterns are named '{entry.name}'")
        known.append(entry)


def forget(device: str) -> None:
    """Empty a device's table and its passes, to be filled again."""
    _ENTRIES.pop(device, None)
    _PASSES.pop(device, None)


def get_patterns_with_prefix(prefix: str) -> list[Entry]:
    """The lines whose names begin so, in the table's order."""
    device = prefix.partition(".")[0]
    return [entry for entry in _ENTRIES.get(device, []) if entry.name.startswith(prefix)]


def register_codegen(device: str, *, merges: bool = False) -> Callable[[Codegen], Codegen]:
    """A decorator for the function ``codegen(functions, options, constant_names) -> modules``.

    It raises Refused for what it has no code for; the host keeps that. With ``merges`` a function
    may have several of the table's patterns, one after the other.
    """

    def register(codegen: Codegen) -> Codegen:
        _CODEGENS[device] = codegen
        if merges:
            _MERGING.add(device)
        return codegen

    return register


def register_pass(device: str) -> Callable[[Pass], Pass]:
    """A decorator for what changes a device's regions before code is made of them."""

    def register(one: Pass) -> Pass:
        _PASSES.setdefault(device, []).append(one)
        return one

    return register


def find_codegen(device: str) -> Codegen | None:
    """The code generator of a device, if it has one."""
    return _CODEGENS.get(device)


def passes_of(device: str) -> Sequence[Pass]:
    """The device's passes, in the order in which they were registered."""
    return tuple(_PASSES.get(device, ()))


def merging() -> frozenset[str]:
    """The devices that take several composites at once."""
    return frozenset(_MERGING)
