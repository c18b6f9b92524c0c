"""The worker of a server: one process, ended and started again where its work is out of date."""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from pathlib import Path

import s2s
from s2s.cli.editor.worker import HEADER, Answer, Task
from s2s.source.diagnostics import Diagnostic, Severity


class WorkerProcess:
    """Answers tasks one after the other, in the order in which they come."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._turn = asyncio.Lock()

    async def look(self, task: Task) -> Answer:
        """What the worker finds. Cancelled, it ends the process, whose answer nobody wants."""
        async with self._turn:
            try:
                return await self._asked(task)
            except (asyncio.IncompleteReadError, OSError):
                await self.stop()
                text = "internal error: the process that looks at files has ended"
                return Answer((Diagnostic(Severity.MISSED, text, "internal"),))
            except asyncio.CancelledError:
                await self.stop()
                raise

    async def start(self) -> Process:
        """The process; what it needs is loaded by the time the first task comes."""
        if self._process is None or self._process.returncode is not None:
            environment = {**os.environ, "PYTHONPATH": _path()}
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", "from s2s.cli.editor.worker import main; main()"),
                stdin=PIPE,
                stdout=PIPE,
                env=environment,
            )
        return self._process

    async def _asked(self, task: Task) -> Answer:
        process = await self.start()
        assert process.stdin is not None and process.stdout is not None
        data = pickle.dumps(task)
        process.stdin.write(len(data).to_bytes(HEADER, "big") + data)
        await process.stdin.drain()
        size = int.from_bytes(await process.stdout.readexactly(HEADER), "big")
        answer = pickle.loads(await process.stdout.readexactly(size))
        assert isinstance(answer, Answer)
        return answer

    async def stop(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()


def _path() -> str:
    """Where this package is found, whatever the editor's folder is."""
    own = str(Path(s2s.__file__).resolve().parent.parent)
    return os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH"))))
