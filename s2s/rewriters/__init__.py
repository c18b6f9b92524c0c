"""What edits text over syntax: each edit proved, or executed before it leaves."""
