"""Benchmarks whose cases are single loops: original against transformed, compiler by compiler.

The suite is one source file with a function for each loop. It is transformed once for a compiler,
and a server process for each text (``server.py``) runs the loops by name, so that the two texts
take turns loop by loop.
"""
