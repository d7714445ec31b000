"""The training loop, brains (what was learned) and their files."""
