"""What a target is asked for, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from s2s.source.diagnostics import Diagnostic
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.scop.contraction import Contraction, Wishes
    from s2s.source import Edit, SourceBuffer
    from s2s.targets.source_options import SourceOptions
    from s2s.transforms.aie.mapping import Mapping


class Searches(Protocol):
    """Finds by measuring what a target would otherwise choose by counting (``--tune``)."""

    def best_mapping(self, contraction: Contraction, wishes: Wishes) -> Mapping | None:
        """The best mapping for the AI Engine; None where no search finds one."""
        ...


@dataclass(frozen=True)
class Request:
    """What the command line asks of a target for one file.

    ``options`` is an instance of the target's own dataclass, ``given`` says sizes and parameters;
    ``header`` is the name of the file beside the text, empty if there is none. ``check`` is about
    what has to be executed, ``explain`` asks for an explanation. ``search`` is there with
    ``--tune``.
    """

    buffer: SourceBuffer
    flags: Sequence[str]
    given: SourceOptions
    options: Any = None
    header: str = ""
    check: bool = True
    explain: bool = False
    strict: bool = False
    search: Searches | None = None


@dataclass(frozen=True)
class Checked:
    """What came of a check: ``words`` for ``explain``, and what there is to say, if anything."""

    words: str = "none, switched off"
    said: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class Output:
    """What a target makes of a program.

    ``check`` is called before ``text`` leaves: it runs the text against the source, unless its
    argument is false (``--no-check``), and raises ``s2s.net.Mismatch`` where they differ.
    ``companions`` are files beside the text, by name; ``suffix`` is the ending of the text's own
    name where that differs from the source's, ``name`` that name in a directory where all of it
    does.
    """

    text: bytes
    check: Callable[[bool], Checked]
    diagnostics: tuple[Diagnostic, ...] = ()
    companions: tuple[tuple[str, bytes], ...] = ()
    suffix: str = ""
    explanation: str = ""
    name: str = ""


@dataclass(frozen=True)
class Edited:
    """Edits of a file, whose schedules are proved, and what there is to say and to explain."""

    edits: tuple[Edit, ...]
    diagnostics: tuple[Diagnostic, ...]
    explanation: str = ""
