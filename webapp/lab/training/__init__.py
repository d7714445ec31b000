"""Training jobs: the form, the page, curves and snapshots."""
