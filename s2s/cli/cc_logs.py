"""The logs of one command of a build: which units it compiles, and what became of each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from s2s.cli.log_files import log_folder, pack, write_logs
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.cli.unit_log import Unit
    from s2s.driver.options import Outcome
    from s2s.source.compiler import Input
    from s2s.source.diagnostics import Diagnostic


class Result(Protocol):
    """What became of one source, as ``s2s.cli.cc`` has it."""

    @property
    def source(self) -> Input: ...
    @property
    def outcome(self) -> Outcome | None: ...
    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]: ...
    @property
    def failure(self) -> str: ...
    @property
    def seconds(self) -> float: ...


@dataclass
class Logs:
    """Writes the logs of a command's units, where logs are wanted."""

    command: tuple[str, ...]
    remembered: bool = False

    @property
    def wanted(self) -> bool:
        return bool(log_folder())

    def without_loops(self, sources: Sequence[Input]) -> bytes:
        """Units that need no look; what is to be remembered of them."""
        from s2s.cli.unit_log import NO_LOOPS

        return self._write_all(sources, NO_LOOPS, "")

    def left_alone(self, sources: Sequence[Input], reason: str) -> None:
        """Units of a command that s2s takes no part in."""
        from s2s.cli.unit_log import LEFT_ALONE

        if self.wanted:
            self._write_all(sources, LEFT_ALONE, reason)

    def unchanged(self, results: Sequence[Result]) -> bytes:
        """Units whose text stays; what is to be remembered of them."""
        from s2s.cli.unit_log import FAILED, UNCHANGED

        logs = [
            self._log(r, FAILED if r.failure else UNCHANGED, r.failure)
            for r in results
            if not (r.outcome and r.outcome.changed)
        ]
        write_logs(logs)
        return pack(logs)

    def changed(self, results: Sequence[Result], seconds: float) -> None:
        """Units whose new text was compiled, all of them in ``seconds``."""
        from s2s.cli.unit_log import CHANGED

        write_logs([self._log(r, CHANGED, "", seconds) for r in results])

    def fell_back(self, results: Sequence[Result], reason: str) -> None:
        """Units whose new text was not used."""
        from s2s.cli.unit_log import FELL_BACK

        write_logs([self._log(r, FELL_BACK, reason) for r in results])

    def _write_all(self, sources: Sequence[Input], state: str, reason: str) -> bytes:
        from s2s.cli.unit_log import log_of

        logs = [log_of(self._unit(s), state, reason=reason) for s in sources]
        write_logs(logs)
        return pack(logs)

    def _unit(self, source: Input) -> Unit:
        from s2s.cli.unit_log import Unit

        return Unit(source.path, self.command, os.getcwd(), self.remembered)

    def _log(
        self, result: Result, state: str, reason: str, compiling: float | None = None
    ) -> tuple[str, bytes]:
        from s2s.cli.unit_log import log_of

        return log_of(
            self._unit(result.source), state,
            reason=reason, outcome=result.outcome, diagnostics=result.diagnostics,
            seconds=result.seconds, compiling=compiling,
        )  # fmt: skip
