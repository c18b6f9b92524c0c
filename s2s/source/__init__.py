"""What is handed in and handed out: text with positions, edits, diagnostics, compilers' flags.

``s2s cc`` asks for little of this package where it has nothing to do, so its names are loaded when
they are asked for.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own takes longer to load than a file that is known to a build
if TYPE_CHECKING:
    from s2s.source.text import Edit, SourceBuffer, Span, apply_edits

__all__ = ["Edit", "SourceBuffer", "Span", "apply_edits"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from s2s.source import text

    found: object = getattr(text, name)
    return found
