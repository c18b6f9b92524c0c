"""Choosing by measuring: candidates of a region are timed on this machine, the best remembered.

``search`` decides what to measure next and what wins, ``outline`` makes a program of one region,
``meter`` runs it (or the user's own), ``sizes`` finds parameters that are worth measuring,
``cache`` remembers, and ``tuner`` puts them together for the pipeline.
"""
