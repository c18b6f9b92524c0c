"""A graph of kernels on several cores: its text, and a simulation of streams, locks and DMA."""
