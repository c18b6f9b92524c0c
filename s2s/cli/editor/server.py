"""The server: documents come in, remarks, fixes and explanations go out."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from s2s import __version__
from s2s.cli.editor.documents import Document, Looking
from s2s.cli.editor.positions import edits_of, lines_of, range_of
from s2s.cli.editor.process import WorkerProcess
from s2s.cli.editor.worker import Task
from s2s.cli.explanation import blocks
from s2s.source.diagnostics import Diagnostic, Severity

_SEVERITIES = {
    Severity.REMARK: types.DiagnosticSeverity.Information,
    Severity.MISSED: types.DiagnosticSeverity.Hint,
    Severity.NOTE: types.DiagnosticSeverity.Hint,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.ERROR: types.DiagnosticSeverity.Error,
}
_FIX_ALL = "source.fixAll.s2s"
_WAIT = 0.12
"""Seconds after a key in which another one makes looking useless."""
_SHOWN = re.compile(r"(?:dependences|schedule|outcome|elementary|happens)")
_LONGEST = 60

FlagsOf = Callable[[str], tuple[str, ...]]


class _Server(LanguageServer):
    """The state of a session: documents by their addresses, and who looks at them."""

    def __init__(self, model: Task, flags_of: FlagsOf) -> None:
        super().__init__("s2s", __version__)
        self._model, self._flags_of = model, flags_of
        self._worker, self._explainer = WorkerProcess(), WorkerProcess()
        self._looking = Looking(self._worker, model)
        self._documents: dict[str, Document] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._explained: dict[tuple[str, bytes, int], str] = {}

    def changed(self, uri: str, *, at_once: bool = False) -> None:
        """Look at a document's present text, and at no older one."""
        running = self._tasks.pop(uri, None)
        if running is not None:
            running.cancel()
        self._tasks[uri] = asyncio.ensure_future(self._survive(uri, 0.0 if at_once else _WAIT))

    def closed(self, uri: str) -> None:
        """Forget a document; what was found is remembered by its content."""
        running = self._tasks.pop(uri, None)
        if running is not None:
            running.cancel()
        self._documents.pop(uri, None)
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=[])
        )

    async def stop(self) -> None:
        """End what still runs."""
        for running in self._tasks.values():
            running.cancel()
        await self._worker.stop()
        await self._explainer.stop()

    async def warm_up(self) -> None:
        await self._worker.start()

    async def _survive(self, uri: str, wait: float) -> None:
        """Look at a document; a defect of s2s leaves the session as it is."""
        try:
            await self._look(uri, wait)
        except Exception as error:
            self.log(f"internal error: {type(error).__name__}: {error}")

    async def _look(self, uri: str, wait: float) -> None:
        await asyncio.sleep(wait)
        text = self.workspace.get_text_document(uri)
        path = to_fs_path(uri) or uri
        before = self._documents.get(uri)
        looked_at = before.looked_at if before else 0
        document = Document(path, text.source.encode("utf-8", "surrogateescape"))
        document.looked_at = looked_at
        self._documents[uri] = document
        async for is_all in self._looking.look(document, self._flags_of(path)):
            if document.told or is_all:
                self._publish(uri, text.version, document)
        self.log(f"{os.path.basename(path)}: {document.looked_at - looked_at} functions looked at")

    def log(self, text: str) -> None:
        """A line for the editor's output."""
        params = types.LogMessageParams(type=types.MessageType.Log, message=text)
        self.window_log_message(params)

    def _publish(self, uri: str, version: int | None, document: Document) -> None:
        lines = lines_of(document.data.decode("utf-8", "replace"))
        found = [
            types.Diagnostic(
                range=self._client_range(lines, range_of(said, lines)),
                severity=_SEVERITIES[said.severity],
                code=said.id,
                source="s2s",
                message=_message(said),
            )
            for said in document.told
            if said.location is None or said.location.path == document.path
        ]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=found)
        )

    def _client_range(self, lines: Sequence[str], place: types.Range) -> types.Range:
        return self.workspace.position_codec.range_to_client_units(lines, place)

    def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """The rewritings of the regions that a range touches, and that of the whole file."""
        document = self._documents.get(params.text_document.uri)
        text = self.workspace.get_text_document(params.text_document.uri)
        if document is None or document.data != text.source.encode("utf-8", "surrogateescape"):
            return []
        uri, wanted = params.text_document.uri, params.context.only
        lines = lines_of(text.source)
        found = []
        for said in document.told if _asks(wanted, types.CodeActionKind.QuickFix) else ():
            place = said.region or said.location
            edits = document.edits_at(said) if said.severity is Severity.REMARK else []
            first, last = params.range.start.line + 1, params.range.end.line + 1
            if place is not None and edits and place.line <= last and first <= place.end_line:
                title = f"s2s: rewrite this region ({said.text} [{said.id}])"
                change = edits_of(document.data, edits)
                found.append(self._action(uri, lines, title, types.CodeActionKind.QuickFix, change))
        new = document.rewritten
        if new != document.data and _asks(wanted, _FIX_ALL):
            if document.whole is None:
                change = edits_of(document.data, document.edits)
            else:
                change = edits_of(document.data, [], new)
            title = "s2s: rewrite all regions of this file"
            found.append(self._action(uri, lines, title, _FIX_ALL, change))
        return found

    def _action(
        self, uri: str, lines: Sequence[str], title: str, kind: str, change: list[types.TextEdit]
    ) -> types.CodeAction:
        edits = [replace_range(e, self._client_range(lines, e.range)) for e in change]
        return types.CodeAction(
            title=title, kind=kind, edit=types.WorkspaceEdit(changes={uri: edits})
        )

    async def explain(self, params: types.HoverParams) -> types.Hover | None:
        """Dependences and schedule of the region at a place."""
        uri, line = params.text_document.uri, params.position.line + 1
        path = to_fs_path(uri) or uri
        source = self.workspace.get_text_document(uri).source
        data = source.encode("utf-8", "surrogateescape")
        key = (path, data, line)
        if key not in self._explained:
            task = replace(
                self._model, path=path, data=data, flags=self._flags_of(path), explain=line
            )
            answer = await self._explainer.look(replace(task, check=False))
            self._explained = {key: _summary(answer.explanation, line)}
        text = self._explained[key]
        if not text:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, f"```text\n{text}```")
        return types.Hover(contents=content)


