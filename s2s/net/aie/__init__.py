"""The net after the AI Engine: the emitted kernel and its host code against the source."""
