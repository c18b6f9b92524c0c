"""Loop nests over tensors (``s2s.scop.nest``) as C99 with OpenMP and simd pragmas."""

from s2s.emitters.c.nests.function import Emitted, emit

__all__ = ["Emitted", "emit"]
