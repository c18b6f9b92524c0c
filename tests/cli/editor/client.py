"""A small editor: the Language Server Protocol over the standard streams of a real server."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import s2s

_PATIENCE = 60.0


class Client:
    """A session with ``s2s lsp``. Texts are of documents that need not exist."""

    def __init__(self, *argv: str) -> None:
        package = Path(s2s.__file__).resolve().parent.parent
        self._server = subprocess.Popen(
            [sys.executable, "-m", "s2s", "lsp", *argv],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None,
            env={**os.environ, "PYTHONPATH": str(package)},
        )
        self._messages: queue.Queue[dict[str, Any]] = queue.Queue()
        self._number = 0
        self._version = 0
        self.logged: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()
        about: dict[str, Any] = {"capabilities": {}, "processId": None, "rootUri": None}
        self.capabilities = self.request("initialize", **about)
        self.notify("initialized")

    def _read(self) -> None:
        stream = self._server.stdout
        assert stream is not None
        while line := stream.readline():
            length = 0
            while line.strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                line = stream.readline()
            self._messages.put(json.loads(stream.read(length)))

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._server.stdin is not None
        self._server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        self._server.stdin.flush()

    def notify(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, **params: Any) -> Any:
        """The result of a request; what else comes meanwhile is dropped."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._until(lambda m: m.get("id") == self._number and "method" not in m)["result"]

    def _until(self, wanted: Any) -> dict[str, Any]:
        end = time.monotonic() + _PATIENCE
        while True:
            message = self._messages.get(timeout=max(end - time.monotonic(), 0.01))
            if message.get("method") == "window/logMessage":
                self.logged.append(message["params"]["message"])
            if wanted(message):
                return message

    def open(self, uri: str, text: str) -> None:
        document = {"uri": uri, "languageId": "c", "version": 0, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)

    def change(self, uri: str, line: int, old: int, text: str) -> None:
        """Replace the first ``old`` units of a line (from 0) by a text."""
        self._version += 1
        place = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": old}}
        self.notify(
            "textDocument/didChange",
            textDocument={"uri": uri, "version": self._version},
            contentChanges=[{"range": place, "text": text}],
        )

    def published(self) -> list[dict[str, Any]]:
        """The diagnostics that come next."""
        message = self._until(lambda m: m.get("method") == "textDocument/publishDiagnostics")
        found: list[dict[str, Any]] = message["params"]["diagnostics"]
        return found

    def settled(self) -> list[dict[str, Any]]:
        """The last diagnostics before the server says that all is looked at."""
        found: list[dict[str, Any]] = []
        while True:
            message = self._until(
                lambda m: (
                    m.get("method") in ("textDocument/publishDiagnostics", "window/logMessage")
                )
            )
            if message["method"] == "window/logMessage":
                return found
            found = message["params"]["diagnostics"]

    def actions(self, uri: str, line: int, *kinds: str) -> list[dict[str, Any]]:
        place = {"line": line, "character": 0}
        found: list[dict[str, Any]] = self.request(
            "textDocument/codeAction",
            textDocument={"uri": uri},
            range={"start": place, "end": place},
            context={"diagnostics": [], **({"only": kinds} if kinds else {})},
        )
        return found

    def close(self) -> int:
        """End the session as the protocol wants it; the server's exit status."""
        self.request("shutdown")
        self.notify("exit")
        return self._server.wait(_PATIENCE)


def apply(text: str, edits: list[dict[str, Any]]) -> str:
    """A text with edits, whose columns count UTF-16 units."""
    lines = text.split("\n")

    def offset(place: dict[str, int]) -> int:
        before = sum(len(line) + 1 for line in lines[: place["line"]])
        units = lines[place["line"]].encode("utf-16-le")[: 2 * place["character"]]
        return before + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        start, end = (offset(edit["range"][side]) for side in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text
