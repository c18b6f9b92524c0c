"""What measuring tells the pipeline about a region."""

from __future__ import annotations

from dataclasses import dataclass

from s2s.source.diagnostics import Diagnostic


@dataclass(frozen=True)
class Advice:
    """The passes to try for a region, what to add to the remark, and what else to say."""

    specs: tuple[str, ...]
    remark: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
