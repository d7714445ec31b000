"""An agent's analysis of a position as pages show it: panel, rows, verdict, choice of analysts."""
