"""Operators of networks found in loop nests."""
