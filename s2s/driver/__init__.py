"""One file through the house: options, regions, passes, what is checked and what is said."""
