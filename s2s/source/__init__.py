"""What is handed in and handed out: text with positions, edits, diagnostics, compilers' flags."""

from s2s.source.text import Edit, SourceBuffer, Span, apply_edits

__all__ = ["Edit", "SourceBuffer", "Span", "apply_edits"]
