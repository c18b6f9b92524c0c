"""What stands in the line at which the parser of C gave up, in words, and where."""

from __future__ import annotations

import re

_NAME = r"\b(?!(?:if|for|while|switch|return|else|do|struct|union|enum)\b)"
_CONSTRUCTS = tuple(
    (re.compile(pattern), what)
    for pattern, what in (
        (r"\[[&=\s\w,*]*\]\s*\([^)]*\)\s*(?:mutable\s*)?(?:->|\{)|\[[&=]\]", "a lambda"),
        (r"\bauto\s*(?:&+\s*)?\[", "a structured binding"),
        (r"\bfor\s*\([^;?]*[^:?;]:[^:;][^;]*\)", "a loop over a range"),
        (r"\boperator\b", "an operator of a class"),
        (r"\b(?:new|delete)\b", "memory from 'new'"),
        (r"\b(?:try|catch|throw)\b", "an exception"),
        (r"\b(?:virtual|public|private|protected|friend|this|explicit)\b", "a class"),
        (r"\b(?:decltype|typename|concept|requires|consteval|co_\w+)\b", "what types depend on"),
        (r"<=>", "'<=>'"),
        (r"\b\w+(?:::\w+)+", "a name of a namespace or class"),
        (
            r"\b(?!if|for|while|switch|return)\w+\s*<[^;=<>&|]+(?:<[^;<>]*>)?[^;=<>&|]*>",
            "a template",
        ),
        (
            r"\b(?!return|else|do|struct|union|enum)\w+\s*\{[^;{}]*\}\s*[;,)]",
            "braces around values",
        ),
        (r"&&\s*\w+\s*[,)=]", "a reference to what is temporary"),
        (r"\basm\b|\b__asm__\b", "assembly"),
    )
)
_BEFORE = re.compile(r"before: (.+)", re.S)


def described(line: str, message: str) -> tuple[str, int]:
    """What is not understood in a line, and its column; ``message`` is the parser's."""
    code = re.sub(r"//.*|/\*.*?\*/", lambda match: " " * len(match[0]), line)
    found = [
        (match.start(), -len(match[0]), what, match[0])
        for pattern, what in _CONSTRUCTS
        if (match := pattern.search(code)) is not None
    ]
    if found:
        at, _, what, said = min(found)
        quoted = "" if what.startswith("'") else f" ('{_short(said)}')"
        return f"{what} is not understood{quoted}", at + 1
    before = _BEFORE.search(message)
    token = before[1].strip() if before is not None else ""
    place = code.find(token) if token else -1
    if place >= 0:
        return f"what ends before '{_short(token)}' is not understood as C", place + 1
    start = len(code) - len(code.lstrip())
    return f"'{_short(code.strip())}' is not understood as C: {message.lower()}", start + 1


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 40 else f"{words[:37]}..."
