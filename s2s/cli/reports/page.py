"""One HTML file of a template, styles, scripts and data: it asks nothing of any network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

_SCRIPTS = ("common.js", "code.js", "arcs.js", "charts.js", "files.js", "machine.js", "start.js")
LARGEST = 5_000_000
"""Bytes that a page may have."""


def make_page(data: Mapping[str, Any]) -> bytes:
    """The page that shows the data."""
    import jinja2

    assets = files("s2s.cli.reports") / "assets"
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string((assets / "page.html").read_text(encoding="utf-8"))
    text = template.render(
        title=data["title"],
        style=(assets / "page.css").read_text(encoding="utf-8"),
        scripts=[(assets / name).read_text(encoding="utf-8") for name in _SCRIPTS],
        data=_as_script(data),
    )
    return text.encode("utf-8", "replace")


def _as_script(data: Mapping[str, Any]) -> str:
    """JSON that may stand in a script element: nothing in it ends the element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
