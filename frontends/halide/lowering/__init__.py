"""From a pipeline to a loop nest.

First half (``initial``): wrappers, realization order, inlining, a loop nest for each stage, and
the computations put into the loops at which they are scheduled, with bounds by name. Second half:
bounds inference defines those names.
"""
