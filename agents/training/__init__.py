"""Learning as a generator of checkpoints, and what was learned as a file."""