def replace_range(edit: types.TextEdit, place: types.Range) -> types.TextEdit:
    """The same edit at a place in the client's units."""
    return types.TextEdit(range=place, new_text=edit.new_text)


def _asks(wanted: Sequence[str] | None, kind: str) -> bool:
    return not wanted or any(kind == w or kind.startswith(f"{w}.") for w in wanted)


def _message(said: Diagnostic) -> str:
    notes = "".join(f"\n{note.text}" for note in said.notes)
    return said.text + notes


def _summary(explanation: str, line: int) -> str:
    """Of the innermost region around a line: dependences, schedule, outcome."""
    around = [block for block in blocks(explanation) if line in block.lines]
    if not around or not explanation:
        return ""
    text = min(around, key=lambda block: len(block.lines)).text
    text = text if "dependences that remain" in text else around[0].text
    kept, shown = [], False
    for number, row in enumerate(text.splitlines()):
        if len(row) - len(row.lstrip()) <= 2:
            shown = not number or _SHOWN.match(row.strip()) is not None
        if shown:
            kept.append(row)
    more = [f"... {len(kept) - _LONGEST} lines more"] if len(kept) > _LONGEST else []
    return "\n".join([*kept[:_LONGEST], *more]) + "\n"


def make_server(model: Task, flags_of: FlagsOf) -> LanguageServer:
    """A server with its features, not started yet. ``model`` says how files are looked at."""
    server = _Server(model, flags_of)

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        await server.warm_up()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.changed(params.text_document.uri, at_once=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.changed(params.text_document.uri, at_once=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    kinds: list[types.CodeActionKind | str] = [types.CodeActionKind.QuickFix, _FIX_ALL]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds))
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return server.actions(params)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        return await server.explain(params)

    @server.feature(types.SHUTDOWN)
    async def shutdown(params: None) -> None:
        await server.stop()

    return server
