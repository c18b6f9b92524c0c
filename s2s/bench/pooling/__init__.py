"""Pooling on DaVinci: every variant of every layer, on the simulated core."""
