"""From a pipeline to a loop nest.

First half (``initial``): wrappers, realization order, inlining, a loop nest for each stage, and
the computations put into the loops at which they are scheduled, with bounds by name. Second half:
(``lower``) bounds inference defines those names, sliding window and storage folding change what is
computed and stored, and everything is simplified.
"""

from s2s.transforms.halide.lower import finish_lowering, lower

__all__ = ["finish_lowering", "lower"]
