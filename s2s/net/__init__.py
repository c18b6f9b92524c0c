"""The net: whatever leaves was checked after its last rewrite by something that did not write it.

Where a proof of what is printed is possible, it is proved; elsewhere the result is executed on
small and boundary sizes and its values are compared with the source's. A result that fails is a
defect of s2s (``Mismatch``): C keeps its text, the other doors write nothing.
"""

from s2s.source.diagnostics import InternalError


class Mismatch(InternalError):
    """The emitted text does not do what the source does."""


__all__ = ["Mismatch"]
