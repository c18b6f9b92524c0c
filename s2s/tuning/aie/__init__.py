"""Mappings for the AI Engine, measured on its simulator."""
