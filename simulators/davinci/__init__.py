"""The AI Core of DaVinci: CCE C, executed and timed."""
