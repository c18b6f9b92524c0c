"""Contractions on the AI Engine: from programs to kernels, the tuner, the benchmark."""
