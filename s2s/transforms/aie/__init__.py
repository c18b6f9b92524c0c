"""Contractions to kernels of the AI Engine: the steps of the Vyasa paper, and those past it."""
