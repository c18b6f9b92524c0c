"""What a mapping costs, without executing it: two models behind one interface."""
