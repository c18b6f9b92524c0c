"""The Jacobi program of Figure 3.5 (a) in the PoPP chapter, in our own words."""

from pathlib import Path

JACOBI = "\n" + Path(__file__).with_name("jacobi.c").read_text()
