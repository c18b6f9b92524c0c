"""The site of these pages: ``make docs``. Nothing is fetched, by the build or by a reader."""

project = "s2s"
author = "the s2s developers"
copyright = author
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "s2s"
html_copy_source = False
html_show_sphinx = False
myst_heading_anchors = 4
# Examples have before and after beside each other, which is no C for a highlighter.
suppress_warnings = ["misc.highlighting_failure", "toc.not_included"]


def _stay_inside(app: object, name: str, text: list[str]) -> None:
    """Links to files beside this folder lead to the pages that include them."""
    text[0] = text[0].replace("](../CONTRIBUTING.md", "](contributing.md")


def setup(app: object) -> None:
    app.connect("source-read", _stay_inside)  # type: ignore[attr-defined]
