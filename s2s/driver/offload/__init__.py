"""A program whose regions go to devices: found, given to those who take them, written, called."""
