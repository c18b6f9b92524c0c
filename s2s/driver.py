"""One file through the house: text to SCoPs, transforms, text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from s2s.diagnostics import Diagnostic


@dataclass(frozen=True)
class Options:
    """What the command line chooses for a transformation."""

    passes: tuple[str, ...] = ("popp",)
    strict: bool = False
    reassociate: bool = False
    parallel: bool = False


@dataclass(frozen=True)
class Outcome:
    """One file after its way through: the text before and after, and what there is to say."""

    path: str
    original: bytes = field(repr=False)
    text: bytes = field(repr=False)
    diagnostics: tuple[Diagnostic, ...] = ()
    explanation: str = ""

    @property
    def changed(self) -> bool:
        return self.text != self.original


def transform_file(path: str, flags: Sequence[str] = (), options: Options = Options()) -> Outcome:  # noqa: B008
    """Transform one C file compiled with ``flags`` (no source name, no -o, no -c among them).

    Raises UserError when the file cannot be read or parsed.
    """
    with open(path, "rb") as stream:
        data = stream.read()
    return Outcome(path, data, data)
