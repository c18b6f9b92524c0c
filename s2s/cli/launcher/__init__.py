"""A program in C that stands before ``s2s cc`` for the files of a build that are known."""
