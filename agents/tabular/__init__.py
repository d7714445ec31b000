"""Small games as arrays: states, successors, exact values."""
