"""Sampling a program: which lines its processor time goes to."""
