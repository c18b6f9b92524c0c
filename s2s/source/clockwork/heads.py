"""What makes a file a memory file; asked about every file, so it loads little."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2s.source.diagnostics import UserError

if TYPE_CHECKING:
    from s2s.source.clockwork.tokens import Token

_HEAD = re.compile(rb"\bprog\s+\w+\s*\(\s*\)\s*\{")


def is_memory_file(data: bytes) -> bool:
    """Whether a file has a function that returns a ``prog``."""
    if not _HEAD.search(data):
        return False
    from s2s.source.clockwork.tokens import read_tokens

    try:
        return bool(find_heads(read_tokens("", data)))
    except UserError:
        return False


def find_heads(tokens: Sequence[Token]) -> list[int]:
    """Where the names of functions stand that return a ``prog``: ``prog NAME() {``."""
    texts = [token.text if token.kind != "string" else "" for token in tokens]
    return [
        k + 1
        for k in range(len(tokens) - 4)
        if texts[k] == "prog"
        and tokens[k + 1].kind == "name"
        and texts[k + 2 : k + 5] == ["(", ")", "{"]
    ]
