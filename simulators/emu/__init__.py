"""Emu: threads that migrate to the memory they read, and how often they do.

A program in Emu's C (``memoryweb.h``, ``cilk.h``) is parsed, each of its memory accesses is made to
pass through a small machine (``runtime/``), and the result is compiled by the host's compiler and
run: values and counts come out of one native run.
"""
