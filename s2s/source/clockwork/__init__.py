"""Clockwork's files as they are written: programs of memory files, compute files.

The machine that runs such files and the frontend that makes an accelerator of them read them here.
"""
