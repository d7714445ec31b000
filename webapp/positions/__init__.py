"""Any position: set up on a board or pasted, looked at, and played on from."""
