"""From C with parallel loops to C for Emu (``--target emu``)."""
