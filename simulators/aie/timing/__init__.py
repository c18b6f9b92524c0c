"""Cycles of a kernel on the AI Engine: its compiler's scheduling and register allocation redone."""
