"""Designs for an array of processing elements: the tables of Setter's dissertation again."""
