"""Convolutions on the AI Engine, against the published figures."""
