"""Programs that tests read as texts, from files beside them.

``read_programs`` takes folders of files whose first line, ``// WORDS``, says what each is. Where a
test fills something in, a word in capitals stands in its place, so that the file is C with macros:
``path.read_text().replace("BODY", body)``. ``tests/house/test_programs.py`` counts what stands in
strings still.
"""

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
