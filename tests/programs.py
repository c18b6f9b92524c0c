"""Programs that tests read as texts: files whose first line, ``// WORDS``, says what each is."""

from __future__ import annotations

from pathlib import Path


def read_programs(*folders: Path) -> dict[str, str]:
    """The programs of folders by what they are, in the order of their files' names."""
    files = [path for folder in folders for path in sorted(folder.glob("*.c"))]
    texts = [path.read_text().removeprefix("// ").split("\n", 1) for path in files]
    return {name: text for name, text in texts}


def read_body(path: Path) -> str:
    """The lines between the braces of a file's one function."""
    return path.read_text().partition("\n{\n")[2].rpartition("\n}\n")[0]
