"""Pages of the gallery as what they say now: commands are run, and their results are put in.

Besides what ``tutorial`` reads, a fence after ``<!-- part of: NAME; from "..." to "..." -->`` holds
the lines of a file that the commands have made, from the first one with the one text to the next
one with the other. ``...`` in what is printed stands for anything; numbers are not left open here,
since compilers and simulators give the same ones each time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tests.house.tutorial import File, has_shape, parts

_PART = re.compile(
    r'^(?P<head><!-- part of: (?P<file>\S+); from "(?P<first>[^"\n]+)" to "(?P<last>[^"\n]+)" -->'
    r"\n```\w*\n)"
    r"(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


def render(page: str, folder: Path, run: Callable[[str], str]) -> str:
    """The page with what its commands print and make now."""
    for part in parts(page):
        if isinstance(part, File):
            (folder / part.name).write_text(part.content)
            continue
        said = "".join(map(run, part.lines))
        if part.printed is not None and not has_shape(said, part.printed, exact=True):
            commands = "\n".join(part.lines) + "\n```\n\n```text\n"
            page = page.replace(commands + part.printed, commands + said, 1)
    return _PART.sub(lambda found: _excerpt(found, folder), page)


def _excerpt(found: re.Match[str], folder: Path) -> str:
    lines = (folder / found["file"]).read_text().splitlines()
    start = next(k for k, line in enumerate(lines) if found["first"] in line)
    end = next(k for k in range(start + 1, len(lines)) if found["last"] in lines[k])
    margin = min(len(s) - len(s.lstrip()) for s in lines[start : end + 1] if s.strip())
    return found["head"] + "".join(f"{s[margin:]}\n" for s in lines[start : end + 1]) + "```"
